"""The input of a Docker Agent hook: one JSON object on stdin (docker_agent 2)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.dialect import EventSpec, HostContext
from ...hooks.fields import arguments_text, gather, lost, set_cwd_and_session, subject_of
from ...hooks.model import HookEvent, HookSession
from ...hooks.tools import own_names as names_of
from ...jsontext.compact import JSON, document, to_bytes
from .tables import TOOLS

#: The fields of every payload; any other field is present only if it is not empty (docker_agent 2.1).
ALWAYS = frozenset(["session_id", "cwd", "hook_event_name"])


def make_event(
    row: EventSpec,
    neutral: bool,
    fields: Mapping[str, JSON],
    host_context: HostContext,
    session: HookSession | None,
    quirks: frozenset[str],
) -> HookEvent:
    """Build the event, with Docker Agent's field names and order; empty fields are omitted (docker_agent 2.1)."""
    payload, spare, problems = gather(row, fields, neutral)
    payload["hook_event_name"] = row.native
    cwd, project_dir = set_cwd_and_session(payload, spare, host_context, session)

    def spell() -> dict[str, JSON]:
        return _spelled_payload(row, fields, payload.copy(), quirks)

    return HookEvent(
        row,
        None,
        spell=spell,
        fields=fields,
        subjects=(subject_of(payload.get("tool_name", "")),),
        cwd=cwd,
        project_dir=project_dir,
        neutral=neutral,
        session=session,
        notices=tuple(problems.notices),
        faults=tuple(problems.faults),
    )


def _spelled_payload(
    row: EventSpec, fields: Mapping[str, JSON], payload: dict[str, JSON], quirks: frozenset[str]
) -> dict[str, JSON]:
    if payload.get("tool_input") is not None:
        payload["tool_input"] = arguments_text(payload["tool_input"])
        if "lost_inputs" in quirks and lost(fields.get("tool_input"), payload["tool_input"]):
            payload["tool_input"] = None
    if quirks:
        from .shipped import as_shipped

        as_shipped(row, payload, quirks)
    return {name: value for name, value in payload.items() if name in ALWAYS or not _empty(name, value)}


def _empty(name: str, value: JSON) -> bool:
    return value is None or (value == "" and name != "tool_response") or (name == "tool_input" and value == "{}")


def own_names(tool: str) -> tuple[str, ...]:
    """Return Docker Agent's names for a tool of another system; for an MCP tool, the documented and the real one."""
    return names_of(tool, TOOLS, mcp_names)


def mcp_names(server: str, tool: str) -> tuple[str, ...]:
    """Return the documented name of an MCP tool, and the real one."""
    return f"mcp:{server}:{tool}", f"{server}_{tool}"


def tool_input(event: HookEvent) -> str:
    """Return the tool's input as JSON text, which a rewrite replaces."""
    return str.__str__(event.payload.get("tool_input", "{}"))


def changed(event: HookEvent, changes: Mapping[str, JSON]) -> HookEvent:
    """Return the event with changed values in its payload, for the next hook of a chain."""
    return HookEvent(
        event.row,
        {**event.payload, **changes},
        fields=event.fields,
        subjects=event.subjects,
        cwd=event.cwd,
        project_dir=event.project_dir,
        neutral=event.neutral,
        session=event.session,
        notices=event.notices,
        faults=event.faults,
    )


def stdin_of(value: Mapping[str, JSON]) -> bytes:
    """Return a payload as one line of JSON."""
    return to_bytes(document(value) + "\n")


def stdin(event: HookEvent, quirks: frozenset[str]) -> bytes:
    """Return the stdin that all hooks of the event share."""
    end = "" if "no_final_newline" in quirks else "\n"
    if "html_escapes" in quirks:
        from .shipped import escaped

        return to_bytes(escaped(event.payload) + end)
    return to_bytes(document(event.payload) + end)
