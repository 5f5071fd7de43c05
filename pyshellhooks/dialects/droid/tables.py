"""Factory Droid as data: events, handlers, tools, editions (docs/contracts/droid.md)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import Field, Quirk
from ..grouped_events.blocks import DEFAULT_REASON
from ..grouped_events.form import AnswerForm
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import NO_OUTPUT, GroupedEvent, OutputRules, field, needed, optional

# -- events (droid 2) -------------------------------------------------------------------------------------------------

_CONTEXT = "additionalContext"
_TOOL = (
    needed("tool_name", sample="Execute"),
    needed("tool_input", kind="json", default={}, sample={"command": "git push --force"}),
)
_MESSAGE = field("message_id", sample="m-1")
_ACTIVE = field("stop_hook_active", kind="boolean", default=False, sample=False)


def _row(
    native: str, *own: Field, can: str = "", output_rules: OutputRules = NO_OUTPUT, **columns: Any
) -> GroupedEvent:
    common = (
        field("session_id", sample="5f1c0000-0000-4000-8000-000000000001"),
        field("transcript_path", about="the file of the session"),
        field("cwd", sample="."),
        field("permission_mode", default="off", known=("off", "spec", "auto-low", "auto-medium", "auto-high")),
        field("hook_event_name"),
    )
    rewrite = "shallow_merge" if "rewrite" in can else ""
    return GroupedEvent(
        native, output_rules, fields=(*common, *own), can=frozenset(can.split()), rewrite=rewrite, **columns
    )


_CALL = f"permissionDecision permissionDecisionReason updatedInput {_CONTEXT}"
_ROWS = (
    _row(
        "PreToolUse",
        *_TOOL,
        can="deny allow ask halt rewrite context",
        neutral=("before_tool",),
        subject="tool_name",
        output_rules=OutputRules("", "deny", _CALL),
        summary="before a tool call",
    ),
    _row(
        "PostToolUse",
        *_TOOL,
        needed("tool_response", "tool_output", kind="any", default="", sample="ok"),
        can="deny halt context",
        neutral=("after_tool",),
        subject="tool_name",
        output_rules=OutputRules("", "result", _CONTEXT),
        summary="after a tool call; the model gets the reason of a deny",
    ),
    _row(
        "UserPromptSubmit",
        _MESSAGE,
        needed("prompt", sample="Fix the failing test"),
        field("has_images", kind="boolean", default=False, sample=False),
        can="deny halt context",
        neutral=("before_prompt",),
        target="prompt",
        output_rules=OutputRules("", "deny", _CONTEXT, text="context"),
        summary="before a prompt reaches the model",
    ),
    _row(
        "Stop",
        _MESSAGE,
        _ACTIVE,
        field("tool_execution_count", kind="integer", default=0, sample=3),
        field("elapsed_time", kind="number", default=0, sample=1200, about="milliseconds"),
        can="halt followup",
        neutral=("after_agent",),
        output_rules=OutputRules("followup", "followup"),
        summary="when the agent wants to stop; a block makes it continue",
    ),
    _row(
        "SubagentStop",
        needed("task_name", sample="explore"),
        field("task_result"),
        optional("task_error"),
        _ACTIVE,
        can="halt followup",
        neutral=("subagent_stop",),
        output_rules=OutputRules("followup", "followup"),
        summary="when a subagent wants to stop",
    ),
    _row(
        "Notification",
        _MESSAGE,
        field("message", sample="Droid needs your permission"),
        field("notification_type", sample="permission"),
        neutral=("notification",),
        summary="when the agent notifies a person",
    ),
    _row(
        "PreCompact",
        field("trigger", default="auto", sample="auto", values=("manual", "auto")),
        field("custom_instructions"),
        field("message_count", kind="integer", default=0, sample=10),
        field("estimated_tokens", kind="integer", default=0, sample=1000),
        _MESSAGE,
        can="deny halt",
        neutral=("before_compact",),
        subject="trigger",
        output_rules=OutputRules("", "deny"),
        summary="before the history is compacted",
    ),
    _row("SessionStart", neutral=("session_start",), summary="when a session starts"),
    _row("SessionEnd", neutral=("session_end",), shielded=True, summary="when a session ends"),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}
ABORT = 3  # the exit status that ends the agent's run (droid 5.2)
FORM = AnswerForm(
    "Droid",
    EVENTS.values(),
    universal=("continue", "stopReason", "suppressOutput", "systemMessage"),
    allows_rewrites=True,
    default_reason=DEFAULT_REASON,  # a silent exit status 2 denies (droid 5.2)
)

# -- handlers (droid 1) -----------------------------------------------------------------------------------------------

GROUP_FIELDS = (Field("commandRegex", about="An expression that the command of Execute must match."),)
HANDLERS = HandlerForm(
    {"command": ("command",)},
    (Field("timeout", kind="number", default=60, about="Seconds."),),
    skipped={},
    ignored={
        "if": "the hook runs on every call that its matcher matches",
        "onFailure": "a failure of the hook lets everything pass",
        "args": "the command runs without them",
    },
    timeout=60.0,
)
VARIABLES = ("FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "CLAUDE_PROJECT_DIR")

# -- tools (droid 2.1) ------------------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("Execute",),
    "read": ("Read",),
    "write": ("Create",),
    "edit": ("Edit",),
    "multiedit": ("MultiEdit", "Edit"),
}
OTHER_TOOLS = frozenset(["ApplyPatch", "FetchUrl", "Glob", "Grep", "LS", "Task", "TodoWrite", "WebSearch"])
TOOL_WORDS = ToolWords("Droid", TOOLS, OTHER_TOOLS, exact=False)

# -- editions ---------------------------------------------------------------------------------------------------------

_SHIPPED = (
    Quirk("no_final_newline", "droid 2.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("first_decision_wins", "droid 5.2", "the first permissionDecision decides: a later deny is lost"),
    Quirk("blocks_are_not_read", "droid 5.2", 'decision: "block" counts on stops only'),
    Quirk("payload_in_environment", "droid 4.2", "each text, number and truth value of the payload is a variable"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _SHIPPED}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}
