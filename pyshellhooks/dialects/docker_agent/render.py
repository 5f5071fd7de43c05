"""Rendering of a verdict as Docker Agent's hook output: the inverse of ``parse_output`` (docker_agent 4, 5)."""

from __future__ import annotations

from ...hooks.render import MESSAGE, HookOutput, Rendering, as_json, nested, whole_input
from ...jsontext.compact import JSON, WireError, loads
from .parse_output import INNER


def render(rendering: Rendering, quirks: frozenset[str]) -> HookOutput:
    """Render it as JSON at exit status 0; at exit status 2 stdout would be ignored."""
    can, effects = {*rendering.row.can, MESSAGE}, {"suppress_output"}
    if "inert_permissions" in quirks:
        can -= {"allow", "ask"}
    if "shown_stdout" in quirks:
        effects.clear()
    if not rendering.row.can and "ignored_outputs" in quirks:
        can.discard(MESSAGE)
        effects.clear()
    rendering.fit(can, effects, _as_map if "input_as_map" in quirks else whole_input)
    if rendering.denied and rendering.user_message and "blocked_messages" in quirks:
        rendering.note("a message with a deny", "the person sees the reason")
    inner: dict[str, JSON] = {
        "permission_decision": rendering.word,
        "permission_decision_reason": rendering.why,
        "updated_input": as_json(rendering.rewrite),
        "additional_context": rendering.context or None,
    }
    return rendering.json_output(
        {
            "suppress_output": True if rendering.effects.get("suppress_output") else None,
            "system_message": rendering.user_message or None,
            INNER: nested({"hook_event_name": rendering.row.native, **inner}) if any(inner.values()) else None,
        }
    )


def _as_map(text: str) -> str | None:
    """Return a new input unchanged if a map of 64-bit floats can hold it, else None (quirk ``input_as_map``)."""
    from .shipped import as_map

    encoded = as_map(text)
    try:
        return whole_input(text) if encoded is not None and loads(encoded) == loads(text) else None
    except WireError:
        return None
