"""Rendering of a verdict as Docker Agent's hook output: the inverse of ``parse_output`` (docker_agent 4, 5)."""

from __future__ import annotations

from ...hooks.render import MESSAGE, Said, Saying, as_json, nested, whole
from ...jsontext.compact import JSON, WireError, loads
from .parse_output import INNER


def say(saying: Saying, quirks: frozenset[str]) -> Said:
    """Render it as JSON at exit status 0; at exit status 2 stdout would be ignored."""
    can, effects = {*saying.row.can, MESSAGE}, {"suppress_output"}
    if "inert_permissions" in quirks:
        can -= {"allow", "ask"}
    if "shown_stdout" in quirks:
        effects.clear()
    if not saying.row.can and "ignored_outputs" in quirks:
        can.discard(MESSAGE)
        effects.clear()
    saying.fit(can, effects, _as_map if "input_as_map" in quirks else whole)
    if saying.denied and saying.user_message and "blocked_messages" in quirks:
        saying.note("a message with a deny", "the person sees the reason")
    inner: dict[str, JSON] = {
        "permission_decision": saying.word,
        "permission_decision_reason": saying.why,
        "updated_input": as_json(saying.rewrite),
        "additional_context": saying.context or None,
    }
    return saying.said(
        {
            "suppress_output": True if saying.effects.get("suppress_output") else None,
            "system_message": saying.user_message or None,
            INNER: nested({"hook_event_name": saying.row.native, **inner}) if any(inner.values()) else None,
        }
    )


def _as_map(text: str) -> str | None:
    """Return a new input unchanged if a map of 64-bit floats can hold it, else None (quirk ``input_as_map``)."""
    from .shipped import as_map

    kept = as_map(text)
    try:
        return whole(text) if kept is not None and loads(kept) == loads(text) else None
    except WireError:
        return None
