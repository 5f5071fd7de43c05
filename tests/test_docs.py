"""The examples of the pages in docs/ run and print what they promise."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from pyshellhooks.cli import main
from pyshellhooks.engine.diagnostics import CODES

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.portable
def test_the_agent_loop() -> None:
    page = (DOCS / "agent-loop.md").read_text(encoding="utf-8")
    adapter, tools, conversation, _ = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(adapter, "agent-loop.md", "exec"), names := {})  # the text is ours
    promised = re.search(r"It prints `(.*?)`, then `(.*?)`", page)
    assert promised is not None
    assert out.getvalue().splitlines() == list(promised.groups())
    with contextlib.redirect_stdout(out := io.StringIO()):
        exec(compile(tools, "agent-loop.md", "exec"), names)
    assert out.getvalue() == ""  # every guard can be reached
    exec(compile(conversation, "agent-loop.md", "exec"), names)
    assert names["verdict"].followup is None and not names["session"].once("session_start")


@pytest.mark.portable
def test_answers_in_an_agents_own_words() -> None:
    page = (DOCS / "dialect-answers.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with contextlib.redirect_stdout(out := io.StringIO()):
        exec(compile(example, "dialect-answers.md", "exec"), {})  # the text is ours
    promised = re.search(r"It prints `(.*?)`\.", page)
    assert promised is not None and out.getvalue().strip() == promised[1]


@pytest.mark.portable
def test_every_promise_of_the_threat_model_is_held_by_tests() -> None:
    page = (DOCS / "threat-model.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (.+) \| (.*) \|$", page.partition("## What is promised")[2].partition("## ")[0], re.MULTILINE
    )
    assert len(rows) > 10
    for promise, held in rows[2:]:
        files = re.findall(r"`((?:tests|conformance)/[^`]+\.(?:py|toml))`", held)
        assert files and all((DOCS.parent / file).exists() for file in files), promise


@pytest.mark.portable
def test_the_page_of_diagnostics_has_every_code_once_and_its_example_is_what_check_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "diagnostics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE)
    assert sorted(row[0] for row in rows) == sorted(CODES)
    (example,) = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for name, text in (
        (".claude/settings.json", '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "bash hooks/guard.sh"}]}]}}'),
        ("hooks/guard.sh", "if jq -r .tool_input.command | grep -q rm\nthen\n  echo no >&2\n  exit 1\nfi\n"),
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(text.encode())
    assert main(["check", ".claude/settings.json"]) == 0
    assert capsys.readouterr().out == example
    for code in CODES:
        assert main(["check", ".claude/settings.json", "--ignore", code]) == 0
        assert (f"[{code}]" in capsys.readouterr().out) is False


@pytest.mark.portable
def test_files_that_pages_name_are_there() -> None:
    wrong = []
    ours = [page for page in DOCS.rglob("*.md") if page.parent.name != "contracts"]  # those name other projects' files
    for page in sorted(ours):
        for path in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", page.read_text(encoding="utf-8")):
            if not any((root / path).exists() for root in (DOCS.parent, DOCS.parent / "pyshellhooks")):
                wrong.append(f"{page.relative_to(DOCS)}: {path}")
    assert not wrong, "\n".join(wrong)
