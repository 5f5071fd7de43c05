"""Rendering of a verdict as Crush's answer: the inverse of ``parse_output`` (crush 4, 5)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.render import Said, Saying, as_json, changes, input_text, laid_over
from ...jsontext.compact import JSON, WireError, loads


def say(saying: Saying, quirks: frozenset[str]) -> Said:
    """Render the verdict in the envelope of Crush's own document, at exit status 0."""
    original = saying.field("tool_input")

    def patch(text: str) -> str | None:
        return _paths(original, text) if "path_keys" in quirks else laid_over(original, text)

    # A halt's reason is also shown to the user; Crush has no field for any other message.
    saying.fit(saying.row.can, patch=patch)
    if saying.halt:
        saying.decision = Decision.DENY
    return saying.said(
        {
            "decision": saying.word,
            "halt": saying.halt or None,
            "reason": saying.why,
            "context": saying.context or None,
            "updated_input": as_json(saying.rewrite),
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
