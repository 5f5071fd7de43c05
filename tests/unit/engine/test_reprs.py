"""What a person sees who prints one of our objects: what is in it, in one line, and no payload."""

from __future__ import annotations

import re

import pytest

import pyshellhooks
from pyshellhooks import HookEngine, HookSession, Limits, MemoryFS, Shell, Verdict, WireError, dialects

LONG = "x" * 10_000


def fire(command: str, **given: object) -> Verdict:
    config = {"hooks": {"PreToolUse": [{"command": command}]}}
    call = {"tool_name": "bash", "tool_input": {"command": "ls"}, **given}
    return HookEngine.load(config, "crush").fire("PreToolUse", call)


def test_a_verdict() -> None:
    assert repr(fire("exit 0")) == "Verdict(PreToolUse: none, 1 hook)"
    assert repr(fire("echo no >&2; exit 2")) == "Verdict(PreToolUse: deny, 'no', 1 hook)"
    assert repr(fire("exit 49")) == "Verdict(PreToolUse: deny, halt, 'turn halted by hook', 1 hook)"
    assert repr(fire("no-such-program")) == "Verdict(PreToolUse: none, 1 hook, 1 notice, 1 fault)"
    rewrite = """echo '{"updated_input": {"command": "ls -l"}}'"""
    assert repr(fire(rewrite)) == "Verdict(PreToolUse: none, input given, 1 hook)"
    ended = Verdict("Stop", followup="go on", effects={"clear_context": True}, withholds=True)
    assert repr(ended) == "Verdict(Stop: none, withholds, followup given, effects: clear_context, 0 hooks)"
    assert len(repr(Verdict("Stop", "deny", reason=LONG))) < 120


def test_a_result() -> None:
    shown = repr(Shell().run("echo hi; no-such-program"))
    assert shown.startswith(r"Result(status=127, stdout=b'hi\n', stderr=b'")
    assert re.search(r"', ended=Exited\(127\), seconds=\d+\.\d{3}, 1 notice\)$", shown), shown
    assert "... (10000 bytes)" in repr(Shell().run("printf %10000s x")) and "\n" not in shown
    assert repr(Shell().run("if then")).endswith("does not parse)")
    assert len(repr(Shell().run("printf %10000s x"))) < 250


def test_limits() -> None:
    assert repr(Limits()) == "Limits()" and repr(Limits(output=10, jobs=2)) == "Limits(output=10, jobs=2)"


def test_a_session() -> None:
    session = HookSession("s1")
    assert repr(session) == "HookSession('s1')"
    session.count("Stop")
    session.once("session_start")
    session.env["TOKEN"] = "secret"
    session.files = MemoryFS()
    assert repr(session) == "HookSession('s1', Stop: 1, done: session_start, env: TOKEN, files: MemoryFS)"
    session.env.update(dict.fromkeys(map(str, range(1000)), LONG))
    assert len(repr(session)) < 250


def test_invalid_json_is_an_error_with_a_public_name() -> None:
    engine = HookEngine("crush")
    for payload in ("no JSON", b"[1]", '{"a": '):
        with pytest.raises(WireError):
            engine.fire("PreToolUse", payload)
    with pytest.raises(pyshellhooks.WireError, match="has no event"):
        dialects.get("gemini").read("{}")
    assert issubclass(WireError, ValueError)
