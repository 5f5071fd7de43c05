"""The input of an Everruns hook: variables and a payload file; stdin is empty (everruns 4)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from time import time_ns

from ...hooks.dialect import EventSpec, HostContext
from ...hooks.fields import arguments_text, gather, subject_of, text_of
from ...hooks.internal_failures import InternalFailure, Kind
from ...hooks.model import HookEvent, HookJob, HookSession, HookSpec
from ...hooks.tools import own_names as names_of
from ...jsontext.compact import (
    JSON,
    JsonText,
    WireError,
    document,
    loads,
    members,
    replace_lone_surrogates,
    well_formed,
)
from .tables import ENVELOPE, PAYLOAD_VARIABLES, REPEATED_FIELDS, TOOLS, VARIABLES, WORKSPACE

_UNSAFE = re.compile("[^A-Za-z0-9_-]")
_OWN = ("event", "hook_id", "ts")  # ignored in an envelope that a caller passes: each hook gets its own
_FAILED = frozenset(["error", "failed", "failure", "aborted", "cancelled", "canceled", "blocked", "timeout"])


def make_event(
    row: EventSpec,
    neutral: bool,
    fields: Mapping[str, JSON],
    host_context: HostContext,
    session: HookSession | None,
) -> HookEvent:
    """Build the event, with Everruns' field names. The fields may be a whole envelope, with the event's in ``data``."""
    payload, spare, problems = gather(row, unpacked(fields), neutral)
    if not payload["session_id"] and session is not None:
        payload["session_id"] = session.id
    if payload["org_id"] is None:
        payload["org_id"] = host_context.settings.get("org_id")
    subjects: tuple[str, ...] = ()
    called = row.subject == "tool_name"
    if called:
        subjects = (subject_of(payload["tool_name"]),)
    if payload.get("error") == "":
        payload["error"] = None  # a caller's "no error"
    if payload.get("success", False) is None:
        payload["success"] = _succeeded(payload, spare)

    def spell() -> dict[str, JSON]:
        return {**payload, "arguments": arguments_text(payload["arguments"])}

    return HookEvent(
        row,
        None if called else payload,
        spell=spell if called else None,
        fields=fields,
        subjects=subjects,
        cwd=WORKSPACE,
        project_dir=WORKSPACE,
        neutral=neutral,
        session=session,
        notices=tuple(problems.notices),
        faults=tuple(problems.faults),
    )


def unpacked(fields: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return the fields of an event; those of an envelope are joined with those under its ``data``."""
    data = fields.get("data")
    if isinstance(data, JsonText):
        try:
            data = {key: JsonText(raw) if raw[0] in "{[" else loads(raw) for key, raw in members(data)}
        except WireError:
            return fields
    if not isinstance(data, Mapping):
        return fields
    return {**{name: value for name, value in fields.items() if name != "data" and name not in _OWN}, **data}


def _succeeded(payload: Mapping[str, JSON], spare: Mapping[str, JSON]) -> bool:
    """Return whether a call or a turn succeeded, if the caller does not state it."""
    if "error" in payload:
        return payload["error"] is None
    return str(spare.get("status", "")).lower() not in _FAILED


def own_names(tool: str) -> tuple[str, ...]:
    """Return Everruns' names for a tool of another system."""
    return names_of(tool, TOOLS)


def changed(event: HookEvent, **changes: JSON) -> HookEvent:
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
    )


def envelope(event: HookEvent, hook_id: str, quirks: frozenset[str]) -> str:
    """Return the payload of one hook as JSON text; all eight keys are present, some may be null."""
    payload = dict(event.payload)
    head: dict[str, JSON] = {"event": event.row.native, "hook_id": hook_id}
    for key in ENVELOPE:
        head[key] = payload.pop(key)
    for key in REPEATED_FIELDS.get(event.row.native, ()):
        payload = {key: head[key], **payload}
    if quirks:
        _as_shipped(event, head, payload, quirks)
    head["ts"] = timestamp("nanosecond_ts" in quirks)
    head["data"] = JsonText(document(payload))
    return replace_lone_surrogates(document(head))


def _as_shipped(event: HookEvent, head: dict[str, JSON], data: dict[str, JSON], quirks: frozenset[str]) -> None:
    if "null_ids_on_tool_events" in quirks and event.row.subject == "tool_name":
        head["turn_id"] = head["agent_id"] = None
    if "lean_data" in quirks:
        data.pop("attachments", None)
        data.pop("tool_calls", None)
    if "always_deleted" in quirks and "reason" in data:
        data["reason"] = "deleted"


def timestamp(nanoseconds: bool = False) -> str:
    """Return the current time: RFC 3339, UTC, milliseconds and ``Z``."""
    now = time_ns()
    second = datetime.fromtimestamp(now // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    if nanoseconds:
        return f"{second}.{now % 1_000_000_000:09d}+00:00"
    return f"{second}.{now // 1_000_000 % 1000:03d}Z"


def uuid7() -> str:
    """Return a new UUID version 7, which sorts by time (RFC 9562 5.7)."""
    random = int.from_bytes(os.urandom(10))  # the module uuid takes 20 ms to import
    milliseconds = time_ns() // 1_000_000 & (1 << 48) - 1
    number = milliseconds << 80 | 7 << 76 | (random >> 64 & 0xFFF) << 64 | 2 << 62 | random & (1 << 62) - 1
    digits = f"{number:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def make_job(event: HookEvent, spec: HookSpec, host_context: HostContext, quirks: frozenset[str]) -> HookJob:
    """Return the job of one hook, with its own payload and variables."""
    hook_id = spec.extra.get("id") or spec.id
    text = envelope(event, hook_id, quirks)
    path = f"{WORKSPACE}/.hooks/{_UNSAFE.sub('_', hook_id)}-{uuid7()}.json"
    payload = event.payload
    env: dict[str, str] = {
        **host_context.base,
        **dict(zip(PAYLOAD_VARIABLES, (text, path), strict=True)),
        "EVERRUNS_HOOK_EVENT": event.row.native,
        "EVERRUNS_HOOK_ID": _variable(hook_id),
        "EVERRUNS_HOOK_SESSION_ID": _variable(text_of(payload["session_id"])),
    }
    turn = payload["turn_id"]
    if turn is not None and not ("null_ids_on_tool_events" in quirks and event.row.subject == "tool_name"):
        env["EVERRUNS_HOOK_TURN_ID"] = _variable(text_of(turn))
    for name in ("tool_name", "tool_call_id"):
        if isinstance(payload.get(name), str):
            variable = f"EVERRUNS_HOOK_{name.upper()}"
            env[variable] = _variable(payload[name])
            if "\0" in payload[name]:
                message = f"{variable}: NUL characters were removed, because no variable can hold them"
                event.internal_failure = InternalFailure(Kind.NUL, message)
    env.update(spec.env or {})
    data = text.encode("utf-8")
    return HookJob(
        spec,
        stdin=data + b"\n" if host_context.settings.get("stdin_payload") else b"",
        env=env,
        cwd=WORKSPACE,
        timeout=spec.timeout,
        files={path: data},
    )


def base_environment() -> dict[str, str]:
    """Return the variables of every hook; none comes from the host."""
    return dict(VARIABLES)


def _variable(text: str) -> str:
    """Return a text that a variable can hold: without NULs, and with lone surrogates replaced."""
    return well_formed(text.replace("\0", ""))
