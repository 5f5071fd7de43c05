"""``explain``: why a hook does not run, with what its matcher was tried on, in every system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pyshellhooks import HookEngine, dialects
from pyshellhooks.errors import Stop

BASH = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


def nested(event: str, matcher: str | None, **entry: Any) -> dict[str, Any]:
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": "true", **entry}]}
    return {"hooks": {event: [group if matcher is None else {"matcher": matcher, **group}]}}


def flat(event: str, matcher: Any, **top: Any) -> dict[str, Any]:
    return {**top, "hooks": {event: [{"matcher": matcher, "command": "true"}]}}


def everruns(**matcher: str) -> dict[str, Any]:
    return {"hooks": [{"event": "pre_tool_use", "matcher": matcher, "executor": {"type": "bash", "command": "true"}}]}


def docker(matcher: str) -> dict[str, Any]:
    return {"agents": {"root": {"model": "any/model", "hooks": nested("pre_tool_use", matcher)["hooks"]}}}


# System, config, event, fields, and why its hook does not run.
ROWS: list[tuple[str, Any, str, Mapping[str, Any], str]] = [
    ("claude_code", nested("PreToolUse", "bash"), "before_tool", BASH, 'its matcher "bash" does not match tool_name "Bash"'),
    ("claude_code", nested("PreToolUse", "x"), "before_tool", {**BASH, "tool_name": "execute"}, 'its matcher "x" does not match tool_name "execute" or "Bash"'),
    ("claude_code", nested("SessionStart", "resume"), "SessionStart", {"source": "startup"}, 'its matcher "resume" does not match source "startup"'),
    ("claude_code", nested("PreToolUse", "Bash", **{"if": "Bash(rm *)"}), "PreToolUse", BASH, "its rule Bash(rm *) does not match this call"),
    ("claude_code", nested("PreToolUse", "Bash", **{"if": "Bash(rm *)"}), "before_tool", {**BASH, "tool_name": "execute"}, "its rule Bash(rm *) does not match this call"),
    ("codex", nested("PreToolUse", "bash"), "before_tool", {**BASH, "tool_name": "execute"}, 'its matcher "bash" does not match tool_name "execute" or "Bash"'),
    ("copilot", flat("preToolUse", "view", version=1), "before_tool", {**BASH, "tool_name": "execute"}, 'its matcher "view" does not match tool_name "execute" or "bash" or "Bash" or "powershell"'),
    ("codex", nested("SessionStart", "resume"), "SessionStart", {"source": "startup"}, 'its matcher "resume" does not match source "startup"'),
    ("qwen", nested("PreToolUse", "Ba.*"), "before_tool", {**BASH, "tool_name": "execute"}, 'its matcher "Ba.*" does not match tool_name "execute" or "run_shell_command"'),
    ("droid", nested("PreToolUse", "Create"), "before_tool", {**BASH, "tool_name": "shell"}, 'its matcher "Create" does not match tool_name "shell" or "Execute"'),
    ("qwen", nested("SessionStart", "resume"), "SessionStart", {"source": "startup"}, 'its matcher "resume" does not match source "startup"'),
    ("openhands", nested("PreToolUse", "bash"), "before_tool", BASH, 'its matcher "bash" does not match tool_name "Bash" or "terminal"'),
    ("vibe", {"hooks": [{"name": "n", "type": "pre_tool", "match": "edit", "command": "x"}]}, "before_tool", BASH, 'its matcher "edit" does not match tool_name "Bash" or "file_system.bash" or "bash" or "file_system_bash"'),
    ("deepagents", nested("PreToolUse", "bash"), "before_tool", {**BASH, "tool_name": "execute"}, 'its matcher "bash" does not match tool_name "execute" or "Bash"'),
    ("kimi", {"hooks": [{"event": "PreToolUse", "matcher": "^bash", "command": "true"}]}, "before_tool", {**BASH, "tool_name": "execute"}, 'its matcher "^bash" does not match tool_name "execute" or "Bash" or "Shell"'),
    ("gemini", nested("BeforeTool", "read_file"), "before_tool", BASH, 'its matcher "read_file" does not match tool_name "Bash" or "run_shell_command"'),
    ("gemini", nested("BeforeTool", "read_file"), "BeforeTool", BASH, 'its matcher "read_file" does not match tool_name "Bash"'),
    ("gemini", nested("SessionStart", "resume"), "SessionStart", {"source": "startup"}, 'its matcher "resume" does not match source "startup"'),
    ("crush", flat("PreToolUse", "^Bash$"), "before_tool", {**BASH, "tool_name": "shell"}, 'its matcher "^Bash$" does not match tool_name "shell" or "bash"'),
    ("docker_agent", docker("read_file"), "before_tool", BASH, 'its matcher "read_file" does not match tool_name "Bash" or "shell"'),
    ("everruns", everruns(tool_name="read_file"), "before_tool", BASH, 'its matcher "tool_name=read_file" does not match tool_name "Bash" or "bash"'),
    ("everruns", everruns(tool_name="bash", args_jsonpath="$.commands", match_regex="rm"), "before_tool", BASH, 'its matcher "tool_name=bash args_jsonpath=$.commands match_regex=rm" matches tool_name "bash", but not the rest of this call'),
    ("everruns", everruns(match_regex="rm"), "before_tool", BASH, 'its matcher "match_regex=rm" has no args_jsonpath, and matches no call'),
    ("cursor", flat("preToolUse", "Read", version=1), "before_tool", BASH, 'its matcher "Read" does not match tool_name "Bash" or "Shell"'),
    ("cursor", flat("beforeShellExecution", "Shell", version=1), "before_tool", BASH, 'its matcher "Shell" does not match command "ls"'),
    ("firebender", flat("preToolUse", "Read", version=1), "before_tool", BASH, 'its matcher "Read" does not match tool_name "Bash" or "Shell"'),
    ("firebender", flat("beforeShellExecution", "rm", version=1), "before_tool", BASH, 'its matcher "rm" does not match command "ls"'),
    ("firebender", flat("preToolUse", {"tool_name": "Shell", "command": "rm"}, version=1), "preToolUse", {**BASH, "tool_name": "Shell"}, 'matches tool_name "Shell", but not the rest of this call'),
]  # fmt: skip


@pytest.mark.parametrize(("system", "config", "event", "fields", "reason"), ROWS, ids=[row[-1] for row in ROWS])
def test_why_a_hook_does_not_run(system: str, config: Any, event: str, fields: Mapping[str, Any], reason: str) -> None:
    with HookEngine.load(config, system, env={}, cwd="/") as engine:
        (why,) = engine.explain(event, fields)
        assert engine.fire(event, fields).hooks == ()
    assert (why.matches, why.reason.endswith(reason)) == (False, True), why.reason


def test_every_system_has_a_row() -> None:
    assert {row[0] for row in ROWS} == set(dialects.names())


class Endless:
    """A matcher whose search reaches its limit."""

    def search(self, subject: str, /) -> bool:
        raise Stop("regex", "no end")


def test_a_matcher_that_does_not_finish_is_reported() -> None:
    """The rule alone decides that the hook does not run; the reason then needs the matcher."""
    (spec,) = HookEngine.load(
        nested("PreToolUse", "Bash", **{"if": "mcp__github"}), "claude_code", cwd="/", env={}
    ).specs
    spec.pattern = Endless()
    with HookEngine("claude_code", [spec], cwd="/", env={}) as engine:
        (row,) = engine.explain("PreToolUse", BASH)
    assert (row.matches, row.message) == (False, "its matcher could not be evaluated")
