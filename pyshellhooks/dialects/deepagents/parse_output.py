"""Rules of an answer of deepagents-code beyond those of ``grouped_events.run_reader`` (deepagents 7)."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import ClassVar

from ...hooks.failure_notices import failing, strict_fault
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import text_of
from ...jsontext.compact import JSON, WireError
from ...jsontext.skeleton import loads_outline
from ...notice import Notice
from ..grouped_events.exit_statuses import failed_status, message_of_status
from ..grouped_events.form import AnswerForm
from ..grouped_events.kept_parts import as_boolean
from ..grouped_events.parse_json import blocks_in
from ..grouped_events.rows import output_rules_of
from ..grouped_events.run_reader import INVALID_ANSWERS_PASS, RunReader
from .tables import ANSWERED, EVENTS, FORM, LARGEST_OUTPUT, TITLE

#: Keys of booleans, for which its schema takes some texts as well (deepagents 7.4).
_BOOLEAN_KEYS = ("continue", "suppressOutput", "suppressOriginalPrompt", "interrupt")


class DeepAgentsRunReader(RunReader):
    """Reader of one run."""

    __slots__ = ("is_cut",)

    form: ClassVar[AnswerForm] = FORM

    def __init__(self, run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> None:
        super().__init__(run, spec, event, quirks)
        cut = text_of(run.stdout[:LARGEST_OUTPUT])
        self.is_cut = len(run.stdout) > LARGEST_OUTPUT and cut != self.text
        if "output_is_cut" in quirks:
            self.text = cut
        self.text = self.text.removeprefix(BOM_UTF8.decode())

    def failed(self) -> HookOutcome:
        """Return the failure of a status that decides nothing in the agent; here a block in the output counts."""
        block = self.block()
        if block is None or self.is_lost:
            return failed_status(self.run, self.event, block)
        outcome = self.salvaged(block, message_of_status(self.run))
        outcome.ended = "nonzero"
        return outcome

    def answer(self) -> HookOutcome:
        """Read stdout at exit status 0: what is not JSON is plain text, even if it begins like an object."""
        try:
            value = loads_outline(self.text)
        except WireError:
            return self.plain()
        if not isinstance(value, dict):
            return self.unreadable("stdout is JSON but not an object")
        outcome = self.checked(value)
        if self.is_cut and outcome.blocks:
            outcome.notices += (self._ignored(f"stdout has more than {LARGEST_OUTPUT} bytes", "print less"),)
        return outcome

    def plain(self) -> HookOutcome:
        """Read plain text, which is context on some events, and a failure on the others."""
        is_context = output_rules_of(self.event.row).text == "context"
        block = self.block()
        if is_context and (block is None or self.is_lost):
            return HookOutcome(context=self.text)
        problem = "stdout is not JSON" if block is None else "stdout has other text beside a JSON object"
        return failing("bad_output", problem) if block is None else self.salvaged(block, problem)

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object."""
        value = _with_booleans(value)
        if value.get("suppressOutput") is True:
            value = {**value, "systemMessage": None}  # it is not shown
        specific = _specific(value)
        name = specific.get("hookEventName")
        if name != self.event.row.native and name in ANSWERED:
            outcome = self._object_of_other_event(value, specific)
        else:
            if specific.get("permissionDecision") == "defer" and self.is_lost:
                value = {**value, "hookSpecificOutput": {**specific, "permissionDecision": None}}
            outcome = super().object(value)
            self._drop_unsupported(outcome, specific)
        if outcome.halt and "halt" not in self.event.row.can:
            outcome.halt = False
            if "halt" not in EVENTS[self.event.row.native].can:
                ignored = strict_fault('"continue": false is ignored on this event', hint="leave it out")
                outcome.notices += (ignored,)
                outcome.faults += (ignored,)
            outcome.keeps_result = self.event.row.guards == "result"
        return outcome

    @property
    def is_lost(self) -> bool:
        """Whether a block that the agent does not honour is lost."""
        return INVALID_ANSWERS_PASS in self.quirks

    def _object_of_other_event(self, value: Mapping[str, JSON], specific: Mapping[str, JSON]) -> HookOutcome:
        """Read an answer whose specific part is for another event: only its top level counts in the agent."""
        outcome = super().object({key: item for key, item in value.items() if key != "hookSpecificOutput"})
        problem = f"hookSpecificOutput is for {specific.get('hookEventName')}, not {self.event.row.native}"
        block = blocks_in({"hookSpecificOutput": specific}, self.event)
        if block is not None and not outcome.blocks and not self.is_lost:
            return self.salvaged(block, problem)
        outcome.notices += (Notice(problem, "answer-ignored", hint="correct hookEventName"),)
        return outcome

    def _drop_unsupported(self, outcome: HookOutcome, specific: Mapping[str, JSON]) -> None:
        """Drop new arguments and permissions; arguments take an allow away, and in the agent an ask (deepagents 7.6)."""
        effects = dict(outcome.effects)
        if effects.pop("updated_permissions", None) is not None:
            outcome.effects = effects
            self._report_unsupported(outcome, "updatedPermissions", "answer-ignored")
        decision = specific.get("decision")
        part = decision if isinstance(decision, dict) else specific
        if part.get("updatedInput") is None or "allow" not in self.event.row.can:
            return
        outcome.rewrite = None
        is_ask = outcome.decision is Decision.ASK
        if outcome.decision is Decision.ALLOW or (is_ask and self.is_lost):
            outcome.decision = Decision.NONE
        self._report_unsupported(outcome, "updatedInput", "off-in-agent" if is_ask else "answer-ignored")

    def _report_unsupported(self, outcome: HookOutcome, name: str, kind: str) -> None:
        message = f"{name} is not supported by {TITLE}"
        outcome.notices += (Notice(message, kind, hint=f"leave {name} out"),)

    def problems(self, value: Mapping[str, JSON]) -> Sequence[str]:
        """Return the reasons for which its schema refuses an answer as a whole (deepagents 7.4)."""
        found = [f"{key} is null" for key in ("continue", "suppressOutput") if value.get(key, "") is None]
        if value.get("decision") == "approve":
            found.append('decision must be "block"')
        specific = _specific(value)
        if specific:
            name = specific.get("hookEventName")
            if name not in ANSWERED:
                found.append("hookSpecificOutput has no hookEventName")
            if name == "PermissionRequest" and not isinstance(specific.get("decision"), dict):
                found.append("hookSpecificOutput has no decision")
            if not isinstance(specific.get("updatedInput"), (dict, NoneType)):
                found.append("updatedInput is not an object")
        return found


def _specific(value: Mapping[str, JSON]) -> Mapping[str, JSON]:
    specific = value.get("hookSpecificOutput")
    return specific if isinstance(specific, dict) else {}


def _with_booleans(value: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return an answer with the texts and numbers that its schema takes for booleans as booleans."""
    converted = dict(value)
    for key, item in value.items():
        if isinstance(item, dict):
            converted[key] = _with_booleans(item) if key in ("hookSpecificOutput", "decision") else item
        elif key in _BOOLEAN_KEYS and isinstance(item, (str, int, float)):
            truth = as_boolean(str(item).removesuffix(".0"))
            converted[key] = item if truth is None else truth
    return converted
