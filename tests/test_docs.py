"""The pages of docs/, and README, are true: what they show runs and prints what they say; none is missing on the site."""

from __future__ import annotations

import difflib
import os
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import dialects
from pyshellhooks.cli import main
from pyshellhooks.engine.checks.codes import CODES
from tests.generators import docstrings, pictures, reference, site
from tests.page_runner import Mismatch, Reader, blocks

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

#: Pages whose blocks do not run from top to bottom, and what holds them instead.
_ELSEWHERE = {
    "adapters": "they need an SDK and a model: tests/adapters/test_adapter_examples.py runs the real ones",
    "adr": "decisions, as they were made",
    "contracts": "what other programs do: the conformance cases",
    "dialects": "fragments of configs; the conformance cases hold what is said of them",
    "reference": "generated, and shows no runs",
    "utilities": "generated from the conformance cases",
    "architecture.md": "a drawing",
    "command-line.md": "tests/unit/cli/test_command_line_page.py",
    "conformance.md": "tests/unit/conformance",
    "diagnostics.md": "below",
    "guards.md": "generated: tests/contract/guard_matrix",
    "performance.md": "generated: python -m benchmarks",
    "notices.md": "tests/unit/hooks/test_notice.py",
    "serve-at-login.md": "files of systemd, launchd and Windows, which the tests' machines lack",
    "shell.md": "conformance/cases/shell",
    "sandboxed-shell.md": "tests/test_sandbox_page.py",
    "mcp-shell.md": "tests/unit/cli/test_mcp_shell.py",
    "typed-hooks.md": "tests/unit/types/test_types_page.py",
    "vscode.md": "tests/unit/types/test_types_page.py",
}


def _runs(page: Path) -> bool:
    name = page.relative_to(DOCS).parts[0]
    return name not in _ELSEWHERE and bool(blocks(page.read_text(encoding="utf-8")))


PAGES = [ROOT / "README.md", *(page for page in sorted(DOCS.rglob("*.md")) if _runs(page))]


def _page(page: Path) -> Any:
    """A page that starts commands is slow, README apart."""
    has_commands = re.search(r"^\$ ", page.read_text(encoding="utf-8"), re.MULTILINE) is not None
    is_slow = has_commands and page.name != "README.md"
    return pytest.param(page, id=page.relative_to(ROOT).as_posix(), marks=pytest.mark.slow if is_slow else ())


@pytest.mark.parametrize("page", [_page(page) for page in PAGES])
def test_all_that_a_page_shows_is_so(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("PYSHELLHOOKS_", "CLAUDE_", "CRUSH_", "GEMINI_"))]:
        monkeypatch.delenv(name)
    directory = tmp_path / "project"
    directory.mkdir()
    assert Reader(directory).follow(page.read_text(encoding="utf-8")) > 0


def test_the_ways_in_and_the_how_tos_run() -> None:
    names = {page.relative_to(ROOT).as_posix() for page in PAGES}
    assert {f"docs/tutorials/{name}.md" for name in ("hooks", "agent", "sandbox")} <= names
    assert sum(name.startswith("docs/howto/") for name in names) == len(list((DOCS / "howto").glob("*.md")))
    assert all((DOCS / name).exists() for name in _ELSEWHERE)


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ("```python\nprint(1)\n```\n\nIt prints `2`.", "it prints"),
        ("```python\nprint(1)\n```\n\n```text\n2\n```", "it prints"),
        ("```python\nprint(1)\n```", "does not show"),
        ("```python\nprint(1)\n```\n```python\nx = 1\n```", "does not show"),
        ("```console\n$ echo a; echo b\na\n```", "it prints"),
        ("```console\n$ echo a; echo b; echo c\na\n...\nd\n```", "it prints"),
        ("```console\necho a\n```", "begins with"),
        ("```sh\npyshellhooks check crush.json\n```", "console"),
        ("```toml\na = 1\n```", "nothing runs"),
        ("```python\ndef test_x(): pass\n```", "pytest"),
    ],
)
def test_the_reader_can_fail(page: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    with pytest.raises(Mismatch, match=complaint):
        Reader(tmp_path / "project").follow(page)


def test_the_reader_accepts_correct_pages(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    page = (
        "```sh title=\"a.sh\"\necho hi\n```\n```sh\npip install '.[re2]'\n```\n"
        "```console\n$ sh a.sh\nhi\n$ echo one; echo two; echo three\none\n...\nthree\n$ cd ..\n$ echo a \\\n> b\na b\n```\n"
        "```python\nx = 1\nprint(x)\nprint('y')\n```\n\nIt prints `1`, then `y`.\n\n```python\nprint(x + 1)\n```\n\n```text\n2\n```\n"
    )
    assert Reader(tmp_path / "project").follow(page) == 6


def test_every_page_is_on_the_site() -> None:
    said = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    names = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert [name for name in names if not _is_named(name, said)] == [], "name it in the nav of mkdocs.yml"
    assert (
        not _is_named("gone.md", said) and not _is_named("none/shell.md", said) and not _is_named("my-shell.md", said)
    )


def _is_named(page: str, said: str) -> bool:
    """Say whether a page is in the nav, or in the comment above it; by a directory's list if it has one."""
    directory = page.rpartition("/")[0]
    found = re.search(rf"(?<![\w/-]){re.escape(page)}(?![\w-])", said)
    return found is not None or (bool(directory) and f"{directory}/*" in said)


def test_generated_pages_are_fresh() -> None:
    pages = reference.build()
    for path in reference.stale(pages):
        old = (DOCS / path).read_text(encoding="utf-8") if (DOCS / path).exists() else ""
        changed = difflib.unified_diff(
            old.splitlines(), pages.get(path, "").splitlines(), path, "now", lineterm="", n=0
        )
        pytest.fail("run python -m tests.generators.reference\n" + "\n".join(changed))


def test_left_over_pages_are_stale(tmp_path: Path) -> None:
    (tmp_path / "gone.md").write_text(f"# Gone\n{reference.GENERATED}", encoding="utf-8")
    (tmp_path / "kept.md").write_text("# By hand\n", encoding="utf-8")
    assert reference.stale({"new.md": "# New\n"}, tmp_path) == ["gone.md", "new.md"]


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_pictures_are_fresh(name: str) -> None:
    drawn = (pictures.IMAGES / name).read_text(encoding="utf-8")
    assert pictures.words(drawn) == pictures.words(pictures.PICTURES[name]()), "run python -m tests.generators.pictures"
    assert not re.search(r"url\(['\"]?http|@import|<script|href=.http", drawn)


def test_the_site_shows_examples_in_full() -> None:
    for page in (DOCS / "adapters").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        (name,) = re.findall(r"\((?:\.\./)*(examples/\w+\.py)\)", text)
        assert (ROOT / name).read_text(encoding="utf-8") in site.with_examples(text), page
    assert site.with_examples("[a](../shell.md)") == "[a](../shell.md)"


def test_the_changes_of_the_site_to_a_page() -> None:
    page = "[a](../README.md) [b](shell.md#x) [c](adr) `[d](../x)` ![p](images/fire.svg) [S][Q] [`e`](../examples/x.py)"
    lone = site.brackets(site.outward(page, "faq.md", ""))
    assert lone == r"a [b](shell.md#x) c `[d](../x)` ![p](images/fire.svg) \[S\]\[Q\] `e`"
    there = site.outward(page, "faq.md", "https://example.org/p")
    assert (
        "[a](https://example.org/p/blob/main/README.md) [b](shell.md#x) [c](https://example.org/p/blob/main/docs/adr)"
        in there
    )
    fenced = "- a\n\n  ```toml\n  [tool.x] [a](../x)\n  ```\n"
    assert site.brackets(site.outward(fenced, "faq.md", "")) == fenced
    assert site.bars("| `a \\| b` |\n`a \\| b`") == "| <code>a &#124; b</code> |\n`a \\| b`"
    assert site.listed([{"x": ["shell.md", "adr/*"]}])[0]["x"][:2] == ["shell.md", "adr/0001-the-thread-of-a-run.md"]


@pytest.mark.parametrize(
    ("page", "read"),
    [
        ("Text:\n- a\n- b", "Text:\n\n- a\n- b"),
        ("Text:\n1. a\n2. b", "Text:\n\n1. a\n2. b"),
        ("Text\n| a |\n|---|\n| b |", "Text\n\n| a |\n|---|\n| b |"),
        ("- a\n  - b\n    - c\n- d", "- a\n    - b\n        - c\n- d"),
        ("1. a\n   more\n   - b", "1. a\n    more\n    - b"),
        (
            "- a:\n\n  ```toml\n  x = 1\n  ```\n\n  more\n- b",
            "- a:\n\n    ```toml\n    x = 1\n    ```\n\n    more\n\n- b",
        ),
        ("- a\n  b\n- c", "- a\n    b\n- c"),
        ("```text\na\n- b\n  - c\n```", "```text\na\n- b\n  - c\n```"),
        ("# a\n- b\n\nText\nmore - or less", "# a\n- b\n\nText\nmore - or less"),
    ],
)
def test_lists_are_read_as_on_github(page: str, read: str) -> None:
    assert site.lists(page) == read


@pytest.mark.parametrize(
    ("docstring", "read"),
    [
        (
            "Run.\n\ncwd, env  the place\n          of it\nfs        files",
            "Run.\n\n- `cwd`, `env`: the place of it\n- `fs`: files",
        ),
        ("Run.\n\n``Exited``   by itself\n``Stopped``  by us", "Run.\n\n- `Exited`: by itself\n- `Stopped`: by us"),
        ("Run it.  Twice.\n\nSome text\nin two lines.", "Run it.  Twice.\n\nSome text\nin two lines."),
        ("An example::\n\n    x = 1", "An example:\n\n    x = 1"),
    ],
)
def test_docstrings_are_read_as_markdown(docstring: str, read: str) -> None:
    assert docstrings.as_markdown(docstring) == read


@pytest.mark.parametrize("shown", ["Text\n- a", "Text\n| a | b |", "a `b` c", "a **b", "see [x](y.md)"])
def test_markdown_that_was_not_read_is_found(shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text(f"<article><p>fine</p><p>{shown}</p></article>", encoding="utf-8")
    assert site.main([str(tmp_path)]) == 1
    assert "a.html" in capsys.readouterr().err
    (tmp_path / "a.html").write_text("<article><p>a - b <code>`c`</code></p></article>", encoding="utf-8")
    assert site.main([str(tmp_path)]) == 0


def test_a_site_that_fetches_from_elsewhere_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text(
        '<script src="https://cdn.example/x.js"></script><a href="https://example.org">x</a>'
    )
    assert site.main([str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert shown.err.count("cdn.example") == 1 and "example.org" not in shown.err
    assert "https://pypi.org/project/atheris/ CONTRIBUTING.md" in shown.out.splitlines()


@pytest.mark.parametrize(("page", "ability"), [("ask", "ask"), ("rewrite", "rewrite")])
def test_the_tables_of_systems_are_complete(page: str, ability: str) -> None:
    text = (DOCS / "howto" / f"{page}.md").read_text(encoding="utf-8")
    table = text.partition("systems")[2]
    for name in dialects.names():
        system = dialects.get(name)
        can = [row.native for row in system.events.values() if ability in row.can]
        rows = [line for line in table.splitlines() if line.startswith("|") and system.title in line]
        assert bool(rows) == bool(can), system.title
        if page == "ask" and rows:
            assert sorted(re.findall(r"`(\w+)`", rows[0])) == sorted(can)


def test_every_promise_of_the_threat_model_has_tests() -> None:
    page = (DOCS / "threat-model.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (.+) \| (.*) \|$", page.partition("## What is promised")[2].partition("## ")[0], re.MULTILINE
    )
    assert len(rows) > 10
    for promise, held in rows[2:]:
        files = re.findall(r"`((?:tests|conformance)/[^`]+\.(?:py|toml))`", held)
        assert files and all((DOCS.parent / file).exists() for file in files), promise


def test_the_page_of_diagnostics_has_every_code_once_and_the_output_of_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "diagnostics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE)
    assert sorted(row[0] for row in rows) == sorted(CODES)
    (example,) = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for name, text in (
        (".claude/settings.json", '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "bash \\"$CLAUDE_PROJECT_DIR\\"/hooks/guard.sh"}]}]}}'),
        ("hooks/guard.sh", "if jq -r .tool_input.command | grep -q rm\nthen\n  echo no >&2\n  exit 1\nfi\n"),
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(text.encode())
    assert main(["check", ".claude/settings.json"]) == 1
    assert capsys.readouterr().out == example
    (tmp_path / "hooks/guard.sh").write_text("read input\n")
    assert main(["check", ".claude/settings.json"]) == 0
    assert "[read-backslash]" in capsys.readouterr().out
    for code in CODES:
        assert main(["check", ".claude/settings.json", "--ignore", code]) == 0
        assert (f"[{code}]" in capsys.readouterr().out) is False


def test_files_that_pages_name_are_there() -> None:
    wrong = []
    ours = [page for page in DOCS.rglob("*.md") if page.parent.name != "contracts"]  # those name other projects' files
    for page in sorted(ours):
        for path in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", page.read_text(encoding="utf-8")):
            if not any(
                (root / path).exists() for root in (DOCS.parent, DOCS.parent / "pyshellhooks", DOCS.parent / "tests")
            ):
                wrong.append(f"{page.relative_to(DOCS)}: {path}")
    assert not wrong, "\n".join(wrong)


def test_objects_of_the_reference_exist() -> None:
    names = [
        name
        for page in (DOCS / "reference").glob("*.md")
        for name in re.findall(r"^::: ([\w.]+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(names) > 30
    missing = [
        name for name in names if not hasattr(pkgutil.resolve_name(name.rpartition(".")[0]), name.rpartition(".")[2])
    ]
    assert missing == []
