"""Reading of a Vibe hook's run (vibe 6): any status but 0 is a failure, which only a strict hook turns into a deny."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...hooks.failure_notices import strict_fault
from ...hooks.model import HookOutcome
from ...hooks.output import Block, spelled, text_of
from ...jsontext.compact import JSON
from ...notice import Notice
from ..grouped_events.exit_statuses import failed_status, message_of_status
from ..grouped_events.few_keys import FewKeys, FewKeysReader, at
from ..grouped_events.run_reader import INVALID_ANSWERS_PASS
from .tables import FORM, TITLE


class VibeReader(FewKeysReader):
    """Reader of one run."""

    __slots__ = ()

    form: ClassVar[FewKeys] = FORM

    def exit_2(self) -> HookOutcome:
        """Apply exit status 2: it denies here, and in the agent only if the hook is strict."""
        if self.spec.extra.get("strict") or "exit_2_is_a_failure" in self.quirks:
            return self.failed()
        outcome = super().exit_2()
        message = f"exit status 2 is a failure in {TITLE}, which goes on"
        outcome.notices += (Notice(message, "off-in-agent", hint='print {"decision": "deny"}, or write strict = true'),)
        return outcome

    def failed(self) -> HookOutcome:
        """Return the failure of a status. A strict hook denies; a deny on stdout counts here, and not in the agent."""
        if self.spec.extra.get("strict") and self.event.row.deniable:
            outcome = HookOutcome("nonzero")
            self.apply(outcome, text_of(self.run.stderr) or self.text or message_of_status(self.run))
            return outcome
        block = self.block()
        if block is None or INVALID_ANSWERS_PASS in self.quirks:
            return failed_status(self.run, self.event, block)
        outcome = self.salvaged(block, message_of_status(self.run))
        outcome.ended = "nonzero"
        return outcome

    def plain(self) -> HookOutcome:
        """Read plain text, which is a failure."""
        return self.unreadable("stdout is not one JSON object")

    def foreign(self, block: Block) -> HookOutcome:
        """Return the outcome of a block in other words; in the agent it is an answer without effect, and no failure."""
        outcome = super().foreign(block)
        if INVALID_ANSWERS_PASS in self.quirks:
            outcome.ended = "ok"
        return outcome

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object; beside a deny no rewrite is read."""
        outcome = super().object(value)
        if outcome.blocks or outcome.followup is not None:
            return outcome
        word = value.get("decision")
        if isinstance(word, str) and word not in ("allow", "deny") and not outcome.notices:
            notice = strict_fault(f'decision "{word[:40]}" is ignored: {TITLE} knows only "deny"')
            outcome.notices, outcome.faults = (notice,), (notice,)
        if "rewrite" in self.event.row.can and isinstance(at(value, self.form.rewrite), dict):
            outcome.rewrite = spelled(self.text, *self.form.rewrite)
        return outcome
