"""Reading of an OpenHands hook's run: its exit status and the answer beside it (openhands 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...hooks.failure_notices import failing
from ...hooks.model import HookOutcome
from ...hooks.output import text_of
from ...jsontext.compact import JSON
from ...notice import Notice
from ..grouped_events.blocks import apply_block
from ..grouped_events.few_keys import FewKeys, FewKeysReader, text_at
from ..grouped_events.rows import output_rules_of
from .tables import FORM

_NOT_UTF8 = "stdout is not UTF-8"


class OpenHandsReader(FewKeysReader):
    """Reader of one run."""

    __slots__ = ("reason",)

    form: ClassVar[FewKeys] = FORM

    def outcome(self, status: int) -> HookOutcome:
        """Return the outcome of an exit status; the answer on stdout counts beside each of them."""
        if self.spec.extra.get("async"):
            return self.asynchronous(status)
        self.reason = ""
        if not self._is_utf8():
            return self._not_utf8(status)
        answer = self.answer() if self.text else HookOutcome()
        if answer.blocks or answer.followup is not None:
            return answer
        if status == 0:
            return answer
        outcome = self.exit_2() if status == 2 else self.failed()
        outcome.context = answer.context
        effect = output_rules_of(self.event.row).exit2
        if status == 2 and effect and self.reason:
            apply_block(outcome, self.event, effect, self.reason)
        return outcome

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object. Its reason counts for an exit status 2 beside it, too."""
        self.reason = text_at(value, FORM.reason)
        return super().object(value)

    def denies(self, value: Mapping[str, JSON]) -> bool:
        """Return whether the decision is ``deny``, in any case of its letters, or ``continue`` is false or empty."""
        if "continue" in value and not value["continue"]:
            return True
        word = value.get("decision")
        return isinstance(word, str) and word.lower() == "deny"

    @property
    def default_reason(self) -> str:
        """The reason of a block that gives none: the text on stderr."""
        return text_of(self.run.stderr) or super().default_reason

    def _is_utf8(self) -> bool:
        try:
            self.run.stdout.decode()
            self.run.stderr.decode()
        except UnicodeDecodeError:
            return False
        return True

    def _not_utf8(self, status: int) -> HookOutcome:
        """Return the outcome of an output that OpenHands can't decode: it loses an exit status 2, too."""
        block, effect = self.block(), output_rules_of(self.event.row).exit2
        if "invalid_utf8_passes" in self.quirks or not effect or (status != 2 and block is None):
            return failing("bad_output", _NOT_UTF8)
        outcome = HookOutcome("bad_output")
        hint = "print UTF-8"
        outcome.notices = (Notice(f"{_NOT_UTF8}: OpenHands goes on", "off-in-agent", hint=hint),)
        apply_block(outcome, self.event, effect, (block.reason if block is not None else "") or self.default_reason)
        return outcome
