"""The permission rules of one system's settings, and their effect on a verdict (decisions permissions)."""

from __future__ import annotations

from collections.abc import Sequence

from ..hooks.dialect import Dialect
from ..hooks.model import Decision, PermissionRule, Ruling
from ..hooks.verdict import Verdict
from ..notice import Notice
from ..text import lines
from .event_views import EventViews

_THEN = {
    Decision.DENY: "the call is denied, whatever a hook answers",
    Decision.ASK: "a person must approve the call, unless a hook denies it",
    Decision.ALLOW: "the call is allowed, unless a hook objects",
}


class Permissions:
    """The rules, and the events on which they decide."""

    __slots__ = ("dialect", "rules")

    def __init__(self, dialect: Dialect, rules: Sequence[PermissionRule]) -> None:
        self.dialect = dialect
        self.rules = tuple(rules)

    def decides(self, native: str) -> bool:
        """Return whether the rules decide on an event."""
        return native in self.dialect.permission_events

    def guards(self, native: str) -> bool:
        """Return whether rules may deny an event, or ask about it."""
        return self.decides(native) and any(rule.decision is not Decision.ALLOW for rule in self.rules)

    def judge(self, views: EventViews) -> Ruling:
        """Return the strongest decision of the rules on a call, in the caller's words and in the system's.

        That a tool is of a kind is at times a guess, which grants nothing. An error raises: the engine then denies.
        """
        strongest = Ruling()
        notices: dict[Notice, None] = {}
        guessed = views.translation is not None and views.translation.guessed
        for event in views.all_views():
            ruling = self.dialect.judge(self.rules, event)
            notices.update(dict.fromkeys(ruling.notices))
            if ruling.decision > strongest.decision and not (guessed and ruling.decision is Decision.ALLOW):
                strongest = ruling
        if strongest.decision is Decision.DENY:
            return strongest
        return Ruling(strongest.rule if not notices or strongest.decision is Decision.ASK else None, notices)

    def apply(self, verdict: Verdict, views: EventViews) -> tuple[Notice, ...]:
        """Join the decision of the rules to a verdict of hooks; return the notices, which are faults.

        A deny of hooks stays as it is. The rules deny and ask whatever hooks allow, and allow only where hooks are silent.
        """
        if verdict.blocked:
            return ()
        ruling = self.judge(views)
        rule = ruling.rule
        if rule is not None and ruling.decision > verdict.decision:
            verdict.decision = ruling.decision
            if ruling.decision is Decision.ASK:
                verdict.user_message = lines(verdict.user_message, rule.reason)
            verdict.reason = rule.reason
            if ruling.decision is Decision.DENY:
                verdict.updated_input_text = None
        return ruling.notices

    def explained(self, views: EventViews) -> tuple[Notice, ...]:
        """Return notices of the rule that decides on a call, and of those that could not be tried."""
        try:
            ruling = self.judge(views)
        except Exception as error:  # a firing would deny
            return (Notice(f"internal error in permission rules: {type(error).__name__}: {error}", "internal-error"),)
        if ruling.rule is None:
            return ruling.notices
        return (Notice(ruling.rule.reason, "permission-rule", then=_THEN[ruling.decision]), *ruling.notices)
