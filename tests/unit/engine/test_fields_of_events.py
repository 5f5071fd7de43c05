"""Fields that a guard decides by: every system and event, every mistake, default and strict.

Which fields those are is written here from the contracts (docs/contracts, the page of each system: what its matchers are tested
against, and what the event is about), not read from our tables. The cells are those of decisions required
fields: a notice that names the field, and under ``strict`` a deny; on events that can't be denied, or whose deny lets
the agent go on, a notice only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pyshellhooks import HookEngine, Verdict, dialects
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import HookJob, HookRun

_CALL = "tool_name tool_input"
#: The system -> event -> its own names of the fields. Events that are not here need none.
NEEDED: dict[str, dict[str, str]] = {
    "crush": {"PreToolUse": _CALL},
    "gemini": {
        "BeforeTool": _CALL,
        "AfterTool": f"{_CALL} tool_response",
        "BeforeAgent": "prompt",
        "BeforeModel": "llm_request",
        "BeforeToolSelection": "llm_request",
        "AfterModel": "llm_request llm_response",
        "Notification": "message",
    },
    "docker_agent": {
        "pre_tool_use": _CALL,
        "post_tool_use": f"{_CALL} tool_response",
        "notification": "notification_message",
    },
    "everruns": {
        "user_prompt_submit": "message",
        "pre_tool_use": "tool_name arguments",
        "post_tool_use": "tool_name arguments result",
    },
    "claude_code": {
        "PreToolUse": _CALL,
        "PreSkillShellCommand": _CALL,
        "PermissionRequest": _CALL,
        "PostToolUse": f"{_CALL} tool_response",
        "PostToolUseFailure": f"{_CALL} error",
        "PostToolBatch": "tool_calls",
        "PermissionDenied": _CALL,
        "UserPromptSubmit": "prompt",
        "UserPromptExpansion": "command_name prompt",
        "Stop": "last_assistant_message",
        "SubagentStop": "last_assistant_message agent_type",
        "StopFailure": "error",
        "SubagentStart": "agent_type",
        "Notification": "message notification_type",
        "TaskCreated": "task_subject",
        "TaskCompleted": "task_subject",
        "TeammateIdle": "teammate_name",
        "CwdChanged": "new_cwd",
        "FileChanged": "file_path",
        "WorktreeCreate": "name",
        "WorktreeRemove": "worktree_path",
        "Elicitation": "mcp_server_name message",
        "ElicitationResult": "mcp_server_name message",
        "MessageDisplay": "delta",
        "PreModelSwitch": "to_model",
        "PostModelSwitch": "to_model",
    },
    "firebender": {
        "preToolUse": _CALL,
        "beforeShellExecution": "command",
        "beforeMCPExecution": _CALL,
        "beforeReadFile": "file_path",
        "afterShellExecution": "command output",
        "afterMCPExecution": f"{_CALL} result_json",
        "afterFileEdit": "file_path",
        "postToolUse": f"{_CALL} tool_output",
        "subagentStart": "subagent_type task",
        "subagentStop": "subagent_type",
    },
}
NEEDED["cursor"] = {
    **NEEDED["firebender"],
    "postToolUseFailure": f"{_CALL} error_message",
    "beforeSubmitPrompt": "prompt",
    "afterAgentResponse": "text",
    "afterAgentThought": "text",
    "beforeTabFileRead": "file_path",
    "afterTabFileEdit": "file_path",
}
#: What is true of any value there: a tool gives whatever it gives.
ANYTHING = frozenset(["tool_response", "result", "output", "result_json", "tool_output"])
ARRAYS = frozenset(["tool_calls"])
OBJECTS = frozenset(["tool_input", "arguments", "llm_request", "llm_response"])
#: Wrong for a string, for an object, for an array.
WRONG_TEXT: tuple[Any, ...] = (None, 3, True, 1.5, ["bash"], {"a": 1})
WRONG_OBJECT: tuple[Any, ...] = (None, 3, True, ["ls"], "rm -rf /", '{"command": "rm', "[1]", '"x"', "")
WRONG_ARRAY: tuple[Any, ...] = (None, 3, "x", {"a": 1})

Mistake = tuple[str, str, str, str, Any]  # system, event, field, how, value


def wrong(field: str, event: str) -> tuple[Any, ...]:
    if field in ANYTHING:
        return ()
    if field == "command" and event.endswith("ShellExecution"):  # words are a command line
        return tuple(value for value in WRONG_TEXT if not isinstance(value, list))
    return WRONG_ARRAY if field in ARRAYS else WRONG_OBJECT if field in OBJECTS else WRONG_TEXT


def mistakes() -> Iterator[Mistake]:
    for system, events in NEEDED.items():
        for event, fields in events.items():
            for field in fields.split():
                yield system, event, field, "missing", None
                for value in wrong(field, event):
                    yield system, event, field, "mistyped", value


class Recorder:
    """Runs nothing, and keeps the jobs."""

    def __init__(self) -> None:
        self.jobs: list[HookJob] = []

    def run(self, job: HookJob, scope: object) -> HookRun:
        self.jobs.append(job)
        return HookRun(stdout=b"/w/tree\n" if job.spec.event == "WorktreeCreate" else b"")  # which must name one


def engine(system: str, event: str, recorder: Recorder, *, strict: bool = False) -> HookEngine:
    dialect = dialects.get(system)
    return HookEngine(dialect, [dialect.added(event, "x")], executor=recorder, strict=strict, cwd="/w", env={})


def payload(job: HookJob) -> str:
    """Return what a hook is told, as text."""
    return job.env.get("EVERRUNS_HOOK_PAYLOAD_JSON") or job.stdin.decode()


def fields_of(system: str, event: str, **changes: Any) -> dict[str, Any]:
    row = dialects.get(system).events[event]
    return {**sample(row, neutral=False), **changes}


def check(verdict: Verdict, strict: bool, guards: str, field: str) -> None:
    denied = strict and guards not in ("", "stop")
    assert verdict.decision == ("deny" if denied else "none"), verdict.notices
    named = [notice for notice in verdict.notices if f'field "{field}" ' in notice]
    assert len(named) == 1, verdict.notices
    assert "give " in named[0]  # the mend
    assert not denied or named[0] in verdict.reason


def test_every_event_that_can_be_denied_needs_something() -> None:
    """What guards nothing but an act may: a compaction and a change of settings have closed lists of words."""
    for system, events in NEEDED.items():
        for row in dialects.get(system).events.values():
            assert row.guards not in ("call", "prompt", "result") or row.native in events, (system, row.native)


@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
def test_samples_are_right(strict: bool) -> None:
    for system in NEEDED:
        for row in dialects.get(system).events.values():
            recorder = Recorder()
            verdict = engine(system, row.native, recorder, strict=strict).fire(row.native, sample(row, neutral=False))
            assert (verdict.decision, verdict.notices, len(recorder.jobs)) == ("none", (), 1), (system, row.native)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
@pytest.mark.parametrize("system", NEEDED)
def test_mistakes_are_reported(system: str, strict: bool) -> None:
    for _, event, field, how, value in (one for one in mistakes() if one[0] == system):
        fields = fields_of(system, event)
        if how == "missing":
            del fields[field]
        else:
            fields[field] = value
        guards = dialects.get(system).events[event].guards
        for given in (fields, json.dumps(fields)):  # keywords and JSON text are one
            recorder = Recorder()
            verdict = engine(system, event, recorder, strict=strict).fire(event, given)
            check(verdict, strict, guards, field)
            assert len(recorder.jobs) == 1  # a hook without a matcher is asked all the same


@pytest.mark.parametrize("system", NEEDED)
def test_text_that_is_no_json_stays_visible(system: str) -> None:
    """crush 2.1 and docker_agent 2.1 say what the programs lose; that can disarm a guard, so ``shipped`` alone."""
    for event, names in NEEDED[system].items():
        for field in OBJECTS.intersection(names.split()):
            recorder = Recorder()
            engine(system, event, recorder).fire(event, fields_of(system, event, **{field: '{"command": "rm -rf /'}))
            told = json.loads(payload(recorder.jobs[0]))
            told = told.get("data", told)
            assert told[field] == '{"command": "rm -rf /', (system, event)


@pytest.mark.parametrize(("system", "seen"), [("crush", {}), ("docker_agent", None)])
def test_text_that_is_no_json_in_the_shipped_editions(system: str, seen: Any) -> None:
    event = next(iter(dialects.get(system).events))
    recorder = Recorder()
    verdict = engine(f"{system}@shipped", event, recorder).fire(event, tool_name="bash", tool_input="rm -rf /")
    assert json.loads(payload(recorder.jobs[0])).get("tool_input") == seen
    assert any('field "tool_input" ' in notice for notice in verdict.notices)


@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
@pytest.mark.parametrize("system", NEEDED)
@pytest.mark.parametrize(
    ("mistake", "value"), [("session_id", 3), ("session_id", ["s"]), ("cwd", ["/w"]), ("cwd", 3), ("project_dir", 3)]
)
def test_fields_of_every_event(system: str, mistake: str, value: Any, strict: bool) -> None:
    recorder = Recorder()
    row = next(row for row in dialects.get(system).events.values() if "before_tool" in row.neutral)
    fields = {"tool_name": "bash", "tool_input": {"command": "ls"}, mistake: value}
    verdict = engine(system, row.native, recorder, strict=strict).fire("before_tool", fields)
    check(verdict, strict, row.guards, mistake)
    assert recorder.jobs[0].cwd == ("/workspace" if system == "everruns" else "/w")


@pytest.mark.parametrize("value", ["no", 0, 1, {}, []])
@pytest.mark.parametrize("system", ["gemini", "everruns", "claude_code", "firebender", "cursor", "docker_agent"])
def test_success_is_a_boolean(system: str, value: Any) -> None:
    row = next(
        row
        for row in dialects.get(system).events.values()
        if "after_tool" in row.neutral and row.when in ("", "succeeded")
    )
    verdict = engine(system, row.native, Recorder()).fire(
        "after_tool", tool_name="bash", tool_input={}, tool_output="x", success=value
    )
    assert sum('field "success" ' in notice for notice in verdict.notices) == 1, verdict.notices


def test_none_counts_as_missing() -> None:
    """A host that has no id says None."""
    recorder = Recorder()
    verdict = engine("claude_code", "PreToolUse", recorder, strict=True).fire(
        "before_tool", tool_name="Bash", tool_input={}, session_id=None, cwd=None, tool_call_id=None, prompt_id=None
    )
    assert (verdict.decision, verdict.notices) == ("none", ())
    assert recorder.jobs[0].cwd == "/w"


@pytest.mark.parametrize(
    ("system", "event", "field"),
    [
        ("claude_code", "SessionStart", "source"),
        ("claude_code", "PreCompact", "trigger"),
        ("claude_code", "ConfigChange", "source"),
        ("gemini", "SessionEnd", "reason"),
        ("gemini", "PreCompress", "trigger"),
        ("docker_agent", "session_start", "source"),
        ("docker_agent", "notification", "notification_level"),
    ],
)
@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
def test_words_of_a_closed_list(system: str, event: str, field: str, strict: bool) -> None:
    verdict = engine(system, event, Recorder(), strict=strict).fire(
        event, fields_of(system, event, **{field: "sturtup"})
    )
    guards = dialects.get(system).events[event].guards
    check(verdict, strict, guards, field)


def test_an_event_without_hooks_needs_no_fields() -> None:
    dialect = dialects.get("claude_code")
    lonely = HookEngine(dialect, [dialect.added("SessionStart", "x")], executor=Recorder(), strict=True)
    verdict = lonely.fire("before_tool")
    assert (verdict.decision, verdict.notices) == ("none", ())
