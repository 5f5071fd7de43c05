"""How much a program holds: nobody can say which values are still used, but the system knows what the process takes."""

from __future__ import annotations

import gc

from ...errors import Stop
from ...host import current
from ...limits import Limits

ELEMENT = 64  # bytes that an element of an array may count as
LARGE = 4096  # bytes of a string from which on it is counted
_MEASURE_EVERY = 16 * 1024 * 1024
# Bytes of ``Limits.memory`` for each array and object. The garbage collector goes through all of them at once, which takes
# 0.1 to 0.3 us each and lets no other thread run: a million of them are 0.1 to 0.3 s.
_CONTAINER = 1600


def _containers() -> int:
    """Count the containers of this process in one step of the interpreter.

    Between ``get_objects`` and ``len`` in two steps another thread may have its turn. What it builds with ``tuple`` of an
    iterator meanwhile is in the list too, and CPython refuses to resize a tuple that something else refers to (``SystemError``).
    """
    return next(map(len, iter(gc.get_objects, None)))


class Gauge:
    """Counts what is made, measures now and then, and ends the run where a bound is passed (rule 1)."""

    __slots__ = ("_collections", "_held", "_limits", "_made", "_name", "_resident", "elements")

    def __init__(self, limits: Limits, name: str) -> None:
        self._limits = limits
        self._name = name  # of the program in messages: awk, jq
        self.elements = limits.array
        self._made = 0
        self._resident: int | None = None
        self._held: int | None = None  # containers of this process at the first count
        self._collections = -1

    def made(self, size: int) -> None:
        """Count bytes that were made; the first measurement, 16 MiB on, is what later ones are compared with."""
        self._made += size
        if self._made < _MEASURE_EVERY:
            return
        self._made = 0
        self._count()
        resident = current().resident()
        if resident is None:
            return
        if self._resident is None:
            self._resident = resident
        elif resident - self._resident > self._limits.memory:
            raise Stop(
                "limit", f"the {self._name} program takes more than {self._limits.memory} bytes of memory", "memory"
            )

    def _count(self) -> None:
        """Bound the containers, as they are when the garbage collector has gone through them.

        It does so when a quarter more is there than the last time: what comes between two counts is no more than that.
        """
        collections = gc.get_stats()[2]["collections"]
        if collections == self._collections:
            return
        self._collections = collections
        held = _containers()
        most = self._limits.memory // _CONTAINER
        if self._held is None:
            self._held = held
        elif held - self._held > most:
            raise Stop("limit", f"the {self._name} program holds more than {most} arrays and objects", "memory")

    def text(self, size: int) -> None:
        """Count a large string."""
        if size > self._limits.string:
            raise Stop("limit", f"a string of {self._name} is longer than {self._limits.string} bytes", "string")
        self.made(size)

    def array(self, length: int) -> None:
        """Count one more element of an array."""
        if length > self.elements:
            raise Stop("limit", f"an array of {self._name} has more than {self.elements} elements", "array")
        self._made += 160
        if self._made >= _MEASURE_EVERY:
            self.made(0)
