"""What a block does: it depends on the event (claude_code 6)."""

from __future__ import annotations

from ...hooks.model import Decision, HookEvent, HookOutcome
from ...notice import Notice

DEFAULT_REASON = "blocked by hook"


def apply_block(outcome: HookOutcome, event: HookEvent, what: str, reason: str) -> None:
    """Do to an outcome what a block means on its event; ``what`` is told in ``tables.Answer``."""
    if what == "followup":
        outcome.followup = reason
        return
    if what == "context":
        outcome.context = "\n".join(filter(None, (outcome.context, reason)))
        return
    if event.row.native == "ConfigChange" and event.payload.get("source") == "policy_settings":
        outcome.notices += (Notice("policy settings can't be blocked", "block-ignored", mend="let them pass"),)
        return
    outcome.decision = Decision.DENY
    outcome.reason = reason
    outcome.rewrite = None
    if what == "discard":
        outcome.user_message = outcome.user_message or reason
        outcome.effects = {**outcome.effects, "discard_prompt": True}
    elif what == "result":
        outcome.stands = True
    elif what == "halt":
        outcome.halt = True
    elif what == "decline":
        outcome.effects = {**outcome.effects, "elicitation": {"action": "decline"}}
