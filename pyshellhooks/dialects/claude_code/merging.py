"""What all hooks of one event say together (claude_code 4, 6). Pure, in config order."""

from __future__ import annotations

from collections.abc import Sequence

from ...hooks.aggregate import contexts, replacement, strongest
from ...hooks.model import Decision, HookEvent, HookOutcome
from ...hooks.verdict import HookResult, Verdict
from ...hooks.wire import JSON
from ...notice import Notice
from .payload import blocks_so_far
from .tables import MOST_BLOCKS

_STRONGER_ACTION = {"accept": 0, "decline": 1, "cancel": 2}


def merge(event: HookEvent, results: Sequence[HookResult]) -> Verdict:
    """Put the outcomes together: deny over defer over ask over allow; a halt over all."""
    outcomes = [result.outcome for result in results]
    denied = any(outcome.decision is Decision.DENY and not _defers(outcome) for outcome in outcomes)
    if denied:  # the deny tells the model now; nothing waits
        counted = [outcome for outcome in outcomes if not _defers(outcome)]
    else:
        counted = outcomes
    decision = strongest(counted)
    halt = any([outcome.halt for outcome in counted])
    if halt and decision is not Decision.DENY:
        decision = Decision.NONE
    notices = list(event.notices)
    refused: list[Notice] = []
    blocked = halt or decision is Decision.DENY
    deciding = [one for one in counted if (one.blocks if blocked else one.decision is decision)]
    updated_input: str | None = None
    patches = [outcome.rewrite for outcome in outcomes if outcome.rewrite is not None]
    if patches and not blocked:
        original = str.__str__(event.payload.get("tool_input", "{}"))
        updated_input, refused = replacement(original, patches)
    outputs = [outcome.output for outcome in outcomes if outcome.output is not None]
    followups = [outcome.followup for outcome in outcomes if outcome.followup is not None]
    followup = "\n".join(followups) if followups and not halt else None
    if followup is not None and blocks_so_far(event.row.native, event.payload, event.session) >= MOST_BLOCKS:
        what = f"hooks have refused {MOST_BLOCKS} stops in a row; this one stands: {followup[:200]}"
        notices.append(Notice(what, "followup-refused", mend="let the hook see stop_hook_active"))
        followup = None
    return Verdict(
        event.row.native,
        decision,
        halt=halt,
        reason="\n".join(one.reason for one in deciding if one.reason),
        user_message="\n".join(one.user_message for one in outcomes if one.user_message),
        context=contexts(outcomes),
        updated_input_text=updated_input,
        updated_output_text=outputs[-1] if outputs else None,
        followup=followup,
        effects=_effects(counted),
        hooks=results,
        notices=[*notices, *refused],
        faults=refused,
    )


def _defers(outcome: HookOutcome) -> bool:
    return "defer" in outcome.effects


def _effects(outcomes: Sequence[HookOutcome]) -> dict[str, JSON]:
    """Lay the effects over each other; lists and texts that add up are joined."""
    found: dict[str, JSON] = {}
    for outcome in outcomes:
        for key, value in outcome.effects.items():
            known = found.get(key)
            if known is None:
                found[key] = value
            elif key in ("watch_paths", "updated_permissions"):
                found[key] = [*known, *(item for item in value if item not in known)]
            elif key in ("terminal_sequence", "env_file"):
                found[key] = known + value
            elif key == "rewake":
                found[key] = f"{known}\n{value}"
            elif key == "env":
                found[key] = {**known, **value}
            elif key == "elicitation":
                if _STRONGER_ACTION[value["action"]] >= _STRONGER_ACTION[known["action"]]:
                    found[key] = value
            elif isinstance(value, bool):
                found[key] = known or value
            else:
                found[key] = value
    return found
