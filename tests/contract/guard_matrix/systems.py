"""The systems as the matrix needs them: each event that can be denied, its call, and its guard's own words.

What holds where is read from the contracts (claude_code 6, crush 4, docker_agent 4, everruns 5, firebender 5, cursor 5,
gemini 2.3); ``test_guard_matrix`` compares the list with the dialects' tables.
"""

from __future__ import annotations

import json
from typing import Any

import yaml

from pyshellhooks import dialects

from .event import (
    BLOCK,
    COMMAND,
    DENY,
    FOLLOW_UP,
    MESSAGES,
    PERMISSION,
    PRE,
    READ,
    REPLY,
    SUBAGENT,
    TASK,
    TEXT,
    TOOL_LOOK,
    Event,
    specific,
)
from .relatives import RELATIVES


def _flat(guard: Any) -> list[Event]:
    """Return what Firebender and Cursor have in common."""
    shell, query = {"tool_input": COMMAND, "tool_use_id": "1"}, {"query": TEXT}
    return [
        Event("preToolUse", "call", TOOL_LOOK, guard, tool="Shell", **shell),
        Event("beforeShellExecution", "call", ".command", PERMISSION, command=TEXT),
        Event(
            "beforeMCPExecution", "call", ".tool_input", PERMISSION, tool="search", tool_input=query, url="https://h/"
        ),
        Event("beforeReadFile", "call", ".content", PERMISSION, **READ),
        Event("stop", "stop", ".status", FOLLOW_UP, bad="completed", good="aborted", status=TEXT, loop_count=0),
        Event("subagentStop", "stop", ".summary", FOLLOW_UP, **SUBAGENT),
    ]


EVENTS: dict[str, list[Event]] = {
    "crush": [Event("PreToolUse", "call", TOOL_LOOK, DENY, tool="bash", tool_input=COMMAND)],
    "gemini": [
        Event("BeforeTool", "call", TOOL_LOOK, DENY, tool="run_shell_command", tool_input=COMMAND),
        Event(
            "AfterTool",
            "result",
            ".tool_response.llmContent",
            DENY,
            tool="run_shell_command",
            tool_input={"command": "cat x"},
            tool_response={"llmContent": TEXT, "returnDisplay": "x"},
        ),
        Event("BeforeAgent", "prompt", ".prompt", DENY, prompt=TEXT),
        Event("AfterAgent", "stop", ".prompt_response", DENY, prompt="x", prompt_response=TEXT),
        Event("BeforeModel", "prompt", ".llm_request.messages[0].content", DENY, llm_request=MESSAGES),
        Event(
            "AfterModel",
            "result",
            ".llm_response.candidates[0].content.parts[0]",
            DENY,
            llm_request={"model": "m", "messages": []},
            llm_response=REPLY,
        ),
    ],
    "docker_agent": [
        Event("pre_tool_use", "call", ".tool_input.cmd", BLOCK, tool="shell", tool_input={"cmd": TEXT}, tool_use_id="1")
    ],
    "everruns": [
        Event("user_prompt_submit", "prompt", ".data.message", BLOCK, message=TEXT),
        Event("pre_tool_use", "call", ".data.arguments.commands", BLOCK, tool="bash", arguments={"commands": TEXT}),
    ],
    "firebender": _flat(DENY),
    "cursor": [
        *_flat(PERMISSION),
        Event("beforeSubmitPrompt", "prompt", ".prompt", {"continue": False}, prompt=TEXT),
        Event("beforeTabFileRead", "call", ".content", PERMISSION, **READ),
        Event("subagentStart", "call", ".task", PERMISSION, subagent_type="explore", task=TEXT),
    ],
    "claude_code": [
        Event(
            "PreToolUse",
            "call",
            TOOL_LOOK,
            specific("PreToolUse", **PRE),
            tool="Bash",
            tool_input=COMMAND,
            tool_use_id="1",
        ),
        Event(
            "PreSkillShellCommand",
            "call",
            TOOL_LOOK,
            specific("PreSkillShellCommand", permissionDecision="deny", permissionDecisionReason="no"),
            tool="Bash",
            tool_input=COMMAND,
            command_name="review",
        ),
        Event(
            "PermissionRequest",
            "call",
            TOOL_LOOK,
            specific("PermissionRequest", decision={"behavior": "deny", "message": "no"}),
            tool="Bash",
            tool_input=COMMAND,
        ),
        Event(
            "PostToolUse",
            "result",
            ".tool_response.stdout",
            BLOCK,
            tool="Bash",
            tool_input={"command": "cat x"},
            tool_use_id="1",
            tool_response={"stdout": TEXT, "stderr": ""},
        ),
        Event(
            "PostToolBatch",
            "result",
            ".tool_calls[0].tool_response",
            BLOCK,
            tool_calls=[{"tool_name": "Read", "tool_input": {}, "tool_use_id": "1", "tool_response": TEXT}],
        ),
        Event("UserPromptSubmit", "prompt", ".prompt", BLOCK, prompt=TEXT),
        Event("UserPromptExpansion", "prompt", ".prompt", BLOCK, command_name="review", prompt=TEXT),
        Event("Stop", "stop", ".last_assistant_message", BLOCK, last_assistant_message=TEXT),
        Event(
            "SubagentStop",
            "stop",
            ".last_assistant_message",
            BLOCK,
            last_assistant_message=TEXT,
            agent_id="a",
            agent_type="Explore",
        ),
        Event("PreCompact", "act", ".custom_instructions", BLOCK, trigger="manual", custom_instructions=TEXT),
        Event("TaskCreated", "act", ".task_subject", 2, **TASK),
        Event("TaskCompleted", "stop", ".task_subject", 2, **TASK),
        Event("TeammateIdle", "stop", ".teammate_name", 2, teammate_name=TEXT, team_name="t"),
        Event("ConfigChange", "act", ".file_path", BLOCK, source="project_settings", file_path=TEXT),
        Event("WorktreeCreate", "act", ".name", 2, name=TEXT, otherwise="echo /srv/worktree"),
        Event("WorktreeRemove", "act", ".worktree_path", 2, worktree_path=TEXT),
        Event(
            "Elicitation",
            "act",
            ".message",
            specific("Elicitation", action="decline"),
            mcp_server_name="tickets",
            message=TEXT,
        ),
        Event(
            "ElicitationResult",
            "act",
            ".message",
            specific("ElicitationResult", action="decline"),
            mcp_server_name="tickets",
            message=TEXT,
            action="accept",
        ),
        Event(
            "PreModelSwitch",
            "act",
            ".requested_model",
            specific("PreModelSwitch", permissionDecision="deny"),
            from_model="a",
            to_model="b",
            requested_model=TEXT,
        ),
    ],
    **RELATIVES,
}
for _system, _events in EVENTS.items():
    for _event in _events:
        _event.system = _system

TITLES = {name: dialects.dialect_class(name).title for name in EVENTS}
#: The first file of these systems has other rules than the one that people use.
FILES = {name: dialects.dialect_class(name).file_names[0] for name in EVENTS} | {
    "copilot": ".github/hooks/guards.json",
    "droid": ".factory/settings.json",
    "kimi": "home/.kimi-code/config.toml",
}


class Entry:
    """One hook as a person writes it."""

    def __init__(self, event: Event, command: str) -> None:
        self.event = event
        self.command = command
        self.matcher = event.tool
        self.seconds = 0.0
        self.type = "command"
        self.asks: dict[str, Any] = {}  # what stands for the command in hooks of other types
        self.conditions: dict[str, Any] = {}  # Everruns: more members of the matcher

    def timed(self) -> dict[str, Any]:
        name, unit = dialects.dialect_class(self.event.system).timeout_key
        value = self.seconds * (1000 if unit == "milliseconds" else 1)
        return {name: int(value) if value == int(value) else value} if self.seconds else {}


def config(system: str, entries: list[Entry]) -> str:
    """Write a system's config file."""
    hooks: dict[str, Any] = {}
    if system == "everruns":
        return json.dumps({"hooks": [_everruns(entry) for entry in entries]}, indent=2)
    if system in ("kimi", "vibe"):
        return "\n".join(_table(number, entry) for number, entry in enumerate(entries))
    for entry in entries:
        matcher = {"matcher": entry.matcher} if entry.matcher else {}
        body = {**(entry.asks or {"command": entry.command}), **entry.timed()}
        if system == "crush":
            written: Any = {**matcher, **body}
        elif system in ("firebender", "cursor", "copilot"):
            written = {**matcher, **body, **({"type": entry.type} if entry.type != "command" else {})}
        else:
            written = {**matcher, "hooks": [{"type": entry.type, **body}]}
        hooks.setdefault(entry.event.native, []).append(written)
    if system == "docker_agent":
        return yaml.safe_dump({"agents": {"root": {"model": "m", "hooks": hooks}}}, sort_keys=False, width=1000)
    versioned = {"version": 1} if system in ("firebender", "cursor", "copilot") else {}
    return json.dumps({**versioned, "hooks": hooks}, indent=2)


def _table(number: int, entry: Entry) -> str:
    """Write an entry of ``[[hooks]]``; JSON's texts and numbers are TOML's, too."""
    native = entry.event.native
    if entry.event.system == "vibe":
        fields: dict[str, Any] = {"name": f"guard-{number}", "type": native, "match": entry.matcher}
    else:
        kind = {"type": entry.type} if entry.type != "command" else {}
        fields = {"event": native, "matcher": entry.matcher, **kind}
    fields |= {"command": entry.command, **entry.timed()}
    lines = [f"{key} = {json.dumps(value)}" for key, value in fields.items() if value != ""]
    return "\n".join(["[[hooks]]", *lines, ""])


def _everruns(entry: Entry) -> dict[str, Any]:
    written: dict[str, Any] = {"id": f"guard-{entry.event.native}", "event": entry.event.native}
    if entry.matcher:
        written["matcher"] = {"tool_name": entry.matcher, **entry.conditions}
    kind = "bash" if entry.type == "command" else entry.type
    return {**written, "executor": {"type": kind, "command": entry.command}, **entry.timed()}
