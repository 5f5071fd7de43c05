"""The named rules by which dialects merge outcomes: pure, and in config order, never in finish order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..jsontext.compact import WireError, compact, join, members, validate
from ..notice import Notice
from ..text import lines
from .failure_notices import unused
from .model import Decision, HookOutcome


def strongest(outcomes: Iterable[HookOutcome]) -> Decision:
    """Return the strongest decision: deny over ask over allow over none."""
    decision = Decision.NONE
    for outcome in outcomes:
        if outcome.decision is not decision and outcome.decision.rank > decision.rank:
            decision = outcome.decision
    return decision


def blocking_reasons(outcomes: Iterable[HookOutcome]) -> str:
    """Join the reasons of hooks that deny or halt, one line each; each hook counts once."""
    return "\n".join([outcome.reason for outcome in outcomes if outcome.reason and outcome.blocks])


def contexts(outcomes: Iterable[HookOutcome]) -> str:
    """Join every context, one line each, whatever the decision."""
    return lines(*[outcome.context for outcome in outcomes])


def shallow_merge(
    original: str, patches: Sequence[str], name: str = "updated_input"
) -> tuple[str | None, list[Notice]]:
    """Apply patches to the top-level keys of an object, in order; return the new text and notices of refused patches.

    Existing keys keep their place, new ones are appended in the patch's order, nested objects are replaced whole. A
    patch that is not an object is refused and the others still apply; if the original is not an object, all are
    refused. The text is None if nothing changed. ``name``: the system's name of the patch, for the notices.
    """
    refused: list[Notice] = []
    try:
        validate(original or "{}")
        base = members(original or "{}")
    except WireError:
        return None, [unused(name, f"the tool's input is not a JSON object ({_short(p)})") for p in patches]
    merged: list[tuple[str, str]] | None = None
    for patch in patches:
        try:
            changes = _patch(patch)
        except WireError as error:
            refused.append(unused(name, f"{error}: {_short(patch)}"))
            continue
        merged = _overlay(base if merged is None else merged, changes)
    if merged is None:
        return None, refused
    text = compact(join(merged))
    if text == compact(join(base)):
        return None, refused
    return text, refused


def _patch(text: str) -> list[tuple[str, str]]:
    validate(text)
    if text.strip() == "null":
        return []  # crush 5: the text null is an empty patch
    return members(text)


def _overlay(base: list[tuple[str, str]], changes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    latest = {key: raw for key, raw in changes}
    result: list[tuple[str, str]] = []
    seen: set[str] = set()
    for key, raw in [*base, *changes]:
        if key in latest:
            # A duplicate key of the original must not outlive its replacement: readers take the last one.
            if key not in seen:
                seen.add(key)
                result.append((key, latest[key]))
        else:
            result.append((key, raw))
    return result


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def replacement(original: str, patches: Sequence[str], name: str = "updated_input") -> tuple[str | None, list[Notice]]:
    """Replace the whole object by the last patch; return the new text and notices of refused patches.

    A patch that is not an object is refused, and the one before it counts. The text is None if nothing changed.
    """
    refused: list[Notice] = []
    text: str | None = None
    for patch in patches:
        try:
            validate(patch)
            members(patch)
        except WireError as error:
            refused.append(unused(name, f"{error}: {_short(patch)}"))
            continue
        text = compact(patch)
    if text == compact(original):
        return None, refused
    return text, refused


Rewrite = Callable[[str, Sequence[str], str], tuple[str | None, list[Notice]]]
REWRITES: dict[str, Rewrite] = {"shallow_merge": shallow_merge, "replace": replacement}
