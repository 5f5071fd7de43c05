"""Failures of a hook that only this library can cause: its limits, its worker processes, its refusals.

They are distinct from a hook's own failures because the sender of the payload can provoke them (decisions own failures,
ADR 9).
"""

from __future__ import annotations

from enum import StrEnum

from ..notice import OWN, Notice

DENY = "deny"  # on events that guard a call, a prompt or a result
VENDOR = "vendor"  # as the system treats a hook that failed


class Kind(StrEnum):
    """The part of this library that caused the failure."""

    LIMIT = "limit"  # a bound of ``Limits``, or of an evaluator
    REGEX = "regex"  # an expression took too long
    REFUSED = "refused"  # something that must not be started here
    LOST = "lost"  # a worker process, or a child's status
    CRASHED = "crashed"  # a bug in this library, or in an executor of the host
    ABANDONED = "abandoned"  # it did not end in time, and still runs, without effects
    TOO_LARGE = "too_large"  # an input larger than a process can receive
    NUL = "nul"  # a text that no variable can hold
    FIRING = "firing"  # the time of the whole firing ended before the hook's (``fire(timeout=)``)


_HINTS = {
    Kind.LIMIT: "make the hook use less",
    Kind.REGEX: "simplify the expression: it backtracks too much",
    Kind.REFUSED: "allow processes (spawn=True), or use built-in commands only",
    Kind.LOST: "check what kills processes on this host",
    Kind.CRASHED: "this is a bug in pyshellhooks or in the host's executor: please report it",
    Kind.ABANDONED: 'use isolation="process": a process can be killed',
    Kind.TOO_LARGE: "read stdin with built-in commands, which accept inputs of any size",
    Kind.NUL: "send a text without NUL characters",
    Kind.FIRING: "the event's own timeout ended before the hook's: raise timeout= of fire(), or make the hook faster",
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


class InternalFailure:
    """A failure of this library: its kind, a text for a person, and the breached bound of ``Limits``, if any."""

    __slots__ = ("kind", "limit", "text")

    def __init__(self, kind: Kind | str, text: str, limit: str = "") -> None:
        self.kind = Kind(kind)
        self.text = text
        self.limit = limit

    @property
    def hint(self) -> str:
        """The fix."""
        if self.limit:
            return f"raise the limit: Limits({self.limit}=...)"
        return _HINTS[self.kind]

    def notice(self, policy: str = DENY) -> Notice:
        """Return a notice with the failure, its fix, and the fact that it is the library's own."""
        switch = f'; own_failures="{VENDOR}" treats it as a failed hook' if policy == DENY else ""
        then = f"only pyshellhooks can fail in this way{switch}"
        return Notice(str(self.text), _NOTICES[self.kind], hint=self.hint, fault=OWN, then=then)

    def __repr__(self) -> str:
        limit = f", {self.limit}" if self.limit else ""
        return f"OwnFailure({self.kind}, {self.text!r}{limit})"


_NOT_OURS = frozenset({"deadline", "cancelled"})
_KINDS = frozenset(Kind)


def failure_of_end(kind: str, reason: str, detail: str, limit: str) -> InternalFailure | None:
    """Return the own failure that ended a run (``HookRun``'s facts); None for a timeout or a cancel by the caller."""
    if kind == "abandoned":
        return InternalFailure(Kind.ABANDONED, detail or "it did not stop at its timeout")
    if kind != "stopped" or reason in _NOT_OURS:
        return None
    return InternalFailure(reason if reason in _KINDS else Kind.CRASHED, detail or reason, limit)
