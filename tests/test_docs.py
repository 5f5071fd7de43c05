"""The examples of the pages in docs/ run and print what they promise."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

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
