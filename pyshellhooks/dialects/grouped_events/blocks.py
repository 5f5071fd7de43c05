"""The effects of a block, which depend on the event (claude_code 6)."""

from __future__ import annotations

from ...hooks.dialect import EventSpec
from ...hooks.model import Decision, HookEvent, HookOutcome
from ...jsontext.compact import JSON
from ...notice import Notice
from ...text import lines
from .rows import output_rules_of

DEFAULT_REASON = "blocked by hook"


def is_spared(row: EventSpec, subject: JSON) -> bool:
    """Return whether an event with this subject can't be blocked."""
    spares = output_rules_of(row).spares
    return bool(spares) and subject == spares


def apply_block(outcome: HookOutcome, event: HookEvent, what: str, reason: str) -> None:
    """Apply a block to an outcome; ``what`` is one of the effects listed in ``rows.OutputRules``."""
    if what == "followup":
        outcome.followup = reason
        return
    if what == "context":
        outcome.context = lines(outcome.context, reason)
        return
    if is_spared(event.row, event.payload.get(event.row.subject)):
        outcome.notices += (Notice("policy settings can't be blocked", "block-ignored", hint="do not block them"),)
        return
    outcome.decision = Decision.DENY
    outcome.reason = reason
    outcome.rewrite = None
    if what == "discard":
        outcome.user_message = outcome.user_message or reason
        outcome.effects = {**outcome.effects, "discard_prompt": True}
    elif what == "result":
        outcome.keeps_result = True
    elif what == "halt":
        outcome.halt = True
    elif what == "decline":
        outcome.effects = {**outcome.effects, "elicitation": {"action": "decline"}}
