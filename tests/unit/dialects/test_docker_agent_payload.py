"""What hooks read, and which of them: docker_agent 2."""

from __future__ import annotations

import re
from typing import Any

import pytest
from docker_runs import engine, fire, stdin

from pyshellhooks.dialects.docker_agent import shipped
from pyshellhooks.hooks.model import HookRun


@pytest.mark.parametrize(
    ("event", "fields", "text"),
    [
        ("pre_tool_use", {}, ""),
        (
            "pre_tool_use",
            {"tool_input": '{"z":1.0,"a":"x && y","n":9007199254740993}', "tool_call_id": "c", "tool_name": "shell"},
            ',"tool_name":"shell","tool_use_id":"c","tool_input":{"z":1.0,"a":"x && y","n":9007199254740993}',
        ),
        ("pre_tool_use", {"tool_name": "t", "tool_input": {}}, ',"tool_name":"t"'),
        ("pre_tool_use", {"tool_name": "t", "tool_input": "not json"}, ',"tool_name":"t","tool_input":"not json"'),
        (
            "post_tool_use",
            {"tool_output": "", "tool_name": "t", "tool_input": {"b": 1, "a": 2}},
            ',"tool_name":"t","tool_input":{"b":1,"a":2},"tool_response":""',
        ),
        ("post_tool_use", {"tool_response": None}, ""),
        ("session_start", {}, ',"source":"startup"'),
        ("session_start", {"source": "resume"}, ',"source":"resume"'),
        ("session_end", {}, ',"reason":"other"'),
        ("on_user_input", {}, ""),
        ("stop", {"response": "é"}, ',"stop_response":"é"'),
        (
            "notification",
            {"message": "m", "level": "error"},
            ',"notification_level":"error","notification_message":"m"',
        ),
    ],
)
def test_the_payload_has_its_keys_in_order_and_no_empty_ones(event: str, fields: dict[str, Any], text: str) -> None:
    assert stdin(event, session_id="s", **fields) == (
        f'{{"session_id":"s","cwd":"/w","hook_event_name":"{event}"{text}}}\n'
    )


def test_the_first_three_keys_are_always_there() -> None:
    assert re.match(r'{"session_id":"[0-9a-f-]{36}","cwd":"/w",', stdin("on_user_input"))  # an id of our own


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ('{"b":1.0,"a":"<&>\\u2028"}', '{"a":"\\u003c\\u0026\\u003e\\u2028","b":1}'),
        ('{"n":9007199254740993}', '{"n":9007199254740992}'),
        ('{"b":{"d":1,"c":[1e3,1e21,-0.5,1e-7,0.000001]}}', '{"b":{"c":[1000,1e+21,-0.5,1e-7,0.000001],"d":1}}'),
        ('{"a":true,"é":null}', '{"a":true,"é":null}'),
    ],
)
def test_shipped_writes_as_go_does(given: str, written: str) -> None:
    # Go's encoding/json: a map's keys sorted, float64, < > & and U+2028 escaped (docker_agent 2.1)
    told = stdin("pre_tool_use", "shipped", session_id="s", tool_name="t", tool_input=given)
    assert told == (
        '{"session_id":"s","cwd":"/w","hook_event_name":"pre_tool_use","tool_name":"t","tool_input":' + written + "}"
    )


@pytest.mark.parametrize("given", ["[1]", '"x"', '{"n":1e999}'])
def test_shipped_drops_an_input_that_is_no_map(given: str) -> None:
    assert "tool_input" not in stdin("pre_tool_use", "shipped", tool_name="t", tool_input=given)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.5e300, "1.5e+300"), (1e20, "100000000000000000000"), (123456789.25, "123456789.25"), (-0.0, "-0"), (2.5e-9, "2.5e-9")],
)  # fmt: skip
def test_numbers_as_go_writes_them(value: float, text: str) -> None:
    # strconv.FormatFloat(v, 'g'-like choice at 1e-6 and 1e21, -1, 64), as encoding/json documents it
    assert shipped.as_map(f'{{"n":{value!r}}}') == f'{{"n":{text}}}'


def test_shipped_sends_no_tool_response_and_one_reason() -> None:
    assert "tool_response" not in stdin("post_tool_use", "shipped", tool_output="x")
    assert '"reason":"stream_ended"' in stdin("session_end", "shipped", reason="logout")


def test_values_that_its_document_does_not_have_are_reported() -> None:
    verdict = fire("notification", HookRun(), level="info")
    assert verdict.notices == ('field "level" is "info"; give one of notification: error, warning',)


@pytest.mark.parametrize(
    ("name", "tool", "matcher", "runs"),
    [
        ("pre_tool_use", "Bash", "shell", False),  # native names are exact
        ("before_tool", "Bash", "shell", True),
        ("before_tool", "run_shell_command", "shell|edit_file", True),
        ("before_tool", "Bash", "Bash", True),
        ("before_tool", "Edit", "shell", False),
        ("before_tool", "mcp__github__create", "mcp:.*", True),
        ("before_tool", "mcp__github__create", "github_create", True),
        ("before_tool", "mcp__github__create", "mcp__.*", True),
        ("before_tool", "shell", "mcp:.*", False),
    ],
)
def test_neutral_events_try_its_own_names_too(name: str, tool: str, matcher: str, runs: bool) -> None:
    verdict = engine("pre_tool_use", matcher=matcher).fire(name, tool_name=tool)
    assert bool(verdict.hooks) is runs


def test_after_tool_is_for_tools_that_succeeded() -> None:
    for name, fields, documented, also in (
        ("after_tool", {"tool_error": "x"}, 0, 1),
        ("after_tool", {"success": True}, 1, 1),
        ("post_tool_use", {"success": False}, 1, 1),
    ):
        assert len(engine("post_tool_use").fire(name, **fields).hooks) == documented
        assert len(engine("post_tool_use", edition="shipped").fire(name, **fields).hooks) == also
