"""Answers that a command prints as they are: which ones the agent can't read, and which decide nothing in it.

What Claude Code 2.1.332 and Gemini CLI 0.61 do with each is recorded in ``tests/field/mishaps_*.json``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from mistakes import CONFIGS, OF, write

from pyshellhooks.engine.checks.checker import check_file

CLAUDE, GEMINI, CODEX = "claude_code", "gemini", "codex"
SILENT_2 = "error silent-exit-2"
IN = "command=$(cat | jq -r .tool_input.command)\n"
UNREADABLE, NO_EFFECT = "error answer-unreadable", "hint answer-no-effect"
BLOCK = '{"decision": "block", "reason": "no"}'
SPECIFIC = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'
ROWS = [
    (CLAUDE, r"""printf '{"decision": "block", "reason": "a\nb"}'""", UNREADABLE),
    (CLAUDE, r"""printf '{"decision": "block", "reason": "a"'""", UNREADABLE),
    (CLAUDE, r"""printf '\033[31m{"decision": "block"}\033[0m'""", UNREADABLE),
    (CLAUDE, r"""printf '{"decision": "block"}\000'""", UNREADABLE),
    (CLAUDE, """echo '{"decision": "block", "decision": "approve"}'""", UNREADABLE),
    (CLAUDE, SPECIFIC.replace('"deny"', '"deny", "permissionDecisionReason": null').join(["echo '", "'"]), UNREADABLE),
    (GEMINI, """echo '{"decision": "allow"}'; exit 2""", UNREADABLE),
    (CLAUDE, """echo '{"ok": false, "reason": "no"}'""", NO_EFFECT),
    (CLAUDE, """echo '{"allow": false}'""", NO_EFFECT),
    (CLAUDE, f"echo '{SPECIFIC}' >&2", NO_EFFECT),
    (CLAUDE, "echo no >&2; exit 1", "hint exit-1-does-not-block"),
    (CLAUDE, "echo no >&2; exit 3", "hint exit-1-does-not-block"),
    (CODEX, "exit 2", SILENT_2),
    (CODEX, "echo no; exit 2", SILENT_2),
    (CODEX, IN + "case $command in *rm*) exit 2;; esac", SILENT_2),
    (CODEX, IN + "if [[ $command == *rm* ]]; then echo no; exit 2; fi", SILENT_2),
    (CODEX, IN + "deny() { echo no; exit 2; }; echo $command | grep -q rm && deny", SILENT_2),
    (CODEX, IN + "echo $command | grep -q rm || exit 0; exit 2", SILENT_2),
    (CODEX, "jq -e '.tool_input.command == \"rm\"' > /dev/null 2>&1 && exit 2", SILENT_2),
    (GEMINI, "exit 2", SILENT_2),
    (GEMINI, "command=$(cat); exit 2", SILENT_2),
]
SOUND = [
    (CLAUDE, f"echo '{BLOCK}'"),
    (CLAUDE, f"printf '{BLOCK}\\n'"),
    (CLAUDE, f"printf '%s\\n' '{BLOCK}'"),
    (CLAUDE, r"""printf '{"decision": "block", "reason": "a\\nb"}'"""),
    (CLAUDE, r"""printf '{\n  "decision": "block",\n  "reason": "no"\n}\n'"""),
    (CLAUDE, f"echo '{SPECIFIC}'"),
    (CLAUDE, """echo '{"systemMessage": "a rule may deny or block"}'"""),
    (CLAUDE, "echo no >&2; exit 2"),
    (CLAUDE, 'echo \'{"level": "info"}\' >&2; exit 0'),
    (GEMINI, """echo '{"decision": "deny", "reason": "no"}'"""),
    (GEMINI, """echo '{"decision": "deny", "reason": "no"}' >&2; exit 2"""),
    (GEMINI, "echo no >&2; exit 2"),
    (GEMINI, "echo no; exit 2"),
    (CLAUDE, "exit 2"),
    (CODEX, "echo no >&2; exit 2"),
    (CODEX, "{ echo no; } >&2; exit 2"),
    (CODEX, "echo no > /dev/stderr; exit 2"),
    (CODEX, "jq -e .tool_input > /dev/null || exit 2"),
    (CODEX, "if ! jq -e .tool_input > /dev/null; then exit 2; fi"),
    (CODEX, "if jq -e .tool_input > /dev/null; then exit 0; else exit 2; fi"),
    (CODEX, "jq -e .tool_input > /dev/null; [ $? -eq 0 ] || exit 2"),
    (CODEX, "ls x || exit 2"),
    (
        CODEX,
        "command=$(jq -r .tool_input.command); deny() { echo no >&2; exit 2; }; echo $command | grep -q rm && deny",
    ),
]


def _codes(system: str, command: str, directory: Path) -> list[str]:
    write(directory, {CONFIGS[system]: OF[system](command)})
    found = check_file(str(directory / CONFIGS[system]), env={"PATH": "/usr/bin:/bin", "HOME": str(directory / "home")})
    return [f"{one.severity} {one.code}" for one in found.diagnostics]


@pytest.mark.parametrize(("system", "command", "code"), ROWS)
def test_an_answer_that_is_lost(system: str, command: str, code: str, tmp_path: Path) -> None:
    assert code in _codes(system, command, tmp_path)


@pytest.mark.parametrize(("system", "command"), SOUND)
def test_a_sound_answer(system: str, command: str, tmp_path: Path) -> None:
    assert _codes(system, command, tmp_path) == []
