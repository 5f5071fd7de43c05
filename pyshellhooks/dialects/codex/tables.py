"""OpenAI Codex as data: events, handlers, tools, editions (docs/contracts/codex.md)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import Field, Quirk
from ...jsontext.compact import JSON
from ..grouped_events.form import AnswerForm
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import NO_OUTPUT, GroupedEvent, OutputRules, field, needed, optional
from .reviews import DISABLED_HOOKS_ARE_OFF

# -- events (codex 4, 6) ----------------------------------------------------------------------------------------------

_MODES = ("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions")
_SOURCES = ("startup", "resume", "clear", "compact", "fork")
_TRIGGERS = ("manual", "auto")
_CONTEXT = "additionalContext"
_AGENT = (optional("agent_id", about="in a subagent only"), optional("agent_type", about="in a subagent only"))
_SUBAGENT = (field("agent_id", sample="agent-1"), needed("agent_type", sample="explorer"))


def _text_or_null(native: str, neutral: str = "", sample: JSON = None, about: str = "") -> Field:
    return Field(native, neutral, None, "string or null", sample, about=about)


_CALL = (
    needed("tool_name", sample="Bash"),
    needed("tool_input", kind="json", default={}, sample={"command": "git push --force"}, about="Bash has command"),
)
_USE_ID = field("tool_use_id", "tool_call_id", sample="call_0_0")
_STOP = (
    field("stop_hook_active", kind="boolean", default=False, sample=False, about="a hook has made the agent continue"),
    _text_or_null("last_assistant_message", "response", sample="All tests pass."),
)
_TRIGGER = field("trigger", default="auto", sample="auto", values=_TRIGGERS)


def _row(
    native: str,
    *own: Field,
    can: str = "",
    neutral: str = "",
    lacks: str = "",
    agent: tuple[Field, ...] = (),
    output_rules: OutputRules = NO_OUTPUT,
    **columns: Any,
) -> GroupedEvent:
    """Make a row; ``lacks``: the common fields that the event does not have."""
    common = (
        field("session_id", sample="01a2b3c4-0000-7000-8000-000000000001"),
        field("turn_id", sample="01a2b3c4-0000-7000-8000-000000000002"),
        *agent,
        _text_or_null("transcript_path", about="the file of the session"),
        field("cwd", sample="."),
        field("hook_event_name"),
        field("model", sample="gpt-5.2-codex"),
        field("permission_mode", default="default", known=_MODES),
    )
    absent = lacks.split()
    return GroupedEvent(
        native,
        output_rules,
        neutral=(neutral,) if neutral else (),
        fields=(*[column for column in common if column.native not in absent], *own),
        can=frozenset(can.split()),
        rewrite="replace" if "rewrite" in can else "",
        **columns,
    )


_ROWS = (
    _row(
        "PreToolUse",
        *_CALL,
        _USE_ID,
        can="deny rewrite context",
        neutral="before_tool",
        agent=_AGENT,
        subject="tool_name",
        output_rules=OutputRules(
            "deny", "deny", f"permissionDecision permissionDecisionReason updatedInput {_CONTEXT}"
        ),
        summary="before a tool call",
    ),
    _row(
        "PermissionRequest",
        *_CALL,
        can="deny allow",
        agent=_AGENT,
        subject="tool_name",
        guards="call",
        output_rules=OutputRules("", "deny", "decision"),
        summary="when a person would have to approve a call",
    ),
    _row(
        "PostToolUse",
        *_CALL,
        needed("tool_response", "tool_output", kind="any", default="", sample="ok\n", about="Bash: the output as text"),
        _USE_ID,
        can="deny context output",
        neutral="after_tool",
        agent=_AGENT,
        subject="tool_name",
        output_rules=OutputRules("deny", "deny", f"{_CONTEXT} updatedMCPToolOutput"),
        summary="after a tool call; a block replaces its result by the reason",
    ),
    _row(
        "UserPromptSubmit",
        needed("prompt", sample="Fix the failing test"),
        can="deny halt context",
        neutral="before_prompt",
        agent=_AGENT,
        target="prompt",
        output_rules=OutputRules("deny", "deny", _CONTEXT, text="context"),
        summary="before a prompt reaches the model",
    ),
    _row(
        "SessionStart",
        field("source", default="startup", sample="startup", values=_SOURCES),
        can="halt context",
        neutral="session_start",
        lacks="turn_id",
        subject="source",
        output_rules=OutputRules(fields=_CONTEXT, text="context"),
        summary="when a session starts, is resumed or cleared",
    ),
    _row(
        "SessionEnd",
        field("reason", default="other", sample="other"),
        neutral="session_end",
        lacks="turn_id model permission_mode",
        subject="reason",
        timeout=1.0,
        shielded=True,
        summary="when a session ends",
    ),
    _row(
        "Stop",
        *_STOP,
        can="halt followup",
        neutral="after_agent",
        output_rules=OutputRules("followup", "followup"),
        summary="when the agent wants to stop; a block makes it continue",
    ),
    _row(
        "SubagentStart",
        *_SUBAGENT,
        can="halt context",
        neutral="subagent_start",
        subject="agent_type",
        output_rules=OutputRules(fields=_CONTEXT, text="context"),
        summary="when a subagent starts",
    ),
    _row(
        "SubagentStop",
        *_STOP,
        *_SUBAGENT,
        _text_or_null("agent_transcript_path"),
        can="halt followup",
        neutral="subagent_stop",
        subject="agent_type",
        output_rules=OutputRules("followup", "followup"),
        summary="when a subagent wants to stop; a block makes it continue",
    ),
    _row(
        "PreCompact",
        _TRIGGER,
        can="halt",
        neutral="before_compact",
        lacks="permission_mode",
        agent=_AGENT,
        subject="trigger",
        summary="before the history is compacted; a halt prevents it",
    ),
    _row(
        "PostCompact",
        _TRIGGER,
        can="halt",
        lacks="permission_mode",
        agent=_AGENT,
        subject="trigger",
        summary="after the history was compacted",
    ),
    _row("Interrupt", timeout=1.0, summary="when the person interrupts the agent"),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}

#: Event -> the keys at the top level of its answers, if they are fewer than the usual ones (codex 4).
FEW_KEYS = {"Interrupt": frozenset(["systemMessage"])}
FORM = AnswerForm(
    "Codex",
    EVENTS.values(),
    universal=("continue", "stopReason", "suppressOutput", "systemMessage"),
    allows_rewrites=True,
    fewer={
        **FEW_KEYS,
        "PreToolUse": ("systemMessage",),
        "SessionEnd": (),
    },  # codex 8.4; nothing of a SessionEnd is read
)

# -- handlers (codex 1, 3) --------------------------------------------------------------------------------------------

_NOT_YET = "does not run: Codex does not support it yet"
HANDLERS = HandlerForm(
    {"command": ("command",), "mcp_tool": ("server", "tool"), "prompt": ("prompt",), "agent": ("prompt",)},
    (
        Field("commandWindows", about="Instead of command on Windows."),
        Field("command_windows", about="The same."),
        Field("timeout", kind="integer", default=600, about="Whole seconds; 0 is 1."),
        Field("async", kind="boolean", default=False, about="Codex does not wait for it, and ignores its decision."),
        Field("statusMessage"),
        Field("additionalContextLimit", kind="integer", default=0, about="Tokens of the context."),
    ),
    skipped={
        "prompt": _NOT_YET,
        "agent": _NOT_YET,
        "mcp_tool": "does not run here: the effect of its answers in Codex is not known",
    },
    ignored={
        "if": "the hook runs on every call that its matcher matches",
        "onFailure": "a failure of the hook lets everything pass",
        "args": "the command runs without them",
    },
    timeout=600.0,
)
LONGEST_END = 3.0  # seconds, for a hook of SessionEnd or Interrupt
#: The events whose hooks ``additionalContextLimit`` is about: those with a context.
LIMITED = frozenset([name for name, row in EVENTS.items() if _CONTEXT in row.output_rules.fields])
#: Keys of ``[hooks]`` in TOML that are not events.
NOT_EVENTS = frozenset(["state", "managed_dir", "windows_managed_dir"])
REQUIREMENTS = "requirements.toml"

# -- tools (codex 5) --------------------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("Bash",),
    "write": ("apply_patch",),
    "edit": ("apply_patch",),
    "multiedit": ("apply_patch",),
}
ALIASES: dict[str, tuple[str, ...]] = {"apply_patch": ("Write", "Edit")}
OTHER_TOOLS = frozenset(["Write", "Edit", "view_image"])
_NAMES = {kind: (*names, *ALIASES.get(names[0], ())) for kind, names in TOOLS.items()}
TOOL_WORDS = ToolWords("Codex", _NAMES, OTHER_TOOLS, by_shell=True)
INPUTS: dict[str, tuple[str, ...]] = {"Bash": ("command",), "view_image": ("path",)}

# -- editions ---------------------------------------------------------------------------------------------------------

WAITS_FOR_OUTPUT = "waits_for_output"
_SHIPPED = (
    Quirk("no_final_newline", "codex 6.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("silent_exit_2_passes", "codex 8.1", "exit status 2 without a message on stderr is a failure"),
    Quirk("invalid_answers_pass", "codex 8.3", "a block in an answer that its schema or its rules refuse is lost"),
    Quirk(
        "halt_replaces_result", "codex 8.6", "continue: false after a tool call replaces the result, and nothing stops"
    ),
    Quirk(WAITS_FOR_OUTPUT, "codex 7.5", "a background job that has the output open delays the end, until the timeout"),
    Quirk(DISABLED_HOOKS_ARE_OFF, "codex 2.5", "a hook that a person has disabled in hooks.state is off"),
    Quirk("refused_files_are_off", "codex 1.4", "a file that it rejects is off; of equal keys the last one counts"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _SHIPPED}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}
