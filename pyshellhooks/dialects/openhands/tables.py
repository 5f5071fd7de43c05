"""OpenHands as data: events, handlers, tools, editions (docs/contracts/openhands.md)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import CHAIN, CHAIN_UNTIL_BLOCK, Field, Quirk
from ..grouped_events.few_keys import FewKeys
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import NO_OUTPUT, GroupedEvent, OutputRules, field, needed

# -- events (openhands 2, 4) ------------------------------------------------------------------------------------------

_TOOL = needed("tool_name", sample="terminal")
_INPUT = needed("tool_input", kind="json", default={}, sample={"command": "git push --force"})
_RESPONSE = needed("tool_response", "tool_output", kind="any", default="", sample={"content": [], "is_error": False})
_MESSAGE = needed("message", "prompt", sample="Fix the failing test")


def _null(native: str) -> Field:
    """Make a field that is null on this event."""
    return Field(native, native, None, "any", about="null on this event")


def _row(
    native: str,
    neutral: str,
    *own: Field,
    can: str = "",
    output_rules: OutputRules = NO_OUTPUT,
    metadata: dict[str, str] | None = None,
    **columns: Any,
) -> GroupedEvent:
    """Make a row. Every payload has every key, and null for those that the event does not use."""
    given = {one.native: one for one in own}
    middle = [given.get(name) or _null(name) for name in ("tool_name", "tool_input", "tool_response", "message")]
    return GroupedEvent(
        native,
        output_rules,
        neutral=(neutral,),
        fields=(
            field("event_type"),
            *middle,
            field("session_id", sample="01a2b3c4-0000-7000-8000-000000000001"),
            field("working_dir", "cwd", sample="."),
            field("metadata", kind="object", default={}, sample=metadata),
        ),
        can=frozenset(can.split()),
        order=CHAIN_UNTIL_BLOCK if output_rules.block else CHAIN,
        **columns,
    )


_ROWS = (
    _row(
        "PreToolUse",
        "before_tool",
        _TOOL,
        _INPUT,
        can="deny",
        subject="tool_name",
        output_rules=OutputRules("deny", "deny"),
        summary="before a tool call",
    ),
    _row(
        "PostToolUse",
        "after_tool",
        _TOOL,
        _INPUT,
        _RESPONSE,
        subject="tool_name",
        summary="after a tool call",
    ),
    _row(
        "UserPromptSubmit",
        "before_prompt",
        _MESSAGE,
        can="deny context",
        target="prompt",
        output_rules=OutputRules("deny", "deny"),
        summary="before a message reaches the model",
    ),
    _row("SessionStart", "session_start", can="context", summary="when a conversation starts"),
    _row("SessionEnd", "session_end", shielded=True, summary="when a conversation ends"),
    _row(
        "Stop",
        "after_agent",
        can="followup",
        output_rules=OutputRules("followup", "followup"),
        metadata={"reason": "finished"},
        summary="when the agent wants to stop; a block makes it continue",
    ),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}
#: The second spelling of each event in a file -> the event.
SNAKE = {
    "pre_tool_use": "PreToolUse",
    "post_tool_use": "PostToolUse",
    "user_prompt_submit": "UserPromptSubmit",
    "session_start": "SessionStart",
    "session_end": "SessionEnd",
    "stop": "Stop",
}
FORM = FewKeys(
    "OpenHands",
    EVENTS.values(),
    decision=("decision",),
    reason=("reason",),
    context=("additionalContext",),
    others=("continue",),
)

# -- handlers (openhands 1.3) -----------------------------------------------------------------------------------------

_ASKS = "does not run here: it asks a model"
HANDLERS = HandlerForm(
    {"command": ("command",), "prompt": ("prompt",), "agent": ()},
    (
        Field("name"),
        Field("timeout", kind="integer", default=60, about="Whole seconds."),
        Field(
            "async", kind="boolean", default=False, about="OpenHands does not wait for it, and ignores its decision."
        ),
        Field("system_prompt", about="Of a prompt or an agent."),
        Field("tools", kind="strings", default=[], about="Of an agent."),
        Field("max_iterations", kind="integer", default=3, about="Of an agent."),
    ),
    skipped={"prompt": _ASKS, "agent": _ASKS},
    ignored={},
    timeout=60.0,
    default_type="command",
)

# -- tools and environment (openhands 3, 4) ---------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("terminal",),
    "read": ("file_editor",),
    "write": ("file_editor",),
    "edit": ("file_editor",),
    "glob": ("glob",),
    "grep": ("grep",),
    "task": ("task", "delegate"),
}
OTHER_TOOLS = frozenset(["apply_patch", "task_tracker", "think", "finish", "browser_navigate", "browser_click"])
TOOL_WORDS = ToolWords("OpenHands", TOOLS, OTHER_TOOLS)
_FILE = {"file_path": "path"}
ARGUMENTS: dict[str, dict[str, str]] = {
    "read": _FILE,
    "write": {**_FILE, "content": "file_text"},
    "edit": {**_FILE, "old_string": "old_str", "new_string": "new_str"},
}
VARIABLES = ("OPENHANDS_PROJECT_DIR", "OPENHANDS_SESSION_ID", "OPENHANDS_EVENT_TYPE", "OPENHANDS_TOOL_NAME", "AI_AGENT")
#: Variables that no hook gets, by their names and by the beginnings of their names.
SECRETS = (
    "SESSION_API_KEY",
    "OH_SECRET_KEY",
    "LMNR_PROJECT_API_KEY",
    "OTEL_HEADERS",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
)
SECRET_PREFIX = "OH_SESSION_API_KEYS_"

# -- editions ---------------------------------------------------------------------------------------------------------

_SHIPPED = (
    Quirk("no_final_newline", "openhands 4.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("invalid_answers_pass", "openhands 6.2", "a block beside other text, or not in its own words, is lost"),
    Quirk("invalid_utf8_passes", "openhands 6.5", "a byte on stdout that is not UTF-8 makes the hook a failure"),
    Quirk("zero_times_out", "openhands 1.4", "a hook with a timeout of 0 times out at once"),
    Quirk("refused_files_are_off", "openhands 1.2", "a file that it rejects is off; of equal keys the last one counts"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _SHIPPED}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}
