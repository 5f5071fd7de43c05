"""Rendering of a verdict as Everruns' hook output: the inverse of ``parse_output`` (everruns 5, 8)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.render import MESSAGE, WITHHOLD, Said, Saying, laid_over, nested
from ...jsontext.compact import JSON, JsonText, loads, sound
from .tables import LARGEST_OUTPUT

_CUT = "\n... (cut: Everruns accepts no more)"


def say(saying: Saying, quirks: frozenset[str]) -> Said:
    """Render it as a decision in JSON. An answer has one decision, so that a rewrite (``mutate``) is not an allow."""
    row, can = saying.row, set(saying.row.can)
    result = "output" in can
    if result:
        can |= {"context", WITHHOLD}
    if "deny" in can and not ("dropped_user_message" in quirks and row.guards == "call"):
        can.add(MESSAGE)
    saying.fit(can, {"tool_error"} if result else (), lambda text: _rewritten(saying, text))
    if saying.user_message and not saying.blocked:
        saying.note("a message for the person without a deny", "it is omitted")
    patch = _patch(saying)
    if saying.decision is Decision.ALLOW and patch:
        saying.note("an allow with a rewrite", "only the rewrite is rendered, which allows nothing")
    said = saying.said(_answer(saying, patch))
    if len(said.stdout.encode()) <= LARGEST_OUTPUT:
        return said
    if not saying.blocked and "deny" in can:
        saying.refuse("an output of this size", "a hook's output is larger than Everruns accepts")
        patch = {}
    return _shortened(saying, patch)


def _rewritten(saying: Saying, text: str) -> str | None:
    if saying.row.target == "prompt":
        return text if isinstance(loads(text), str) else None
    return laid_over(saying.field("arguments"), text)


def _patch(saying: Saying) -> dict[str, JSON]:
    """Return the patch of a ``mutate``."""
    found: dict[str, JSON] = {}
    if saying.rewrite is not None:
        found["message" if saying.row.target == "prompt" else "arguments"] = JsonText(saying.rewrite)
    if "output" in saying.row.can:
        if saying.denied and saying.withholds:
            found["result"] = saying.told
        elif saying.output is not None:
            found["result"] = JsonText(saying.output)
        if isinstance(saying.effects.get("tool_error"), str):
            found["error"] = saying.effects["tool_error"]
        if saying.context:
            found["additional_context"] = saying.context
    return found


def _answer(saying: Saying, patch: dict[str, JSON]) -> dict[str, JSON]:
    if saying.denied and "deny" in saying.row.can:
        block: dict[str, JSON] = {"decision": "block", "reason": saying.told}
        return {**block, "user_message": saying.user_message} if saying.user_message else block
    if patch:
        return {"decision": "mutate", "patch": nested(patch)}
    if saying.decision is Decision.ALLOW:
        return {"decision": "allow", **({"reason": saying.reason} if saying.reason else {})}
    return {}


def _shortened(saying: Saying, patch: dict[str, JSON]) -> Said:
    """Cut the texts of an answer, as Everruns rejects one that is too large."""
    saying.note("a text of this size", "it is cut")
    room = (
        LARGEST_OUTPUT // 32
    )  # for each of at most four texts, each character of which may become an escape of six bytes
    saying.reason, saying.user_message, saying.context = (
        _cut(text, room)
        for text in (saying.told if saying.blocked else saying.reason, saying.user_message, saying.context)
    )
    if "output" in saying.row.can:
        saying.effects = {name: _cut(str(text), room) for name, text in saying.effects.items()}
        if saying.output is not None and len(saying.output) > room:
            saying.refuse("a result of this size", "a hook's result is larger than Everruns accepts")
            saying.output = None
        patch = _patch(saying)
    return saying.said(_answer(saying, patch))


def _cut(text: str, room: int) -> str:
    if len(sound(text).encode("utf-8", "replace")) <= room:
        return text
    return text[: room // 4] + _CUT
