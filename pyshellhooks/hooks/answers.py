"""What reading a hook's answer has in common in all systems: failures, the grace, and a block that stands in noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from ..notice import FAILURE, Notice
from ..text import lines
from .facts import doubt, failing
from .model import Decision, HookOutcome, HookRun
from .nearly_json import stops
from .outline import loads_outline
from .pieces import LARGE, decoded, holds
from .salvage import TooNoisy, objects
from .wire import JSON, WireError, members

T = TypeVar("T")
# Unicode's White_Space, as Go and Rust trim it; ``str.strip`` takes U+001C to U+001F as well, which are garbage in an answer.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


class WrongType(Exception):
    """A field that the system's decoder would not take; the message says which and why."""


class Block:
    """A deny or halt that was found in an answer that can't be read as its system says."""

    __slots__ = ("halt", "reason", "user_message")

    def __init__(self, reason: str = "", *, halt: bool = False, user_message: str = "") -> None:
        self.reason = reason
        self.halt = halt
        self.user_message = user_message


def failure(run: HookRun) -> HookOutcome | None:
    """Return the outcome of a run that came to no answer at all; None where there is a status to read."""
    ended = run.classify()
    if ended in ("ok", "nonzero"):
        return None
    why = run.detail or ("" if run.reason in ("deadline", "cancelled") else run.reason)
    kind = mend = ""
    if isinstance(run.detail, Notice):
        why, kind, mend = run.detail.what, run.detail.kind, run.detail.mend
    text = ended.replace("_", " ")
    return failing(ended, f"{text}: {why}" if why else text, kind=kind, mend=mend)


def after(outcome: HookOutcome, run: HookRun) -> HookOutcome:
    """Add the run's faults, and let only a block stand of an answer that came in the grace second.

    (decisions grace)
    """
    if run.faults:
        outcome.faults += run.faults
    if not run.late:
        return outcome
    if outcome.blocks:
        outcome.notices += (block_stands(),)
        return outcome
    return late(run, outcome)


def block_stands() -> Notice:
    """Say that a block came late and stands."""
    what = "it answered in the grace after its time was over; the block stands"
    return Notice(what, "late-answer", mend="give it more time, or let it do less")


def late(run: HookRun, outcome: HookOutcome) -> HookOutcome:
    """Return what an answer comes to that came too late and is none: what was odd about it is said all the same."""
    ended = "cancelled" if run.reason == "cancelled" else "timed_out"
    found = failing(ended, f"{ended.replace('_', ' ')}; its late answer is not used")
    found.notices += tuple([one for one in outcome.notices if not isinstance(one, Notice) or one.fault != FAILURE])
    return found


def exit_status(run: HookRun) -> int:
    """Return the status as the caller of the process would see it: 0 to 255; 128 + the signal of one that was killed."""
    status = run.status or 0
    return status & 0xFF if run.kind == "exited" else status


def text_of(data: bytes) -> str:
    """Read an output stream: UTF-8, with U+FFFD for what is not, no white space around it."""
    return (data.decode("utf-8", "replace") if len(data) <= LARGE else decoded(data, "replace")).strip(WHITE_SPACE)


def find_block(text: str, blocks: Callable[[dict[str, JSON]], Block | None], hints: Iterable[str]) -> Block | None:
    """Find a deny or halt in an output that can't be read as its system says (decisions noise).

    ``blocks`` says whether an object blocks, whatever else stands in it. ``hints`` are lower-case words without one of
    which no object of the system can block: most outputs have none and are not searched. A text too noisy to be
    searched blocks.
    """
    if not holds(text, hints):
        return None
    found: list[Block] = []
    try:
        for value in objects(text):
            block = blocks(value)
            if block is not None:
                found.append(block)
    except TooNoisy:
        found.append(Block("the hook's output is too noisy to be searched for its answer"))
    if not found:
        return None
    return Block(
        lines(*[block.reason for block in found]),
        halt=any(block.halt for block in found),
        user_message=lines(*[block.user_message for block in found]),
    )


def salvaged(block: Block, problem: str, default: str = "blocked by hook") -> HookOutcome:
    """Return the outcome of a block in noise: a deny with a notice that says what was wrong."""
    outcome = failing("bad_output", f"{problem}; the deny in it stands")
    outcome.decision = Decision.DENY
    outcome.halt = block.halt
    outcome.reason = block.reason or default
    outcome.user_message = block.user_message
    return outcome


_REFUSALS = ("deny", "block", "ask")

#: Keys by which some system refuses or rewrites, at the top of an answer, and the values that do.
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


def elsewhere(value: Mapping[str, JSON], title: str, known: Iterable[str]) -> tuple[Notice, ...]:
    """Say which keys of an answer would act in another system, and do nothing in this one.

    Unknown keys are ignored everywhere; a guard that was written for a neighbour must not be ignored silently.
    """
    own = tuple(known)
    found = [key for key, acts in _ACTING.items() if key in value and key not in own and acts(value[key])]
    return tuple(
        [doubt(f'"{key}" is ignored: {title} reads {", ".join(own)}', mend="answer in its form") for key in found]
    )


def read_object(text: str) -> dict[str, JSON]:
    """Read an answer that must be one JSON object. Raises ``WrongType``."""
    try:
        value = loads_outline(text)
    except WireError as error:
        raise WrongType(f"stdout is not one JSON object: {stops(text, error)}") from None
    if not isinstance(value, dict):
        raise WrongType("stdout is JSON but not an object")
    return value


def spelled(text: str, *keys: str) -> str:
    """Return the raw text of a member of the object ``text``, as the hook spelled it; several keys lead inwards."""
    for key in keys:
        text = [raw for name, raw in members(text) if name == key][-1]
    return text


def typed(value: Mapping[str, JSON], key: str, kind: type[T], default: T) -> T:
    """Read a field; absent and null are the default. Raises ``WrongType``."""
    item = value.get(key)
    if item is None:
        return default
    if not isinstance(item, kind) or (kind is int and isinstance(item, bool)):
        raise WrongType(f"{key} is not {_KINDS[kind]}")
    return item


_KINDS: dict[type, str] = {
    str: "a string",
    bool: "true or false",
    dict: "an object",
    list: "an array",
    int: "an integer",
}
