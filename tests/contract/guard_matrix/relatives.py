"""The events of the relatives of Claude Code (codex 8, qwen 6, openhands 6, deepagents 7, copilot 6, vibe 6, droid 5, kimi 5)."""

from __future__ import annotations

from typing import Any

from .event import BLOCK, COMMAND, DENY, HALT, NESTED, NO, PRE, TEXT, TOOL_LOOK, Event, specific

#: A call of the shell, in Qwen Code's words.
_SHELL: dict[str, Any] = {"tool": "run_shell_command", "tool_input": COMMAND}

RELATIVES: dict[str, list[Event]] = {
    "codex": [
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
        Event("PreToolUse", "call", TOOL_LOOK, specific("PreToolUse", **PRE), **_SHELL),
        Event("PermissionRequest", "call", TOOL_LOOK, specific("PermissionRequest", decision=NO), **_SHELL),
        Event("PostToolUse", "result", ".tool_response", HALT, **{**_SHELL, "tool_input": {}}, tool_response=TEXT),
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
    "kimi": [
        Event("PreToolUse", "call", TOOL_LOOK, NESTED, tool="Bash", tool_input=COMMAND),
        Event("UserPromptSubmit", "prompt", ".prompt[0].text", NESTED, prompt=TEXT),
        Event("Stop", "stop", ".session_title", NESTED, session_title=TEXT),
    ],
    "droid": [
        Event("PreToolUse", "call", TOOL_LOOK, specific("PreToolUse", **PRE), tool="Execute", tool_input=COMMAND),
        Event("PostToolUse", "result", ".tool_response", 2, tool="Execute", tool_input={}, tool_response=TEXT),
        Event("UserPromptSubmit", "prompt", ".prompt", 2, prompt=TEXT),
        Event("Stop", "stop", ".message_id", BLOCK, message_id=TEXT),
        Event("SubagentStop", "stop", ".task_result", BLOCK, task_name="explore", task_result=TEXT),
        Event("PreCompact", "act", ".custom_instructions", 2, trigger="manual", custom_instructions=TEXT),
    ],
    "deepagents": [
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
