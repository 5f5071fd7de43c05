"""Helpers of all dialects to parse a hook's output: failures, late answers, and a block in invalid output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from ..jsontext.chunks import LARGE, decoded, holds
from ..jsontext.compact import JSON, WireError, members
from ..jsontext.explain import stops
from ..jsontext.recover import TooNoisy, objects
from ..jsontext.skeleton import loads_outline
from ..notice import FAILURE, Notice
from ..text import lines
from .failure_notices import failing, strict_fault
from .model import Decision, HookOutcome, HookRun

T = TypeVar("T")
# Unicode's White_Space, as Go and Rust trim it; ``str.strip`` also strips U+001C to U+001F, which no answer may have.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


class WrongType(Exception):
    """The system's decoder would reject a field; the message names the field and the reason."""


class Block:
    """A deny or halt in an output that is otherwise invalid in its system."""

    __slots__ = ("halt", "reason", "user_message")

    def __init__(self, reason: str = "", *, halt: bool = False, user_message: str = "") -> None:
        self.reason = reason
        self.halt = halt
        self.user_message = user_message


def failure(run: HookRun) -> HookOutcome | None:
    """Return the outcome of a run that did not exit, such as a timeout; None if it has a status to parse."""
    ended = run.classify()
    if ended in ("ok", "nonzero"):
        return None
    why = run.detail
    if not why and run.reason not in ("deadline", "cancelled"):  # these two repeat the kind of the end
        why = run.reason
    kind = hint = ""
    if isinstance(run.detail, Notice):
        why, kind, hint = run.detail.message, run.detail.kind, run.detail.hint
    text = ended.replace("_", " ")
    if why:
        text = f"{text}: {why}"
    return failing(ended, text, kind=kind, hint=hint)


def after(outcome: HookOutcome, run: HookRun) -> HookOutcome:
    """Add the run's faults to an outcome, and discard a late answer, one in the grace, unless it blocks.

    (decisions grace)
    """
    if run.faults:
        outcome.faults += run.faults
    if not run.late:
        return outcome
    if outcome.blocks:
        outcome.notices += (late_block_notice(),)
        return outcome
    return discard_late_output(run, outcome)


def late_block_notice() -> Notice:
    """Return the notice of a block that came late but counts."""
    message = "its output came in the grace after the timeout; its block counts"
    return Notice(message, "late-answer", hint="raise its timeout, or make it faster")


def discard_late_output(run: HookRun, outcome: HookOutcome) -> HookOutcome:
    """Return the outcome of a discarded late answer: a timeout or cancellation, with the answer's other notices."""
    ended = "cancelled" if run.reason == "cancelled" else "timed_out"
    discarded = failing(ended, f"{ended.replace('_', ' ')}; its late output is ignored")
    discarded.notices += tuple(
        [notice for notice in outcome.notices if not isinstance(notice, Notice) or notice.fault != FAILURE]
    )
    return discarded


def exit_status(run: HookRun) -> int:
    """Return the exit status as the caller of the process would see it: 0 to 255; 128 + the signal of a killed one."""
    status = run.status or 0
    return status & 0xFF if run.kind == "exited" else status


def text_of(data: bytes) -> str:
    """Return an output stream as text: UTF-8, with U+FFFD for invalid bytes, and stripped of white space."""
    text = data.decode("utf-8", "replace") if len(data) <= LARGE else decoded(data, "replace")
    return text.strip(WHITE_SPACE)


def find_block(text: str, blocks: Callable[[dict[str, JSON]], Block | None], hints: Iterable[str]) -> Block | None:
    """Return the deny or halt in an output that is invalid in its system (decisions noise), or None.

    ``blocks`` returns the block of an object, regardless of the object's other members. ``hints`` are lower-case words;
    an output without any of them cannot block and is not searched. A text that is too noisy to be searched blocks.
    """
    if not holds(text, hints):
        return None
    refusals: list[Block] = []
    try:
        for value in objects(text):
            block = blocks(value)
            if block is not None:
                refusals.append(block)
    except TooNoisy:
        refusals.append(Block("the hook's output is too noisy to search for an answer"))
    if not refusals:
        return None
    return Block(
        lines(*[block.reason for block in refusals]),
        halt=any(block.halt for block in refusals),
        user_message=lines(*[block.user_message for block in refusals]),
    )


def salvaged(block: Block, problem: str, default: str = "blocked by hook", *, can_deny: bool = True) -> HookOutcome:
    """Return the outcome of a block in invalid output: a deny with a notice of the problem.

    ``can_deny``: whether the event can be denied. Otherwise the dialect reports that it ignores the block.
    """
    outcome = failing("bad_output", f"{problem}; its deny counts" if can_deny else problem)
    outcome.decision = Decision.DENY
    outcome.halt = block.halt
    outcome.reason = block.reason or default
    outcome.user_message = block.user_message
    return outcome


_REFUSALS = ("deny", "block", "ask")

#: Top-level key by which some system can deny, ask or rewrite -> whether a value of it does.
_ACTING: dict[str, Callable[[JSON], bool]] = {
    "permission": lambda value: value in _REFUSALS,
    "permissionDecision": lambda value: value in _REFUSALS,
    "permission_decision": lambda value: value in _REFUSALS,
    "continue": lambda value: value is False,
    "halt": lambda value: value is True,
    "hookSpecificOutput": bool,
    "hook_specific_output": bool,
    "updatedInput": bool,
    "updated_input": bool,
}


def foreign_key_notices(value: Mapping[str, JSON], title: str, known: Iterable[str]) -> tuple[Notice, ...]:
    """Return a notice for each key of an answer that has an effect only in another system.

    Every system ignores unknown keys, but a guard that was written for another system must not be ignored silently.
    """
    own = tuple(known)
    notices: list[Notice] = []
    for key, acts in _ACTING.items():
        if key in own or key not in value:
            continue
        if acts(value[key]):
            what = f'"{key}" is ignored: {title} reads {", ".join(own)}'
            notices.append(strict_fault(what, hint="use one of these keys"))
    return tuple(notices)


def read_object(text: str) -> dict[str, JSON]:
    """Parse an answer that must be one JSON object. Raises ``WrongType``."""
    try:
        value = loads_outline(text)
    except WireError as error:
        raise WrongType(f"stdout is not one JSON object: {stops(text, error)}") from None
    if not isinstance(value, dict):
        raise WrongType("stdout is JSON but not an object")
    return value


def spelled(text: str, *keys: str) -> str:
    """Return the raw text of a member of the object ``text``, as the hook spelled it; several keys are a path."""
    for key in keys:
        text = [raw for name, raw in members(text) if name == key][-1]
    return text


def typed(value: Mapping[str, JSON], key: str, kind: type[T], default: T) -> T:
    """Return a field of a type, or the default if it is absent or null. Raises ``WrongType``."""
    item = value.get(key)
    if item is None:
        return default
    if not isinstance(item, kind):
        raise WrongType(f"{key} is not {_KINDS[kind]}")
    if kind is int and isinstance(item, bool):  # ``true`` is an int to Python, and no number in JSON
        raise WrongType(f"{key} is not {_KINDS[kind]}")
    return item


_KINDS: dict[type, str] = {
    str: "a string",
    bool: "true or false",
    dict: "an object",
    list: "an array",
    int: "an integer",
}
