"""The tables of Cursor: its events, names, tools and quirks (docs/contracts/cursor.md)."""

from __future__ import annotations

from ...hooks.dialect import ABSENT, Field, Quirk, Setting
from ..flat_events.dialect import SETTINGS as COMMON_SETTINGS
from ..flat_events.rows import (
    FAILS_OPEN,
    LOCK,
    FlatEvent,
    Rows,
    after_rows,
    loop_rows,
    reading_row,
    session_rows,
    subagent_rows,
    tool_rows,
)
from ..flat_events.vendor import Vendor, base_fields

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("Shell",),
    "read": ("Read",),
    "write": ("Write",),
    "edit": ("Write",),
    "multiedit": ("Write",),
    "delete": ("Delete",),
    "grep": ("Grep",),
    "task": ("Task",),
}
#: The names of its tools' arguments, if they differ from those in hooks.tool_kinds.
ARGUMENTS: dict[str, dict[str, str]] = {"shell": {"cwd": "working_directory"}}

SYSTEM_FILES = (
    "/Library/Application Support/Cursor/hooks.json",
    "/etc/cursor/hooks.json",
    "C:/ProgramData/Cursor/hooks.json",
)


def _failure_row(rows: Rows) -> None:
    rows.add(
        "postToolUseFailure",
        Field("tool_name", sample="Shell", needed=True),
        Field(
            "tool_input",
            default={},
            kind="json",
            sample={"command": "npm test"},
            needed=True,
            takes="arguments or text",
        ),
        Field("tool_use_id", "tool_call_id", sample="call-1"),
        Field("cwd", sample="."),
        Field("error_message", "tool_error", sample="it took too long", needed=True),
        Field("failure_type", default="error", sample="timeout", known=("error", "timeout", "permission_denied")),
        Field("duration", "duration_ms", default=0, kind="number", sample=5000, about="milliseconds"),
        Field("is_interrupt", default=False, kind="boolean", sample=False),
        neutral="after_tool",
        when="failed",
        subject="tool_name",
        summary="after a tool call that failed",
    )


def _prompt_row(rows: Rows) -> None:
    rows.add(
        "beforeSubmitPrompt",
        Field("prompt", sample="Fix the build.", needed=True),
        Field("attachments", default=[], kind="array"),
        neutral="before_prompt",
        subject="event",
        constant="UserPromptSubmit",
        can=LOCK,
        failure=FAILS_OPEN,
        target="prompt",
        summary="before a prompt is sent",
    )


def _agent_rows(rows: Rows) -> None:
    rows.add(
        "afterAgentResponse",
        Field("text", "response", sample="Done.", needed=True),
        summary="after a message of the agent",
    )
    rows.add(
        "afterAgentThought",
        Field("text", "response", sample="The build needs a newer compiler.", needed=True),
        Field("duration_ms", default=0, kind="number", sample=5000),
        summary="after a thought of the agent",
    )


def _tab_rows(rows: Rows) -> None:
    edit = {"range": {"start_line_number": 1, "start_column": 1, "end_line_number": 1, "end_column": 6}}
    rows.add(
        "beforeTabFileRead",
        Field("file_path", sample="/project/main.py", needed=True),
        Field("content", sample="a = 1\n"),
        subject="file_path",
        constant="TabRead",
        can=LOCK,
        guards="call",
        failure=FAILS_OPEN,
        summary="before a file is read for an inline completion",
    )
    rows.add(
        "afterTabFileEdit",
        Field("file_path", sample="/project/main.py", needed=True),
        Field("edits", default=[], kind="array", sample=[{"old_string": "a = 1", "new_string": "a = 2", **edit}]),
        subject="file_path",
        constant="TabWrite",
        summary="after an inline completion was taken",
    )


def _events() -> dict[str, FlatEvent]:
    between = (
        Field("model_id", default=ABSENT, sample="some-model"),
        Field("model_params", default=ABSENT, kind="object"),
    )
    rows = Rows(base_fields("cursor_version", *between))
    sandbox = Field("sandbox", default=False, kind="boolean", sample=False)
    tool_rows(rows, FAILS_OPEN, sandbox)
    reading_row(rows, FAILS_OPEN)
    after_rows(rows, frozenset({"output", "context"}), sandbox)
    _failure_row(rows)
    _prompt_row(rows)
    _agent_rows(rows)
    _tab_rows(rows)
    loop_rows(rows)
    session_rows(rows)
    subagent_rows(rows, LOCK)
    rows.add("workspaceOpen", can=frozenset({"plugins"}), summary="when a workspace is opened")
    return rows.rows


EVENTS = _events()

VENDOR = Vendor(
    "Cursor",
    folder=".cursor",
    version_key="cursor_version",
    prefix="CURSOR",
    events=EVENTS,
    tools=TOOLS,
    attachment_path="file_path",
    variables=("PROJECT_DIR", "VERSION", "USER_EMAIL", "TRANSCRIPT_PATH", "CODE_REMOTE"),
    aliases={"CLAUDE_PROJECT_DIR": "CURSOR_PROJECT_DIR"},
    system_files=SYSTEM_FILES,
    quoted_output=True,
)

_QUIRKS = (
    Quirk("unreadable_answer_blocks", "cursor 6", "an empty or unreadable stdout blocks, if the event can be denied"),
    Quirk("ask_not_enforced", "cursor 5", "ask on preToolUse is ignored"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _QUIRKS}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}

SETTINGS: dict[str, Setting] = {
    "cursor_version": Setting("string", "the program's version, for the payload and CURSOR_VERSION"),
    **COMMON_SETTINGS,
    "code_remote": Setting("boolean", "true: the workspace is a remote one"),
}
