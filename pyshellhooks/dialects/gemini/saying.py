"""A verdict in Gemini CLI's words: the inverse of ``output`` and of ``shipped`` (gemini 2.3, 4)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.model import Decision
from ...hooks.saying import MESSAGE, WITHHOLD, Said, Saying, laid_over, nested, parsed, whole
from ...hooks.wire import JSON, JsonText, dumps
from .stable_model import has_parts
from .tables import CONTEXT_EVENTS, EFFECTS, MODEL_EVENTS, NO_REASON

_WITHHOLDING = frozenset(["AfterTool", "AfterModel"])  # where a deny hides the result


def say(saying: Saying, quirks: frozenset[str]) -> Said:
    """Say it as JSON at exit status 0, which both editions read alike."""
    row, native = saying.row, saying.row.native
    can = {*row.can, MESSAGE}
    if native == "BeforeToolSelection" and "every_message_shown" not in quirks:
        can.discard(MESSAGE)
    if native in _WITHHOLDING:
        can.add(WITHHOLD)
    if native not in CONTEXT_EVENTS or (native == "SessionStart" and _cleared(saying, quirks)):
        can.discard("context")
    own = EFFECTS.get(native, {})
    replaces = "last_input_replaces" in quirks
    saying.fit(
        can,
        {"suppress_output", *[name for name in own if _readable(saying, name)]},
        lambda text: whole(text) if replaces else _laid_over(saying, text),
    )
    if saying.blocked:
        saying.effects.pop("llm_request", None)  # no request is made
    if quirks:
        _fit_shipped(saying, quirks)
    answer = _decision(saying)
    if saying.user_message:
        answer["systemMessage"] = saying.user_message
    elif saying.decision is Decision.ASK and saying.reason:
        answer["systemMessage"] = saying.reason  # the question shows nothing else
    if saying.effects.get("suppress_output"):
        answer["suppressOutput"] = True
    specific: dict[str, JSON] = {key: saying.effects[name] for name, key in own.items() if name in saying.effects}
    if saying.rewrite is not None:
        specific[row.target] = JsonText(saying.rewrite)
    if saying.context:
        specific["additionalContext"] = saying.context
    if specific:
        answer["hookSpecificOutput"] = nested({"hookEventName": native, **specific})
    return saying.said(answer)


def _decision(saying: Saying) -> dict[str, JSON]:
    answer: dict[str, JSON] = {}
    if saying.halt:
        answer["continue"] = False
        answer["stopReason"] = saying.told
    if saying.followup is not None:
        answer["decision"] = Decision.DENY.value
        answer["reason"] = saying.followup or NO_REASON
    elif saying.decision is not Decision.NONE:
        answer["decision"] = saying.decision.value
        reason = saying.told if saying.denied else saying.reason
        if reason:
            answer["reason"] = reason
    return answer


def _laid_over(saying: Saying, text: str) -> str | None:
    """Return the whole new input, where laying it over the old one gives it: the program once did one, once the other."""
    return whole(text) if laid_over(saying.field(saying.row.target), text) is not None else None


def _readable(saying: Saying, name: str) -> bool:
    """Say whether an effect is of the type that the program reads, and does there what it says."""
    value = parsed(saying.effects.get(name))
    if name == "clear_context":
        return value is True
    if not isinstance(value, Mapping):
        return False
    return name != "llm_request" or laid_over(saying.field(name), dumps(value)) is not None


def _cleared(saying: Saying, quirks: frozenset[str]) -> bool:
    return "clear_drops_context" in quirks and saying.field("source") == "clear"


def _fit_shipped(saying: Saying, quirks: frozenset[str]) -> None:
    """Say what the program would not read in a way that it does read."""
    native = saying.row.native
    if native == "AfterAgent" and "clear_context" in saying.effects and not saying.halt and saying.followup is None:
        if "clear_context_needs_block" in quirks:
            saying.note("clear_context without a deny", "it is left out")
            del saying.effects["clear_context"]
    if native in MODEL_EVENTS and "llm_response" in saying.effects and not saying.blocked:
        response = parsed(saying.effects["llm_response"])
        if native == "BeforeModel" and "synthetic_needs_deny" in quirks:
            saying.note("another response without a deny", "it is said beside a deny")
            saying.decision = Decision.DENY
        elif native == "AfterModel" and not (isinstance(response, Mapping) and has_parts(response)):
            saying.refuse("an empty response", "a hook took the response away")
