"""Reading of a Kimi hook's run: its exit status and stdout (kimi 5, 6.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...hooks.failure_notices import failing
from ...hooks.model import HookOutcome
from ...jsontext.compact import JSON
from ..grouped_events.blocks import apply_block
from ..grouped_events.few_keys import FewKeys, FewKeysReader, at
from ..grouped_events.rows import output_rules_of
from .tables import CLI, FORM

#: The effect by which the Kimi CLI drops the blocks of all hooks of an event; it is in no verdict.
BROKEN = "broken_answer"


class KimiReader(FewKeysReader):
    """Reader of one run."""

    __slots__ = ()

    form: ClassVar[FewKeys] = FORM

    @property
    def takes_text(self) -> bool:
        """Whether stdout is text for the model."""
        return output_rules_of(self.event.row).text == "context" and CLI not in self.quirks

    @property
    def default_reason(self) -> str:
        """The reason of a block that gives none; the Kimi CLI refuses no stop without one."""
        is_silent_stop = CLI in self.quirks and "followup" in self.event.row.can
        return "" if is_silent_stop else super().default_reason

    def outcome(self, status: int) -> HookOutcome:
        """Return the outcome of an exit status."""
        outcome = super().outcome(status)
        if outcome.followup == "":
            return failing("nonzero", "a stop is refused without a reason: the Kimi CLI stops")
        return outcome

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object. Its message is the context of a prompt, or the reason of a refused one."""
        if "broken_answer_opens" in self.quirks and not isinstance(value.get("hookSpecificOutput", {}), dict):
            outcome = failing("bad_output", "hookSpecificOutput is not an object: the Kimi CLI drops every answer")
            outcome.effects = {BROKEN: True}
            return outcome
        outcome = super().object(value)
        outcome.context = ""
        if not self.takes_text:
            return outcome
        message = _text(value.get("message")) or _text(at(value, ("hookSpecificOutput", "message")))
        if outcome.blocks and message.strip():
            apply_block(outcome, self.event, "deny", message.strip())
        elif not outcome.blocks:
            outcome.context = message.strip() or self.text
        return outcome

    def plain(self) -> HookOutcome:
        """Read plain text, which is context on a prompt."""
        block = self.block()
        outcome = self.salvaged(block, "stdout has other text beside a JSON object") if block else HookOutcome()
        return self._with_text(outcome)

    def unreadable(self, problem: str) -> HookOutcome:
        """Read an output that can't be parsed as an object; it is plain text for Kimi."""
        return self._with_text(super().unreadable(problem) if self.block() else failing("bad_output", problem))

    def _with_text(self, outcome: HookOutcome) -> HookOutcome:
        """Return an outcome with stdout as context, unless it blocks."""
        if self.takes_text and not outcome.blocks:
            outcome.context = self.text
        return outcome


def _text(value: JSON) -> str:
    """Return a message as text; Kimi Code takes numbers, too."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    return value if isinstance(value, str) else ""
