"""Rules of a Qwen Code hook's output beyond those of ``grouped_events.run_reader`` (qwen 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import WrongType, exit_status, spelled, text_of, typed
from ...jsontext.compact import JSON, WireError, loads
from ...notice import STRICT, Notice
from ..grouped_events.blocks import DEFAULT_REASON, apply_block
from ..grouped_events.exit_statuses import failed_status
from ..grouped_events.form import AnswerForm
from ..grouped_events.rows import output_rules_of
from ..grouped_events.run_reader import RunReader, specific_of, with_event
from .tables import FORM, HALTING, UNREAD

_WORDS = {"allow": "approve", "approve": "approve", "deny": "block", "block": "block"}
_DECISIONS = ("allow", "deny", "ask")
_TYPES: dict[str, type] = {
    "continue": bool,
    "stopReason": str,
    "suppressOutput": bool,
    "systemMessage": str,
    "terminalSequence": str,
    "decision": str,
    "reason": str,
    "hookSpecificOutput": dict,
}
_SPECIFIC_TYPES: dict[str, type] = {"permissionDecisionReason": str, "additionalContext": str}
_NO_REASON = "No reason provided"


class QwenRunReader(RunReader):
    """Reader of one run."""

    __slots__ = ("from_stderr",)

    form: ClassVar[AnswerForm] = FORM

    def __init__(self, run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> None:
        super().__init__(run, spec, event, quirks)
        self.text = unwrapped(self.text)
        self.from_stderr = False

    def outcome(self, status: int) -> HookOutcome:
        """Return the outcome of an exit status. Without an output on stdout that on stderr counts (qwen 6.1)."""
        if self.event.row.native in UNREAD:
            return HookOutcome() if status == 0 else failed_status(self.run, self.event, None)
        if not self.text and status != 2:
            self.text = unwrapped(text_of(self.run.stderr))
            self.from_stderr = True
        return super().outcome(status)

    def plain(self) -> HookOutcome:
        """Read plain text. Only that on stdout is context."""
        outcome = super().plain()
        if self.from_stderr and outcome.context:
            outcome.user_message, outcome.context = outcome.context, ""
        return outcome

    def failed(self) -> HookOutcome:
        """Return the outcome of a status that is no success; a JSON object counts all the same (qwen 6.1)."""
        if self.text[:1] != "{":
            return super().failed()
        outcome = self.answer()
        restricts = outcome.blocks or outcome.followup is not None or outcome.decision is Decision.ASK
        if not restricts and "answers_at_any_exit" not in self.quirks:
            return super().failed()
        if outcome.ended == "ok":
            outcome.ended = "nonzero"
        return outcome

    def exit_2(self) -> HookOutcome:
        """Apply exit status 2: stderr is the reason. For the program, an object on stderr is the answer (qwen 6.3)."""
        stderr = unwrapped(text_of(self.run.stderr))
        if not isinstance(_loaded(stderr), dict):
            if not output_rules_of(self.event.row).status_2(self.quirks):
                return failed_status(self.run, self.event, self.block())
            outcome = super().exit_2()
            return self.noted(outcome) if outcome.blocks else outcome
        self.text = stderr
        outcome = self.answer()
        if outcome.ended == "ok":
            outcome.ended = "nonzero"
        if outcome.blocks or outcome.followup is not None or "stderr_beats_exit_2" in self.quirks:
            return outcome
        effect = output_rules_of(self.event.row).exit2
        if effect:
            message = "exit status 2 with JSON on stderr that does not block: Qwen Code goes on"
            outcome = HookOutcome("nonzero")
            outcome.notices = (Notice(message, "off-in-agent", hint="write the reason to stderr as text"),)
            apply_block(outcome, self.event, effect, DEFAULT_REASON)
        return outcome

    @property
    def default_reason(self) -> str:
        """The reason of a block on stdout, which the program ignores with exit status 2."""
        block = self.block()
        return (block.reason if block is not None else "") or DEFAULT_REASON

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object."""
        native = self.event.row.native
        answer, notices = _well_typed(with_event(value, self.event))
        if answer.get("continue") is False and native not in HALTING:
            notices += self._lost_halt(answer)
        if answer.get("continue") is False and "followup" in self.event.row.can:
            notices += self._reversed_halt(answer)
        specific = dict(specific_of(answer))
        rewrites = native == "PreToolUse" and specific.pop("updatedInput", None) is not None
        notices += self._decide(answer, specific)
        if specific:
            answer["hookSpecificOutput"] = specific
        outcome = super().object(answer)
        outcome.notices = (*notices, *outcome.notices)
        outcome.faults += tuple(notice for notice in notices if notice.fault)
        if rewrites:
            self._lose_rewrite(outcome)
        if "next_hook_sees_input" in self.quirks and isinstance(specific.get("tool_input"), dict):
            outcome.rewrite = spelled(self.text, "hookSpecificOutput", "tool_input")
        return self.noted(outcome)

    def _lost_halt(self, answer: dict[str, Any]) -> list[Notice]:
        """Return the notice of a halt that the program does not count; drop it if the edition does as the program."""
        if "halts_pass" in self.quirks:
            del answer["continue"]
            return []
        message = f'"continue": false is ignored on {self.event.row.native}: Qwen Code continues'
        return [Notice(message, "off-in-agent", hint="stop on another event")]

    def _reversed_halt(self, answer: dict[str, Any]) -> list[Notice]:
        """Return the notice of a halt of a stopping agent, which the program makes continue; or do as the program."""
        if "halts_pass" in self.quirks:
            answer.update({"continue": True, "decision": "block", "reason": _reason_of(answer)})
            return []
        message = '"continue": false on a stop makes the agent continue in Qwen Code; its document says that it stops'
        return [Notice(message, "off-in-agent", hint="print nothing, and the agent stops")]

    def _decide(self, answer: dict[str, Any], specific: dict[str, Any]) -> list[Notice]:
        """Turn the words of a decision into those of Claude Code's form; return the notices of unknown words."""
        notices = []
        word, native = answer.get("decision"), self.event.row.native
        permission = specific.get("permissionDecision")
        if native == "PreToolUse":
            if permission not in _DECISIONS and "last_allow_wins" in self.quirks:
                specific.pop("permissionDecision", None)
            if word == "ask":
                del answer["decision"]
                specific.setdefault("hookEventName", native)
                if permission not in _DECISIONS:
                    specific["permissionDecision"] = word
                specific.setdefault("permissionDecisionReason", answer.get("reason") or "")
            elif permission in _DECISIONS and "last_allow_wins" in self.quirks:
                answer.pop("decision", None)
        decision = specific.get("decision")
        if native == "PermissionRequest" and isinstance(decision, dict):
            if decision.get("behavior") not in ("allow", "deny"):
                notices.append(Notice("decision.behavior is neither allow nor deny: it denies", "answer-ignored"))
                specific["decision"] = {**decision, "behavior": "deny"}
        if native in FORM.halts and "unread_blocks_pass" in self.quirks:
            answer.pop("decision", None)
        word = answer.pop("decision", "")
        if word in _WORDS:
            answer["decision"] = _WORDS[word]
        elif word:
            notices.append(Notice(f'decision "{word[:40]}" is ignored on {native}', "answer-ignored", fault=STRICT))
        if "followup" in self.event.row.can and answer.get("stopReason"):
            answer["reason"] = answer["stopReason"]
        return notices

    def _lose_rewrite(self, outcome: HookOutcome) -> None:
        """Report a new input, which the program does not read; an allow was meant for that input only."""
        message = "updatedInput is ignored on PreToolUse: Qwen Code runs the old input"
        notice = Notice(message, "off-in-agent", hint="deny the call, and give the input in the reason", fault=STRICT)
        outcome.notices += (notice,)
        outcome.faults += (notice,)
        if outcome.decision is Decision.ALLOW:
            outcome.decision = Decision.NONE
            outcome.reason = ""

    def noted(self, outcome: HookOutcome) -> HookOutcome:
        """Return an outcome with a notice if its deny has no effect in the program."""
        native = self.event.row.native
        if native == "PermissionRequest" and outcome.decision is Decision.NONE and "unread_blocks_pass" in self.quirks:
            outcome.reason = "no decision"  # so that the outcome is no silence, and ``merging`` reads it
        is_lost = native in FORM.halts and outcome.decision is Decision.DENY and not outcome.halt
        if native == "PermissionRequest" and exit_status(self.run) == 2 and outcome.ended == "nonzero":
            is_lost = is_lost or not specific_of(_object(self.text)).get("decision")
        if is_lost:
            hint = 'write "continue": false' if native in FORM.halts else "write hookSpecificOutput.decision"
            outcome.notices += (
                Notice(f"a block is ignored on {native}: Qwen Code goes on", "off-in-agent", hint=hint),
            )
        return outcome


def unwrapped(text: str) -> str:
    """Return the JSON text inside a JSON string, if there is one, without a byte order mark (qwen 6.1)."""
    text = text.lstrip("\ufeff").lstrip()
    if text[:1] != '"':
        return text
    inner = _loaded(text)
    return inner.strip() if isinstance(inner, str) and inner.lstrip()[:1] == "{" else text


def answer_of(run: HookRun) -> Mapping[str, JSON] | None:
    """Return the object that the program reads as the answer; an empty one for plain text; None without an output."""
    if run.kind not in ("exited", "signaled"):
        return None
    stderr = unwrapped(text_of(run.stderr))
    text = stderr if exit_status(run) == 2 else unwrapped(text_of(run.stdout)) or stderr
    if not text:
        return None
    if exit_status(run) == 2 and not isinstance(_loaded(text), dict):
        return {"decision": "deny"}
    return _object(text)


def _object(text: str) -> Mapping[str, JSON]:
    value = _loaded(text)
    return value if isinstance(value, dict) else {}


def _loaded(text: str) -> JSON:
    try:
        return loads(text)
    except WireError:
        return None


def _well_typed(value: Mapping[str, JSON]) -> tuple[dict[str, Any], list[Notice]]:
    """Return an answer without the keys of a wrong type, which the program ignores, and the notices of them."""
    answer = {key: item for key, item in value.items() if item is not None}
    notices = _remove_mistyped(answer, _TYPES)
    if "hookSpecificOutput" in answer:
        specific = dict(specific_of(answer))
        notices += _remove_mistyped(specific, _SPECIFIC_TYPES)
        answer["hookSpecificOutput"] = specific
    return answer, notices


def _remove_mistyped(answer: dict[str, Any], types: Mapping[str, type]) -> list[Notice]:
    notices = []
    for key, kind in types.items():
        try:
            typed(answer, key, kind, None)
        except WrongType as error:
            del answer[key]
            notices.append(Notice(f"{error}: it is ignored", "answer-ignored", fault=STRICT))
    return notices


def _reason_of(answer: Mapping[str, Any]) -> str:
    return str(answer.get("stopReason") or answer.get("reason") or _NO_REASON)
