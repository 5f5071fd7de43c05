"""The hooks in ``hook_collection/*.toml``, their payloads, and how each system writes them down."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).with_name("hook_collection")
LONG = "".join(f"line {number}: {'ab' * (number % 40)} é\n" for number in range(800))

# How each system tells of a shell call, and how its hooks are written down.
CALLS: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "claude_code": ("PreToolUse", lambda text: {"tool_name": "Bash", "tool_input": {"command": text}}),
    "crush": ("PreToolUse", lambda text: {"tool_name": "bash", "tool_input": {"command": text, "description": "x"}}),
    "gemini": ("BeforeTool", lambda text: {"tool_name": "run_shell_command", "tool_input": {"command": text}}),
    "docker_agent": ("pre_tool_use", lambda text: {"tool_name": "shell", "tool_input": {"cmd": text, "cwd": "."}}),
    "everruns": ("pre_tool_use", lambda text: {"tool_name": "bash", "arguments": {"commands": text}}),
    "firebender": ("beforeShellExecution", lambda text: {"command": text}),
    "cursor": ("beforeShellExecution", lambda text: {"command": text}),
}


class Hook(NamedTuple):
    """One hook of the collection. ``expect``: payload -> the decision and what else the verdict must hold."""

    system: str
    kind: str  # the file that it stands in
    name: str
    event: str
    expect: dict[str, str]
    command: str
    script: str = ""  # the text of the script file ``at``
    at: str = ""
    mode: int = 0o755
    env: Mapping[str, str] = {}
    times: int = 1  # so often it is fired in one directory; the last verdict counts
    differs: tuple[str, ...] = ()  # what is not as in bash
    because: str = ""  # and why, with the decision

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


@cache
def payloads() -> dict[str, dict[str, Any]]:
    """Read the payloads."""
    return tomllib.loads((DATA / "payloads.toml").read_text(encoding="utf-8"))


@cache
def hooks() -> tuple[Hook, ...]:
    """Read the collection."""
    found = []
    for path in sorted(DATA.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for row in table.pop("hook", []):
            row = {**table, **row}
            system = row.pop("system", "claude_code")
            event = row.pop("event", CALLS[system][0])
            if "script" in row:
                at = row.setdefault("at", ".claude/hooks/hook.sh")
                row.setdefault("command", f'"$CLAUDE_PROJECT_DIR"/{at}')
            if "differs" in row:
                row["differs"] = tuple(row["differs"])
            if "mode" in row:
                row["mode"] = int(row["mode"], 8)
            found.append(Hook(system=system, kind=path.stem, event=event, **row))
    return tuple(found)


def fields(hook: Hook, payload: str, project: Path, home: Path) -> dict[str, Any]:
    """Return the fields of an event, in the system's own words. ``section.name``, or the name of a command."""
    section, _, name = payload.rpartition(".")
    value = payloads()[section or "command"][name]
    text = json.dumps(value).replace("@PROJECT@", str(project)).replace("@HOME@", str(home))
    value = json.loads(text.replace("@LONG@", json.dumps(LONG)[1:-1]))
    if not section:
        value = CALLS[hook.system][1](value)
    elif section in ("write", "edit", "read"):
        value = {"tool_name": section.capitalize(), "tool_input": value}
        if hook.event == "PostToolUse":
            value["tool_response"] = {"filePath": value["tool_input"]["file_path"], "success": True}
    elif section == "prompt":
        value = {"prompt": value}
    if hook.event == "PostToolUse" and not section:
        value["tool_response"] = {"stdout": "ok\n", "stderr": "", "interrupted": False}
    return {"session_id": "5e55-10", "transcript_path": str(home / "transcript.jsonl"), "cwd": str(project), **value}  # fmt: skip


def config(hook: Hook) -> Any:
    """Write a hook down as its system wants it."""
    command, event = hook.command, hook.event
    group = [{"hooks": [{"type": "command", "command": command}]}]
    if hook.system == "crush":
        return {"hooks": {event: [{"command": command}]}}
    if hook.system in ("cursor", "firebender"):
        return {"version": 1, "hooks": {event: [{"command": command}]}}
    if hook.system == "docker_agent":
        if event in ("pre_tool_use", "post_tool_use"):
            return {"agents": {"root": {"hooks": {event: [{"matcher": "*", **group[0]}]}}}}
        return {"agents": {"root": {"hooks": {event: group[0]["hooks"]}}}}
    if hook.system == "everruns":
        return {"hooks": [{"id": "it", "event": event, "executor": {"type": "bash", "command": command}}]}
    return {"hooks": {event: group}}
