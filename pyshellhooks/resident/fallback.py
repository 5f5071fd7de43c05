"""The last resort of the client: a deny without any import from the library.

A test compares it with the dialects: with their tables, and with their parsers of this output.
"""

from __future__ import annotations

GUARDED = {
    "claude_code": "PreToolUse PreSkillShellCommand PermissionRequest PostToolUse PostToolBatch UserPromptSubmit"
    " UserPromptExpansion",
    "codex": "PreToolUse PermissionRequest PostToolUse UserPromptSubmit",
    "copilot": "userPromptSubmitted preToolUse permissionRequest postToolUse",
    "crush": "PreToolUse",
    "cursor": "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeSubmitPrompt beforeTabFileRead subagentStart",
    "vibe": "pre_tool post_tool",
    "deepagents": "PreToolUse PermissionRequest PostToolUse UserPromptSubmit",
    "docker_agent": "pre_tool_use",
    "everruns": "user_prompt_submit pre_tool_use",
    "firebender": "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile",
    "gemini": "BeforeTool AfterTool BeforeAgent BeforeModel AfterModel",
    "droid": "PreToolUse PostToolUse UserPromptSubmit",
    "qwen": "PreToolUse PostToolUse PostToolBatch PermissionRequest UserPromptSubmit UserPromptExpansion",
    "kimi": "PreToolUse UserPromptSubmit",
    "openhands": "PreToolUse UserPromptSubmit",
}
#: The same events under PascalCase keys of Copilot.
_COPILOTS_OTHER_NAMES = ("UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse")
_KEYS = ("hook_event_name", "event", "event_type")


def denied(system: str, payload: bytes, message: str) -> tuple[bytes, int, bytes]:
    """Return stdout, status and stderr: a deny if the payload's event has guards or is not known."""
    import codecs
    import json

    stderr = (message + "\n").encode("utf-8", "replace")
    name: object = None
    fields = None
    try:
        fields = json.loads(payload.lstrip(codecs.BOM_UTF8))
        name = next((fields[key] for key in _KEYS if key in fields), None)
    except (ValueError, TypeError, RecursionError):
        pass
    if system.partition("@")[0] == "copilot":
        return (*_of_copilot(name, fields, message), stderr)
    known = GUARDED.get(system.partition("@")[0])
    guards = True
    if known is not None and isinstance(name, str):
        guards = name in known.split()
    if name == "PermissionRequest" and guards:  # the only event that status 2 does not deny (claude_code 6)
        decision = {"behavior": "deny", "message": message}
        return json.dumps({"hookSpecificOutput": {"hookEventName": name, "decision": decision}}).encode(), 0, stderr
    return b"", 2 if guards else 1, stderr


def _of_copilot(name: object, fields: object, message: str) -> tuple[bytes, int]:
    """Return stdout and status. Exit status 2 is only a warning on some events, and each one reads its own keys."""
    import json

    if isinstance(name, str):
        guards = name in GUARDED["copilot"].split() or name in _COPILOTS_OTHER_NAMES
    else:  # a payload under a camelCase key does not name its event; a stop has this key
        guards = not isinstance(fields, dict) or "stopReason" not in fields
    if not guards:
        return b"", 1
    answer = {"permissionDecision": "deny", "permissionDecisionReason": message}
    answer |= {"behavior": "deny", "message": message, "decision": "block", "reason": message}
    return json.dumps(answer).encode(), 0
