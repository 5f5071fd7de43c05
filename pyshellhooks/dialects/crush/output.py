"""What a Crush hook's run means: exit codes, the native answer, and Claude Code's (crush.md 4)."""

from __future__ import annotations

from ...hooks.model import Decision, HookOutcome, HookRun
from ...hooks.salvage import TooNoisy, objects
from ...hooks.wire import JSON, WireError, loads, members
from .tables import DENY_CODE, HALT_CODE

_DECISIONS = {"allow": Decision.ALLOW, "deny": Decision.DENY}
_INT64 = 2**63


class _WrongType(Exception):
    """A field that the program's decoder would refuse, and the whole answer with it."""


def parse(run: HookRun, quirks: frozenset[str]) -> HookOutcome:
    """Read one run."""
    ended = run.classify()
    if ended == "ok":
        outcome = _answer(run, quirks)
    elif ended == "nonzero":
        outcome = _status(run, quirks)
    else:
        return HookOutcome(ended, notices=(_failure(ended, run),))
    if run.faults:
        outcome.faults += run.faults
    if run.late and "grace_verdicts_count" not in quirks:
        return _late(outcome, run)
    return outcome


def _failure(ended: str, run: HookRun) -> str:
    why = run.detail or run.reason
    text = ended.replace("_", " ")
    return f"{text}: {why}" if why and why not in ("deadline", "cancelled") else text


def _late(outcome: HookOutcome, run: HookRun) -> HookOutcome:
    """Let a deny or halt stand that came in the grace second; anything else is what ended the hook's time."""
    if outcome.blocks:
        outcome.notices += ("it answered in the grace after its time was over; the block stands",)
        return outcome
    ended = "cancelled" if run.reason == "cancelled" else "timed_out"
    return HookOutcome(ended, notices=(*outcome.notices, f"{ended.replace('_', ' ')}; its late answer is not used"))


def _status(run: HookRun, quirks: frozenset[str]) -> HookOutcome:
    status = (run.status or 0) & 0xFF if run.kind == "exited" else run.status
    if status in (DENY_CODE, HALT_CODE):
        halt = status == HALT_CODE
        reason = run.stderr.decode("utf-8", "replace").strip()
        default = "turn halted by hook" if halt else "blocked by hook"
        return HookOutcome("nonzero", Decision.DENY, halt=halt, reason=reason or default)
    notices: tuple[str, ...] = (f"exit status {status} is not an answer; Crush goes on as if it had no opinion",)
    faults: tuple[str, ...] = ()
    if run.stdout and "lost_denies" not in quirks:
        salvaged = _salvage(run.stdout.decode("utf-8", "replace"))
        if salvaged is not None:
            faults = (f"a deny on stdout does not count beside exit status {status}; use exit 0 with it, or exit 2",)
            notices += faults
    return HookOutcome("nonzero", notices=notices, faults=faults)


def _answer(run: HookRun, quirks: frozenset[str]) -> HookOutcome:
    if not run.stdout:
        return HookOutcome()
    text = run.stdout.decode("utf-8", "replace").strip()
    if not text or text == "null":
        return HookOutcome()
    try:
        value = loads(text)
        if not isinstance(value, dict):
            raise _WrongType("stdout is JSON but not an object")
        return _envelope(value, text)
    except WireError as error:
        problem = f"stdout is not one JSON object: {error}"
    except _WrongType as error:
        problem = str(error)
    if "lost_denies" not in quirks:
        salvaged = _salvage(text)
        if salvaged is not None:
            salvaged.notices = (f"{problem}; the deny in it stands",)
            return salvaged
    return HookOutcome("bad_output", notices=(problem,))


def _envelope(value: dict[str, JSON], text: str) -> HookOutcome:
    if "hookSpecificOutput" in value:
        inner = value["hookSpecificOutput"]
        if inner is None:
            return HookOutcome()
        if not isinstance(inner, dict):
            raise _WrongType("hookSpecificOutput is not an object")
        return _claude(_fold(inner), text)
    return _native(_fold(value), text)


def _fold(value: dict[str, JSON]) -> dict[str, JSON]:
    """Lower the keys: the program's decoder takes any letter case (crush.md 4.4)."""
    return {key.lower(): item for key, item in value.items() if item is not None}


def _native(value: dict[str, JSON], text: str) -> HookOutcome:
    outcome = HookOutcome()
    version = value.get("version", 1)
    if type(version) is not int or not -_INT64 <= version < _INT64:
        raise _WrongType("version is not an integer")
    outcome.halt = _boolean(value, "halt")
    outcome.decision = _decision(_string(value, "decision"), outcome)
    outcome.reason = _string(value, "reason")
    if "context" in value:
        outcome.context = _context(value["context"], outcome)
    if "updated_input" in value:
        patch = value["updated_input"]
        # A string is taken for JSON text: hooks build it with jq -R (crush.md 4.4).
        outcome.rewrite = patch if isinstance(patch, str) else _raw(text, "updated_input")
        if outcome.rewrite == "":
            outcome.rewrite = None
    return outcome


def _claude(value: dict[str, JSON], text: str) -> HookOutcome:
    outcome = HookOutcome()
    outcome.decision = _decision(_string(value, "permissiondecision"), outcome)
    outcome.reason = _string(value, "permissiondecisionreason")
    outcome.context = _string(value, "additionalcontext")
    if "updatedinput" in value:
        outcome.rewrite = _raw(_raw(text, "hookspecificoutput"), "updatedinput")
    return outcome


def _string(value: dict[str, JSON], key: str) -> str:
    item = value.get(key, "")
    if not isinstance(item, str):
        raise _WrongType(f"{key} is not a string")
    return item


def _boolean(value: dict[str, JSON], key: str) -> bool:
    item = value.get(key, False)
    if not isinstance(item, bool):
        raise _WrongType(f"{key} is not true or false")
    return item


def _decision(word: str, outcome: HookOutcome) -> Decision:
    decision = _DECISIONS.get(word.lower())
    if decision is None:
        decision = Decision.NONE
        if word == "ask":
            outcome.notices += ("Crush has no ask: no opinion means that its permission prompt decides",)
        elif word:
            problem = f'decision "{word[:40]}" is unknown to Crush; it takes "allow" and "deny"'
            outcome.notices += (problem,)
            outcome.faults += (problem,)
    return decision


def _context(value: JSON, outcome: HookOutcome) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(item is None or isinstance(item, str) for item in value):
        return "\n".join(item for item in value if item)
    outcome.notices += ("context is neither a string nor an array of strings; it is left out",)
    return ""


def _raw(text: str, key: str) -> str:
    """Give a value as it was spelled in the answer."""
    return [raw for name, raw in members(text) if name.lower() == key][-1]


def _salvage(text: str) -> HookOutcome | None:
    """Find a deny or halt in an output that can't be read as Crush says (contracts/README.md, "noise")."""
    folded = text.lower()
    if "decision" not in folded and "halt" not in folded:
        return None
    halt, reasons, found = False, [], False
    try:
        for value in objects(text):
            blocked = _blocks(value)
            if blocked is not None:
                found = True
                halt = halt or blocked[0]
                reasons.append(blocked[1])
    except TooNoisy:
        found = True
        reasons.append("the hook's output is too noisy to be searched for its answer")
    if not found:
        return None
    reason = "\n".join(reason for reason in reasons if reason)
    return HookOutcome("bad_output", Decision.DENY, halt=halt, reason=reason or "blocked by hook")


def _blocks(value: dict[str, JSON]) -> tuple[bool, str] | None:
    """Say whether an object denies or halts, whatever stands beside it: (halt, reason)."""
    inner = value.get("hookSpecificOutput")
    if "hookSpecificOutput" in value:
        fields = _fold(inner) if isinstance(inner, dict) else {}
        word, reason, halt = fields.get("permissiondecision"), fields.get("permissiondecisionreason"), False
    else:
        fields = _fold(value)
        word, reason, halt = fields.get("decision"), fields.get("reason"), fields.get("halt") is True
    if halt or (isinstance(word, str) and word.lower() == "deny"):
        return halt, reason if isinstance(reason, str) else ""
    return None
