"""How a run ended: a closed set.

``Exited``     by itself, with a status
``Signaled``   killed by a signal that was not ours
``Stopped``    by us: the deadline, the caller, a breached limit; ``reason`` and ``detail`` say which
``Abandoned``  left behind: something of it could not be ended in time (it can have no effect any more)
"""

from __future__ import annotations

from typing import TypeAlias


class Exited:
    """The script ended by itself with ``status`` (0 to 255)."""

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
    """A signal ended the script (``kill $$``); ``number`` as on Linux."""

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
    """We ended it: ``reason`` is deadline, cancelled, limit, regex, refused, lost or crashed.

    ``limit``: the bound of ``Limits`` that was breached; empty where there is none to raise.
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
    """We could not end all of it in time, and left it behind without effect."""

    __slots__ = ()
    kind = "abandoned"

    def __repr__(self) -> str:
        return f"Abandoned({self.reason!r}, {self.detail!r})"


Ended: TypeAlias = Exited | Signaled | Stopped | Abandoned
