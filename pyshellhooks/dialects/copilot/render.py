"""Rendering of a verdict as a flat answer: the inverse of ``parse_output`` (copilot 6)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.model import Decision
from ...hooks.render import WITHHOLD, HookOutput, Rendering, parsed, plain, whole_input
from ...jsontext.compact import JSON, JsonText
from ..grouped_events.rows import output_rules_of
from .tables import REPLACES


def render(rendering: Rendering) -> HookOutput:
    """Render it as JSON at exit status 0."""
    row = rendering.row
    output_rules = output_rules_of(row)
    fields, can = output_rules.fields, set(row.can)
    if row.guards == "result":
        can.add(WITHHOLD)  # a block replaces the result by its reason
    rendering.fit(can, patch=whole_input if row.target == "tool_input" else _prompt)
    answer: dict[str, JSON] = {}
    if "behavior" in fields and (rendering.blocked or rendering.word):
        decision = Decision.DENY if rendering.blocked else rendering.decision
        answer["behavior"] = decision.value
        answer["message"] = rendering.block_reason if rendering.blocked else rendering.reason or None
        answer["interrupt"] = rendering.halt or None
    elif "permissionDecision" in fields:
        answer["permissionDecision"] = rendering.word
        answer["permissionDecisionReason"] = rendering.why
    elif rendering.denied or rendering.followup is not None:
        reason = rendering.followup if rendering.followup is not None else rendering.block_reason
        answer["decision"], answer["reason"] = "block", reason or rendering.block_reason
    for key, (part, kind) in REPLACES.items():
        value = getattr(rendering, part)
        if key in fields and value is not None:
            answer[key] = _text(rendering, value) if kind is str else _as_object(rendering, key, value)
    if "additionalContext" in fields:
        answer["additionalContext"] = rendering.context or None
    return rendering.json_output(answer)


def _prompt(text: str) -> str | None:
    """Return a new prompt, which must be a text; None for any other value."""
    return text if text.lstrip()[:1] == '"' else None


def _text(rendering: Rendering, value: str) -> str:
    """Return a replacement that must be a text."""
    if value[:1] != '"':
        rendering.note("a replacement that is not text", "its JSON is the text")
    return plain(value)


def _as_object(rendering: Rendering, key: str, value: str) -> JSON:
    """Return a new input, or a result as the object that Copilot's tools return."""
    if key != "modifiedResult" or "textResultForLlm" in _members(value):
        return JsonText(value)
    if value[:1] != '"':
        rendering.note("a result of another form", "its JSON is the text of the result")
    return {"resultType": "success", "textResultForLlm": plain(value)}


def _members(value: str) -> Mapping[str, JSON]:
    found = parsed(JsonText(value))
    return found if isinstance(found, dict) else {}
