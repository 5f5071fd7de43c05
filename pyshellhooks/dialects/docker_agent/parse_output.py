"""The parser of a Docker Agent hook's output: exit codes, answers, plain text (docker_agent 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...hooks.dialect import EventSpec
from ...hooks.failure_notices import deny_ignored, failing, status_hint
from ...hooks.model import Decision, HookOutcome, HookRun
from ...hooks.output import (
    Block,
    WrongType,
    after,
    exit_status,
    failure,
    find_block,
    read_object,
    salvaged,
    text_of,
    typed,
)
from ...hooks.suggest import nearest
from ...jsontext.compact import JSON, loads_member, members
from ...jsontext.explain import ignored
from ...notice import FAILURE, STRICT, Notice
from ...text import lines
from .tables import DENIED, DENY_CODE

PERMISSIONS = {"allow": Decision.ALLOW, "deny": Decision.DENY, "ask": Decision.ASK}
_HINTS = ("decision", "continue")
INNER = "hook_specific_output"
_OUTER_FIELDS = ("continue", "stop_reason", "suppress_output", "system_message", "decision", "reason", INNER)
_INNER_FIELDS = (
    "hook_event_name",
    "permission_decision",
    "permission_decision_reason",
    "updated_input",
    "additional_context",
)


def parse(run: HookRun, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    """Parse one run."""
    failed = failure(run)
    if failed is not None:
        return failed
    if run.late and "lost_denies" in quirks:
        found = failing("timed_out", "timed out; it is killed at once")
        found.faults = run.faults
        return found
    outcome = _answer(run, row, quirks) if run.classify() == "ok" else _status(run, row, quirks)
    return after(outcome, run)


def _status(run: HookRun, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    status = exit_status(run)
    guards = "deny" in row.can
    if status != DENY_CODE:
        blocks = guards and "lost_denies" not in quirks and found_block(text_of(run.stdout)) is not None
        faults = [deny_ignored(f"exit status {status}")] if blocks else []
        message = f"exit status {status} is an error that Docker Agent logs"
        return failing("nonzero", message, *faults, hint=status_hint(row))
    if not guards:
        return failing("nonzero", f"exit status 2 blocks nothing: {row.native} can't be blocked", kind="status-ignored")
    outcome = HookOutcome("nonzero", Decision.DENY, reason=text_of(run.stderr))
    if "silent_blocks" not in quirks:
        block = _block_of_stdout(text_of(run.stdout))
        outcome.reason = outcome.reason or block.reason or DENIED
        outcome.user_message = block.user_message
    return outcome


def _answer(run: HookRun, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    text = text_of(run.stdout)
    if not text:
        return HookOutcome()
    outcome = HookOutcome(context=text if "context" in row.can and "deny" not in row.can else "")
    problem = "stdout is not one JSON object"
    if text[0] == "{":
        try:
            return _structured(text, row, quirks)
        except WrongType as error:
            problem = str(error)
        outcome.ended = "bad_output"
        outcome.notices = failing("bad_output", f"{problem}; it is treated as plain text").notices
    if "deny" in row.can and "lost_denies" not in quirks:
        block = found_block(text)
        if block is not None:
            return salvaged(block, problem, DENIED)
    if text[0] != "{":
        outcome.notices = ignored(text)
    return outcome


def folded(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the members with lower-case keys, as the program's decoder ignores case. The last non-null one counts."""
    return {key.lower(): raw for key, raw in pairs if raw != "null"}


def values_of(raw: Mapping[str, str]) -> dict[str, JSON]:
    """Parse the values, except those that are kept as JSON text."""
    return {key: loads_member(text) for key, text in raw.items() if key not in (INNER, "updated_input")}


def inner_members(text: str) -> list[tuple[str, str]]:
    """Return the members of ``hook_specific_output``; of two such objects, those of both."""
    pairs: list[tuple[str, str]] = []
    for key, raw in members(text):
        if key.lower() == INNER and raw != "null":
            if raw[0] != "{":
                raise WrongType(f"{INNER} is not an object")
            pairs += members(raw)
    return pairs


def _structured(text: str, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    read_object(text)
    pairs, inner_pairs = members(text), inner_members(text)
    raw = folded(inner_pairs)
    value, inner = values_of(folded(pairs)), values_of(raw)
    outcome = HookOutcome()
    _decide(outcome, value, inner, row, quirks)
    outcome.context = typed(inner, "additional_context", str, "")
    typed(inner, "hook_event_name", str, "")
    if "updated_input" in raw:
        if raw["updated_input"][0] != "{":
            raise WrongType("updated_input is not an object")
        outcome.rewrite = raw["updated_input"]
    if typed(value, "suppress_output", bool, False) and "shown_stdout" not in quirks:
        outcome.effects = {"suppress_output": True}
    if not row.can and "ignored_outputs" in quirks:
        return HookOutcome()
    if "deny" not in row.can:
        _without_effect(outcome, row)
    for found, own, others, place in (
        (pairs, _OUTER_FIELDS, _INNER_FIELDS, f"inside {INNER}"),
        (inner_pairs, _INNER_FIELDS, _OUTER_FIELDS, f"outside of {INNER}"),
    ):
        for key, _ in found:
            if key.lower() not in own:
                _report_misplaced_key(outcome, key, own, others, place)
    return outcome


def _report_misplaced_key(
    outcome: HookOutcome, key: str, own: tuple[str, ...], others: tuple[str, ...], place: str
) -> None:
    """Report an ignored key that resembles a known one, such as ``permissionDecision``, or is in the wrong object."""
    meant = nearest(key, (*own, *others))
    if meant:
        where = f", {place}" if meant in others else ""
        problem = f'"{key[:40]}" is ignored; Docker Agent\'s key is "{meant}"{where}'
        outcome.notices += (problem,)
        outcome.faults += (problem,)


def _decide(
    outcome: HookOutcome, value: dict[str, JSON], inner: dict[str, JSON], row: EventSpec, quirks: frozenset[str]
) -> None:
    """Read the decision from ``continue``, ``decision`` and ``permission_decision``."""
    goes_on = typed(value, "continue", bool, True)
    word, permission = typed(value, "decision", str, ""), typed(inner, "permission_decision", str, "")
    stop, reason = typed(value, "stop_reason", str, ""), typed(value, "reason", str, "")
    why = typed(inner, "permission_decision_reason", str, "")
    decision = PERMISSIONS.get(permission, Decision.NONE)
    messages = [typed(value, "system_message", str, "")]
    reasons = []
    if not goes_on:
        reasons.append(stop)
        messages.append(stop)
    if word == "block":
        reasons.append(reason)
    if decision is Decision.DENY or (decision is not Decision.NONE and "inert_permissions" not in quirks):
        messages.append(why)
        if decision is Decision.DENY:
            reasons.append(why)
    if not goes_on or word == "block":
        decision = Decision.DENY
    if decision is Decision.DENY:
        outcome.reason = lines(*reasons) or ("" if "silent_blocks" in quirks else DENIED)
    elif "inert_permissions" in quirks:
        decision = Decision.NONE
    elif decision is not Decision.NONE:
        outcome.reason = why
    outcome.decision = decision
    outcome.user_message = lines(*messages)
    if "deny" in row.can:
        _unknown(outcome, "decision", word, ("block",), quirks)
        _unknown(outcome, "permission_decision", permission, tuple(PERMISSIONS), quirks)


def _unknown(outcome: HookOutcome, name: str, word: str, known: tuple[str, ...], quirks: frozenset[str]) -> None:
    """Report an unknown word. One that may have meant a deny is a fault; in ``failclosed`` any one is a failure."""
    if not word or word in known:
        return
    denies = word.lower() not in ("allow", "approve", "none")
    what, hint = f'{name} "{word[:40]}" is unknown to Docker Agent', f"expected one of: {', '.join(known)}"
    if "failures_deny" in quirks:
        outcome.ended = "bad_output"
        notice = Notice(what, "bad-output", hint=hint, fault=FAILURE)
    else:
        notice = Notice(what, "answer-ignored", hint=hint, fault=STRICT if denies else None)
    outcome.notices += (notice,)
    if denies:
        outcome.faults += (notice,)


def _without_effect(outcome: HookOutcome, row: EventSpec) -> None:
    """Remove and report the parts of an answer that an event which cannot deny ignores."""
    lost = []
    if outcome.decision is not Decision.NONE:
        lost.append("decisions")
    if outcome.rewrite is not None:
        lost.append("updated_input")
    if outcome.context and "context" not in row.can:
        lost.append("additional_context")
        outcome.context = ""
    outcome.decision, outcome.reason, outcome.rewrite = Decision.NONE, "", None
    if lost:
        message = f"{row.native} hooks ignore {', '.join(lost)}"
        outcome.notices += (Notice(message, "answer-ignored", hint="remove them"),)


def _block_of_stdout(text: str) -> Block:
    """Return the reason and the user's message on the stdout of a hook that blocks with exit status 2, if any."""
    if not text:
        return Block()
    try:
        block = _reasons(read_object(text))
    except WrongType:
        block = Block()
    return block if block.reason else found_block(text) or Block()


def found_block(text: str) -> Block | None:
    """Return the block in a text that may have noise around it; None without one."""
    return find_block(text, _blocks, _HINTS)


def _blocks(value: dict[str, JSON]) -> Block | None:
    """Return the block of an object that denies, whatever its other keys; else None."""
    fields = {key.lower(): item for key, item in value.items()}
    inner = fields.get(INNER)
    permission = None
    if isinstance(inner, dict):
        permission = {key.lower(): item for key, item in inner.items()}.get("permission_decision")
    if fields.get("continue") is False or fields.get("decision") == "block" or permission == "deny":
        return _reasons(value)
    return None


def _reasons(value: Mapping[str, JSON]) -> Block:
    fields = {key.lower(): item for key, item in value.items()}
    inner = fields.get(INNER)
    within = {key.lower(): item for key, item in inner.items()} if isinstance(inner, dict) else {}
    stop, reason, why = fields.get("stop_reason"), fields.get("reason"), within.get("permission_decision_reason")
    texts = [text for text in (stop, reason, why) if isinstance(text, str) and text]
    shown = [text for text in (stop, why) if isinstance(text, str) and text]
    return Block("\n".join(texts), user_message="\n".join(shown))
