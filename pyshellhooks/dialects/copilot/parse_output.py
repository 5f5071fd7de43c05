"""Reader of one run: exit statuses, and flat answers on stdout (copilot 6).

A deny that Copilot loses counts here, with a notice that names the loss (copilot 8.2).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

from ...hooks.dialect import CLOSED
from ...hooks.failure_notices import strict_fault
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import Block, WrongType, find_block, foreign_key_notices, spelled, text_of, typed
from ...jsontext.compact import JSON, WireError, loads
from ...notice import Notice
from ..grouped_events.blocks import DEFAULT_REASON, apply_block
from ..grouped_events.exit_statuses import failed_status
from ..grouped_events.form import AnswerForm
from ..grouped_events.rows import output_rules_of
from ..grouped_events.run_reader import RunReader
from .tables import (
    CLOUD,
    EXIT_2_WARNS,
    FORM,
    LOST_DENIES_PASS,
    NATIVE,
    REPLACES,
    STDERR_IS_NO_REASON,
    VSCODE,
)

_WORDS = {"allow": Decision.ALLOW, "ask": Decision.ASK, "deny": Decision.DENY}
_HINTS = ("permission", "decision", "behavior", "continue", "handled")
_BLOCKING_KEYS = ("permissionDecision", "decision", "behavior", "permission")
_REASONS = ("permissionDecisionReason", "reason", "message", "stopReason")
_RIGHT_FORM = {
    "preToolUse": '{"permissionDecision": "deny", "permissionDecisionReason": "..."}',
    "permissionRequest": '{"behavior": "deny", "message": "..."}',
}
_USUAL_FORM = '{"decision": "block", "reason": "..."}'
_EXIT_2 = "hook exited with code 2"


class CopilotRunReader(RunReader):
    """Reader of one run."""

    __slots__ = ()

    form: ClassVar[AnswerForm] = FORM

    def __init__(self, run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> None:
        super().__init__(run, spec, event, quirks)
        self.text = _without_progress(self.text)

    # -- exit statuses ------------------------------------------------------------------------------------------------

    def failed(self) -> HookOutcome:
        """Return the failure of a status. Before a call it denies, so that no block in the output is lost."""
        is_closed = self.event.row.failure.get("nonzero") == CLOSED
        return failed_status(self.run, self.event, None if is_closed else self.block())

    def exit_2(self) -> HookOutcome:
        """Apply exit status 2 (copilot 6.2)."""
        row = self.event.row
        effect = output_rules_of(row).status_2(self.quirks)
        if not effect:
            return self.failed()
        outcome = HookOutcome("nonzero")
        stderr = "" if STDERR_IS_NO_REASON in self.quirks else text_of(self.run.stderr)
        block = self._answered()
        reason = self.text if effect == "context" else _reason_in(block) or stderr
        if effect == "context" and not reason:
            return self.failed()
        if output_rules_of(row).under[0] == EXIT_2_WARNS and VSCODE not in self.quirks:
            hint = f"print {_USUAL_FORM} and exit with 0"
            message = f"exit status 2 on {row.native} is only a warning: Copilot goes on"
            outcome.notices = (Notice(message, "off-in-agent", hint=hint),)
        apply_block(outcome, self.event, effect, reason or _default_reason(self.quirks))
        return outcome

    def _answered(self) -> Mapping[str, JSON]:
        try:
            value = loads(self.text) if self.text else None
        except WireError:
            return {}
        return value if isinstance(value, dict) else {}

    # -- stdout -------------------------------------------------------------------------------------------------------

    def block(self) -> Block | None:
        """Return the block in an output that Copilot can't read, or None."""
        return find_block(self.text, self.block_of, _HINTS) if self.text else None

    def block_of(self, value: Mapping[str, JSON]) -> Block | None:
        """Return the block of an object, in whatever form a person may have written it; None without one."""
        specific = value.get("hookSpecificOutput")
        inner: Mapping[str, JSON] = specific if isinstance(specific, dict) else {}
        decision = inner.get("decision")
        nested: Mapping[str, JSON] = decision if isinstance(decision, dict) else {}
        is_stop = "deny" not in self.event.row.can
        for part in (value, inner, nested):
            words = [part.get(key) for key in (("decision",) if is_stop else _BLOCKING_KEYS)]
            if any(isinstance(word, str) and word.lower() in ("deny", "block") for word in words):
                return Block(_reason_in(part))
        if value.get("continue") is False and not is_stop:
            return Block(_reason_in(value))
        if value.get("handled") is True and "handled" in output_rules_of(self.event.row).fields:
            return Block(typed(value, "responseContent", str, ""))
        return None

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object. Raises ``WrongType``."""
        outcome = HookOutcome()
        fields = output_rules_of(self.event.row).fields
        self._read_replacements(value, fields, outcome)
        if "additionalContext" in fields:
            outcome.context = typed(value, "additionalContext", str, "")
        self._report_ignored_keys(value, fields, outcome)
        self._decide(value, fields, outcome)
        block = None if outcome.blocks or outcome.followup is not None else self.block_of(value)
        if block is not None and "deny" in self.event.row.can:
            self._apply_lost_block(block, outcome)
        elif block is None and not outcome.blocks:
            known = [*fields, "decision", "reason"] if output_rules_of(self.event.row).block else fields
            notices = foreign_key_notices(value, "Copilot", sorted(known))
            outcome.notices += notices
            outcome.faults += notices
        return outcome

    def _read_replacements(self, value: Mapping[str, JSON], fields: frozenset[str], outcome: HookOutcome) -> None:
        for key, (part, kind) in REPLACES.items():
            if key in fields and typed(value, key, kind, None) is not None:
                setattr(outcome, part, spelled(self.text, key))

    def _report_ignored_keys(self, value: Mapping[str, JSON], fields: frozenset[str], outcome: HookOutcome) -> None:
        """Report the keys of other events, which this one ignores."""
        native = self.event.row.native
        for key in value:
            if key in FORM.all_fields and key not in (*fields, *_BLOCKING_KEYS, *_REASONS):
                hint = "copilot@shipped takes it" if key == "modifiedPrompt" else "leave it out"
                outcome.notices += (Notice(f"{key} is ignored on {native}", "answer-ignored", hint=hint),)

    def _decide(self, value: Mapping[str, JSON], fields: frozenset[str], outcome: HookOutcome) -> None:
        """Read the decision in the form of this event."""
        block = output_rules_of(self.event.row).block
        if "permissionDecision" in fields:
            self._permission(value, outcome)
        elif "behavior" in fields:
            self._request(value, outcome)
        elif block and _word(value, "decision", ("block", "approve", "allow")) == "block":
            apply_block(outcome, self.event, block, typed(value, "reason", str, "") or DEFAULT_REASON)
        if "handled" in fields and typed(value, "handled", bool, False):
            apply_block(outcome, self.event, "discard", typed(value, "responseContent", str, "") or DEFAULT_REASON)

    def _permission(self, value: Mapping[str, JSON], outcome: HookOutcome) -> None:
        """Read ``permissionDecision``: at the top, and under a PascalCase key in ``hookSpecificOutput`` (copilot 6.3)."""
        specific = typed(value, "hookSpecificOutput", dict, {})
        is_read = self.spec.extra.get("key") in NATIVE or VSCODE in self.quirks
        own: Mapping[str, JSON] = specific if is_read and "permissionDecision" in specific else value
        decision = _WORDS.get(_word(own, "permissionDecision", _WORDS))
        if decision is None:
            return
        reason = typed(own, "permissionDecisionReason", str, "")
        if decision is Decision.ASK and CLOUD in self.quirks:
            decision = Decision.DENY
            outcome.notices += (Notice("the cloud agent takes ask for a deny", "answer-ignored", hint="use deny"),)
        if decision is Decision.DENY:
            apply_block(outcome, self.event, "deny", reason or DEFAULT_REASON)
            return
        outcome.decision, outcome.reason = decision, reason
        if decision is Decision.ASK:
            outcome.user_message = reason

    def _request(self, value: Mapping[str, JSON], outcome: HookOutcome) -> None:
        """Read ``behavior``, the answer to a request for permission (copilot 6.7)."""
        decision = _WORDS.get(_word(value, "behavior", ("allow", "deny")))
        message = typed(value, "message", str, "")
        if decision is Decision.DENY:
            apply_block(outcome, self.event, "deny", message or DEFAULT_REASON)
            outcome.halt = typed(value, "interrupt", bool, False)
        elif decision is Decision.ALLOW:
            outcome.decision, outcome.reason = decision, message

    def _apply_lost_block(self, block: Block, outcome: HookOutcome) -> None:
        """Apply a block in a form that Copilot does not read on this event; in ``shipped`` it is lost."""
        native = self.event.row.native
        message = f"this form of a deny is ignored on {native}"
        hint = f"print {_RIGHT_FORM.get(native, _USUAL_FORM)}"
        if VSCODE in self.quirks:
            apply_block(outcome, self.event, "deny", block.reason or DEFAULT_REASON)
            return
        if LOST_DENIES_PASS in self.quirks:
            notice = strict_fault(message, "deny-ignored", hint)
            outcome.faults += (notice,)
        else:
            notice = Notice(f"{message}: Copilot goes on", "off-in-agent", hint=hint)
            apply_block(outcome, self.event, "deny", block.reason or DEFAULT_REASON)
        outcome.notices += (notice,)


def _word(value: Mapping[str, JSON], key: str, known: Collection[str]) -> str:
    """Return the word of a decision. Raises ``WrongType`` for one that Copilot does not know."""
    word = typed(value, key, str, "")
    if word and word not in known:
        raise WrongType(f'unknown {key} "{word[:40]}" (expected {" or ".join(known)})')
    return word


def _reason_in(value: Mapping[str, JSON]) -> str:
    texts = [value.get(key) for key in _REASONS]
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _default_reason(quirks: frozenset[str]) -> str:
    return _EXIT_2 if STDERR_IS_NO_REASON in quirks else DEFAULT_REASON


def _without_progress(text: str) -> str:
    """Return stdout without the lines that report progress (copilot 6.1)."""
    if '"progress"' not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not _is_progress(line)).strip()


def _is_progress(line: str) -> bool:
    if '"progress"' not in line:
        return False
    try:
        value = loads(line)
    except WireError:
        return False
    return isinstance(value, dict) and value.get("type") == "progress"
