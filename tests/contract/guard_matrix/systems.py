"""The systems as the matrix needs them: each event that can be denied, its call, and its guard's own words.

What holds where is read from the contracts (claude_code 6, crush 4, docker_agent 4, everruns 5,
firebender 5, cursor 5, gemini 2.3, codex 8, qwen 6, openhands 6, deepagents 7, copilot 6, vibe 6); ``test_guard_matrix`` compares
the list with the dialects' tables.
"""

from __future__ import annotations

import json
from typing import Any

import yaml

from pyshellhooks import dialects

BAD, GOOD = "rm -rf /srv", "ls /srv"
TEXT = "@TEXT@"  # where the bad or the good text stands in a call


class Event:
    """An event that can be denied: what a call of it looks like, and how a guard of it says no."""

    def __init__(
        self,
        native: str,
        guards: str,
        look: str,
        answer: Any,
        *,
        tool: str = "",
        bad: str = BAD,
        good: str = GOOD,
        otherwise: str = "",
        **call: Any,
    ) -> None:
        self.system = ""
        self.native = native
        self.guards = guards  # what a deny holds back: call, prompt, result, act, stop
        self.look = look  # where in the payload the text stands, for jq
        self.answer = answer  # the JSON of a deny, or the exit status of one
        self.tool = tool  # the name that a matcher is written for
        self.bad, self.good = bad, good
        self.otherwise = otherwise  # what a hook must print to let it pass
        self.call = {**({"tool_name": tool} if tool else {}), **call}

    @property
    def name(self) -> str:
        return f"{self.system}/{self.native}"

    @property
    def mark(self) -> str:
        """What the guard looks for."""
        return "rm -rf" if self.bad == BAD else self.bad

    @property
    def field(self) -> str:
        """The field of the call that holds the text."""
        return next(key for key, value in self.call.items() if TEXT in json.dumps(value))

    def fields(self, text: str) -> dict[str, Any]:
        """Return the call with a text in its place."""
        return {key: _filled(value, text) for key, value in self.call.items()}


def _filled(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, text) for item in value]
    return text if value == TEXT else value


DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
HALT = {"continue": False, "stopReason": "no"}
PERMISSION = {"permission": "deny", "agent_message": "no"}
FOLLOW_UP = {"followup_message": "go on"}


def specific(event: str, **fields: Any) -> dict[str, Any]:
    """Write Claude Code's form."""
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


COMMAND = {"command": TEXT}
TOOL_LOOK = ".tool_input.command"
_PRE = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
_TASK = {"task_id": "1", "task_subject": TEXT, "team_name": "t"}
_MESSAGES = {"model": "m", "messages": [{"role": "user", "content": TEXT}], "config": {}}
_REPLY = {"candidates": [{"content": {"role": "model", "parts": [TEXT]}}]}
_SUBAGENT = {"subagent_type": "explore", "status": "completed", "summary": TEXT}
_READ = {"file_path": "/srv/notes.txt", "content": TEXT}


def _flat(guard: Any) -> list[Event]:
    """Return what Firebender and Cursor have in common."""
    shell, query = {"tool_input": COMMAND, "tool_use_id": "1"}, {"query": TEXT}
    return [
        Event("preToolUse", "call", TOOL_LOOK, guard, tool="Shell", **shell),
        Event("beforeShellExecution", "call", ".command", PERMISSION, command=TEXT),
        Event(
            "beforeMCPExecution", "call", ".tool_input", PERMISSION, tool="search", tool_input=query, url="https://h/"
        ),
        Event("beforeReadFile", "call", ".content", PERMISSION, **_READ),
        Event("stop", "stop", ".status", FOLLOW_UP, bad="completed", good="aborted", status=TEXT, loop_count=0),
        Event("subagentStop", "stop", ".summary", FOLLOW_UP, **_SUBAGENT),
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
        Event("BeforeModel", "prompt", ".llm_request.messages[0].content", DENY, llm_request=_MESSAGES),
        Event(
            "AfterModel",
            "result",
            ".llm_response.candidates[0].content.parts[0]",
            DENY,
            llm_request={"model": "m", "messages": []},
            llm_response=_REPLY,
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
        Event("beforeTabFileRead", "call", ".content", PERMISSION, **_READ),
        Event("subagentStart", "call", ".task", PERMISSION, subagent_type="explore", task=TEXT),
    ],
    "claude_code": [
        Event(
            "PreToolUse",
            "call",
            TOOL_LOOK,
            specific("PreToolUse", **_PRE),
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
        Event("TaskCreated", "act", ".task_subject", 2, **_TASK),
        Event("TaskCompleted", "stop", ".task_subject", 2, **_TASK),
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
    "codex": [
        Event(
            "PreToolUse",
            "call",
            TOOL_LOOK,
            specific("PreToolUse", **_PRE),
            tool="Bash",
            tool_input=COMMAND,
            tool_use_id="1",
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
            ".tool_response",
            BLOCK,
            tool="Bash",
            tool_input={"command": "cat x"},
            tool_use_id="1",
            tool_response=TEXT,
        ),
        Event("UserPromptSubmit", "prompt", ".prompt", BLOCK, prompt=TEXT),
        Event("Stop", "stop", ".last_assistant_message", BLOCK, last_assistant_message=TEXT),
        Event(
            "SubagentStop",
            "stop",
            ".last_assistant_message",
            BLOCK,
            last_assistant_message=TEXT,
            agent_id="a",
            agent_type="explorer",
        ),
    ],
    "qwen": [
        Event(
            "PreToolUse",
            "call",
            TOOL_LOOK,
            specific("PreToolUse", **_PRE),
            tool="run_shell_command",
            tool_input=COMMAND,
        ),
        Event(
            "PermissionRequest",
            "call",
            TOOL_LOOK,
            specific("PermissionRequest", decision={"behavior": "deny", "message": "no"}),
            tool="run_shell_command",
            tool_input=COMMAND,
        ),
        Event(
            "PostToolUse",
            "result",
            ".tool_response",
            HALT,
            tool="run_shell_command",
            tool_input={"command": "cat x"},
            tool_response=TEXT,
        ),
        Event("PostToolBatch", "result", ".tool_calls", BLOCK, tool_calls=[TEXT]),
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
        Event("TodoCreated", "act", ".todo_content", BLOCK, todo_content=TEXT),
        Event("TodoCompleted", "act", ".todo_content", BLOCK, todo_content=TEXT),
    ],
    "openhands": [
        Event("PreToolUse", "call", TOOL_LOOK, DENY, tool="terminal", tool_input=COMMAND),
        Event("UserPromptSubmit", "prompt", ".message", DENY, message=TEXT),
        Event("Stop", "stop", ".metadata.reason", DENY, metadata={"reason": TEXT}),
    ],
    "vibe": [
        Event("pre_tool", "call", TOOL_LOOK, DENY, tool="file_system.bash", tool_input=COMMAND, tool_call_id="1"),
        Event(
            "post_tool",
            "result",
            ".tool_output_text",
            DENY,
            tool="file_system.bash",
            tool_input={"command": "cat x"},
            tool_call_id="1",
            tool_output_text=TEXT,
        ),
        Event("post_agent", "stop", ".agent_name", DENY, agent_name=TEXT),
    ],
    "deepagents": [
        Event(
            "PreToolUse",
            "call",
            TOOL_LOOK,
            specific("PreToolUse", **_PRE),
            tool="Bash",
            tool_input=COMMAND,
            tool_use_id="1",
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
            ".tool_response",
            BLOCK,
            tool="Bash",
            tool_input={"command": "cat x"},
            tool_use_id="1",
            tool_response=TEXT,
        ),
        Event("UserPromptSubmit", "prompt", ".prompt", BLOCK, prompt=TEXT),
        Event("Stop", "stop", ".last_assistant_message", BLOCK, last_assistant_message=TEXT),
        Event("PreCompact", "act", ".custom_instructions", BLOCK, trigger="manual", custom_instructions=TEXT),
    ],
    "copilot": [
        Event(
            "preToolUse",
            "call",
            ".toolArgs.command",
            {"permissionDecision": "deny", "permissionDecisionReason": "no"},
            tool="bash",
            tool_input=COMMAND,
        ),
        Event(
            "permissionRequest",
            "call",
            ".toolInput.command",
            {"behavior": "deny", "message": "no"},
            tool="bash",
            tool_input=COMMAND,
        ),
        Event(
            "postToolUse",
            "result",
            ".toolResult.textResultForLlm",
            BLOCK,
            tool="bash",
            tool_input={"command": "cat x"},
            tool_output={"resultType": "success", "textResultForLlm": TEXT},
        ),
        Event("userPromptSubmitted", "prompt", ".prompt", BLOCK, prompt=TEXT),
        Event("agentStop", "stop", ".stopReason", BLOCK, bad="end_turn", good="other", stopReason=TEXT),
        Event("subagentStop", "stop", ".response", BLOCK, agentName="explore", response=TEXT),
    ],
}
for _system, _events in EVENTS.items():
    for _event in _events:
        _event.system = _system

TITLES = {name: dialects.dialect_class(name).title for name in EVENTS}
#: Copilot's other files have further rules: one of them reads hooks inside of its settings.
FILES = {name: dialects.dialect_class(name).file_names[0] for name in EVENTS} | {"copilot": ".github/hooks/guards.json"}


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
    if system == "vibe":
        return "\n".join(_vibe(number, entry) for number, entry in enumerate(entries))
    if system == "everruns":
        return json.dumps({"hooks": [_everruns(entry) for entry in entries]}, indent=2)
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


def _everruns(entry: Entry) -> dict[str, Any]:
    written: dict[str, Any] = {"id": f"guard-{entry.event.native}", "event": entry.event.native}
    if entry.matcher:
        written["matcher"] = {"tool_name": entry.matcher, **entry.conditions}
    kind = "bash" if entry.type == "command" else entry.type
    return {**written, "executor": {"type": kind, "command": entry.command}, **entry.timed()}


def _vibe(number: int, entry: Entry) -> str:
    """Return an entry in TOML, whose texts are JSON's."""
    match = {"match": entry.matcher} if entry.matcher else {}
    written = {
        "name": f"guard-{number}",
        "type": entry.event.native,
        **match,
        "command": entry.command,
        **entry.timed(),
    }
    return "\n".join(["[[hooks]]", *[f"{key} = {json.dumps(value)}" for key, value in written.items()], ""])
