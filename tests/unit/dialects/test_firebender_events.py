"""What hooks are told and asked, where a case can't say it: JSON text, requests, sessions (firebender 4, 5, 7, 9)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pyshellhooks import HookEngine, HookSession, MemoryFS, dialects
from pyshellhooks.dialects.flat_events.vendor import CURSOR_ONLY
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import HookJob, HookRun, Origin

ENV = {"HOME": "/home/u", "USERPROFILE": "/home/u", "PATH": "/bin"}


def fire(
    event: str, payload: Any = None, dialect: str = "firebender", **options: Any
) -> tuple[HookJob, dict[str, Any]]:
    """Fire one event at one hook, and give the job and its payload."""
    executor = RecordedExecutor()
    native = options.pop("native", event)
    config = {"version": 1, "hooks": {native: [{"command": "x"}]}}
    with HookEngine.load(config, dialect, executor=executor, cwd="/w", env=ENV, **options) as engine:
        engine.fire(event, payload)
    (job,) = executor.jobs
    return job, json.loads(job.stdin)


def test_the_callers_timeout_is_the_tools() -> None:
    job, told = fire("beforeShellExecution", '{"command": "ls", "timeout": 30}')
    assert told["timeout"] == 30 and job.timeout == 60


def test_json_text_is_taken_everywhere() -> None:
    text = (
        '{"tool_name": "Read", "tool_input": {"file_path": "a"}, "workspace_roots": ["/r"], '
        '"attachments": [{"type": "file", "file_path": "/b"}]}'
    )
    job, told = fire("before_tool", text, native="beforeReadFile")
    assert told["workspace_roots"] == ["/r"] and told["attachments"] == [{"type": "file", "filePath": "/b"}]
    assert told["file_path"] == "/w/a" and job.env["FIREBENDER_PROJECT_DIR"] == "/r"


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"command": "ls"}, "ls"),
        ({"cmd": "ls"}, "ls"),
        ({"commands": ["ls", "pwd"]}, "ls\npwd"),
        ({"command": ["bash", "-c", "ls"]}, "ls"),
        ('{"command": "ls"}', "ls"),
        ({"script": "ls"}, '{"script":"ls"}'),
        ("not json", "not json"),
        ({}, ""),
        (None, ""),
    ],
)
def test_the_command_of_a_shell_tool(given: Any, command: str) -> None:
    _, told = fire("before_tool", {"tool_name": "Shell", "tool_input": given}, native="beforeShellExecution")
    assert told["command"] == command


def test_a_native_event_keeps_its_fields() -> None:
    _, told = fire("beforeShellExecution", {"command": "own", "tool_input": {"command": "other"}})
    assert told["command"] == "own"


def test_text_that_only_looks_like_an_object_stays_a_string() -> None:
    _, told = fire("preToolUse", {"tool_name": "x", "tool_input": "{broken"})
    assert told["tool_input"] == "{broken"


def test_a_lone_surrogate_does_not_lose_the_hook() -> None:
    job, told = fire("beforeShellExecution", {"command": "a\udcffb"})
    assert told["command"] == "a\ufffdb" and job.stdin.endswith(b',"timeout":60}\n')


def test_on_windows_hooks_see_slashes() -> None:
    """Scripts see C:/x (rule 12)."""
    job, told = fire("preToolUse", {"cwd": "C:\\w\\sub", "project_dir": "C:\\w", "tool_name": "x"})
    assert told["cwd"] == "C:/w/sub" and job.env["FIREBENDER_PROJECT_DIR"] == "C:/w"


def test_a_nul_in_a_variable_is_left_out() -> None:
    job, _ = fire("stop", {"project_dir": "/a\0b", "user_email": "a\0"})
    assert job.env["FIREBENDER_PROJECT_DIR"] == "/ab" and job.env["FIREBENDER_USER_EMAIL"] == "a"


@pytest.mark.parametrize("dialect", ["firebender", "cursor"])
@pytest.mark.parametrize("neutral", [False, True])
def test_samples_can_be_fired_as_they_are(dialect: str, neutral: bool) -> None:
    rows = dialects.get(dialect).events
    config = {"version": 1, "hooks": {name: [{"command": "x"}] for name in rows}}
    with HookEngine.load(config, dialect, executor=RecordedExecutor(), cwd="/w", env=ENV) as engine:
        for row in rows.values():
            for name in row.neutral if neutral else (row.native,):
                fields = sample(row, neutral)
                if neutral and name in ("before_tool", "after_tool"):  # every such call has a tool
                    fields = {"tool_name": "t", "tool_input": {"file_path": "/f"}, "tool_output": "", **fields}
                verdict = engine.fire(name, fields)
                assert verdict.notices == () and (verdict.hooks or neutral), (name, verdict.notices)


@pytest.mark.parametrize(
    ("file", "command", "hint"),
    [
        ("/w/.firebender/hooks.json", "./hooks/x.sh -q", "did you mean .firebender/hooks/x.sh?"),
        ("/home/u/.firebender/hooks.json", ".firebender/hooks/x.sh", "did you mean ./hooks/x.sh?"),
        ("/home/u/.firebender/hooks.json", "./hooks/x.sh", ""),
        ("/w/.firebender/hooks.json", ".firebender/hooks/x.sh", ""),
    ],
)
def test_a_path_that_was_written_for_the_other_file(file: str, command: str, hint: str) -> None:
    text = json.dumps({"hooks": {"preToolUse": [{"command": command}]}})
    specs = dialects.get("firebender").load(text, Origin(file)).specs
    executor = RecordedExecutor(default=HookRun(status=127))
    with HookEngine("firebender", specs, executor=executor, cwd="/w", env=ENV) as engine:
        said = "\n".join(engine.fire("preToolUse", tool_name="x").notices)
    assert "exit status 127" in said and (hint in said if hint else "did you mean" not in said)


def test_names_of_the_other_events_of_a_firing_are_no_mistake() -> None:
    config = {"hooks": {"preToolUse": [{"command": "x"}], "beforeShellExecution": [{"command": "y"}]}}
    with HookEngine.load(config, "firebender", executor=RecordedExecutor(), cwd="/w", env=ENV) as engine:
        verdict = engine.fire("before_tool", tool_name="Shell", tool_input={"command": "ls"}, agent_message="m")
    assert verdict.notices == ()


def test_the_request_to_a_prompt_hook() -> None:
    asked: list[Mapping[str, Any]] = []

    def answer(request: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(request)
        return {"ok": True}

    entries = [
        {"type": "prompt", "prompt": "Is $ARGUMENTS safe?", "model": "m", "timeout": 5},
        {"type": "prompt", "prompt": "Safe?"},
    ]
    config = {"hooks": {"beforeShellExecution": entries}}
    with HookEngine.load(config, "firebender", handlers={"prompt": answer}, cwd="/", env=ENV) as engine:
        assert engine.fire("beforeShellExecution", command="ls").decision == "none"
    first, second = asked
    assert first["model"] == "m" and first["timeout"] == 5 and second["model"] is None
    assert first["prompt"] == f"Is {first['payload']} safe?" and second["prompt"] == f"Safe?\n\n{second['payload']}"
    assert json.loads(first["payload"])["command"] == "ls"


def test_counters_and_variables_live_in_the_session_alone() -> None:
    said = {"stop": HookRun(stdout=b'{"followup_message":"again"}'), "start": HookRun(stdout=b'{"env":{"A":"1"}}')}
    config = {"hooks": {"stop": [{"command": "stop"}], "sessionStart": [{"command": "start"}]}}
    executor = RecordedExecutor(said)
    with HookEngine.load(config, "firebender", executor=executor, cwd="/w", env=ENV) as engine:
        mine, other = HookSession("a"), HookSession("b")
        for session in (mine, mine, other):
            engine.fire("stop", session=session)
        engine.fire("sessionStart", session=mine)
        engine.fire("stop", session=mine)
        engine.fire("stop", session=other)
    assert (mine.counters, other.counters) == ({"followups": 3}, {"followups": 2})
    assert (mine.env, other.env) == ({"A": "1"}, {})
    assert "A" in executor.jobs[-2].env and "A" not in executor.jobs[-1].env
    assert [json.loads(job.stdin)["loop_count"] for job in executor.jobs if job.command == "stop"] == [0, 1, 0, 2, 1]


@pytest.mark.parametrize("wrong", ["5", True, [9], None])
def test_a_loop_count_that_is_no_number_does_not_lift_the_limit(wrong: Any) -> None:
    executor = RecordedExecutor({"x": HookRun(stdout=b'{"followup_message":"again"}')})
    config = {"hooks": {"stop": [{"command": "x", "loop_limit": 2}]}}
    with HookEngine.load(config, "firebender", executor=executor, cwd="/w", env=ENV) as engine:
        said = [engine.fire("stop", session_id="s", loop_count=wrong).followup for _ in range(4)]
    assert said == ["again", "again", None, None]


def test_a_call_that_is_abandoned_does_not_go_ahead() -> None:
    executor = RecordedExecutor({"x": HookRun("stopped", None, reason="cancelled")})
    for event in ("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"):
        config = {"hooks": {event: [{"command": "x"}]}}
        with HookEngine.load(config, "firebender", executor=executor, cwd="/w", env=ENV) as engine:
            assert engine.fire(event, tool_name="x", command="y").decision == "deny"


FAILURES = {
    "timed_out": HookRun("stopped", None, reason="deadline"),
    "stopped": HookRun("stopped", None, reason="limit", detail="call_depth"),
    "abandoned": HookRun("abandoned", None, reason="deadline"),
    "not_started": HookRun("not_started", None, detail="no such directory"),
    "too_much_output": HookRun("stopped", None, reason="limit", detail="stdout is larger than 9 bytes", limit="output"),
    "nonzero": HookRun(status=137, kind="signaled"),
    "bad_output": HookRun(stdout=b"x"),
}


@pytest.mark.parametrize("ended", FAILURES)
@pytest.mark.parametrize(
    ("dialect", "event", "decision"),
    [
        ("firebender", "preToolUse", "none"),
        ("firebender", "beforeShellExecution", "none"),
        ("firebender", "beforeMCPExecution", "deny"),
        ("firebender", "beforeReadFile", "deny"),
        ("cursor", "beforeMCPExecution", "none"),
        ("cursor", "beforeReadFile", "none"),
        ("cursor", "subagentStart", "none"),
    ],
)
def test_every_kind_of_failure_follows_the_events_policy(ended: str, dialect: str, event: str, decision: str) -> None:
    executor = RecordedExecutor({"x": FAILURES[ended]})
    for closed in (False, True):
        entry = {"command": "x", "failClosed": True} if closed else {"command": "x"}
        config = {"version": 1, "hooks": {event: [entry]}}
        options: Any = {"executor": executor, "cwd": "/w", "env": ENV, "own_failures": "vendor"}
        with HookEngine.load(config, dialect, **options) as engine:
            verdict = engine.fire(event, tool_name="x", command="y")
        assert verdict.hooks[0].ended == ended and verdict.notices
        assert verdict.decision == ("deny" if closed else decision)


def test_a_late_deny_counts_and_a_late_allow_does_not() -> None:
    """A verdict given during the grace second (decisions grace)."""
    for word, decision in (("deny", "deny"), ("allow", "none")):
        run = HookRun(stdout=json.dumps({"permission": word}).encode(), late=True, reason="deadline")
        config = {"hooks": {"preToolUse": [{"command": "x"}]}}
        with HookEngine.load(config, "firebender", executor=RecordedExecutor({"x": run}), cwd="/w", env=ENV) as engine:
            assert engine.fire("preToolUse", tool_name="x").decision == decision


# -- what only the file knows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["firebender", "cursor"])
@pytest.mark.parametrize("event", ["before_tool", "beforeReadFile"])
def test_the_content_of_a_file_is_read_if_the_host_does_not_pass_it(dialect: str, event: str) -> None:
    """A guard that looks for secrets in the content must not be handed an empty one (firebender 5)."""
    guard = "if jq -r .content | grep -q SECRET; then echo 'a secret' >&2; exit 2; fi"
    config = {"version": 1, "hooks": {"beforeReadFile": [{"command": guard}]}}
    files = MemoryFS({"/w/keys": b"\xff\nSECRET=1\n", "/w/plain": b"x"})
    with HookEngine.load(config, dialect, fs=files, cwd="/w", env=ENV, spawn=False) as engine:

        def read(path: str, **fields: Any) -> str:
            named = {"file_path": f"/w/{path}"} if event == "beforeReadFile" else {}
            tool = {"tool_name": "Read", "tool_input": {"file_path": path}}
            return engine.fire(event, **(named or tool), **fields).decision

        assert read("keys") == "deny"
        assert [read("plain"), read("none"), read("keys", content="")] == ["none"] * 3


def test_a_path_that_is_no_file_has_no_content_and_a_notice() -> None:
    config = {"version": 1, "hooks": {"beforeReadFile": [{"command": "jq -r .content"}]}}
    files = MemoryFS({"/w/d/x": b""})
    with HookEngine.load(config, "firebender", fs=files, cwd="/w", env=ENV, spawn=False) as engine:
        verdict = engine.fire("before_tool", tool_name="Read", tool_input={"file_path": "d"})
    assert "its hooks can't see the content of /w/d: Is a directory" in verdict.notices


def test_a_caller_s_json_string_is_passed_unchanged() -> None:
    _, told = fire("beforeMCPExecution", {"tool_name": "t", "tool_input": '{"a": 1, "a": 2}', "url": "u"})
    assert told["tool_input"] == '{"a": 1, "a": 2}'
    _, told = fire("before_tool", '{"tool_name": "mcp__s__t", "tool_input": {"a":  1.0}}', native="beforeMCPExecution")
    assert told["tool_input"] == '{"a":1.0}'


def test_the_content_of_another_file_is_not_used() -> None:
    """The host tells what is in the file that was asked for; a hook's rewrite may ask for another one."""
    entry = {"command": 'printf %s \'{"updated_input": {"path": "/w/keys"}}\'', "matcher": "Read"}
    guard = {"command": "if jq -r .content | grep -q SECRET; then exit 2; fi"}
    config = {"version": 1, "hooks": {"preToolUse": [entry], "beforeReadFile": [guard]}}
    files = MemoryFS({"/w/keys": b"SECRET", "/w/a": b"SECRET, but not as the host sees it"})
    call = {"tool_name": "Read", "content": "fine"}
    with HookEngine.load(config, "firebender", fs=files, cwd="/w", env=ENV, spawn=False) as engine:
        assert engine.fire("before_tool", tool_input={"file_path": "a"}, **call).decision == "deny"
        assert engine.fire("before_tool", '{"tool_input": {"path": "/w/a"}}', **call).decision == "deny"
        assert engine.fire("before_tool", tool_input={"file_path": "/w/keys"}, **call).decision == "none"


def test_cursors_events_that_firebender_lacks_are_all_listed() -> None:
    """The list detects a file's system, and names Cursor for an event in a file of Firebender."""
    assert dialects.get("cursor").events.keys() - dialects.get("firebender").events.keys() == CURSOR_ONLY
