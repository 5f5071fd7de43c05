"""What people are told about a hook: which one, where it is written, what happened, and what to do about it. Pure.

One form for all: ``title (file:line:column): what; mend``. A notice without a mend leaves a person searching, so an end
that says nothing about one gets the mend of its kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..hooks.model import FAILURES, HookSpec
from ..hooks.verdict import HookResult

_SHORT = 60


def told(spec: HookSpec, text: str) -> str:
    """Put a text about a hook into the form that all notices have; a hook that no file holds is named by its id."""
    title = short(spec.title)
    return f"{title} ({str(spec.origin) or spec.id}): {text.removeprefix(f'{title}: ')}"


def hook_notices(results: Sequence[HookResult]) -> tuple[str, ...]:
    """Give the notices of all hooks: no failure is ever silent."""
    found: list[str] = []
    for result in results:
        outcome = result.outcome
        if outcome.ended == "ok" and not outcome.notices and not result.run.notices:
            continue
        own = outcome.notices
        if not own and not result.run.notices and not (outcome.blocks or outcome.followup is not None):
            own = (outcome.ended.replace("_", " "),)
        if own:
            mend = _mend(result)
            own = (f"{own[0]}; {mend}", *own[1:]) if mend else own
        found += [told(result.spec, text) for text in (*result.run.notices, *own)]
    return tuple(found)


def _mend(result: HookResult) -> str:
    """Say what to do about how a hook ended; nothing where it answered, or where what happened has a mend of its own."""
    ended, run = result.outcome.ended, result.run
    if ended not in FAILURES or run.unparsed:
        return ""
    if ended == "nonzero":
        if run.kind == "signaled":
            return "run it by hand to see what kills it"
        return "" if run.faults or run.status in _ANSWERS else "exit with 0 to let it pass, with 2 to deny"
    if ended == "timed_out":
        return f"give it more time (its timeout is {result.spec.timeout:g} s), or let it do less"
    return _MENDS.get(ended, "")


_ANSWERS = (2, 49)  # statuses by which hooks deny and halt
_MENDS = {
    "bad_output": "print one JSON object as the system's document has it, and nothing else",
    "too_much_output": "let it print less",
}


def short(text: str) -> str:
    """Fit a command into a message: its first line, at most 60 characters."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _SHORT and line == text.strip() else line[: _SHORT - 3] + "..."
