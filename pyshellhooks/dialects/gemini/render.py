"""Rendering of a verdict as Gemini CLI's hook output: the inverse of ``parse_output`` and of ``shipped`` (gemini 2.3, 4)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.model import Decision
from ...hooks.render import MESSAGE, WITHHOLD, Said, Saying, laid_over, nested, parsed, whole
from ...jsontext.compact import JSON, JsonText, dumps
from .stable_model import has_parts
from .tables import EVENTS, NO_REASON, GeminiEvent


def say(saying: Saying, quirks: frozenset[str]) -> Said:
    """Render it as JSON at exit status 0, which both editions read alike."""
    row = EVENTS[saying.row.native]
    _fit(saying, row, quirks)
    asked = saying.reason if saying.decision is Decision.ASK else ""  # the confirmation shows only systemMessage
    specific = _specific(saying, row)
    return saying.said(
        {
            "continue": False if saying.halt else None,
            "stopReason": saying.told if saying.halt else None,
            **_decision(saying),
            "systemMessage": saying.user_message or asked or None,
            "suppressOutput": True if saying.effects.get("suppress_output") else None,
            "hookSpecificOutput": nested({"hookEventName": row.native, **specific}) if specific else None,
        }
    )


def _fit(saying: Saying, row: GeminiEvent, quirks: frozenset[str]) -> None:
    """Reduce a verdict to the parts that the event can express."""
    can = {*row.can, MESSAGE}
    if row.silent and "every_message_shown" not in quirks:
        can.discard(MESSAGE)
    if row.guards == "result":
        can.add(WITHHOLD)  # a deny hides the result
    if _cleared(saying, quirks):
        can.discard("context")
    replaces = "last_input_replaces" in quirks
    saying.fit(
        can,
        {"suppress_output", *[name for name in row.effects if _readable(saying, name)]},
        lambda text: whole(text) if replaces else _laid_over(saying, text),
    )
    if saying.blocked:
        saying.effects.pop("llm_request", None)  # no request is made
    if quirks:
        _fit_shipped(saying, quirks)


def _specific(saying: Saying, row: GeminiEvent) -> dict[str, JSON]:
    found = {key: saying.effects[name] for name, key in row.effects.items() if name in saying.effects}
    if saying.rewrite is not None:
        found[row.target] = JsonText(saying.rewrite)
    if saying.context:
        found["additionalContext"] = saying.context
    return found


def _decision(saying: Saying) -> dict[str, JSON]:
    if saying.followup is not None:
        return {"decision": Decision.DENY.value, "reason": saying.followup or NO_REASON}
    return {"decision": saying.word, "reason": saying.why}


def _laid_over(saying: Saying, text: str) -> str | None:
    """Return the new input if merging it into the old one yields it as well: versions of the program differ in that."""
    return whole(text) if laid_over(saying.field(saying.row.target), text) is not None else None


def _readable(saying: Saying, name: str) -> bool:
    """Return whether an effect has the type that the program reads, and can be expressed as a merge."""
    value = parsed(saying.effects.get(name))
    if name == "clear_context":
        return value is True
    if not isinstance(value, Mapping):
        return False
    return name != "llm_request" or laid_over(saying.field(name), dumps(value)) is not None


def _cleared(saying: Saying, quirks: frozenset[str]) -> bool:
    return "clear_drops_context" in quirks and saying.field("source") == "clear"


def _fit_shipped(saying: Saying, quirks: frozenset[str]) -> None:
    """Express parts that the program would ignore in a form that it reads, or drop them with a note."""
    if "clear_context" in saying.effects and not saying.halt and saying.followup is None:
        if "clear_context_needs_block" in quirks:
            saying.note("clear_context without a deny", "it is omitted")
            del saying.effects["clear_context"]
    if "llm_response" in saying.effects and not saying.blocked:
        response = parsed(saying.effects["llm_response"])
        if saying.row.guards == "prompt" and "synthetic_needs_deny" in quirks:
            saying.note("another response without a deny", "a deny is added")
            saying.decision = Decision.DENY
        elif (
            saying.row.guards == "result"
            and "empty_replacement_ignored" in quirks
            and not (isinstance(response, Mapping) and has_parts(response))
        ):
            saying.refuse("an empty response", "a hook removed the response")
