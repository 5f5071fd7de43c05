"""Kimi Code, and the Kimi CLI before it, as data: events, entries, tools, editions (docs/contracts/kimi.md)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import Field, Quirk
from ...jsontext.compact import JSON
from ..grouped_events.few_keys import FewKeys
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import NO_OUTPUT, GroupedEvent, OutputRules, field, needed, optional

# -- events (kimi 2) --------------------------------------------------------------------------------------------------

_TOOL = (
    needed("tool_name", sample="Bash"),
    needed("tool_input", kind="json", default={}, sample={"command": "git push --force"}),
)
_USE_ID = field("tool_call_id", sample="call_0_0")
_TITLE = optional("session_title", about="absent in a session without a title")
_TRIGGER = field("trigger", default="auto", sample="auto", known=("manual", "auto"))


def _row(
    native: str,
    *own: Field,
    neutral: str = "",
    can: str = "",
    output_rules: OutputRules = NO_OUTPUT,
    titled: bool = True,
    **columns: Any,
) -> GroupedEvent:
    """Make a row; ``titled``: the session's title is before its own fields."""
    common = (
        field("hook_event_name"),
        field("session_id", sample="session_1"),
        field("cwd", sample="."),
        optional("client_type", about="of Kimi Code only, such as kimi_code_cli"),
    )
    return GroupedEvent(
        native,
        output_rules,
        neutral=(neutral,) if neutral else (),
        fields=(*common, *((_TITLE,) if titled else ()), *own),
        can=frozenset(can.split()),
        **columns,
    )


def _any(native: str, neutral: str = "", default: JSON = "", sample: JSON = None, about: str = "") -> Field:
    return Field(native, neutral, default, "any", sample, about=about)


_PROMPT = needed(
    "prompt", kind="any", sample="Fix the failing test", about="a text, or a list of parts; Kimi Code gives a list"
)
_ROWS = (
    _row(
        "PreToolUse",
        *_TOOL,
        _USE_ID,
        neutral="before_tool",
        can="deny",
        subject="tool_name",
        output_rules=OutputRules("deny", "deny"),
        summary="before a tool call",
    ),
    _row(
        "PostToolUse",
        *_TOOL,
        _USE_ID,
        _any("tool_output", sample="ok\n", about="the output as text, its first 2,000 characters"),
        neutral="after_tool",
        subject="tool_name",
        when="succeeded",
        summary="after a tool call that succeeded",
    ),
    _row(
        "PostToolUseFailure",
        *_TOOL,
        _USE_ID,
        _any("error", "tool_error", sample={"name": "Error", "message": "no such file"}),
        neutral="after_tool",
        subject="tool_name",
        when="failed",
        summary="after a tool call that failed",
    ),
    _row("PermissionRequest", *_TOOL, _USE_ID, subject="tool_name", summary="when a person has to approve a call"),
    _row("PermissionResult", *_TOOL, _USE_ID, subject="tool_name", summary="after the person has decided"),
    _row(
        "UserPromptSubmit",
        _PROMPT,
        optional("is_steer", kind="boolean", about="the prompt came while the agent was working"),
        neutral="before_prompt",
        can="deny context",
        subject="prompt",
        target="prompt",
        output_rules=OutputRules("deny", "deny", text="context"),
        summary="before a prompt of a person reaches the model",
    ),
    _row(
        "UserPromptQueued",
        field("prompt_id", sample="prompt_1"),
        _any("prompt", sample="And then?"),
        field("queue_length", kind="integer", default=1, sample=1),
        subject="prompt",
        summary="when a prompt waits for the end of a turn",
    ),
    _row(
        "TurnStarted",
        _any("turn_id", sample=1),
        field("origin_kind", sample="user"),
        optional("origin_name"),
        _any("prompt", sample="Fix the failing test"),
        subject="origin_kind",
        summary="when a turn starts",
    ),
    _row(
        "Stop",
        field("stop_hook_active", kind="boolean", default=False, sample=False),
        neutral="after_agent",
        can="followup",
        output_rules=OutputRules("followup", "followup"),
        summary="when the agent wants to stop; a block makes it continue, once in a turn",
    ),
    _row(
        "StopFailure",
        field("error_type", sample="APIError"),
        field("error_message", sample="overloaded"),
        subject="error_type",
        summary="when a turn ends with an error",
    ),
    _row(
        "Interrupt", _any("turn_id", sample=1), field("reason", default="cancelled"), summary="when a turn is cancelled"
    ),
    _row(
        "SessionStart",
        field("source", default="startup", sample="startup", known=("startup", "resume")),
        _TITLE,
        optional("model"),
        optional("profile"),
        titled=False,
        neutral="session_start",
        subject="source",
        summary="when a session starts or is resumed",
    ),
    _row(
        "SessionEnd",
        field("reason", default="exit", sample="exit"),
        _TITLE,
        titled=False,
        neutral="session_end",
        subject="reason",
        shielded=True,
        summary="when a session ends",
    ),
    _row("SessionHeartbeat", field("uptime_ms", kind="integer", default=0, sample=60000), summary="once a minute"),
    _row(
        "SubagentStart",
        field("agent_name", "agent_type", sample="explorer"),
        field("prompt", sample="Find the parser"),
        _TITLE,
        titled=False,
        neutral="subagent_start",
        subject="agent_name",
        summary="when a subagent starts",
    ),
    _row(
        "SubagentStop",
        field("agent_name", "agent_type", sample="explorer"),
        field("response", sample="It is in src/."),
        _TITLE,
        titled=False,
        neutral="subagent_stop",
        subject="agent_name",
        summary="when a subagent stops",
    ),
    _row(
        "TaskStarted",
        field("task_id", sample="task_1"),
        field("kind", sample="shell"),
        field("description", sample="run the tests"),
        field("status", sample="running"),
        field("detached", kind="boolean", default=False, sample=False),
        _any("started_at", sample=1764000000000),
        subject="kind",
        summary="when a background task starts",
    ),
    _row(
        "PreCompact",
        _TRIGGER,
        field("token_count", kind="integer", default=0, sample=90000),
        neutral="before_compact",
        subject="trigger",
        summary="before the history is compacted",
    ),
    _row(
        "PostCompact",
        _TRIGGER,
        field("estimated_token_count", kind="integer", default=0, sample=9000),
        subject="trigger",
        summary="after the history was compacted",
    ),
    _row(
        "Notification",
        field("sink", default="context", sample="context"),
        field("notification_type", sample="task.completed"),
        optional("title"),
        optional("body"),
        optional("severity"),
        neutral="notification",
        subject="notification_type",
        summary="when a background task reports",
    ),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}
#: The events that the Kimi CLI has, too.
CLI_EVENTS = frozenset(EVENTS) - {
    "PermissionRequest", "PermissionResult", "UserPromptQueued", "TurnStarted", "Interrupt", "SessionHeartbeat", "TaskStarted",
}  # fmt: skip
#: The events whose matcher is over the text of a prompt.
PROMPTS = frozenset(["UserPromptSubmit", "UserPromptQueued"])
FORM = FewKeys(
    "Kimi Code",
    EVENTS.values(),
    decision=("hookSpecificOutput", "permissionDecision"),
    reason=("hookSpecificOutput", "permissionDecisionReason"),
    context=("message",),
    default_reason="Blocked by {} hook",
)

# -- entries (kimi 1) -------------------------------------------------------------------------------------------------

LONGEST = 600  # seconds
HANDLERS = HandlerForm(
    {"command": ("command",)},
    (Field("timeout", kind="integer", default=30, about="Whole seconds, 1 to 600."),),
    skipped={},
    ignored={},
    timeout=30.0,
    flat=("event", "matcher"),
)

# -- tools (kimi 2, 6.4): Kimi Code's names, then those of the Kimi CLI -----------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("Bash", "Shell"),
    "read": ("Read", "ReadFile"),
    "write": ("Write", "WriteFile"),
    "edit": ("Edit", "StrReplaceFile"),
    "glob": ("Glob",),
    "grep": ("Grep",),
    "fetch": ("FetchURL",),
    "web_search": ("WebSearch", "SearchWeb"),
    "task": ("Agent", "Task"),
}
OTHER_TOOLS = frozenset(["AskUserQuestion", "Skill", "TaskList", "TaskOutput", "TaskStop", "SetTodoList", "Think"])
TOOL_WORDS = ToolWords("Kimi Code", TOOLS, OTHER_TOOLS)
_FILE = {"file_path": "path"}
ARGUMENTS: dict[str, dict[str, str]] = {"read": _FILE, "write": _FILE, "edit": _FILE}

# -- editions ---------------------------------------------------------------------------------------------------------

CLI = "kimi_cli"
_SHIPPED = (
    Quirk("no_final_newline", "kimi 4.2", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("invalid_answers_pass", "kimi 5.2", "a block beside other text, or not in its own words, is lost"),
    Quirk("refused_files_are_off", "kimi 1.2", "a file with a wrong entry is off"),
)
_CLI = (
    Quirk(CLI, "kimi 6", "the files, events, matchers, payloads and answers of the Kimi CLI"),
    Quirk("broken_answer_opens", "kimi 6.6", "a hookSpecificOutput of a wrong type drops the blocks of other hooks"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in (*_SHIPPED, *_CLI)}
EDITIONS: dict[str, frozenset[str]] = {
    "documented": frozenset(),
    "shipped": frozenset(quirk.name for quirk in _SHIPPED),
    "cli": frozenset(QUIRKS),
}
