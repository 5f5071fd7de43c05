"""The last resort of the client: a deny without any import from the library.

A test compares it with the dialects: with their tables, and with their parsers of this output.
"""

from __future__ import annotations

GUARDED = {
    "claude_code": "PreToolUse PreSkillShellCommand PermissionRequest PostToolUse PostToolBatch UserPromptSubmit"
    " UserPromptExpansion",
    "codex": "PreToolUse PermissionRequest PostToolUse UserPromptSubmit",
    "crush": "PreToolUse",
    "cursor": "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeSubmitPrompt beforeTabFileRead subagentStart",
    "docker_agent": "pre_tool_use",
    "everruns": "user_prompt_submit pre_tool_use",
    "firebender": "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile",
    "gemini": "BeforeTool AfterTool BeforeAgent BeforeModel AfterModel",
}
_KEYS = ("hook_event_name", "event")


def denied(system: str, payload: bytes, message: str) -> tuple[bytes, int, bytes]:
    """Return stdout, status and stderr: a deny if the payload's event has guards or is not known."""
    import codecs
    import json

    stderr = (message + "\n").encode("utf-8", "replace")
    name: object = None
    try:
        fields = json.loads(payload.lstrip(codecs.BOM_UTF8))
        name = next((fields[key] for key in _KEYS if key in fields), None)
    except (ValueError, TypeError, RecursionError):
        pass
    if name == "PermissionRequest":  # the only event that status 2 does not deny (claude_code 6)
        decision = {"behavior": "deny", "message": message}
        return json.dumps({"hookSpecificOutput": {"hookEventName": name, "decision": decision}}).encode(), 0, stderr
    known = GUARDED.get(system.partition("@")[0])
    guards = True
    if known is not None and isinstance(name, str):
        guards = name in known.split()
    return b"", 2 if guards else 1, stderr
