"""README and CONTRIBUTING say what is true: their commands are CI's, their examples run, their links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from tests.generators import address, site

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
    return module


metadata = _loaded(ROOT / ".ci" / "metadata.py")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_two_commands_are_the_ones_that_ci_runs() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    demo, tests = (block.strip() for block in blocks("sh")[:2])
    assert demo.endswith("pyshellhooks demo") and "pytest" in tests
    assert demo in ci
    assert tests in ci


def test_commands_on_the_readme_exist() -> None:
    from pyshellhooks.cli import COMMANDS

    named = set(re.findall(r"pyshellhooks ([a-z]+)", "\n".join(blocks("sh") + blocks("console"))))
    listed = README.partition("`pyshellhooks help` lists")[2].partition("\n\n")[0]
    named |= set(re.findall(r"`([a-z]+)`", listed))
    assert named <= set(COMMANDS)
    assert {"demo", "explain", "fire", "doctor"} <= named and "`check` finds" in README


def test_links_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in link and not (page.parent / link).exists():
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def test_bashlex_is_explained_on_the_readme() -> None:
    assert "cross-check" in README and "0006-bashlex" in README


def test_it_is_short_and_has_a_picture() -> None:
    assert len(README) < 5000
    assert re.findall(r"!\[[^]]+\]\(([^)]+)\)", README) == ["docs/images/fire.svg"]


def test_how_one_installs_it_before_and_after_the_first_release() -> None:
    released = site.settings()["released"]
    here, there = address.installed(README, False), address.installed(README, True)
    assert (there if released else here) == README
    assert "`pip install '.[re2]'`" in here and "pip install 'pyshellhooks" not in here
    assert "`pip install 'pyshellhooks[re2]'`" in there and "`pip install '." not in there
    assert address.installed(there, False) == here
    commands = [block for block in blocks("sh") if "-m venv" in block]
    assert len(commands) == 2 and all(command in there for command in commands)  # CI's own, in a clone


def test_texts_that_depend_on_the_settings_are_fresh() -> None:
    assert list(address.stale()) == [], "run python -m tests.generators.address"


@pytest.mark.parametrize("public", ["", "https://example.org/o/pyshellhooks"])
def test_all_addresses_of_the_project_derive_from_one_setting(public: str) -> None:
    text = metadata.absolute(README, public)
    links = re.findall(r"\]\(([^)]+)\)", text)
    if not public:
        assert metadata.urls("") == {} and links == []
        assert "contact_links" not in address.config("")
        return
    assert all(link.startswith(f"{public}/") for link in [*links, *metadata.urls(public).values()] if link != public)
    assert f"({public}/raw/main/docs/images/fire.svg)" in text and f"({public}/blob/main/docs/shell.md)" in text
    assert address.config(public).count(public) == 2


def test_nothing_else_names_an_address_of_the_project() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "[project.urls]" not in project and 'dynamic = ["readme", "urls"]' in project
    public = site.settings()["address"]
    for path in [ROOT / "mkdocs.yml", *(ROOT / ".github").rglob("*.yml"), *PAGES]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"github\.com/[\w-]+/pyshellhooks|pyshellhooks\.(?:dev|io|readthedocs)", text), path
        assert path == address.CONFIG or not public or public not in text, path


def test_the_forms_of_issues_are_forms() -> None:
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) >= 4
    for form in forms:
        read = yaml.safe_load(form.read_text(encoding="utf-8"))
        if form == address.CONFIG:
            continue
        assert {"name", "description", "body"} <= set(read)
        ids = [one["id"] for one in read["body"] if one["type"] != "markdown"]
        assert len(ids) == len(set(ids)) > 0


def test_a_release_is_attested_and_has_no_token() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    used = [step.get("uses", "").partition("@")[0] for job in jobs.values() for step in job["steps"]]
    assert {"actions/attest-build-provenance", "pypa/gh-action-pypi-publish"} <= set(used)
    assert jobs["publish"]["permissions"] == {"id-token": "write"} and jobs["publish"]["needs"] == "try"
    assert "secrets." not in text and "password" not in text
