"""Parser of a Crush hook's run: exit status, the native answer, and Claude Code's (crush 4)."""

from __future__ import annotations

from ...hooks.failure_notices import deny_ignored, failing, strict_fault
from ...hooks.model import Decision, HookOutcome, HookRun
from ...hooks.output import (
    Block,
    WrongType,
    after,
    exit_status,
    failure,
    find_block,
    foreign_key_notices,
    read_object,
    salvaged,
    text_of,
    typed,
)
from ...jsontext.compact import JSON, members
from ...notice import Notice
from .tables import DENY_CODE, HALT_CODE

_DECISIONS = {"allow": Decision.ALLOW, "deny": Decision.DENY}
_INT64 = 2**63


_HINTS = ("decision", "halt")
_KEYS = ("decision", "halt", "reason", "context", "updated_input", "hookSpecificOutput")


def parse(run: HookRun, quirks: frozenset[str]) -> HookOutcome:
    """Return the outcome of one run."""
    failed = failure(run)
    if failed is not None:
        return failed
    if run.unparsed:
        outcome = _no_answer(run, quirks, "not_started", "the command does not parse")
    else:
        outcome = _answer(run, quirks) if run.classify() == "ok" else _status(run, quirks)
    if "grace_verdicts_count" in quirks:
        outcome.faults += run.faults
        return outcome
    return after(outcome, run)


def _status(run: HookRun, quirks: frozenset[str]) -> HookOutcome:
    status = exit_status(run)
    if status in (DENY_CODE, HALT_CODE):
        halt = status == HALT_CODE
        reason = text_of(run.stderr)
        default = "turn halted by hook" if halt else "blocked by hook"
        return HookOutcome("nonzero", Decision.DENY, halt=halt, reason=reason or default)
    return _no_answer(run, quirks, "nonzero", f"exit status {status} is a failure of the hook")


def _no_answer(run: HookRun, quirks: frozenset[str], ended: str, notice: str) -> HookOutcome:
    """Return the outcome of a run without an answer; a deny on its stdout is a fault."""
    faults: list[Notice] = []
    if run.stdout and "lost_denies" not in quirks:
        if find_block(text_of(run.stdout), _blocks, _HINTS) is not None:
            faults = [deny_ignored("text that does not parse" if run.unparsed else f"exit status {exit_status(run)}")]
    return failing(ended, notice, *faults)


def _answer(run: HookRun, quirks: frozenset[str]) -> HookOutcome:
    if not run.stdout:
        return HookOutcome()
    text = text_of(run.stdout)
    if not text or text == "null":
        return HookOutcome()
    try:
        value = read_object(text)
        outcome = _envelope(value, text)
        strangers = foreign_key_notices(value, "Crush", _KEYS)
        outcome.notices += strangers
        outcome.faults += strangers
        return outcome if "lost_denies" in quirks else _beside(outcome, value)
    except WrongType as error:
        problem = str(error)
    if "lost_denies" not in quirks:
        block = find_block(text, _blocks, _HINTS)
        if block is not None:
            return salvaged(block, problem)
    return failing("bad_output", problem)


def _envelope(value: dict[str, JSON], text: str) -> HookOutcome:
    if "hookSpecificOutput" in value:
        inner = value["hookSpecificOutput"]
        if inner is None:
            return HookOutcome()
        if not isinstance(inner, dict):
            raise WrongType("hookSpecificOutput is not an object")
        return _claude(_fold(inner), text)
    return _native(_fold(value), text)


def _beside(outcome: HookOutcome, value: dict[str, JSON]) -> HookOutcome:
    """Honour a native deny or halt beside ``hookSpecificOutput``, beside which Crush ignores all other keys."""
    block = _native_block(value) if "hookSpecificOutput" in value else None
    if block is None or (outcome.blocks and (outcome.halt or not block.halt)):
        return outcome
    block.reason = block.reason or outcome.reason
    return salvaged(block, "Crush ignores other keys beside hookSpecificOutput")


def _fold(value: dict[str, JSON]) -> dict[str, JSON]:
    """Return the members with lowercase keys, without nulls: the program's decoder ignores case (crush 4)."""
    return {key.lower(): item for key, item in value.items() if item is not None}


def _native(value: dict[str, JSON], text: str) -> HookOutcome:
    outcome = HookOutcome()
    version = value.get("version", 1)
    if type(version) is not int or not -_INT64 <= version < _INT64:
        raise WrongType("version is not an integer")
    outcome.halt = typed(value, "halt", bool, False)
    outcome.decision = _decision(typed(value, "decision", str, ""), outcome)
    outcome.reason = typed(value, "reason", str, "")
    if "context" in value:
        outcome.context = _context(value["context"], outcome)
    if "updated_input" in value:
        patch = value["updated_input"]
        # A string counts as JSON text: hooks build it with jq -R (crush 4).
        outcome.rewrite = patch if isinstance(patch, str) else _raw(text, "updated_input")
        if outcome.rewrite == "":
            outcome.rewrite = None
    return outcome


def _claude(value: dict[str, JSON], text: str) -> HookOutcome:
    outcome = HookOutcome()
    outcome.decision = _decision(typed(value, "permissiondecision", str, ""), outcome)
    outcome.reason = typed(value, "permissiondecisionreason", str, "")
    outcome.context = typed(value, "additionalcontext", str, "")
    if "updatedinput" in value:
        outcome.rewrite = _raw(_raw(text, "hookspecificoutput"), "updatedinput")
    return outcome


def _decision(word: str, outcome: HookOutcome) -> Decision:
    decision = _DECISIONS.get(word.lower())
    if decision is None:
        decision = Decision.NONE
        if word == "ask":
            message = "Crush has no ask: without a decision, its permission prompt decides"
            outcome.notices += (Notice(message, "answer-ignored", hint="leave the decision out"),)
        elif word:
            notice = strict_fault(f'decision "{word[:40]}" is unknown to Crush', hint='write "allow" or "deny"')
            outcome.notices += (notice,)
            outcome.faults += (notice,)
    return decision


def _context(value: JSON, outcome: HookOutcome) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(item is None or isinstance(item, str) for item in value):
        return "\n".join(item for item in value if item)
    message = "context is neither a string nor an array of strings; it is ignored"
    outcome.notices += (Notice(message, "answer-ignored", hint="give a string"),)
    return ""


def _raw(text: str, key: str) -> str:
    """Return the text of a value as the answer spells it."""
    return [raw for name, raw in members(text) if name.lower() == key][-1]


def _blocks(value: dict[str, JSON]) -> Block | None:
    """Return the deny or halt of an object, whatever its other fields; None without one."""
    inner = value.get("hookSpecificOutput")
    fields = _fold(inner) if isinstance(inner, dict) else {}
    claude = _block(fields.get("permissiondecision"), fields.get("permissiondecisionreason"))
    native = _native_block(value)
    return native if native is not None and (native.halt or claude is None) else claude


def _native_block(value: dict[str, JSON]) -> Block | None:
    fields = _fold(value)
    return _block(fields.get("decision"), fields.get("reason"), fields.get("halt") is True)


def _block(word: JSON, reason: JSON, halt: bool = False) -> Block | None:
    if halt or (isinstance(word, str) and word.lower() == "deny"):
        return Block(reason if isinstance(reason, str) else "", halt=halt)
    return None
