"""Neutral names of an event's fields, and putting a caller's fields into a system's own words."""

from __future__ import annotations

from collections.abc import Mapping

from .dialect import EventSpec
from .suggest import did_you_mean
from .wire import JSON, JsonText, WireError, compact, dumps, validate

#: What a caller may give for any event in any system; a system takes what it has a place for.
NEUTRAL = frozenset(
    [
        "session_id",
        "cwd",
        "project_dir",
        "tool_name",
        "tool_input",
        "tool_call_id",
        "tool_output",
        "tool_error",
        "success",
        "duration_ms",
        "prompt",
        "followup",
        "response",
        "status",
        "loop_count",
        "source",
        "reason",
        "trigger",
        "message",
        "level",
        "file_path",
        "content",
        "edits",
        "attachments",
        "command",
        "url",
        "model",
        "llm_request",
        "llm_response",
        "turn_id",
        "agent_id",
    ]
)


def gather(row: EventSpec, fields: Mapping[str, JSON]) -> tuple[dict[str, JSON], dict[str, JSON], list[str]]:
    """Sort fields into the payload (own names, own order, defaults), spare neutral ones, and notices.

    A name that nobody knows is passed through at the end of the payload, with a notice.
    """
    payload = row.defaults.copy()
    spare: dict[str, JSON] = {}
    notices: list[str] = []
    places = row.places
    for name, value in fields.items():
        native = places.get(name)
        if native is not None:
            if native == name or native not in fields:
                payload[native] = value
        elif name in NEUTRAL:
            spare[name] = value
        else:
            payload[name] = value
            hint = did_you_mean(name, places.keys() | NEUTRAL)
            notices.append(f'field "{name}" is unknown; it is passed through' + (f"; {hint}" if hint else ""))
    if len(row.defaults) < len(row.fields):  # an optional key stands where the system puts it, not where it came
        known = {field.native: payload.pop(field.native) for field in row.fields if field.native in payload}
        payload = {**known, **payload}
    return payload, spare, notices


def json_text(name: str, value: JSON) -> tuple[JsonText, str]:
    """Give a structured field as compact JSON text, and a notice if it is none: hooks then see ``{}``.

    A str is JSON text already, as the model sent it.
    """
    if not isinstance(value, str):
        return JsonText(dumps(value)), ""
    try:
        validate(value)
    except WireError as error:
        return JsonText("{}"), f"{name} is not JSON ({error}); hooks see {{}}"
    return JsonText(compact(value)), ""


def replaced(row: EventSpec, fields: Mapping[str, JSON], neutral: str, value: JSON) -> dict[str, JSON]:
    """Give an event's fields with another value for one of them, under whatever name the caller gave it."""
    native = row.places.get(neutral, neutral)
    kept = {name: item for name, item in fields.items() if name != neutral and row.places.get(name) != native}
    return {**kept, neutral: value}


def sample(row: EventSpec, neutral: bool) -> dict[str, JSON]:
    """Give an event's fields with values to edit, as ``fire --sample`` prints them."""
    found: dict[str, JSON] = {}
    for field in row.fields:
        if field.sample is not None:
            found[field.neutral if neutral else field.native] = field.sample
    return found
