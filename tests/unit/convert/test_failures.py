"""Failures of a hook in other systems: keys by which they deny, and systems in which each one denies."""

from __future__ import annotations

from typing import Any

import pytest
from conversions import DENY, claude, hook_of, losses, to

from pyshellhooks.hooks.config_form import Config


def copilot(**fields: Any) -> Config:
    """Return a config of Copilot with one hook."""
    return {"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": DENY, **fields}]}}


def test_exit_status_2_denies_in_vibe_with_strict_only() -> None:
    conversion = to("vibe", claude(matcher="Bash"))
    assert hook_of(conversion)["strict"] is True
    message = "Mistral Vibe takes the deny only with strict, and then any failure of the hook denies"
    assert losses(conversion) == [("hint", "failure", message)]


def test_a_hook_that_denies_nothing_is_not_strict() -> None:
    assert "strict" not in hook_of(to("vibe", claude("echo hello")))


def test_a_deny_after_a_turn_has_no_strict() -> None:
    conversion = to("vibe", claude(event="Stop"))
    assert conversion.weaker
    assert "strict" not in hook_of(conversion)


def test_the_client_needs_no_strict() -> None:
    guard = 'case $(jq -r .tool_input.command) in *rm*) echo \'{"decision": "block"}\'; exit 2 ;; esac'
    conversion = to("vibe", claude(guard, matcher="Bash"), wrap=True)
    hook = hook_of(conversion)
    assert "pyshellhooks-hook" in hook["command"]
    assert "strict" not in hook


def test_any_failure_denies_in_copilot() -> None:
    conversion = to("copilot", claude("npx prettier --write ."))
    assert losses(conversion) == [
        ("hint", "failure", "a failure of the hook denies in Copilot, and lets the call pass in Claude Code")
    ]


def test_a_failure_of_copilot_passes_elsewhere() -> None:
    conversion = to("kimi", copilot(), "copilot")
    assert [loss[:2] for loss in losses(conversion)] == [("error", "failure")]
    assert not to("kimi", copilot(), "copilot", wrap=True).weaker


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ({"cwd": "hooks"}, "error"),  # the script is not found
        ({"env": {"LEVEL": "1"}}, "warning"),
        ({"bash": 'test "$LEVEL" || exit 2', "env": {"LEVEL": "1"}}, "error"),
    ],
)
def test_a_field_that_a_guard_needs(fields: dict[str, Any], severity: str) -> None:
    conversion = to("claude_code", copilot(**fields), "copilot")
    key = next(key for key in fields if key != "bash")
    message = f'"{key}" is left out: Claude Code has no such field'
    assert (severity, "field", message) in losses(conversion)


def test_a_rewrite_in_droid_needs_an_allow() -> None:
    answer = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls"}}}'
    conversion = to("droid", claude(f"printf %s '{answer}'", matcher="Bash"), wrap=True)
    message = "a rewrite becomes a deny, except with an allow: Droid needs that"
    assert ("hint", "decision", message) in losses(conversion)
    assert not conversion.weaker


def test_a_rewrite_of_codex_allows_nothing() -> None:
    specific = '"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "ls"}'
    config = claude(f"printf %s '{{\"hookSpecificOutput\": {{{specific}}}}}'", matcher="Bash")
    message = "a rewrite of the script also allows the call in Claude Code, and does not in Codex"
    assert ("error", "decision", message) in losses(to("claude_code", config, "codex"))
    assert not to("claude_code", config, "codex", wrap=True).weaker


def test_permission_rules_are_listed() -> None:
    """They decide beside hooks, and another system does not have them."""
    conversion = to("codex", {**claude(), "permissions": {"deny": ["Bash(rm *)", "Read(.env)"], "allow": ["Bash(ls)"]}})
    assert [(about, severity) for severity, about, _ in losses(conversion)] == [("permission", "warning")] * 2
    assert "permissions.deny is not converted, only hooks are: Bash(rm *), Read(.env)" in losses(conversion)[0][2]
