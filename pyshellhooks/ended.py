"""The end of a run, one of four classes.

``Exited``     by itself, with a status
``Signaled``   killed by a signal that was not ours
``Stopped``    by us: the deadline, the caller, an exceeded limit; see ``reason`` and ``detail``
``Abandoned``  like ``Stopped``, but a part of it did not end in time (it can have no more effects)
"""

from __future__ import annotations

from typing import TypeAlias


class Exited:
    """The script ended by itself with ``status`` (int, 0 to 255)."""

    __slots__ = ("status",)
    kind = "exited"
    reason = detail = limit = ""

    def __init__(self, status: int) -> None:
        self.status = status

    def __repr__(self) -> str:
        return f"Exited({self.status})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exited) and self.status == other.status

    def __hash__(self) -> int:
        return hash((self.kind, self.status))


class Signaled:
    """A signal ended the script (``kill $$``); ``number`` (int) is Linux's."""

    __slots__ = ("number",)
    kind = "signaled"
    reason = detail = limit = ""

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"Signaled({self.number})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signaled) and self.number == other.number

    def __hash__(self) -> int:
        return hash((self.kind, self.number))


class Stopped:
    """This library ended the run: ``reason`` is deadline, cancelled, limit, regex, refused, lost or crashed.

    ``detail`` (str) is a text for a person. ``limit`` (str) is the exceeded field of ``Limits``, or empty if there is
    none that could be raised.
    """

    __slots__ = ("detail", "limit", "reason")
    kind = "stopped"

    def __init__(self, reason: str, detail: str = "", limit: str = "") -> None:
        self.reason = reason
        self.detail = detail
        self.limit = limit

    def __repr__(self) -> str:
        return f"Stopped({self.reason!r}, {self.detail!r})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.reason, self.detail) == (other.reason, other.detail)

    def __hash__(self) -> int:
        return hash((self.kind, self.reason, self.detail))


class Abandoned(Stopped):
    """This library could not end all of the run in time. The rest can have no more effects."""

    __slots__ = ()
    kind = "abandoned"

    def __repr__(self) -> str:
        return f"Abandoned({self.reason!r}, {self.detail!r})"


Ended: TypeAlias = Exited | Signaled | Stopped | Abandoned


def describe_end(ended: Ended, status: int) -> str:
    """Return the end of a run as a text for a person or a model: ``exit status 2``, ``stopped by the timeout``."""
    if isinstance(ended, Exited):
        return f"exit status {status}"
    if isinstance(ended, Signaled):
        return f"ended by signal {ended.number}"
    if ended.reason not in _STOPS:  # regex, refused, lost: words of this library; the detail is a whole message
        return f"stopped: {ended.detail or ended.reason}"
    return f"stopped by {_STOPS[ended.reason]}" + (f": {ended.detail}" if ended.detail else "")


_STOPS = {
    "deadline": "the timeout",
    "cancelled": "a cancel",
    "limit": "a limit",
    "crashed": "an internal error of a command",
}
