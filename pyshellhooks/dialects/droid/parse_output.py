"""Rules of a Droid hook's output beyond those of ``grouped_events.run_reader`` (droid 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...hooks.model import Decision, HookOutcome
from ...hooks.output import text_of
from ...jsontext.compact import JSON
from ...notice import Notice
from ..grouped_events.blocks import DEFAULT_REASON, apply_block
from ..grouped_events.form import AnswerForm
from ..grouped_events.rows import output_rules_of
from ..grouped_events.run_reader import RunReader, specific_of, with_event
from .tables import ABORT, FORM


class DroidRunReader(RunReader):
    """Reader of one run."""

    __slots__ = ()

    form: ClassVar[AnswerForm] = FORM

    def outcome(self, status: int) -> HookOutcome:
        """Return the outcome of an exit status: 3 ends the agent's run (droid 5.2)."""
        if status != ABORT or not self.event.row.can:
            return super().outcome(status)
        outcome = HookOutcome("nonzero", halt=True, reason=text_of(self.run.stderr) or DEFAULT_REASON)
        if "deny" in self.event.row.can:
            outcome.decision = Decision.DENY
        return outcome

    def failed(self) -> HookOutcome:
        """Return the outcome of a failed status; a JSON object counts all the same (droid 5.1)."""
        if self.text[:1] != "{":
            return super().failed()
        outcome = self.answer()
        if outcome.ended == "ok":
            outcome.ended = "nonzero"
        return outcome

    def exit_2(self) -> HookOutcome:
        """Apply exit status 2, which denies. The other keys of an answer on stdout count beside it (droid 5.1)."""
        outcome = super().exit_2()
        if self.text[:1] == "{" and outcome.blocks:
            answer = self.answer()
            outcome.user_message, outcome.context = answer.user_message, answer.context
            outcome.effects = answer.effects
            outcome.halt = outcome.halt or answer.halt
        return outcome

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object."""
        answer = dict(with_event(value, self.event))
        counts = output_rules_of(self.event.row).block or "deny" not in self.event.row.can
        is_lost = answer.get("decision") == "block" and not counts
        if is_lost:
            del answer["decision"]
        outcome = super().object(answer)
        if outcome.rewrite is not None and specific_of(answer).get("permissionDecision") != "allow":
            outcome.rewrite = None
            notice = Notice("updatedInput counts beside an allow only", "answer-ignored", hint="allow the call")
            outcome.notices += (notice,)
        if is_lost and "blocks_are_not_read" not in self.quirks:
            reason = answer.get("reason")
            apply_block(outcome, self.event, "deny", reason if isinstance(reason, str) and reason else DEFAULT_REASON)
            message = f'decision "block" is ignored on {self.event.row.native}: Droid goes on'
            outcome.notices += (Notice(message, "off-in-agent", hint="exit with 2, or deny"),)
        return outcome
