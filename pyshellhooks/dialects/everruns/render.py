"""Rendering of a verdict as Everruns' hook output: the inverse of ``parse_output`` (everruns 5, 8)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.render import MESSAGE, WITHHOLD, HookOutput, Rendering, as_patch, nested
from ...jsontext.compact import JSON, JsonText, loads, replace_lone_surrogates
from .tables import LARGEST_OUTPUT

_CUT = "\n... (cut: Everruns accepts no more)"


def render(rendering: Rendering, quirks: frozenset[str]) -> HookOutput:
    """Render it as a decision in JSON. An answer has one decision, so that a rewrite (``mutate``) is not an allow."""
    row, can = rendering.row, set(rendering.row.can)
    result = "output" in can
    if result:
        can |= {"context", WITHHOLD}
    if "deny" in can and not ("dropped_user_message" in quirks and row.guards == "call"):
        can.add(MESSAGE)
    rendering.fit(can, {"tool_error"} if result else (), lambda text: _rewritten(rendering, text))
    if rendering.user_message and not rendering.blocked:
        rendering.note("a message for the person without a deny", "it is omitted")
    patch = _patch(rendering)
    if rendering.decision is Decision.ALLOW and patch:
        rendering.note("an allow with a rewrite", "only the rewrite is rendered, which allows nothing")
    output = rendering.json_output(_answer(rendering, patch))
    if len(output.stdout.encode()) <= LARGEST_OUTPUT:
        return output
    if not rendering.blocked and "deny" in can:
        rendering.refuse("an output of this size", "a hook's output is larger than Everruns accepts")
        patch = {}
    return _shortened(rendering, patch)


def _rewritten(rendering: Rendering, text: str) -> str | None:
    if rendering.row.target == "prompt":
        return text if isinstance(loads(text), str) else None
    return as_patch(rendering.field("arguments"), text)


def _patch(rendering: Rendering) -> dict[str, JSON]:
    """Return the patch of a ``mutate``."""
    patch: dict[str, JSON] = {}
    if rendering.rewrite is not None:
        patch["message" if rendering.row.target == "prompt" else "arguments"] = JsonText(rendering.rewrite)
    if "output" in rendering.row.can:
        if rendering.denied and rendering.withholds:
            patch["result"] = rendering.block_reason
        elif rendering.output is not None:
            patch["result"] = JsonText(rendering.output)
        if isinstance(rendering.effects.get("tool_error"), str):
            patch["error"] = rendering.effects["tool_error"]
        if rendering.context:
            patch["additional_context"] = rendering.context
    return patch


def _answer(rendering: Rendering, patch: dict[str, JSON]) -> dict[str, JSON]:
    if rendering.denied and "deny" in rendering.row.can:
        block: dict[str, JSON] = {"decision": "block", "reason": rendering.block_reason}
        return {**block, "user_message": rendering.user_message} if rendering.user_message else block
    if patch:
        return {"decision": "mutate", "patch": nested(patch)}
    if rendering.decision is Decision.ALLOW:
        return {"decision": "allow", **({"reason": rendering.reason} if rendering.reason else {})}
    return {}


def _shortened(rendering: Rendering, patch: dict[str, JSON]) -> HookOutput:
    """Cut the texts of an answer, as Everruns rejects one that is too large."""
    rendering.note("a text of this size", "it is cut")
    room = (
        LARGEST_OUTPUT // 32
    )  # for each of at most four texts, each character of which may become an escape of six bytes
    rendering.reason, rendering.user_message, rendering.context = (
        _cut(text, room)
        for text in (
            rendering.block_reason if rendering.blocked else rendering.reason,
            rendering.user_message,
            rendering.context,
        )
    )
    if "output" in rendering.row.can:
        rendering.effects = {name: _cut(str(text), room) for name, text in rendering.effects.items()}
        if rendering.output is not None and len(rendering.output) > room:
            rendering.refuse("a result of this size", "a hook's result is larger than Everruns accepts")
            rendering.output = None
        patch = _patch(rendering)
    return rendering.json_output(_answer(rendering, patch))


def _cut(text: str, room: int) -> str:
    if len(replace_lone_surrogates(text).encode("utf-8", "replace")) <= room:
        return text
    return text[: room // 4] + _CUT
