"""README and CONTRIBUTING say what is true: their commands are CI's, their examples run, their links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


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

    named = set(re.findall(r"pyshellhooks ([a-z]+)", "\n".join(blocks("sh")))) - {"pyshellhooks"}
    assert named <= set(COMMANDS)
    assert {"demo", "check", "explain", "fire"} <= named


@pytest.mark.portable
@pytest.mark.parametrize("number", [0, 1])
def test_examples_print_what_is_promised(number: int) -> None:
    example = blocks("python")[number]
    promised = re.findall(r"It prints `(.*?)`", README)[number]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(example, "README.md", "exec"), {})  # the text is ours
    assert out.getvalue().strip() == promised


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    broken = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert broken == []


def test_bashlex_is_explained_on_the_readme() -> None:
    assert "cross-check" in README and "0006-bashlex" in README
