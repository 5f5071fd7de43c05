"""A hook that its system drops for a mistake is told on each verdict that it would have taken part in, and denied under strict."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import ConfigError, HookEngine

HOOK = {"type": "command", "command": "./guard.sh"}
# Each is the value of hooks.BeforeTool in a settings.json of Gemini CLI, which drops it (gemini 1).
GEMINI: dict[str, Any] = {
    "not a list": HOOK,
    "a flat hook": [HOOK],
    "a definition that is no object": ["./guard.sh"],
    "hooks that are no list": [{"matcher": "run_shell_command", "hooks": HOOK}],
    "another type": [{"hooks": [{**HOOK, "type": "Command"}]}],
    "no type": [{"hooks": [{"command": "./guard.sh"}]}],
    "no command": [{"hooks": [{"type": "command"}]}],
    "a hook that is no object": [{"hooks": ["./guard.sh"]}],
    "a matcher that is no expression": [{"matcher": "*_shell_command", "hooks": [HOOK]}],
}


def gemini(value: Any, **options: Any) -> HookEngine:
    text = json.dumps({"hooks": {"BeforeTool": value}}, indent=1)
    return HookEngine.load(text=text, name=".gemini/settings.json", dialect="gemini", spawn=False, **options)


@pytest.mark.parametrize("mistake", GEMINI)
def test_gemini_drops_it_and_the_verdict_reports_it(mistake: str) -> None:
    call = {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}, "session_id": "s"}
    with gemini(GEMINI[mistake]) as engine:
        verdict = engine.fire("BeforeTool", **call)
        assert engine.listens("BeforeTool")
    assert verdict.proceeds and len(verdict.notices) == 1
    assert "(.gemini/settings.json:" in verdict.notices[0] and ": skipped: " in verdict.notices[0]
    with gemini(GEMINI[mistake], strict=True) as engine:
        assert engine.fire("BeforeTool", **call).decision == "deny"
        assert engine.fire("AfterTool", **call).proceeds


def test_a_lost_hook_that_would_not_have_run_is_not_reported() -> None:
    dropped = [{"matcher": "write_file", "hooks": [{**HOOK, "type": "Command"}]}]
    with gemini(dropped, strict=True) as engine:
        verdict = engine.fire("BeforeTool", tool_name="run_shell_command", tool_input={"command": "ls"})
    assert verdict.proceeds and not verdict.notices


def test_a_whole_name_that_is_no_expression_is_compared_with_the_tool() -> None:
    with gemini([{"matcher": "odd[name", "hooks": [{**HOOK, "command": "echo no >&2; exit 2"}]}]) as engine:
        verdict = engine.fire("BeforeTool", tool_name="odd[name", tool_input={})
    assert verdict.decision == "deny" and not verdict.notices


def test_a_lost_hook_that_is_also_switched_off_is_not_reported() -> None:
    config = {"hooks": {"BeforeTool": [HOOK]}, "hooksConfig": {"enabled": False}}
    with HookEngine.load(config, "gemini") as engine:
        assert not engine.fire("BeforeTool", tool_name="run_shell_command", tool_input={}).notices


def test_everruns_drops_it_and_the_verdict_reports_it() -> None:
    spec = {"id": "mine", "event": "pre_tool_use", "executor": {"type": "webhook", "command": "x"}}
    call = {"tool_name": "bash", "arguments": {"commands": "ls"}}
    with HookEngine.load({"hooks": [spec]}, "everruns") as engine:
        verdict = engine.fire("pre_tool_use", **call)
        assert verdict.proceeds and verdict.notices[0].startswith("user:mine (<text>:")
        assert not engine.fire("user_prompt_submit", message="hello").notices
    with pytest.raises(ConfigError):
        HookEngine.load({"hooks": [spec]}, "everruns", strict=True)


def test_a_hook_that_never_runs_on_its_event_is_reported() -> None:
    """claude_code 2: ``if`` is for events about one tool call; on any other the handler never runs."""
    hooks = {"UserPromptSubmit": [{"hooks": [{**HOOK, "if": "Bash(rm *)"}]}]}
    with HookEngine.load({"hooks": hooks}, "claude_code") as engine:
        verdict = engine.fire("UserPromptSubmit", prompt="hello")
    assert verdict.proceeds and "./guard.sh (<text>:" in verdict.notices[0]
    with pytest.raises(ConfigError):
        HookEngine.load({"hooks": hooks}, "claude_code", strict=True)


@pytest.mark.parametrize(
    ("system", "config", "event"),
    [
        ("crush", {"hooks": {"PreToolUs": [{"command": "./guard.sh"}]}}, "PreToolUse"),
        ("gemini", {"hooks": {"PreToolUse": [{"hooks": [HOOK]}], "hooksConfig": {}}}, "BeforeTool"),
        ("cursor", {"version": 1, "hooks": {"preToolUsed": [{"command": "./guard.sh"}]}}, "preToolUse"),
        ("claude_code", {"hooks": {"PreToolUsage": [{"hooks": [HOOK]}]}}, "PreToolUse"),
    ],
)
def test_hooks_of_a_misspelt_event_are_reported_on_the_intended_event(system: str, config: Any, event: str) -> None:
    with HookEngine.load(config, system) as engine:
        (notice,) = engine.fire(event, tool_name="x", tool_input={"command": "ls"}).notices
    assert notice.startswith("./guard.sh (<text>:") and f'write "{event}"' in notice


def test_an_event_of_another_system_is_no_misspelling() -> None:
    with HookEngine.load({"hooks": {"PostToolUse": [{"command": "x"}]}}, "crush", strict=True) as engine:
        assert engine.fire("PreToolUse", tool_name="bash", tool_input={}).proceeds
    config = {"version": 1, "hooks": {"beforeTabFileRead": [{"command": "x"}]}}
    with HookEngine.load(config, "firebender", strict=True) as engine:
        assert engine.fire("beforeReadFile", file_path="/x", content="y").proceeds
