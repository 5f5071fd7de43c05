"""Matchers in other systems: the same tools by their names there, and never fewer calls without a word about it."""

from __future__ import annotations

from typing import Any

import pytest
from conversions import claude, losses, matcher_of, to

TOOLS = [
    ("Bash", "gemini", "^run_shell_command$"),
    ("Bash", "codex", "Bash"),
    ("Bash", "crush", "^bash$"),
    ("Bash", "docker_agent", "shell"),
    ("Bash", "cursor", "^Shell$"),
    ("Bash", "everruns", {"tool_name": "bash"}),
    ("Edit|Write", "gemini", "^(write_file|replace)$"),
    ("Edit|Write", "cursor", "^Write$"),
    ("Edit|Write", "everruns", {"tool_name_glob": "write_file|edit_file"}),
    ("Edit, Write", "crush", "^(write|edit|multiedit)$"),
    ("^(Bash)$", "gemini", "^run_shell_command$"),
    # MCP tools in the other system's spelling
    ("mcp__github__create_issue", "gemini", "^mcp__github__create_issue$"),
    ("mcp__github__create_issue", "codex", "mcp__github__create_issue"),
    ("mcp__github__create_issue", "crush", "^mcp_github_create_issue$"),
    ("mcp__github__.*", "crush", "mcp_github_.*"),
    ("mcp__.*", "codex", "mcp__.*"),
    ("mcp__.*__write.*", "codex", "mcp__.*__write.*"),
    # every tool
    ("", "gemini", None),
    ("*", "codex", None),
    (".*", "crush", None),
]


@pytest.mark.parametrize(("matcher", "target", "written"), TOOLS)
def test_names_of_tools(matcher: str, target: str, written: Any) -> None:
    conversion = to(target, claude(matcher=matcher))
    assert matcher_of(conversion) == written
    assert not conversion.weaker


def test_a_search_also_finds_other_tools() -> None:
    """Gemini CLI's expression matches any name with the word in it, as MCP tools have: so does the new one."""
    config = {"hooks": {"BeforeTool": [{"matcher": "write_file", "hooks": [{"type": "command", "command": "exit 2"}]}]}}
    assert matcher_of(to("claude_code", config, "gemini")) == "(Write|write_file)"
    assert matcher_of(to("docker_agent", config, "gemini")) == ".*(write_file).*"
    # Everruns can't search: the hook runs on every call
    everruns = to("everruns", config, "gemini")
    assert matcher_of(everruns) is None
    assert ("hint", "matcher") in [loss[:2] for loss in losses(everruns)]


def test_a_tool_that_the_other_system_lacks() -> None:
    conversion = to("codex", claude(matcher="Bash|Read"))
    assert matcher_of(conversion) == "Bash"
    assert losses(conversion) == [("error", "matcher", 'Codex has no tool for "Read" of the matcher "Bash|Read"')]


def test_a_tool_that_does_what_no_other_system_has() -> None:
    conversion = to("gemini", claude(matcher="Edit|NotebookEdit"))
    assert matcher_of(conversion) == "^replace$"
    assert [loss[:2] for loss in losses(conversion)] == [("warning", "matcher")]


def test_a_hook_for_missing_tools_only_is_left_out() -> None:
    conversion = to("codex", claude(matcher="Read"))
    assert conversion.hooks == 0 and conversion.weaker
    assert losses(conversion)[-1] == ("error", "event", "the hook is left out: no call in Codex matches")


@pytest.mark.parametrize("matcher", ["^(?!Bash).*", "Bash(?!Output)"])
def test_an_expression_that_the_other_system_lacks_is_left_out(matcher: str) -> None:
    """Go's syntax has no look-ahead. The hook runs on every call, and the person reads that."""
    conversion = to("crush", claude(matcher=matcher))
    assert matcher_of(conversion) is None
    assert [loss[:2] for loss in losses(conversion)] == [("hint", "matcher")]


def test_an_expression_keeps_its_meaning() -> None:
    conversion = to("codex", claude(matcher="^Notebook.*"))
    assert matcher_of(conversion) == "^Notebook.*"


VALUES = [
    ("startup", "codex", ["startup"]),
    ("startup|clear", "codex", ["startup|clear"]),
    ("startup|clear", "gemini", ["startup", "clear"]),  # one exact text each
    ("startup|compact", "gemini", ["startup"]),
]


@pytest.mark.parametrize(("matcher", "target", "written"), VALUES)
def test_other_values(matcher: str, target: str, written: list[str]) -> None:
    conversion = to(target, claude("echo hello", matcher, "SessionStart"))
    groups = conversion.config["hooks"]["SessionStart"]
    assert [group["matcher"] for group in groups] == written
    missing = {loss[2] for loss in losses(conversion) if loss[1] == "matcher"}
    assert missing == ({'Gemini CLI has no source "compact" on SessionStart'} if "compact" in matcher else set())


def test_a_condition_on_a_command_widens() -> None:
    """Cursor's expression is for the command; elsewhere the hook runs on every call of the shell."""
    config = {"version": 1, "hooks": {"beforeShellExecution": [{"matcher": "git push", "command": "exit 2"}]}}
    conversion = to("claude_code", config, "cursor")
    assert matcher_of(conversion) == "Bash"
    assert [loss[:2] for loss in losses(conversion)] == [("hint", "matcher")]


MCP = [
    ("claude_code", "mcp__.*__.*"),
    ("codex", "mcp__.*__.*"),
    ("crush", "mcp_.*_.*"),
    ("everruns", None),  # no expression: the hook runs on every call
]


@pytest.mark.parametrize(("target", "written"), MCP)
def test_an_event_about_mcp_tools(target: str, written: str | None) -> None:
    config = {"version": 1, "hooks": {"beforeMCPExecution": [{"command": "exit 2"}]}}
    conversion = to(target, config, "cursor")
    assert matcher_of(conversion) == written
    assert ("hint", "matcher") in [loss[:2] for loss in losses(conversion)] or written is not None


@pytest.mark.parametrize("event", ["beforeShellExecution", "beforeMCPExecution", "beforeReadFile"])
def test_an_event_with_the_same_condition_keeps_its_matcher(event: str) -> None:
    config = {"version": 1, "hooks": {event: [{"matcher": "^rm|curl", "command": "exit 2"}]}}
    conversion = to("firebender", config, "cursor")
    assert list(conversion.config["hooks"]) == [event] and matcher_of(conversion) == "^rm|curl"
    assert not [loss for loss in losses(conversion) if loss[1] == "matcher"]


def test_a_rule_widens() -> None:
    conversion = to("codex", claude(matcher="Bash", **{"if": "Bash(git push *)"}))
    assert [loss[:2] for loss in losses(conversion)] == [("hint", "matcher"), ("hint", "field")]
    assert not conversion.weaker
