"""The rows of the events of both vendors: fields, capabilities, the effect of a failure (firebender 5, 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...hooks.dialect import ABSENT, CHAIN, CLOSED, OPEN, EventSpec, Field
from ...hooks.model import FAILURES

#: A failed hook decides nothing; a call that the person cancelled does not go ahead.
FAILS_OPEN: dict[str, str] = {**dict.fromkeys(FAILURES, OPEN), "cancelled": CLOSED}
#: ``failClosed: false`` on a hook: as above, and also for ``ok``, which the tables of failures do not contain.
STAYS_OPEN: dict[str, str] = {ended: OPEN for ended in ("ok", *FAILURES) if ended != "cancelled"}
FAILS_CLOSED: dict[str, str] = dict.fromkeys(FAILURES, CLOSED)

GUARD = frozenset({"allow", "deny", "ask"})
LOCK = frozenset({"allow", "deny"})

_INPUT = {"command": "npm install"}
_INSTEAD = ("tool_input",)  # the field may be absent if this is given, which contains it
_FAILED = ("tool_error",)
_STATUS = ("completed", "aborted", "error")
_ENDS = (*_STATUS, "window_close", "user_close")
_NAME = Field("tool_name", sample="Shell", needed=True)
_SERVER_TOOL = Field("tool_name", sample="search", needed=True)
_ARGUMENTS = Field(
    "tool_input",
    default={},
    kind="json",
    sample=_INPUT,
    needed=True,
    takes="arguments or text",
    about="the arguments; Shell has command",
)
_QUOTED = Field(
    "tool_input",
    default="{}",
    kind="json in a string",
    sample={"query": "hooks"},
    needed=True,
    takes="arguments or text",
    about="the arguments, as JSON text in a string",
)
_COMMAND = Field("command", sample="npm install", needed=True, unless=_INSTEAD, takes="words")
_AGENT = Field("subagent_type", "agent_type", sample="explore", needed=True)


class FlatEvent(EventSpec):
    """A row of the table, with the columns that only this form has.

    ``constant``: a fixed subject of its matchers (firebender 3). ``ask``: the effect of an ``ask`` that the event does
    not document: ``"deny"``, or the quirk under which it decides nothing. ``completed``: a follow-up counts only if the
    subagent completed (firebender 7).
    """

    __slots__ = ("ask", "completed", "constant")

    def __init__(
        self, native: str, *, constant: str = "", ask: str = "", completed: bool = False, **columns: Any
    ) -> None:
        super().__init__(native, **columns)
        self.constant = constant
        self.ask = ask
        self.completed = completed


class Rows:
    """A builder of rows, each of which begins with the vendor's base fields."""

    __slots__ = ("base", "rows")

    def __init__(self, base: tuple[Field, ...]) -> None:
        self.base = base
        self.rows: dict[str, FlatEvent] = {}

    def add(
        self,
        native: str,
        *fields: Field,
        neutral: str = "",
        can: frozenset[str] = frozenset(),
        summary: str,
        **columns: Any,
    ) -> None:
        """Add a row. All hooks of an event run one after another, even after a deny (firebender 7)."""
        self.rows[native] = FlatEvent(
            native,
            neutral=(neutral,) if neutral else (),
            fields=(*self.base, *fields),
            can=can,
            order=CHAIN,
            rewrite="replace" if "rewrite" in can else "",
            summary=summary,
            **columns,
        )


def tool_rows(rows: Rows, fail_closed: Mapping[str, str], *between: Field) -> None:
    """Add the events before a tool call, in the order in which they fire (firebender 5)."""
    rows.add(
        "preToolUse",
        _NAME,
        _ARGUMENTS,
        Field("tool_use_id", "tool_call_id", sample="call-1"),
        Field("cwd", sample="."),
        Field("agent_message", sample="Installing what the build needs.", about="the model's text beside the call"),
        neutral="before_tool",
        subject="tool_name",
        can=LOCK | {"rewrite"},
        ask="ask_not_enforced",
        failure=FAILS_OPEN,
        summary="before every tool call",
    )
    rows.add(
        "beforeShellExecution",
        _COMMAND,
        Field("cwd", sample="."),
        *between,
        neutral="before_tool",
        when="shell",
        subject="command",
        can=GUARD,
        failure=FAILS_OPEN,
        summary="before a shell command",
    )
    rows.add(
        "beforeMCPExecution",
        _SERVER_TOOL,
        _QUOTED,
        Field("url", default=ABSENT, sample="https://mcp.example/sse", about="of the server; or command"),
        Field("command", default=ABSENT, about="of the server; or url"),
        neutral="before_tool",
        when="mcp",
        subject="tool_name",
        can=GUARD,
        failure=fail_closed,
        summary="before a tool of an MCP server",
    )


def reading_row(rows: Rows, fail_closed: Mapping[str, str]) -> None:
    """Add the event before a file is read."""
    rows.add(
        "beforeReadFile",
        Field("file_path", sample="/project/config.ini", needed=True, unless=_INSTEAD, about="absolute"),
        Field("content", sample="key=value\n", about="the whole file"),
        Field("attachments", default=[], kind="array"),
        neutral="before_tool",
        when="read",
        subject="file_path",
        constant="Read",
        can=LOCK,
        failure=fail_closed,
        summary="before the model reads a file",
    )


def after_rows(rows: Rows, post: frozenset[str], *between: Field) -> None:
    """Add the events after a tool call."""
    rows.add(
        "afterShellExecution",
        _COMMAND,
        Field("output", "tool_output", sample="added 3 packages", needed=True, unless=_FAILED, takes="any"),
        Field("duration", "duration_ms", default=0, kind="number", sample=1234, about="milliseconds"),
        *between,
        neutral="after_tool",
        when="shell",
        subject="command",
        summary="after a shell command, whatever its status",
    )
    rows.add(
        "afterMCPExecution",
        _SERVER_TOOL,
        _QUOTED,
        Field(
            "result_json",
            "tool_output",
            default="{}",
            about="the result, as JSON text in a string",
            sample='{"hits":3}',
            needed=True,
            unless=_FAILED,
            takes="any",
        ),
        Field("duration", "duration_ms", default=0, kind="number", sample=1234, about="milliseconds"),
        neutral="after_tool",
        when="mcp",
        subject="tool_name",
        summary="after a tool of an MCP server",
    )
    rows.add(
        "afterFileEdit",
        Field("file_path", sample="/project/main.py", needed=True, unless=_INSTEAD, about="absolute"),
        Field("edits", default=[], kind="array", sample=[{"old_string": "a = 1", "new_string": "a = 2"}]),
        neutral="after_tool",
        when="edit",
        subject="file_path",
        constant="Write",
        summary="after a file was edited; the host reads it again, because hooks may format it",
    )
    rows.add(
        "postToolUse",
        _NAME,
        _ARGUMENTS,
        Field("tool_output", sample="added 3 packages", needed=True, takes="any"),
        Field("tool_use_id", "tool_call_id", sample="call-1"),
        Field("cwd", sample="."),
        Field("duration", "duration_ms", default=0, kind="number", sample=1234, about="milliseconds"),
        neutral="after_tool",
        when="succeeded",
        subject="tool_name",
        can=post,
        summary="after a tool call that succeeded",
    )


def loop_rows(rows: Rows) -> None:
    """Add the event before the context is compacted, and the event when the agent stops."""
    numbers = ("context_usage_percent", "context_tokens", "context_window_size", "message_count", "messages_to_compact")
    samples = (85, 120000, 128000, 45, 30)
    rows.add(
        "preCompact",
        Field("trigger", default="auto", sample="auto", known=("auto", "manual")),
        *(Field(name, default=0, kind="number", sample=sample) for name, sample in zip(numbers, samples, strict=True)),
        Field("is_first_compaction", default=False, kind="boolean", sample=True),
        neutral="before_compact",
        subject="trigger",
        summary="before the context is compacted; the person sees a hook's user_message",
    )
    rows.add(
        "stop",
        Field("status", default="completed", sample="completed", known=_STATUS),
        Field("loop_count", default=0, kind="integer", sample=0, takes="any", about="follow-ups of hooks until now"),
        neutral="after_agent",
        subject="event",
        constant="Stop",
        can=frozenset({"followup"}),
        summary="when the agent stops; a follow-up makes it continue",
    )


def session_rows(rows: Rows) -> None:
    """Add the start and the end of a session."""
    rows.add(
        "sessionStart",
        Field("session_id", sample="conv-1"),
        Field("is_background_agent", default=False, kind="boolean", sample=False),
        Field("composer_mode", default=ABSENT, sample="agent"),
        neutral="session_start",
        can=frozenset({"context", "env"}),
        summary="when a session begins; its variables are available to later hooks",
    )
    rows.add(
        "sessionEnd",
        Field("session_id", sample="conv-1"),
        Field("reason", default="completed", sample="completed", known=_ENDS),
        Field("duration_ms", default=0, kind="number", sample=60000),
        Field("is_background_agent", default=False, kind="boolean", sample=False),
        Field("final_status", sample="completed"),
        Field("error_message", default=ABSENT),
        neutral="session_end",
        summary="when a session ends",
    )


def subagent_rows(rows: Rows, start: frozenset[str]) -> None:
    """Add the start and the end of a subagent; if its start can be denied, a failed hook does not deny it."""
    rows.add(
        "subagentStart",
        Field("subagent_id", "agent_id", sample="sub-1"),
        _AGENT,
        Field("task", "prompt", sample="Find the tests.", needed=True),
        Field("parent_conversation_id", sample="conv-1"),
        Field("tool_call_id", sample="call-1"),
        Field("subagent_model", sample="some-model"),
        Field("is_parallel_worker", default=False, kind="boolean", sample=False),
        Field("git_branch", default=ABSENT, sample="main"),
        neutral="subagent_start",
        subject="subagent_type",
        can=start,
        ask="deny",
        failure=FAILS_OPEN if "deny" in start else None,
        target="prompt",
        summary="before a subagent begins",
    )
    rows.add(
        "subagentStop",
        _AGENT,
        Field("status", default="completed", sample="completed", known=_STATUS),
        Field("task", "prompt", sample="Find the tests."),
        Field("description", sample="a search"),
        Field("summary", "response", sample="They are in tests/."),
        Field("duration_ms", default=0, kind="number", sample=4500),
        Field("message_count", default=0, kind="integer", sample=12),
        Field("tool_call_count", default=0, kind="integer", sample=8),
        Field("loop_count", default=0, kind="integer", sample=0, takes="any", about="follow-ups of hooks until now"),
        Field("modified_files", default=[], kind="strings"),
        Field("agent_transcript_path", default=None, kind="string or null"),
        neutral="subagent_stop",
        subject="subagent_type",
        can=frozenset({"followup"}),
        completed=True,
        summary="when a subagent stops; a follow-up makes it continue if it completed",
    )
