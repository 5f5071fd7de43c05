"""Whole hooks: configuration, event, embedded shell, verdict; and the same in real bash."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clock import patient
from hook_shells import BashExecutor

from conformance.oracles import search_path
from pyshellhooks.engine import HookEngine
from pyshellhooks.hooks.verdict import Verdict

ENV = {"PATH": os.environ.get("PATH", ""), "HOME": "/"}
RM = {"command": "rm -rf /tmp/x", "timeout": 60}

# command, tool input -> decision, halt, reason, context, updated input
HOOKS: list[tuple[str, dict[str, Any], tuple[str, bool, str, str, Any]]] = [
    ("exit 0", RM, ("none", False, "", "", None)),
    ("exit 1", RM, ("none", False, "", "", None)),
    ("echo no >&2; exit 2", RM, ("deny", False, "no", "", None)),
    ("echo stop >&2; exit 49", RM, ("deny", True, "stop", "", None)),
    (
        "case $CRUSH_TOOL_INPUT_COMMAND in rm*) echo \"no ${CRUSH_TOOL_NAME}\" >&2; exit 2;; esac",
        RM,
        ("deny", False, "no bash", "", None),
    ),
    (
        "if printf %s \"$CRUSH_TOOL_INPUT_COMMAND\" | grep -qE '^rm +-[rf]{2}'; then exit 2; fi",
        RM,
        ("deny", False, "blocked by hook", "", None),
    ),
    ("set -e; read -r line; test -n \"$line\"; echo '{\"decision\":\"allow\"}'", RM, ("allow", False, "", "", None)),
    ("cat | wc -l | tr -d ' ' | { read -r n; echo \"{\\\"context\\\":\\\"$n\\\"}\"; }", RM, ("none", False, "", "1", None)),
    (
        "jq -c '{updated_input: {command: (\"echo \" + .tool_input.command)}}'",
        RM,
        ("none", False, "", "", {"command": "echo rm -rf /tmp/x", "timeout": 60}),
    ),
    ("[[ $CRUSH_TOOL_INPUT_FILE_PATH == *.go ]] && echo '{\"context\": \"fmt\"}'", {"file_path": "a.go"}, ("none", False, "", "fmt", None)),
    ("echo \"$CRUSH_EVENT $CRUSH $AGENT $AI_AGENT $TERM $PAGER\" >&2; exit 2", RM, ("deny", False, "PreToolUse 1 crush crush xterm-256color cat", "", None)),
    ("pwd >&2; exit 2", RM, ("deny", False, "CWD", "", None)),
    ("echo '{\"decision\":\"deny\",\"reason\":\"r\"}'; echo done", RM, ("deny", False, "r", "", None)),
    ("exec 2>&1; echo '{\"halt\": true}'", RM, ("none", True, "", "", None)),
    ("nosuchprogram_x; exit 2", RM, ("deny", False, None, "", None)),
]  # fmt: skip


def facts(verdict: Verdict) -> tuple[str, bool, str, str, Any]:
    return (verdict.decision, verdict.halt, verdict.reason, verdict.context, verdict.updated_input)


def fire(command: str, tool_input: Any, cwd: str, **options: Any) -> Verdict:
    options = {"env": ENV, **options}
    engine = HookEngine.load({"hooks": {"PreToolUse": [{"command": command}]}}, "crush", cwd=cwd, **options)
    return engine.fire("PreToolUse", tool_name="bash", tool_input=tool_input)


@pytest.mark.parametrize(("command", "tool_input", "expected"), HOOKS)
def test_hooks_in_the_embedded_shell(command: str, tool_input: Any, expected: tuple[Any, ...], tmp_path: Path) -> None:
    found = facts(fire(command, tool_input, str(tmp_path)))
    reason = expected[2] if expected[2] != "CWD" else tmp_path.as_posix()
    assert found[:2] == expected[:2] and found[3:] == expected[3:]
    assert reason is None or found[2] == reason


@pytest.mark.oracle
@pytest.mark.parametrize(("command", "tool_input", "expected"), HOOKS)
def test_hooks_in_bash(
    command: str, tool_input: Any, expected: tuple[Any, ...], tmp_path: Path, program: Callable[[str], str]
) -> None:
    for name in ("grep", "cat", "wc", "tr", *(["jq"] * ("jq" in command))):
        program(name)
    env = {**ENV, "PATH": search_path(ENV["PATH"])}
    found = facts(fire(command, tool_input, str(tmp_path), executor=BashExecutor(program("bash")), env=env))
    reason = expected[2] if expected[2] != "CWD" else str(tmp_path)
    assert found[:2] == expected[:2] and found[3:] == expected[3:]
    assert reason is None or found[2] == reason


def test_a_missing_program_is_reported_and_under_strict_denies(tmp_path: Path) -> None:
    command = "nosuchprogram_x || true"
    verdict = fire(command, RM, str(tmp_path))
    assert verdict.decision == "none" and any("nosuchprogram_x" in notice for notice in verdict.notices)
    strict = fire(command, RM, str(tmp_path), strict=True)
    assert strict.decision == "deny" and "nosuchprogram_x" in strict.reason


def test_a_timeout_ends_the_hook_with_a_notice(tmp_path: Path) -> None:
    begun = time.monotonic()
    config = {"hooks": {"PreToolUse": [{"command": "while :; do :; done", "timeout": 0.2}]}}
    verdict = HookEngine.load(config, "crush", cwd=str(tmp_path)).fire("PreToolUse")
    assert time.monotonic() - begun < patient(1.9)
    row = verdict.hooks[0]
    assert (verdict.decision, row.ended, row.exit_code) == ("none", "timed_out", None) and verdict.notices


def test_too_much_output(tmp_path: Path) -> None:
    from pyshellhooks.limits import Limits

    verdict = fire("echo 1234567890", RM, str(tmp_path), limits=Limits(output=5))
    assert (verdict.decision, verdict.hooks[0].ended) == ("deny", "too_much_output")


def test_a_missing_working_directory_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for cwd, why in (("gone", "No such file or directory"), ("file", "Not a directory")):
        verdict = fire("exit 2", RM, str(tmp_path / cwd))
        assert (verdict.decision, verdict.hooks[0].ended) == ("none", "not_started")
        (notice,) = verdict.notices
        assert notice.startswith(
            f"exit 2 (<text>:1:25): not started: {(tmp_path / cwd).as_posix()}: {why}; start hooks in "
        )


def test_two_hooks_side_by_side_compose_in_config_order(tmp_path: Path) -> None:
    config = {
        "hooks": {
            "PreToolUse": [
                {"command": 'sleep 0.2; echo \'{"context":"slow","updated_input":{"command":"a"}}\''},
                {"command": 'echo \'{"context":"quick","updated_input":{"command":"b"}}\''},
            ]
        }
    }
    verdict = HookEngine.load(config, "crush", cwd=str(tmp_path), env=ENV).fire("PreToolUse", tool_input=RM)
    assert verdict.context == "slow\nquick" and verdict.updated_input == {"command": "b", "timeout": 60}


def test_no_process_is_started_without_spawn(tmp_path: Path) -> None:
    verdict = fire("sleep 0; cat >/dev/null; exit 2", RM, str(tmp_path), spawn=False)
    assert verdict.decision == "deny"
