"""``pyshellhooks-hook SYSTEM --written-for OTHER``: one hook of another system, in the words of both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyshellhooks.hooks.adapted import Adapted, adapted_of
from pyshellhooks.hooks.installed import is_recursive_client
from pyshellhooks.hooks.model import HookSpec, Origin
from pyshellhooks.resident.answering import Request, alone
from pyshellhooks.resident.client import Response

ENV = {"PATH": "/usr/bin:/bin"}


def answer(words: list[str], payload: dict[str, Any], place: Path) -> Response:
    return alone(Request(tuple(words), json.dumps(payload).encode(), ENV, str(place)))


def hook(agent: str, written_for: str, event: str, command: str, *more: str) -> list[str]:
    words = [agent, "--written-for", written_for, "--event", event, "--timeout", "5"]
    return [*words, *more, "--command", command]


def call(tool: str, argument: str, command: str = "git push") -> dict[str, Any]:
    return {"session_id": "s", "cwd": ".", "tool_name": tool, "tool_input": {argument: command}}


GUARD = "jq -r '[.tool_name, .tool_input.command] | join(\" \")' >&2; exit 2"


def test_it_sees_the_payload_of_its_own_system(tmp_path: Path) -> None:
    payload = {"hook_event_name": "pre_tool_use", **call("shell", "cmd")}
    stdout, status, _ = answer(hook("docker_agent", "claude_code", "PreToolUse", GUARD), payload, tmp_path)
    specific = json.loads(stdout)["hook_specific_output"]
    assert (status, specific["permission_decision"], specific["permission_decision_reason"]) == (
        0,
        "deny",
        "Bash git push",
    )


def test_a_rewrite_has_the_names_of_the_agent(tmp_path: Path) -> None:
    command = (
        """jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", updatedInput: (.tool_input | .command = "ls")}}'"""
    )
    payload = {"hook_event_name": "pre_tool_use", **call("shell", "cmd")}
    stdout, *_ = answer(hook("docker_agent", "claude_code", "PreToolUse", command), payload, tmp_path)
    assert json.loads(stdout)["hook_specific_output"]["updated_input"] == {"cmd": "ls"}


def test_an_ask_becomes_a_deny_where_there_is_none(tmp_path: Path) -> None:
    command = """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'"""
    payload = {"hook_event_name": "PreToolUse", **call("Bash", "command")}
    stdout, *_ = answer(hook("codex", "claude_code", "PreToolUse", command), payload, tmp_path)
    assert json.loads(stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_failure_denies_with_strict(tmp_path: Path) -> None:
    payload = {"hook_event_name": "BeforeTool", **call("run_shell_command", "command")}
    plain = answer(hook("gemini", "claude_code", "PreToolUse", "exit 1"), payload, tmp_path)
    strict = answer(hook("gemini", "claude_code", "PreToolUse", "exit 1", "--strict"), payload, tmp_path)
    assert plain[0] == b"" and json.loads(strict[0])["decision"] == "deny"


def test_events_without_a_neutral_name(tmp_path: Path) -> None:
    payload = {"hook_event_name": "PermissionRequest", **call("Bash", "command")}
    stdout, *_ = answer(hook("codex", "claude_code", "PermissionRequest", GUARD), payload, tmp_path)
    assert stdout == b"" or json.loads(stdout)["hookSpecificOutput"]["decision"]["behavior"] == "deny"


def test_the_end_of_a_turn(tmp_path: Path) -> None:
    payload = {"session_id": "s", "cwd": ".", "hook_event_name": "AfterAgent", "prompt": "x", "prompt_response": "y"}
    stdout, *_ = answer(hook("gemini", "claude_code", "Stop", "echo 'run the tests' >&2; exit 2"), payload, tmp_path)
    assert json.loads(stdout) == {"decision": "deny", "reason": "run the tests"}


WRONG = [
    (["codex", "--written-for", "claude_code"], "belong together"),
    (hook("codex", "claude_cod", "PreToolUse", "true"), "unknown hook system"),
    (hook("codex", "claude_code", "PreTolUse", "true"), "has no event"),
    (hook("crush", "claude_code", "Stop", "true"), "Crush has no event for Stop of Claude Code"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_words_deny(words: list[str], message: str, tmp_path: Path) -> None:
    event = {"event": "PreToolUse"} if words[0] == "crush" else {"hook_event_name": "PreToolUse"}
    stdout, status, stderr = answer(words, {**event, **call("Bash", "command")}, tmp_path)
    assert message in stdout.decode() + stderr.decode()
    assert b"deny" in stdout or status == 2


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), st.booleans())
def test_the_words_come_back(command: str, strict: bool) -> None:
    adapted = Adapted("codex", "claude_code@shipped", "PreToolUse", command, 7.5, strict)
    assert adapted_of(adapted.text()) == adapted


@pytest.mark.parametrize(
    "command",
    ["true", "pyshellhooks-hook", "pyshellhooks-hook codex", "pyshellhooks-hook codex --written-for x --event y", "'"],
)
def test_other_commands(command: str) -> None:
    assert adapted_of(command) is None


def test_it_is_no_loop() -> None:
    """A discovered entry that runs one hook does not run itself."""
    command = Adapted("codex", "claude_code", "PreToolUse", "true", 5.0).text()
    spec = HookSpec("PreToolUse", command, origin=Origin("hooks.json", "project"))
    assert not is_recursive_client(spec, "codex")
