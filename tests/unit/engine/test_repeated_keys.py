"""A key that is twice in one object of a payload: guards see the last value, a tool may take the first (RFC 8259, 4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.jsontext.repeated_keys import repeated_keys

GUARD = "jq -r .tool_input.command | grep -q 'rm x' && echo no >&2 && exit 2; exit 0"
CONFIG: Any = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
BASH = '"tool_name": "Bash"'
TWICE = {
    "argument": f'{{{BASH}, "tool_input": {{"command": "rm x", "command": "ls"}}}}',
    "escaped": f'{{{BASH}, "tool_input": {{"comm\\u0061nd": "rm x", "command": "ls"}}}}',
    "apart": f'{{{BASH}, "tool_input": {{"command" : "rm x", "a": {{}},\n"command"\t: "ls"}}}}',
    "input": f'{{{BASH}, "tool_input": {{"command": "rm x"}}, "tool_input": {{"command": "ls"}}}}',
    "tool": f'{{"tool_name": "Read", {BASH}, "tool_input": {{"command": "ls"}}}}',
    "deep": f'{{{BASH}, "tool_input": {{"command": "ls", "edits": [{{"a": 1, "a": 2}}]}}}}',
    "padded": f'{{{BASH}, "tool_input": {{"command": "rm x", "a": "{"x" * (1 << 22)}", "command": "ls"}}}}',
    "nested": f'{{{BASH}, "tool_input": {{"command": "rm x", "a": {"[" * 9999}{"]" * 9999}, "command": "ls"}}}}',
}
ONCE = {
    "same in two objects": f'{{{BASH}, "tool_input": {{"command": "ls", "env": {{"command": "x"}}}}}}',
    "as text": f'{{{BASH}, "tool_input": {{"command": "echo {{\\"a\\":1,\\"a\\":2}}"}}}}',
    "list": f'{{{BASH}, "tool_input": {{"command": "ls", "edits": [{{"a": 1}}, {{"a": 2}}]}}}}',
}


def notices(payload: Any, strict: bool = False, **fields: Any) -> tuple[str, list[str]]:
    with HookEngine.load(CONFIG, "claude_code", spawn=False, strict=strict) as engine:
        verdict = engine.fire("PreToolUse", payload, **fields)
    return verdict.decision.value, [str(one) for one in verdict.notices if "duplicate key" in one]


@pytest.mark.parametrize("payload", TWICE.values(), ids=TWICE)
def test_it_is_a_notice_and_a_deny_under_strict(payload: str) -> None:
    assert len(notices(payload)[1]) == 1
    assert notices(payload.encode())[1] == notices(payload)[1]
    assert notices(payload, strict=True)[0] == "deny"


@pytest.mark.parametrize("payload", ONCE.values(), ids=ONCE)
def test_a_key_in_several_objects_is_not_repeated(payload: str) -> None:
    assert notices(payload, strict=True) == ("none", [])


@pytest.mark.parametrize("as_payload", [False, True], ids=["fields", "mapping"])
def test_arguments_that_are_text_are_looked_at(as_payload: bool) -> None:
    given: Any = {"tool_name": "Bash", "tool_input": '{"command": "rm x", "command": "ls"}'}
    found = notices(given) if as_payload else notices(None, **given)
    assert len(found[1]) == 1 and '"command"' in found[1][0]


def test_each_key_is_named_once_and_other_values_have_none() -> None:
    assert repeated_keys('{"a":1,"a":2,"a":3,"b":{"c":1,"c":1}}') == ["c", "a"]
    assert [repeated_keys(json.dumps(value)) for value in ([], "{", 1, None)] == [[], [], [], []]
