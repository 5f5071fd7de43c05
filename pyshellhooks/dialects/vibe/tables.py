"""Mistral Vibe as data: events, entries, tools, editions (docs/contracts/vibe.md)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import CHAIN, CHAIN_UNTIL_BLOCK, Field, Quirk
from ..grouped_events.few_keys import FewKeys
from ..grouped_events.lenient import REFUSED_PARTS_ARE_OFF
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import GroupedEvent, OutputRules, field, needed
from ..grouped_events.run_reader import INVALID_ANSWERS_PASS

TITLE = "Mistral Vibe"

# -- events (vibe 3, 5) -----------------------------------------------------------------------------------------------

_CALL = (
    needed("tool_name", sample="file_system.bash", about="the qualified name"),
    field("tool_call_id", sample="call_1"),
    needed("tool_input", kind="json", default={}, sample={"command": "git push --force"}, about="bash has command"),
)


def _row(native: str, *own: Field, can: str, neutral: str, **columns: Any) -> GroupedEvent:
    common = (
        field("session_id", sample="0193c1a2"),
        field("transcript_path", about="the folder of the session"),
        field("cwd", sample="."),
        Field("parent_session_id", "", None, "string or null"),
        field("hook_event_name"),
    )
    return GroupedEvent(
        native,
        neutral=(neutral,),
        fields=(*common, *own),
        can=frozenset(can.split()),
        rewrite="replace" if "rewrite" in can else "",
        **columns,
    )


_ROWS = (
    _row(
        "pre_tool",
        *_CALL,
        can="deny rewrite",
        neutral="before_tool",
        subject="tool_name",
        order=CHAIN_UNTIL_BLOCK,
        output_rules=OutputRules("deny", "deny"),
        summary="before a tool call",
    ),
    _row(
        "post_tool",
        *_CALL,
        field("tool_status", default="success", sample="success", values=("success", "failure")),
        field("tool_output", kind="any", default=None, about="the structured result; null after a failure"),
        needed("tool_output_text", sample="ok\n", about="the result, or the error, as text"),
        Field("tool_error", "", None, "string or null"),
        field("duration_ms", kind="integer", default=0),
        can="deny context",
        neutral="after_tool",
        subject="tool_name",
        order=CHAIN,
        output_rules=OutputRules("deny", "deny"),
        summary="after a tool call; a deny replaces its result by the reason",
    ),
    _row(
        "post_agent",
        Field("agent_name", "", None, "string or null", "default", about="the agent's configuration"),
        can="followup",
        neutral="after_agent",
        subject="agent_name",
        order=CHAIN_UNTIL_BLOCK,
        output_rules=OutputRules("followup", "followup"),
        summary="when an agent has finished its turn; a deny makes it continue",
    ),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}
MOST_FOLLOWUPS = 3  # rounds in a turn that hooks may ask for (vibe 3.3)
_SPECIFIC = "hook_specific_output"
FORM = FewKeys(
    TITLE,
    EVENTS.values(),
    decision=("decision",),
    reason=("reason",),
    context=(_SPECIFIC, "additional_context"),
    message=("system_message",),
    rewrite=(_SPECIFIC, "tool_input"),
)

# -- entries (vibe 2) -------------------------------------------------------------------------------------------------

HANDLERS = HandlerForm(
    {"command": ("command",)},
    (
        Field("name", about="Required; of equal names the first one counts."),
        Field("timeout", kind="number", default=60, about="Seconds."),
        Field("strict", kind="boolean", default=False, about="A failure of the hook denies; for hooks of tools only."),
        Field("description"),
    ),
    skipped={},
    ignored={},
    timeout=60.0,
    flat=("type", "match"),
)
AT_ONCE = 0.000001  # seconds of a hook whose timeout is 0

# -- tools (vibe 4.4) -------------------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("file_system.bash", "bash"),
    "read": ("file_system.read_file", "read_file"),
    "write": ("file_system.write_file", "write_file"),
    "edit": ("file_system.edit", "edit"),
}
#: Short name of a tool, as hosts may give it -> the qualified name, which Vibe itself sends.
QUALIFIED: dict[str, str] = {names[1]: names[0] for names in TOOLS.values()}
#: Qualified name of a tool -> the name that the model uses, if it is not the last part.
MODEL_NAMES: dict[str, str] = {
    "skill.read": "skill",
    "process.start": "process_start",
    "process.output": "process_output",
    "process.write": "process_write",
    "process.list": "process_list",
    "process.stop": "process_stop",
    "agents.list_configs": "agents_list_configs",
    "agents.list": "agents_list",
    "agents.spawn": "agents_spawn",
    "agents.send_message": "agents_send_message",
    "agents.interrupt": "agents_interrupt",
    "subagent.list": "agent_list",
    "subagent.spawn": "agent_spawn",
    "subagent.wait": "agent_wait",
    "subagent.send_message": "agent_message",
    "subagent.interrupt": "agent_interrupt",
    "subagent.stop": "agent_stop",
}
OTHER_TOOLS = frozenset([*MODEL_NAMES, *MODEL_NAMES.values(), "self.wait", "self.sleep", "wait", "sleep"])
TOOL_WORDS = ToolWords(TITLE, TOOLS, OTHER_TOOLS)

# -- editions ---------------------------------------------------------------------------------------------------------

_SHIPPED = (
    Quirk("pythons_json", "vibe 5.1", "stdin has Python's separators and escapes, and no newline at the end"),
    Quirk("exit_2_is_a_failure", "vibe 6.2", "without strict, exit status 2 lets the call run"),
    Quirk(INVALID_ANSWERS_PASS, "vibe 6.1", "a block in other words, beside other text or another status is lost"),
    Quirk(REFUSED_PARTS_ARE_OFF, "vibe 2.3", "an entry with a mistake, and one with a wrong match, is off"),
    Quirk("zero_times_out", "vibe 2.1", "a hook with a timeout of 0 or less is ended at once"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _SHIPPED}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}
