"""Rules of a Codex hook's answer beyond those of ``grouped_events.run_reader`` (codex 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ...hooks.model import Decision, HookOutcome
from ...jsontext.compact import JSON
from ...notice import Notice
from ..grouped_events.blocks import apply_block
from ..grouped_events.exit_statuses import failed_status
from ..grouped_events.form import AnswerForm
from ..grouped_events.rows import output_rules_of
from ..grouped_events.run_reader import RunReader, specific_of, with_event
from .tables import EVENTS, FEW_KEYS, FORM

_RESERVED = ("updatedInput", "updatedPermissions", "interrupt")  # codex 8.8


class CodexRunReader(RunReader):
    """Reader of one run."""

    __slots__ = ()

    form: ClassVar[AnswerForm] = FORM

    def outcome(self, status: int) -> HookOutcome:
        """Return the outcome of an exit status. Codex reads nothing of a SessionEnd's output."""
        if self.event.row.native == "SessionEnd" and not self.spec.extra.get("async"):
            return HookOutcome() if status == 0 else failed_status(self.run, self.event, None)
        return super().outcome(status)

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object."""
        reserved = self._reserved(value)
        if reserved:
            outcome = HookOutcome("bad_output")
            message = f"{reserved} is reserved in Codex, which denies the request"
            outcome.notices = (Notice(message, "answer-ignored", hint=f"leave {reserved} out"),)
            apply_block(outcome, self.event, "deny", message)
            return outcome
        outcome = super().object(with_event(value, self.event))
        if outcome.decision is Decision.ALLOW and "allow" not in self.event.row.can:
            outcome.decision = Decision.NONE  # it only carries the new input
        if self.event.row.native == "PostToolUse" and "halt_replaces_result" in self.quirks:
            outcome.halt = False
        return outcome

    def _reserved(self, value: Mapping[str, JSON]) -> str:
        """Return the key of an approval's answer for which Codex denies the request, or ``""``."""
        decision = specific_of(value).get("decision")
        if self.event.row.native != "PermissionRequest" or not isinstance(decision, dict):
            return ""
        return next((name for name in _RESERVED if decision.get(name)), "")

    # -- the rules of its schema (codex 8.3 to 8.7) -------------------------------------------------------------------

    def problems(self, value: Mapping[str, JSON]) -> Sequence[str]:
        """Return the reasons for which Codex refuses an answer."""
        return () if self._reserved(value) else tuple(self._problems(value))

    def _problems(self, value: Mapping[str, JSON]) -> Iterator[str]:
        native, output_rules, specific = self.event.row.native, output_rules_of(self.event.row), specific_of(value)
        known = set(FEW_KEYS.get(native, FORM.universal))
        if output_rules.block:
            known |= {"decision", "reason"}
        if output_rules.fields:
            known.add("hookSpecificOutput")
        unknown = [key for key in value if key not in known]
        unknown += [key for key in specific if key not in output_rules.fields and key != "hookEventName"]
        if unknown:
            yield f'unknown key "{unknown[0][:40]}"'
        if isinstance(value.get("hookSpecificOutput"), dict) and specific.get("hookEventName") not in EVENTS:
            yield "hookSpecificOutput has no hookEventName"
        if value.get("decision") == "block" and _blank(value.get("reason")):
            yield "a block without a reason"
        if native == "PreToolUse":
            yield from _problems_of_call(value, specific)


def _blank(value: JSON) -> bool:
    return not isinstance(value, str) or not value.strip()


def _problems_of_call(value: Mapping[str, JSON], specific: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the parts of an answer that Codex does not support before a tool call (codex 8.4)."""
    word, rewrites = specific.get("permissionDecision"), specific.get("updatedInput") is not None
    if word == "deny" and _blank(specific.get("permissionDecisionReason")):
        yield "a deny without a reason"
    if word == "ask":
        yield 'permissionDecision "ask" is not supported'
    if word == "allow" and not rewrites:
        yield 'permissionDecision "allow" without updatedInput'
    if rewrites and word != "allow":
        yield 'updatedInput without permissionDecision "allow"'
    if value.get("decision") == "approve":
        yield 'decision "approve" is not supported'
    if value.get("continue") is False:
        yield '"continue": false is not supported'
    for key in ("stopReason", "suppressOutput"):
        if value.get(key):
            yield f"{key} is not supported"
