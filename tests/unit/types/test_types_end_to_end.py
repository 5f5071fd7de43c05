"""A whole hook in Python, as a person writes it, run by the engine as a command: the same in all seven systems."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pyshellhooks
from pyshellhooks import HookEngine, Verdict
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import Decision, HookJob, HookRun

GUARD = """\
from pyshellhooks.types.{system} import {event}

event = {event}.read()
if "rm -rf" in event.tool_input.get("{key}", ""):
    event.deny("no rm -rf")
if "boom" in event.tool_input.get("{key}", ""):
    raise RuntimeError("this hook has a mistake")
"""
#: system -> the event's class, its native name, the tool, and what the tool calls its command.
SYSTEMS: dict[str, tuple[str, str, str, str]] = {
    "claude_code": ("PreToolUse", "PreToolUse", "Bash", "command"),
    "crush": ("PreToolUse", "PreToolUse", "bash", "command"),
    "cursor": ("PreToolUse", "preToolUse", "Shell", "command"),
    "docker_agent": ("PreToolUse", "pre_tool_use", "shell", "cmd"),
    "everruns": ("PreToolUse", "pre_tool_use", "bash", "commands"),
    "firebender": ("PreToolUse", "preToolUse", "Shell", "command"),
    "gemini": ("BeforeTool", "BeforeTool", "run_shell_command", "command"),
}
OF_UNIX = {"everruns": pytest.mark.not_on_windows("needs-program")}  # its hooks run in /bin/sh
ROOT = str(Path(pyshellhooks.__file__).parents[1])


def config(system: str, event: str, command: str) -> dict[str, Any]:
    """Return a system's file with one hook."""
    hook = {"type": "command", "command": command}
    if system in ("claude_code", "gemini"):
        return {"hooks": {event: [{"hooks": [hook]}]}}
    if system == "docker_agent":
        return {"agents": {"root": {"hooks": {event: [{"matcher": "*", "hooks": [hook]}]}}}}
    if system == "everruns":
        return {"hooks": [{"event": event, "executor": {"type": "bash", "command": command}, "timeout_ms": 30000}]}
    entry = {"command": command}
    return {"hooks": {event: [entry]}} if system == "crush" else {"version": 1, "hooks": {event: [entry]}}


def natively(job: HookJob, scope: object) -> HookRun:
    """Run a job as Everruns does: in a process, with the job's own variables. The engine has no processes for it."""
    done = subprocess.run(
        ["/bin/sh", "-c", job.command], input=job.stdin, env={**os.environ, **job.env}, capture_output=True, check=False
    )
    return HookRun(status=done.returncode, stdout=done.stdout, stderr=done.stderr)


def fire(system: str, script: Path, command: str) -> Verdict:
    _, event, tool, key = SYSTEMS[system]
    options: dict[str, Any] = {"executor": RecordedExecutor(natively)} if system == "everruns" else {}
    text = f'PYTHONPATH="{ROOT}" "{sys.executable}" "{script}"'
    with HookEngine.load(config(system, event, text), system, **options) as engine:
        return engine.fire(event, tool_name=tool, tool_input={key: command})


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of handles, on Windows
@pytest.mark.one_in(7)
@pytest.mark.parametrize("system", [pytest.param(name, marks=OF_UNIX.get(name, ())) for name in SYSTEMS])
def test_a_guard_in_python(system: str, tmp_path: Path) -> None:
    script = tmp_path / "guard.py"
    name, _, _, key = SYSTEMS[system]
    script.write_text(GUARD.format(system=system, event=name, key=key), encoding="utf-8")
    denied = fire(system, script, "rm -rf build")
    assert denied.decision is Decision.DENY and denied.reason == "no rm -rf", denied.notices
    assert denied.hooks[0].ended == "ok" and not denied.notices
    passed = fire(system, script, "ls")
    assert passed.decision is Decision.NONE and passed.proceeds and not passed.notices
    crashed = fire(system, script, "boom")
    assert crashed.decision is Decision.DENY, crashed.notices
    assert crashed.reason == "the hook failed: RuntimeError: this hook has a mistake (guard.py, line 7)"
    assert "Traceback" not in crashed.hooks[0].stderr
