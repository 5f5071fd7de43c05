"""A verdict in Docker Agent's words: the inverse of ``output`` (docker_agent 4, 5)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.saying import MESSAGE, Said, Saying, nested, whole
from ...hooks.wire import JSON, JsonText, WireError, loads
from .answers import INNER, MUTE


def say(saying: Saying, quirks: frozenset[str]) -> Said:
    """Say it as JSON at exit status 0; beside exit 2 nothing on stdout is read."""
    native = saying.row.native
    can, effects = {*saying.row.can, MESSAGE}, {"suppress_output"}
    if "inert_permissions" in quirks:
        can -= {"allow", "ask"}
    if "shown_stdout" in quirks:
        effects.clear()
    if native in MUTE and "ignored_outputs" in quirks:
        can.discard(MESSAGE)
        effects.clear()
    saying.fit(can, effects, _as_map if "input_as_map" in quirks else whole)
    if saying.denied and saying.user_message and "blocked_messages" in quirks:
        saying.note("a message beside a deny", "the person is shown the reason")
    answer: dict[str, JSON] = {}
    if saying.effects.get("suppress_output"):
        answer["suppress_output"] = True
    if saying.user_message:
        answer["system_message"] = saying.user_message
    inner: dict[str, JSON] = {}
    if saying.decision is not Decision.NONE:
        inner["permission_decision"] = saying.decision.value
        reason = saying.told if saying.denied else saying.reason
        if reason:
            inner["permission_decision_reason"] = reason
    if saying.rewrite is not None:
        inner["updated_input"] = JsonText(saying.rewrite)
    if saying.context:
        inner["additional_context"] = saying.context
    if inner:
        answer[INNER] = nested({"hook_event_name": native, **inner})
    return saying.said(answer)


def _as_map(text: str) -> str | None:
    """Return a new input whole, where a map of 64-bit floats holds it (quirk ``input_as_map``)."""
    from .shipped import as_map

    kept = as_map(text)
    try:
        return whole(text) if kept is not None and loads(kept) == loads(text) else None
    except WireError:
        return None
