"""Rendering of a verdict as Crush's answer: the inverse of ``parse_output`` (crush 4, 5)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.render import HookOutput, Rendering, as_json, as_patch, changes, input_text
from ...jsontext.compact import JSON, WireError, loads


def render(rendering: Rendering, quirks: frozenset[str]) -> HookOutput:
    """Render the verdict in the envelope of Crush's own document, at exit status 0."""
    original = rendering.field("tool_input")

    def patch(text: str) -> str | None:
        return _paths(original, text) if "path_keys" in quirks else as_patch(original, text)

    # A halt's reason is also shown to the user; Crush has no field for any other message.
    rendering.fit(rendering.row.can, patch=patch)
    if rendering.halt:
        rendering.decision = Decision.DENY
    return rendering.json_output(
        {
            "decision": rendering.word,
            "halt": rendering.halt or None,
            "reason": rendering.why,
            "context": rendering.context or None,
            "updated_input": as_json(rendering.rewrite),
        }
    )


def _paths(original: JSON, text: str) -> str | None:
    """Return the changed members if, with keys read as paths, they give the new input (quirk ``path_keys``)."""
    from .shipped import path_merge

    patch, before = changes(original, text), input_text(original)
    if patch is None or before is None:
        return None
    merged, refused = path_merge(before, [patch])
    try:
        return patch if not refused and loads(merged if merged is not None else before) == loads(text) else None
    except WireError:
        return None
