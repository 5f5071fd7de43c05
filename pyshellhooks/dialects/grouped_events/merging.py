"""Merging of the outcomes of all hooks of one event of Claude Code's form (claude_code 4, 6). Pure, in config order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add
from typing import Any

from ...hooks.aggregate import contexts, replacement, strongest
from ...hooks.model import Decision, HookEvent, HookOutcome
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON
from ...notice import Notice
from ...text import joined, last_of, lines, present

_ACTIONS = ("accept", "decline", "cancel")  # the last one is the strongest


#: Return how many stops in a row hooks have refused, if they may refuse no more; else 0.
UsedUp = Callable[[HookEvent], int]


def unlimited(event: HookEvent) -> int:
    """Return 0: hooks may refuse any number of stops."""
    return 0


def merge(
    event: HookEvent, results: Sequence[HookResult], used_up: UsedUp = unlimited, *, limit: int | None = None
) -> Verdict:
    """Merge the outcomes: deny over defer over ask over allow; a halt over all.

    ``limit``: the number of deciding outcomes whose reasons count; None: all.
    """
    outcomes = [result.outcome for result in results]
    counted = _counted(outcomes)
    decision = strongest(counted)
    denied, halt = decision is Decision.DENY, any([outcome.halt for outcome in counted])
    if halt and not denied:
        decision = Decision.NONE
    notices = list(event.notices)
    refused: list[Notice] = []
    blocked = halt or denied
    deciding = [outcome for outcome in counted if (outcome.blocks if blocked else outcome.decision is decision)]
    deciding = deciding[:limit]
    updated_input: str | None = None
    patches = present(outcome.rewrite for outcome in outcomes)
    if patches and not blocked:
        if event.row.target == "tool_input":
            original = str.__str__(event.payload.get(event.row.places.get("tool_input", ""), "{}"))
            updated_input, refused = replacement(original, patches)
        else:
            updated_input = patches[-1]
    followup, refusals = (None, []) if halt else _followup(event, outcomes, used_up)
    notices += refusals
    return Verdict(
        event.row.native,
        decision,
        halt=halt,
        reason=lines(*[outcome.reason for outcome in deciding]),
        user_message=lines(*[outcome.user_message for outcome in outcomes]),
        context=contexts(outcomes),
        updated_input_text=updated_input,
        updated_output_text=last_of(outcome.output for outcome in outcomes),
        followup=followup,
        effects=_effects(counted),
        hooks=results,
        notices=[*notices, *refused],
        faults=refused,
    )


def _counted(outcomes: list[HookOutcome]) -> list[HookOutcome]:
    """Return the outcomes that count: those that defer do not, if another one denies."""
    others = [outcome for outcome in outcomes if "defer" not in outcome.effects]
    # The model gets the deny at once, so no call is left to defer.
    return others if strongest(others) is Decision.DENY else outcomes


def _followup(event: HookEvent, outcomes: Sequence[HookOutcome], used_up: UsedUp) -> tuple[str | None, list[Notice]]:
    """Return the text with which the agent continues; None, and a notice, after too many refused stops in a row."""
    followup = joined((outcome.followup for outcome in outcomes), "\n")
    most = used_up(event) if followup is not None else 0
    if followup is None or not most:
        return followup, []
    message = f"hooks have refused {most} stops in a row; the agent stops now: {followup[:200]}"
    return None, [Notice(message, "followup-refused", hint="check stop_hook_active in the hook")]


def _united(known: list[JSON], value: list[JSON]) -> list[JSON]:
    return [*known, *(item for item in value if item not in known)]


#: Effects that add up, and how a later hook's value joins an earlier one's. Of other effects the later value counts.
_ADDED: dict[str, Callable[[Any, Any], JSON]] = {
    **dict.fromkeys(("watch_paths", "updated_permissions"), _united),
    **dict.fromkeys(("terminal_sequence", "env_file"), add),
    "rewake": lambda known, value: f"{known}\n{value}",
    "env": lambda known, value: {**known, **value},
    "elicitation": lambda known, value: max(value, known, key=lambda one: _ACTIONS.index(one["action"])),
}


def _effects(outcomes: Sequence[HookOutcome]) -> dict[str, JSON]:
    """Merge the effects: lists and texts that add up are joined, and a true flag stays true."""
    result: dict[str, JSON] = {}
    for outcome in outcomes:
        for key, value in outcome.effects.items():
            known = result.get(key)
            if known is None:
                result[key] = value
            elif key in _ADDED:
                result[key] = _ADDED[key](known, value)
            else:
                result[key] = (known or value) if isinstance(value, bool) else value
    return result
