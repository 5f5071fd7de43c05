"""What a hook is given: stdin and environment (crush 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks.dialects.crush import Crush
from pyshellhooks.errors import UnknownEventError
from pyshellhooks.hooks.dialect import HostContext
from pyshellhooks.hooks.internal_failures import Kind
from pyshellhooks.hooks.model import HookEvent, HookJob, HookSession, HookSpec

HOST = {"PATH": "/bin", "EDITOR": "vim", "EDITORIAL": "x", "CRUSH_TOOL_INPUT_COMMAND": "outer", "CRUSH": "0"}


def event_and_job(
    edition: str = "", event: str = "PreToolUse", project: str = "/w", **fields: Any
) -> tuple[HookEvent, HookJob]:
    dialect = Crush(edition)
    around = HostContext(env=HOST, cwd="/w/sub", project_dir=project)
    dialect.prepare(around)
    row, neutral = dialect.event(event)
    told = dialect.make_event(row, neutral, {"tool_name": "bash", "tool_input": {}, **fields}, around, None)
    return told, dialect.job(told, HookSpec("PreToolUse", "x"), around)


def test_the_document_and_its_key_order() -> None:
    _, job = event_and_job(tool_input={"command": "a && b > c", "n": 1}, tool_name="bash", session_id="s1")
    assert job.stdin == (
        b'{"event":"PreToolUse","session_id":"s1","cwd":"/w/sub","tool_name":"bash",'
        b'"tool_input":{"command":"a && b > c","n":1}}\n'
    )
    assert job.cwd == "/w/sub" and job.timeout == 30


def test_shipped_escapes_and_has_no_newline() -> None:
    _, job = event_and_job("shipped", tool_input={"command": "a && b > c\u2028"}, tool_name="b\udcff")
    assert job.stdin == (
        '{"event":"PreToolUse","session_id":"","cwd":"/w/sub","tool_name":"b\ufffd",'
        '"tool_input":{"command":"a \\u0026\\u0026 b \\u003e c\\u2028"}}'.encode()
    )


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ('{ "b": 1.0, "a": 1e3, "b": 2 }', '{"b":1.0,"a":1e3,"b":2}'),  # order, spelling, duplicates
        ('"x"', '"x"'),
        ("[1, 2]", "[1,2]"),
        ("null", "null"),
        ({}, "{}"),
        (None, "null"),
    ],
)
def test_tool_input_is_the_models_own_json(given: object, sent: str) -> None:
    event, job = event_and_job(tool_input=given)
    assert job.stdin.endswith(f'"tool_input":{sent}}}\n'.encode())
    assert bool(event.notices) == (sent[0] != "{")  # what is no object is told
    assert event.faults == event.notices


@pytest.mark.parametrize("given", ["", "{broken", "{'a': 1}", "NaN", "[" * 100_000])
def test_input_that_is_not_json_stays_visible_but_in_shipped(given: str) -> None:
    """crush 2.1 says ``{}``, in which a guard finds nothing; so that is a quirk."""
    event, job = event_and_job(tool_input=given)
    assert json.loads(job.stdin)["tool_input"] == (given or {})
    assert len(event.notices) == 1 and event.notices[0].startswith('field "tool_input" is ')
    event, job = event_and_job("shipped", tool_input=given)
    assert json.loads(job.stdin)["tool_input"] == {} and len(event.notices) == 1


def test_a_deep_input_hides_nothing() -> None:
    deep = "[" * 50_000 + "]" * 50_000
    event, job = event_and_job(tool_input='{"x": ' + deep + ', "command": "rm -rf /"}')
    assert job.env["CRUSH_TOOL_INPUT_COMMAND"] == "rm -rf /" and event.notices == ()
    assert job.stdin.endswith(b']],"command":"rm -rf /"}}\n')


def test_an_absent_input_is_an_empty_object() -> None:
    _, job = event_and_job(tool_name="ls")
    assert json.loads(job.stdin) == {
        "event": "PreToolUse",
        "session_id": "",
        "cwd": "/w/sub",
        "tool_name": "ls",
        "tool_input": {},
    }


def test_the_environment() -> None:
    _, job = event_and_job(
        tool_name="bash", tool_input={"command": "ls"}, session_id="s1", cwd="/else", project_dir="/p"
    )
    assert job.env == {
        "PATH": "/bin",
        "EDITORIAL": "x",
        "CRUSH": "1",
        "AGENT": "crush",
        "AI_AGENT": "crush",
        "TERM": "xterm-256color",
        "GIT_EDITOR": "false",
        "EDITOR": "false",
        "VISUAL": "false",
        "JJ_EDITOR": "false",
        "JJ_PAGER": "cat",
        "GIT_PAGER": "cat",
        "PAGER": "cat",
        "CRUSH_EVENT": "PreToolUse",
        "CRUSH_TOOL_NAME": "bash",
        "CRUSH_SESSION_ID": "s1",
        "CRUSH_CWD": "/else",
        "CRUSH_PROJECT_DIR": "/p",
        "CRUSH_TOOL_INPUT_COMMAND": "ls",
    }
    assert job.cwd == "/else"


def test_an_outer_calls_input_is_not_inherited_but_in_shipped() -> None:
    assert "CRUSH_TOOL_INPUT_COMMAND" not in event_and_job(tool_input={"x": 1})[1].env
    assert event_and_job("shipped", tool_input={"x": 1})[1].env["CRUSH_TOOL_INPUT_COMMAND"] == "outer"


def test_the_project_directory() -> None:
    assert event_and_job()[1].env["CRUSH_PROJECT_DIR"] == "/w"
    assert event_and_job(project="")[1].env["CRUSH_PROJECT_DIR"] == "/w/sub"
    assert event_and_job("shipped", project_dir="/p")[1].env["CRUSH_PROJECT_DIR"] == "/w/sub"


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({"command": 'it\'s "x"\n'}, 'it\'s "x"\n'),
        ({"command": True}, "true"),
        ({"command": 5}, "5"),
        ({"command": None}, ""),
        ({"command": ["ls", 1]}, '["ls",1]'),
        ('{"command": 1.50}', "1.50"),
        ('{"command": "\\u0041\\n"}', "A\n"),
        ('{"\\u0063ommand": "esc"}', "esc"),
        ('{"command": {"a": 1}}', '{"a":1}'),
        ('{"command": null}', ""),
        ('{"command": "a", "command": "b"}', "b"),
        ('{"x": {"command": "inner"}}', None),
        ('["command"]', None),
        ('"command"', None),
    ],
)
@pytest.mark.parametrize("tool", ["bash", "any_tool"])
def test_input_variables_of_any_tool(given: object, value: str | None, tool: str) -> None:
    assert event_and_job(tool_name=tool, tool_input=given)[1].env.get("CRUSH_TOOL_INPUT_COMMAND") == value


def test_file_path_and_the_first_duplicate_in_shipped() -> None:
    assert event_and_job(tool_input={"file_path": "/a b.go"})[1].env["CRUSH_TOOL_INPUT_FILE_PATH"] == "/a b.go"
    env = event_and_job("shipped", tool_input='{"command":"a","command":"b"}')[1].env
    assert env["CRUSH_TOOL_INPUT_COMMAND"] == "a"


def test_a_nul_does_not_reach_the_environment() -> None:
    event, job = event_and_job(tool_input='{"command": "rm \\u0000-rf /"}')
    assert job.env["CRUSH_TOOL_INPUT_COMMAND"] == "rm -rf /"
    failure = event.internal_failure  # for each hook, and not for the event as well
    assert failure is not None and failure.kind is Kind.NUL
    assert failure.text == "CRUSH_TOOL_INPUT_COMMAND: NUL characters were removed, because no variable can hold them"
    assert b"\\u0000" in job.stdin


def test_a_huge_value_is_passed_with_a_notice() -> None:
    event, job = event_and_job(tool_input={"command": "x" * 200_000})
    assert len(job.env["CRUSH_TOOL_INPUT_COMMAND"]) == 200_000
    assert "some systems can't start a program with so many" in event.notices[0]


def test_unknown_fields_pass_through_and_known_ones_without_a_place_do_not() -> None:
    event, job = event_and_job(tool_name="ls", tool_call_id="c1", model="m", toolname="x", extra=[1])
    assert json.loads(job.stdin)["toolname"] == "x" and json.loads(job.stdin)["extra"] == [1]
    assert "model" not in json.loads(job.stdin)
    assert event.notices == (
        'field "toolname" is unknown; it is passed through; did you mean "tool_name"?',
        'field "extra" is unknown; it is passed through',
    )


def test_the_payload_has_the_sessions_id() -> None:
    dialect = Crush()
    around = HostContext(env={}, cwd="/")
    dialect.prepare(around)
    row, _ = dialect.event("PreToolUse")
    assert dialect.make_event(row, False, {}, around, HookSession("s9")).payload["session_id"] == "s9"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PreToolUze", 'Crush has no event "PreToolUze"; did you mean "PreToolUse"? it has: PreToolUse (before_tool)'),
        ("session_start", 'Crush has no event "session_start"; it has: PreToolUse (before_tool)'),
    ],
)
def test_events_that_do_not_exist(name: str, said: str) -> None:
    with pytest.raises(UnknownEventError) as caught:
        Crush().event(name)
    assert str(caught.value) == said
