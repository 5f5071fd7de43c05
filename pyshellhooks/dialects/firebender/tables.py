"""The tables of Firebender: its events, names and tools (firebender 1 to 5)."""

from __future__ import annotations

from ...hooks.dialect import ABSENT, Field, Quirk, Setting
from ..flat_events.dialect import SETTINGS as COMMON_SETTINGS
from ..flat_events.rows import (
    FAILS_CLOSED,
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
    "shell": ("Shell", "Bash"),
    "read": ("Read",),
    "write": ("Write",),
    "edit": ("Write", "Edit", "StrReplace"),
    "multiedit": ("Write", "MultiEdit"),
    "delete": ("Delete",),
    "grep": ("Grep",),
    "task": ("Task",),
}
#: The names of its tools' arguments, if they differ from those in hooks.tool_kinds.
ARGUMENTS: dict[str, dict[str, str]] = {"shell": {"cwd": "working_directory"}}


def _events() -> dict[str, FlatEvent]:
    rows = Rows(base_fields("firebender_version"))
    # If the caller gives no timeout, each hook's payload has the hook's own.
    tool_rows(
        rows,
        FAILS_CLOSED,
        Field("timeout", default=ABSENT, kind="number", sample=30, about="the hook's timeout in seconds"),
    )
    reading_row(rows, FAILS_CLOSED)
    after_rows(rows, frozenset({"output"}))
    loop_rows(rows)
    session_rows(rows)
    subagent_rows(rows, frozenset({"context"}))
    return rows.rows


EVENTS = _events()

VENDOR = Vendor(
    "Firebender",
    folder=".firebender",
    version_key="firebender_version",
    prefix="FIREBENDER",
    events=EVENTS,
    tools=TOOLS,
    attachment_path="filePath",
    variables=("PROJECT_DIR", "VERSION", "USER_EMAIL"),
)

#: The program's source is closed, so that no difference from its document is known.
QUIRKS: dict[str, Quirk] = {}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset()}

SETTINGS: dict[str, Setting] = {
    "firebender_version": Setting("string", "the plugin's version, for the payload and FIREBENDER_VERSION"),
    **COMMON_SETTINGS,
    "allow_fail_open_override": Setting("boolean", "true: failClosed: false counts on MCP and file reads too"),
}
