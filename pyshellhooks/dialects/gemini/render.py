"""Rendering of a verdict as Gemini CLI's hook output: the inverse of ``parse_output`` and of ``shipped`` (gemini 2.3, 4)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.model import Decision
from ...hooks.render import MESSAGE, WITHHOLD, HookOutput, Rendering, as_patch, nested, parsed, whole_input
from ...jsontext.compact import JSON, JsonText, dumps
from .stable_model import has_parts
from .tables import EVENTS, NO_REASON, GeminiEvent


def render(rendering: Rendering, quirks: frozenset[str]) -> HookOutput:
    """Render it as JSON at exit status 0, which both editions read alike."""
    row = EVENTS[rendering.row.native]
    _fit(rendering, row, quirks)
    # The confirmation shows only systemMessage.
    confirmation = rendering.reason if rendering.decision is Decision.ASK else ""
    specific = _specific(rendering, row)
    return rendering.json_output(
        {
            "continue": False if rendering.halt else None,
            "stopReason": rendering.block_reason if rendering.halt else None,
            **_decision(rendering),
            "systemMessage": rendering.user_message or confirmation or None,
            "suppressOutput": True if rendering.effects.get("suppress_output") else None,
            "hookSpecificOutput": nested({"hookEventName": row.native, **specific}) if specific else None,
        }
    )


def _fit(rendering: Rendering, row: GeminiEvent, quirks: frozenset[str]) -> None:
    """Reduce a verdict to the parts that the event can express."""
    can = {*row.can, MESSAGE}
    if row.silent and "every_message_shown" not in quirks:
        can.discard(MESSAGE)
    if row.guards == "result":
        can.add(WITHHOLD)  # a deny hides the result
    if _cleared(rendering, quirks):
        can.discard("context")
    replaces = "last_input_replaces" in quirks
    rendering.fit(
        can,
        {"suppress_output", *[name for name in row.effects if _readable(rendering, name)]},
        lambda text: whole_input(text) if replaces else _laid_over(rendering, text),
    )
    if rendering.blocked:
        rendering.effects.pop("llm_request", None)  # no request is made
    if quirks:
        _fit_shipped(rendering, quirks)


def _specific(rendering: Rendering, row: GeminiEvent) -> dict[str, JSON]:
    specific = {key: rendering.effects[name] for name, key in row.effects.items() if name in rendering.effects}
    if rendering.rewrite is not None:
        specific[row.target] = JsonText(rendering.rewrite)
    if rendering.context:
        specific["additionalContext"] = rendering.context
    return specific


def _decision(rendering: Rendering) -> dict[str, JSON]:
    if rendering.followup is not None:
        return {"decision": Decision.DENY.value, "reason": rendering.followup or NO_REASON}
    return {"decision": rendering.word, "reason": rendering.why}


def _laid_over(rendering: Rendering, text: str) -> str | None:
    """Return the new input if merging it into the old one yields it as well: versions of the program differ in that."""
    return whole_input(text) if as_patch(rendering.field(rendering.row.target), text) is not None else None


def _readable(rendering: Rendering, name: str) -> bool:
    """Return whether an effect has the type that the program reads, and can be expressed as a merge."""
    value = parsed(rendering.effects.get(name))
    if name == "clear_context":
        return value is True
    if not isinstance(value, Mapping):
        return False
    return name != "llm_request" or as_patch(rendering.field(name), dumps(value)) is not None


def _cleared(rendering: Rendering, quirks: frozenset[str]) -> bool:
    return "clear_drops_context" in quirks and rendering.field("source") == "clear"


def _fit_shipped(rendering: Rendering, quirks: frozenset[str]) -> None:
    """Express parts that the program would ignore in a form that it reads, or drop them with a note."""
    if "clear_context" in rendering.effects and not rendering.halt and rendering.followup is None:
        if "clear_context_needs_block" in quirks:
            rendering.note("clear_context without a deny", "it is omitted")
            del rendering.effects["clear_context"]
    if "llm_response" in rendering.effects and not rendering.blocked:
        response = parsed(rendering.effects["llm_response"])
        if rendering.row.guards == "prompt" and "synthetic_needs_deny" in quirks:
            rendering.note("another response without a deny", "a deny is added")
            rendering.decision = Decision.DENY
        elif (
            rendering.row.guards == "result"
            and "empty_replacement_ignored" in quirks
            and not (isinstance(response, Mapping) and has_parts(response))
        ):
            rendering.refuse("an empty response", "a hook removed the response")
