"""The merge of several hooks' outcomes into a verdict, in config order (gemini 5, decisions gemini)."""

from __future__ import annotations

from collections.abc import Sequence

from ...hooks.aggregate import REWRITES, blocking_reasons, contexts, strongest
from ...hooks.model import Decision, HookEvent, HookOutcome
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, loads
from ...notice import Notice
from ...text import joined, lines, present
from .payload import text_of
from .stable_model import union


def merge(
    event: HookEvent, outcomes: Sequence[HookOutcome], results: Sequence[HookResult], rewrite: str = ""
) -> Verdict:
    """Return the verdict: no hook undoes another's deny, and no hook's reason, message or context is dropped."""
    row = event.row
    decision = strongest(outcomes)
    halt = any([outcome.halt for outcome in outcomes])
    blocked = halt or decision is Decision.DENY
    patches = present(outcome.rewrite for outcome in outcomes)
    rewritten: str | None = None
    refused: list[Notice] = []
    if patches and row.rewrite:
        rewritten, refused = REWRITES[rewrite or row.rewrite](text_of(event, row.target), patches, row.target)
    effects = _effects(outcomes)
    if row.target == "llm_request" and rewritten is not None:
        if not blocked:
            effects["llm_request"] = loads(rewritten)
        rewritten = None
    if decision is Decision.ASK and not halt:
        reason = lines(*[outcome.reason for outcome in outcomes if outcome.decision is Decision.ASK])
    else:
        reason = blocking_reasons(outcomes)
    return Verdict(
        row.native,
        decision,
        halt=halt,
        reason=reason,
        user_message=lines(*[outcome.user_message for outcome in outcomes]),
        context=contexts(outcomes),
        updated_input_text=None if blocked else rewritten,
        followup=None if halt else joined((outcome.followup for outcome in outcomes), "\n"),
        effects=effects,
        hooks=results,
        notices=[*event.notices, *refused],
        faults=refused,
    )


def _effects(outcomes: Sequence[HookOutcome]) -> dict[str, JSON]:
    """Join the effects: later ones win, tool selections are united."""
    effects: dict[str, JSON] = {}
    for outcome in outcomes:
        effects.update(outcome.effects)
    configs = [outcome.effects["tool_config"] for outcome in outcomes if "tool_config" in outcome.effects]
    if configs:
        effects["tool_config"] = union(configs)
    return effects
