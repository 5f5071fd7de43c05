"""An MCP tool's name in every spelling, against every system's matchers: its guard is asked, or a notice names the guard.

Spellings: claude_code 4, gemini 1 (document and program differ), crush 2, docker_agent 1, everruns 3, cursor 4.
"""

from __future__ import annotations

from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.verdict import Verdict
from pyshellhooks.notice import Notice

DOUBLE, SINGLE, MIXED, COLONS = (
    "mcp__github__create_issue", "mcp_github_create_issue", "mcp_github__create_issue", "mcp:github:create_issue",
)  # fmt: skip
SPELLINGS = (DOUBLE, SINGLE, MIXED, COLONS)
#: System -> its native event, and the matchers that it is asked by under a neutral event, whatever the caller's spelling is.
SYSTEMS = {
    "claude_code": ("PreToolUse", {DOUBLE}),
    "codex": ("PreToolUse", {DOUBLE}),
    "gemini": ("BeforeTool", {DOUBLE, SINGLE}),
    "gemini@shipped": ("BeforeTool", {SINGLE}),
    "crush": ("PreToolUse", {SINGLE}),
    "docker_agent": ("pre_tool_use", {COLONS, "github_create_issue"}),
    "everruns": ("pre_tool_use", {MIXED}),
    "firebender": ("preToolUse", {"MCP:create_issue"}),
    "cursor": ("preToolUse", {"MCP:create_issue"}),
}
COMMAND = "echo no >&2; exit 2"


def config(system: str, matcher: str) -> Any:
    hook: Any = {"type": "command", "command": COMMAND}
    name = system.partition("@")[0]
    if name in ("claude_code", "codex"):
        return {"hooks": {"PreToolUse": [{"matcher": f"^{matcher}$", "hooks": [hook]}]}}
    if name == "gemini":
        return {"hooks": {"BeforeTool": [{"matcher": f"^{matcher}$", "hooks": [hook]}]}}
    if name == "crush":
        return {"hooks": {"PreToolUse": [{"matcher": f"^{matcher}$", "command": COMMAND}]}}
    if name == "docker_agent":
        hooks = {"pre_tool_use": [{"matcher": f"^{matcher}$", "hooks": [hook]}]}
        return {"agents": {"root": {"hooks": hooks}}}
    if name == "everruns":
        rule = {"event": "pre_tool_use", "matcher": {"tool_name": matcher}}
        hook = {**rule, "executor": {"type": "bash", "command": COMMAND}}
        return {"capabilities": [{"ref": "user_hooks", "config": {"hooks": [hook]}}]}
    return {"version": 1, "hooks": {"preToolUse": [{"matcher": f"^{matcher}$", "command": COMMAND}]}}


def fire(system: str, event: str, matcher: str, tool: str, **options: Any) -> Verdict:
    with HookEngine.load(config(system, matcher), system, **options) as engine:
        return engine.fire(event, tool_name=tool, tool_input={"title": "x"})


def bypass_notices(verdict: Verdict) -> list[Notice]:
    return [one for one in verdict.notices if isinstance(one, Notice) and one.kind == "guard-not-asked"]


@pytest.mark.parametrize("tool", SPELLINGS)
@pytest.mark.parametrize("native", [False, True], ids=["neutral", "native"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_guard_runs_or_is_named(system: str, native: bool, tool: str) -> None:
    own, known = SYSTEMS[system]
    for matcher in {*SPELLINGS, *known}:
        verdict = fire(system, own if native else "before_tool", matcher, tool)
        decision = verdict.decision.value == "deny"
        if matcher == tool or (matcher in known and (not native or matcher.startswith("MCP:"))):
            assert decision, (matcher, verdict.notices)
        assert decision != bool(bypass_notices(verdict)), (matcher, verdict.notices)


def test_it_is_a_deny_under_strict() -> None:
    verdict = fire("gemini", "BeforeTool", SINGLE, DOUBLE, strict=True)
    assert verdict.decision.value == "deny"
    (notice,) = bypass_notices(verdict)
    assert f"spells the MCP tool {DOUBLE} as {SINGLE}" in notice
    assert "fire before_tool" in notice.hint


@pytest.mark.parametrize(
    "matcher", ["mcp__gitlab__create_issue", "mcp__github__list", "mcp_.*_delete", "Bash", "create_issue"]
)
def test_another_tools_guard_is_not_named(matcher: str) -> None:
    assert bypass_notices(fire("claude_code", "PreToolUse", matcher, DOUBLE)) == []


def test_a_guard_that_ran_by_another_name_is_not_named() -> None:
    assert bypass_notices(fire("cursor", "preToolUse", f"(MCP:create_issue|{SINGLE})", DOUBLE)) == []
    assert bypass_notices(fire("gemini", "before_tool", f"({SINGLE}|{MIXED})", DOUBLE)) == []
