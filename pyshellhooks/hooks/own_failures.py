"""Ends that a hook can have only here: its system has no such limit, no such process, no such refusal.

They are told apart from a hook's own failures because whoever sends the payload can provoke them (decisions own failures,
ADR 9).
"""

from __future__ import annotations

from enum import StrEnum

from ..notice import OWN, Notice

DENY = "deny"  # on events that guard a call, a prompt or a result
VENDOR = "vendor"  # as the system takes a hook that failed


class Kind(StrEnum):
    """What of ours it was."""

    LIMIT = "limit"  # a bound of ``Limits``, or of an evaluator
    REGEX = "regex"  # an expression took too long
    REFUSED = "refused"  # something that must not be started here
    LOST = "lost"  # a worker process, or a child's status
    CRASHED = "crashed"  # a mistake in this library, or in an executor of the host
    ABANDONED = "abandoned"  # it did not yield in time, and is left behind
    TOO_LARGE = "too_large"  # an input that no process can be given
    NUL = "nul"  # a text that no variable can hold
    FIRING = "firing"  # the firing as a whole had less time than the hook (``fire(timeout=)``)


_MENDS = {
    Kind.LIMIT: "let the hook do with less",
    Kind.REGEX: "write the expression so that it need not try so many ways",
    Kind.REFUSED: "allow it (spawn=True), or write the hook with built-in commands alone",
    Kind.LOST: "see what ends the processes of this host",
    Kind.CRASHED: "a mistake in pyshellhooks, or in the host's executor: please report it",
    Kind.ABANDONED: 'run hooks where they can be killed: isolation="process"',
    Kind.TOO_LARGE: "let the hook read its stdin with built-in commands, which take inputs of any size",
    Kind.NUL: "send a text without NUL characters",
    Kind.FIRING: "the firing as a whole had less time than its hook: give it more (timeout=), or let the hook do less",
}
_NOTICES = {
    Kind.LIMIT: "hook-stopped",
    Kind.REGEX: "hook-stopped",
    Kind.REFUSED: "process-refused",
    Kind.LOST: "hook-stopped",
    Kind.CRASHED: "internal-error",
    Kind.ABANDONED: "hook-abandoned",
    Kind.TOO_LARGE: "input-too-large",
    Kind.NUL: "text-with-nul",
    Kind.FIRING: "hook-timed-out",
}


class OwnFailure:
    """One such end: its kind, the bound of ``Limits`` that was breached if it has a name, and what a person is told."""

    __slots__ = ("kind", "limit", "text")

    def __init__(self, kind: Kind | str, text: str, limit: str = "") -> None:
        self.kind = Kind(kind)
        self.text = text
        self.limit = limit

    @property
    def mend(self) -> str:
        """What to do about it."""
        if self.limit:
            return f"raise the bound: Limits({self.limit}=...)"
        return _MENDS[self.kind]

    def notice(self, policy: str = DENY) -> Notice:
        """Say what happened, what to do about it, and whose it is."""
        switch = f'; own_failures="{VENDOR}" takes it as the system takes a hook that failed' if policy == DENY else ""
        then = f"this can happen in pyshellhooks only{switch}"
        return Notice(str(self.text), _NOTICES[self.kind], mend=self.mend, fault=OWN, then=then)

    def __repr__(self) -> str:
        return f"OwnFailure({self.kind}, {self.text!r}{f', {self.limit}' if self.limit else ''})"


_NOT_OURS = frozenset({"deadline", "cancelled"})
_KINDS = frozenset(Kind)


def of_end(kind: str, reason: str, detail: str, limit: str) -> OwnFailure | None:
    """Return what the end of a run (``HookRun``'s facts) says of us; None for a timeout and for a caller who gave up."""
    if kind == "abandoned":
        return OwnFailure(Kind.ABANDONED, detail or "it did not yield when its time was over")
    if kind != "stopped" or reason in _NOT_OURS:
        return None
    return OwnFailure(reason if reason in _KINDS else Kind.CRASHED, detail or reason, limit)
