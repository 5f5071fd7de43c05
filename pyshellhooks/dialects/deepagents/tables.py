"""deepagents-code as data: events, handlers, tools, editions (docs/contracts/deepagents.md)."""

from __future__ import annotations

from copy import copy
from typing import Any

from ...hooks.dialect import Field, Quirk
from ..grouped_events.blocks import DEFAULT_REASON
from ..grouped_events.form import AnswerForm
from ..grouped_events.kept_parts import REFUSED_PARTS_ARE_OFF
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import NO_OUTPUT, GroupedEvent, OutputRules, field, needed, optional
from ..grouped_events.run_reader import INVALID_ANSWERS_PASS

TITLE = "deepagents-code"

# -- events (deepagents 3, 5) -----------------------------------------------------------------------------------------

_MODES = ("default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions")
_STARTS = ("startup", "resume", "clear", "compact")
_ENDS = ("clear", "resume", "prompt_input_exit", "other")
_NOTIFICATIONS = ("permission_prompt", "agent_needs_input", "agent_completed", "cache_expiring", "cold_cache_warning")
_CONTEXT = "additionalContext"
_AGENT = (optional("agent_id", about="in a subagent only"), optional("agent_type", about="in a subagent only"))
_SUBAGENT = (field("agent_id", sample="agent-1"), needed("agent_type", sample="researcher"))
_CALL = (
    needed("tool_name", sample="Bash"),
    needed("tool_input", kind="json", default={}, sample={"command": "git push --force"}, about="Bash has command"),
)
_USE_ID = field("tool_use_id", "tool_call_id", sample="call_1")
_DURATION = optional("duration_ms", kind="integer", sample=12, about="milliseconds")
_STOP = (
    field("stop_hook_active", kind="boolean", default=False, sample=False, about="a hook has made the agent continue"),
    needed("last_assistant_message", "response", sample="All tests pass."),
    field("background_tasks", kind="array", default=[]),
    field("session_crons", kind="array", default=[]),
)


def _row(
    native: str,
    *own: Field,
    can: str,
    neutral: str = "",
    agent: tuple[Field, ...] = _AGENT,
    output_rules: OutputRules = NO_OUTPUT,
    **columns: Any,
) -> GroupedEvent:
    common = (
        field("session_id", sample="01a2b3c4"),
        field("transcript_path", about="the path of the transcript"),
        field("cwd", sample="."),
        field("hook_event_name"),
        optional("prompt_id"),
        field("permission_mode", default="default", known=_MODES),
        optional("effort", kind="object", about="level: the level of effort"),
        *agent,
    )
    return GroupedEvent(
        native,
        output_rules,
        neutral=(neutral,) if neutral else (),
        fields=(*common, *own),
        can=frozenset(can.split()),
        **columns,
    )


_ROWS = (
    _row(
        "PreToolUse",
        *_CALL,
        _USE_ID,
        can="deny allow ask halt context",
        neutral="before_tool",
        subject="tool_name",
        output_rules=OutputRules("deny", "deny", f"permissionDecision permissionDecisionReason {_CONTEXT}"),
        summary="before a tool call",
    ),
    _row(
        "PermissionRequest",
        *_CALL,
        field("permission_suggestions", kind="array", default=[]),
        can="deny allow halt",
        guards="call",
        subject="tool_name",
        output_rules=OutputRules("deny", "deny", "decision"),
        summary="when a person would have to approve a call",
    ),
    _row(
        "PostToolUse",
        *_CALL,
        needed("tool_response", "tool_output", kind="any", default="", sample="ok\n", about="the tool's message"),
        _USE_ID,
        _DURATION,
        can="deny halt context",
        neutral="after_tool",
        when="succeeded",
        subject="tool_name",
        output_rules=OutputRules("result", "result", _CONTEXT),
        summary="after a tool call that succeeded; a block adds its reason to the result",
    ),
    _row(
        "PostToolUseFailure",
        *_CALL,
        _USE_ID,
        needed("error", "tool_error", sample="exit status 1"),
        field("is_interrupt", kind="boolean", default=False),
        _DURATION,
        can="context",
        neutral="after_tool",
        when="failed",
        subject="tool_name",
        output_rules=OutputRules("context", "context", _CONTEXT),
        summary="after a tool call that failed; a block adds its reason to the result",
    ),
    _row(
        "UserPromptSubmit",
        needed("prompt", sample="Fix the failing test"),
        can="deny halt context",
        neutral="before_prompt",
        target="prompt",
        timeout=30.0,
        output_rules=OutputRules("deny", "deny", f"{_CONTEXT} suppressOriginalPrompt", text="context"),
        summary="before a prompt reaches the model",
    ),
    _row(
        "SessionStart",
        field("source", default="startup", sample="startup", values=_STARTS),
        optional("model"),
        can="halt context",
        neutral="session_start",
        subject="source",
        output_rules=OutputRules(fields=_CONTEXT, text="context"),
        summary="when a session starts, is resumed or cleared",
    ),
    _row(
        "SessionEnd",
        field("reason", default="other", sample="other", values=_ENDS),
        can="",
        neutral="session_end",
        subject="reason",
        shielded=True,
        summary="when a session ends",
    ),
    _row(
        "Notification",
        field("message", sample="The agent has finished"),
        field("notification_type", sample="agent_completed", known=_NOTIFICATIONS),
        optional("title"),
        can="",
        neutral="notification",
        subject="notification_type",
        summary="when the agent notifies the person",
    ),
    _row(
        "PreCompact",
        field("trigger", default="auto", sample="auto", values=("manual", "auto")),
        field("custom_instructions"),
        can="deny halt",
        neutral="before_compact",
        subject="trigger",
        output_rules=OutputRules("deny", "deny"),
        summary="before the history is compacted",
    ),
    _row(
        "Stop",
        *_STOP,
        can="halt followup",
        neutral="after_agent",
        output_rules=OutputRules("followup", "followup", _CONTEXT),
        summary="when the agent wants to stop; a block makes it continue",
    ),
    _row(
        "SubagentStart",
        agent=_SUBAGENT,
        can="halt context",
        neutral="subagent_start",
        subject="agent_type",
        output_rules=OutputRules(fields=_CONTEXT),
        summary="when a subagent starts",
    ),
    _row(
        "SubagentStop",
        field("stop_hook_active", kind="boolean", default=False, sample=False),
        field("agent_transcript_path"),
        *_STOP[1:],
        agent=_SUBAGENT,
        can="context",
        neutral="subagent_stop",
        subject="agent_type",
        output_rules=OutputRules("context", "context", _CONTEXT),
        summary="when a subagent stops; a block is context for its parent",
    ),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}
#: Events on which ``continue: false`` prevents the act alone, and the agent goes on (deepagents 7.11).
PREVENTED = frozenset(EVENTS) - {"PermissionRequest", "SessionStart", "Stop", "SubagentStart"}


def _without_halt(row: GroupedEvent) -> GroupedEvent:
    """Return the row of an event on which hooks end nothing; then nothing withholds a result from the model."""
    changed = copy(row)
    changed.can = row.can - {"halt"}
    changed.guards = "" if row.guards == "result" else row.guards
    return changed


#: The events of an edition in which a halt prevents the act alone.
EVENTS_THAT_PREVENT = {native: _without_halt(row) if native in PREVENTED else row for native, row in EVENTS.items()}
#: Events in whose form an answer may be; on any other event its specific part is ignored (deepagents 7.5).
ANSWERED = frozenset(EVENTS) - {"SessionEnd", "Notification", "PreCompact"}
FORM = AnswerForm(
    TITLE,
    EVENTS.values(),
    universal=("continue", "stopReason", "suppressOutput", "systemMessage", "terminalSequence"),
    effects={"suppressOriginalPrompt": ("suppress_original_prompt", bool)},
    default_reason=DEFAULT_REASON,  # a silent exit status 2 blocks (deepagents 7.1)
)
MOST_FOLLOWUPS = 8  # stops in a row that hooks may refuse (deepagents 3.3)
LARGEST_OUTPUT = 100_000  # bytes (deepagents 6.6)
LONGEST_TEXT = 2_000  # characters of a text in an answer of ours that would be too large

# -- handlers (deepagents 2) ------------------------------------------------------------------------------------------

HANDLERS = HandlerForm(
    {"command": ("command",)},
    (
        Field("timeout", kind="number", default=600, about="Seconds, above 0."),
        Field("statusMessage"),
        Field("async", kind="boolean", default=False, about="Only false is supported."),
    ),
    skipped={},
    ignored={
        "if": "the hook runs on every call that its matcher matches",
        "onFailure": "a failure of the hook lets everything pass",
        "args": "the command runs without them",
    },
    timeout=600.0,
)
#: Parts of the names of variables that hooks do not get (deepagents 6.2).
SECRETS = ("KEY", "TOKEN", "SECRET", "PASSWORD")

# -- tools (deepagents 4.5, 5.2) --------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("Bash",),
    "read": ("Read",),
    "write": ("Write",),
    "edit": ("Edit",),
    "list": ("LS",),
    "glob": ("Glob",),
    "grep": ("Grep",),
    "fetch": ("fetch_url",),
    "web_search": ("web_search",),
    "todo": ("write_todos",),
}
OTHER_TOOLS = frozenset(["task", "compact_conversation", "ask_user"])
TOOL_WORDS = ToolWords(TITLE, TOOLS, OTHER_TOOLS)
ARGUMENTS = {"shell": {"cwd": ""}}  # Bash has no directory of its own
INPUTS: dict[str, tuple[str, ...]] = {
    "Bash": ("command", "timeout"),
    "Read": ("file_path", "offset", "limit"),
    "Write": ("file_path", "content"),
    "Edit": ("file_path", "old_string", "new_string", "replace_all"),
    "LS": ("path",),
    "Glob": ("pattern", "path"),
    "Grep": ("pattern", "path", "glob", "output_mode", "head_limit"),
}

# -- editions ---------------------------------------------------------------------------------------------------------

_SHIPPED = (
    Quirk("no_final_newline", "deepagents 5.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk(
        INVALID_ANSWERS_PASS,
        "deepagents 7.4",
        "a block at exit status 1, or in an answer that its schema refuses, is lost",
    ),
    Quirk("halt_prevents_only", "deepagents 7.11", "continue: false prevents the act alone, and the agent goes on"),
    Quirk("output_is_cut", "deepagents 6.6", "an answer of more than 100,000 bytes is no answer"),
    Quirk(REFUSED_PARTS_ARE_OFF, "deepagents 2.3", "a handler or a group that it refuses is off"),
    Quirk(
        "refused_files_are_off", "deepagents 2.1", "a file that it rejects is off; of equal keys the last one counts"
    ),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _SHIPPED}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}
