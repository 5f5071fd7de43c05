"""A notice: a text with fields, which stay with it wherever it goes (docs/notices.md)."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import pickle
import re
from pathlib import Path

import pytest

from pyshellhooks import HookEngine, Shell
from pyshellhooks.hooks.verdict import Verdict
from pyshellhooks.notice import KINDS, STRICT, Notice, noticed

PAGE = Path(__file__).resolve().parents[3] / "docs" / "notices.md"
NOTICE = Notice("command not found", "command-not-found", command="jq", hint="install it", status=127, fault=STRICT)


def test_its_text() -> None:
    assert NOTICE == "jq: command not found; install it (status 127)" and hash(NOTICE) == hash(str(NOTICE))
    assert NOTICE.changed(then="it goes on") == "jq: command not found; install it (status 127); it goes on"
    assert Notice("odd\n    <HERE>x", hint="mend it") == "odd\n    <HERE>x\n    mend it"


def test_a_notice_of_a_hook_has_its_name_once() -> None:
    notice = NOTICE.about("h1", "./guard.sh", "f:1:2")
    assert notice == "./guard.sh (f:1:2): jq: command not found; install it (status 127)"
    assert (notice.hook, notice.command, notice.kind) == ("h1", "jq", "command-not-found")
    named = NOTICE.about("h1", "jq", "f:1:2")
    assert named == "jq (f:1:2): command not found; install it (status 127)" and named.command == "jq"


def test_a_hint_that_is_added_later_is_in_the_text() -> None:
    advised = Notice("exit status 1", "hook-failed").advised("exit with 0")
    assert (advised, advised.hint) == ("exit status 1", "exit with 0")
    assert advised.about("h1", "x", "f") == "x (f): exit status 1; exit with 0"


@pytest.mark.parametrize("again", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_is_the_same_elsewhere(again: object) -> None:
    notice = NOTICE.about("h1", "x", "f")
    found = pickle.loads(pickle.dumps(notice)) if again is pickle.dumps else again(notice)  # type: ignore[operator]
    assert type(found) is Notice and found == notice and found.fields() == notice.fields()


def test_a_shell_reports_facts() -> None:
    result = Shell(spawn=False).run("no-such-program; ./gone")
    assert [(one.kind, one.status, one.command) for one in result.faults] == [
        ("command-not-found", 127, "no-such-program"),
        ("file-not-found", 127, "./gone"),
    ]


def test_a_plain_text_is_a_notice_of_no_kind() -> None:
    assert noticed("odd").kind == "other" and noticed("odd", STRICT).fault == STRICT and noticed(NOTICE) is NOTICE


def test_json_holds_texts_and_facts_beside_them() -> None:
    verdict = Verdict("x", notices=[NOTICE, "plain"], faults=[NOTICE])
    found = json.loads(json.dumps(verdict.as_json()))
    assert found["notices"] == [str(NOTICE), "plain"]
    assert found["faults"] == [
        {
            "kind": "command-not-found",
            "fault": "strict",
            "hook": None,
            "command": "jq",
            "status": 127,
            "hint": "install it",
            "notice": str(NOTICE),
        }
    ]


def test_one_fact_is_one_notice() -> None:
    """A hook that is not there, in a system that only warns: what is missing, what to do, and what that led to."""
    config = {"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "no-such-guard"}]}]}}
    verdict = HookEngine.load(config, "gemini").fire("before_tool", tool_name="x", tool_input={})
    (notice,) = verdict.notices
    assert isinstance(notice, Notice) and notice.kind == "command-not-found" and notice.status == 127
    assert "install it" in notice and "Gemini CLI runs the call" in notice
    assert verdict.faults == verdict.notices


def test_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", text.partition("## Kinds")[2], re.MULTILINE))
    assert rows == KINDS
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    with contextlib.redirect_stdout(out := io.StringIO()):
        exec(compile(example, "notices.md", "exec"), {})  # the text is ours
    promised = re.search(r"It prints `(.*?)`\.", text)
    assert promised is not None and out.getvalue().strip() == promised[1]
