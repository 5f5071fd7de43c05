"""How each hook system tells of a file that is to be written, and how its config is written down."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import yaml

from .tables import Record


class System(NamedTuple):
    """One hook system, with the event of its guards of files."""

    event: str
    after: str  # the event after an edit
    tool: str
    look: str  # where jq finds the path in the payload
    project_dir: str
    file: str


SYSTEMS = {
    "claude_code": System(
        "PreToolUse", "PostToolUse", "Write", ".tool_input.file_path", "CLAUDE_PROJECT_DIR", ".claude/settings.json"
    ),
    "deepagents": System("PreToolUse", "PostToolUse", "Write", ".tool_input.file_path", "", ".deepagents/hooks.json"),
    "crush": System("PreToolUse", "", "write", ".tool_input.file_path", "CRUSH_PROJECT_DIR", "crush.json"),
    "gemini": System(
        "BeforeTool", "AfterTool", "write_file", ".tool_input.file_path", "GEMINI_PROJECT_DIR", ".gemini/settings.json"
    ),
    "docker_agent": System("pre_tool_use", "post_tool_use", "write_file", ".tool_input.path", "", "agent.yaml"),
    "everruns": System("pre_tool_use", "post_tool_use", "write_file", ".data.arguments.path", "", ".agents/hooks.json"),
    "firebender": System(
        "beforeReadFile", "afterFileEdit", "", ".file_path", "FIREBENDER_PROJECT_DIR", ".firebender/hooks.json"
    ),
    "cursor": System("beforeReadFile", "afterFileEdit", "", ".file_path", "CURSOR_PROJECT_DIR", ".cursor/hooks.json"),
}
READ_EVERRUNS = 'printf "%s" "$EVERRUNS_HOOK_PAYLOAD_JSON"'


def event_of(record: Record) -> str:
    """Return the event of a record."""
    event = record.row.get("event", SYSTEMS[record.system].event)
    return SYSTEMS[record.system].after if event == "PostToolUse" else event


def command_of(record: Record) -> str:
    """Return the hook's command with the system's names in it."""
    system = SYSTEMS[record.system]
    look = ".tool_input.file_path" if event_of(record) in ("preToolUse", "before_tool") else system.look
    source = f"{READ_EVERRUNS} | " if record.system == "everruns" else ""
    text: str = record.row["hook"]
    text = text.replace("@PATH@", f"{source}jq -r {look}").replace("@PROJECT_DIR@", system.project_dir)
    return text.replace("@INPUT@", READ_EVERRUNS if record.system == "everruns" else "cat")


def fields_of(record: Record, path: str) -> dict[str, Any]:
    """Return the fields of the event in the system's own names; ``path`` is already spelt."""
    row, system = record.row, SYSTEMS[record.system]
    if "fields" in row:
        return {"session_id": "s-1", **row["fields"]}
    if "tool" in row:
        return {"session_id": "s-1", "tool_name": row["tool"], "tool_input": {row["key"]: row.get("fixed", path)}}
    if not system.tool and event_of(record) == system.event:
        return {"session_id": "s-1", "file_path": path, "content": "x"}
    key = system.look.rpartition(".")[2]
    arguments = "arguments" if record.system == "everruns" else "tool_input"
    fields = {"session_id": "s-1", "tool_name": system.tool or "Write", arguments: {key: path, "content": "x"}}
    if event_of(record) == "PostToolUse":
        fields["tool_response"] = {"filePath": path, "success": True}
    return fields


def config_of(record: Record, command: str) -> dict[str, Any]:
    """Return the config with the one hook of a record."""
    name, event, row = record.system, event_of(record), record.row
    if event == "before_tool":
        event = SYSTEMS[name].event if SYSTEMS[name].tool else "preToolUse"
    timed = _time(name, row.get("timeout", 0))
    matcher = {"matcher": row["matcher"]} if "matcher" in row else {}
    if name == "everruns":
        executor = {"type": "bash", "command": command}
        return {"hooks": [{"id": "guard", "event": event, "executor": executor, **timed}]}
    if name == "crush":
        return {"hooks": {event: [{**matcher, "command": command, **timed}]}}
    if name in ("firebender", "cursor"):
        return {"version": 1, "hooks": {event: [{**matcher, "command": command, **timed}]}}
    condition = {"if": row["condition"]} if "condition" in row else {}
    groups = [{**matcher, "hooks": [{"type": "command", "command": command, **condition, **timed}]}]
    if name == "docker_agent":
        return {"agents": {"root": {"model": "m", "hooks": {event: [{"matcher": "*", **groups[0]}]}}}}
    return {"hooks": {event: groups}}


def _time(system: str, seconds: float) -> dict[str, float]:
    if not seconds:
        return {}
    if system == "everruns":
        return {"timeout_ms": seconds * 1000}
    return {"timeout": seconds * (1000 if system == "gemini" else 1)}


def written(record: Record, config: dict[str, Any]) -> str:
    """Return the text of the config file."""
    if record.system == "docker_agent":
        return yaml.safe_dump(config, sort_keys=False, width=1000)
    return json.dumps(config, indent=2)
