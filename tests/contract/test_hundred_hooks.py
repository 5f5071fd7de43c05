"""A hundred hooks of the usual kinds: every tool that is no language runs in-process, with an empty PATH, without a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.engine.checks.doctor import examine

TEXT = Path(__file__).with_name("hook_commands.txt").read_text(encoding="utf-8")
COMMANDS = [block.strip() for block in TEXT.partition("#")[2].split("\n", 2)[2].split("\n---\n")]

# Languages and the tools that come with them stay programs of the machine.
LANGUAGES = frozenset({"git", "node", "npx", "python3", "cargo", "ruff", "gofmt", "rustfmt"})

# A file of the project that one of them is written for.
FILES = frozenset({"index.js"})

CALL = {"tool_name": "bash", "tool_input": {"command": "ls -la | head", "file_path": "src/app.txt"}, "session_id": "s1"}


def load(directory: Path, command: str) -> HookEngine:
    config = {"hooks": {"PreToolUse": [{"command": command}]}}
    env = {"PATH": "", "HOME": directory.as_posix(), "USER": "me"}
    return HookEngine.load(config, "crush", cwd=str(directory), env=env, spawn=False)


def test_there_are_a_hundred() -> None:
    assert len(COMMANDS) >= 100
    assert len(set(COMMANDS)) == len(COMMANDS)


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_every_tool_is_there(tmp_path: Path, number: int) -> None:
    with load(tmp_path, COMMANDS[number]) as engine:
        assert engine.diagnostics == ()
        found = examine(engine, spawn=False)
        lacking = {finding.name: finding.kind for finding in found if not finding.fine}
        assert set(lacking) <= LANGUAGES | FILES, COMMANDS[number]
        verdict = engine.fire("PreToolUse", **CALL)
    result = verdict.hooks[0]
    # Plain text is a context in other systems; in Crush it cannot be read.
    assert result.ended in ("ok", "nonzero", "bad_output"), (verdict.notices, result.stderr)
    if not lacking:
        assert "not found" not in result.stderr
        assert "unrecognized option" not in result.stderr and "invalid option" not in result.stderr
        assert result.exit_code in (0, 1, 2), result.stderr
