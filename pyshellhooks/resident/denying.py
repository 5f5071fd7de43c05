"""The last resort of the client: what an event guards, where nothing of the library can be imported.

A test holds the table against the dialects'. Exit status 2 is a deny in all seven systems.
"""

from __future__ import annotations

GUARDED = {
    "claude_code": "PreToolUse PermissionRequest PostToolUse PostToolBatch UserPromptSubmit UserPromptExpansion",
    "crush": "PreToolUse",
    "cursor": "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeSubmitPrompt beforeTabFileRead subagentStart",
    "docker_agent": "pre_tool_use",
    "everruns": "user_prompt_submit pre_tool_use",
    "firebender": "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile",
    "gemini": "BeforeTool AfterTool BeforeAgent BeforeModel AfterModel",
}
_KEYS = ("hook_event_name", "event")


def guards(system: str, payload: bytes) -> bool:
    """Return whether the event of a payload guards a call, a prompt or a result; True for a payload that can't be read."""
    import json

    try:
        found = json.loads(payload)
        names = [found[key] for key in _KEYS if key in found]
    except (ValueError, TypeError):
        return True
    known = GUARDED.get(system.partition("@")[0])
    return known is None or not names or any(name in known.split() for name in names)
