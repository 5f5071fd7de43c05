"""Limits on the memory of a program. Live values cannot be counted, so the size of the process is measured."""

from __future__ import annotations

import gc

from ...errors import Stop
from ...host import current
from ...limits import Limits

ELEMENT = 64  # bytes that an element of an array counts as, at most
LARGE = 4096  # bytes; shorter strings are not counted
_MEASURE_EVERY = 16 * 1024 * 1024
# Bytes of ``Limits.memory`` for each array and object. The garbage collector visits all of them in one pass of
# 0.1 to 0.3 us each, during which no other thread runs: a million of them take 0.1 to 0.3 s.
_CONTAINER = 1600


def _containers() -> int:
    """Return the number of containers of this process, counted in one step of the interpreter.

    Between ``get_objects`` and ``len`` as two steps another thread may run. A tuple that it is building from an
    iterator is in the list too, and CPython refuses to resize a tuple that has another reference (``SystemError``).
    """
    return next(map(len, iter(gc.get_objects, None)))


class Gauge:
    """Counts allocations, measures memory now and then, and stops the run above a limit (rule 1)."""

    __slots__ = ("_collections", "_containers_before", "_limits", "_made", "_name", "_resident", "elements")

    def __init__(self, limits: Limits, name: str) -> None:
        self._limits = limits
        self._name = name  # the program's name in messages: awk, jq
        self.elements = limits.array
        self._made = 0
        self._resident: int | None = None
        self._containers_before: int | None = None  # containers of this process at the first count
        self._collections = -1

    def made(self, size: int) -> None:
        """Count allocated bytes. The first measurement, after 16 MiB, is the baseline of the later ones."""
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
                "limit", f"the {self._name} program needs more than {self._limits.memory} bytes of memory", "memory"
            )

    def _count(self) -> None:
        """Check the number of containers after a full garbage collection.

        CPython collects when the number has grown by a quarter, so at most that many are added between two counts.
        """
        collections = gc.get_stats()[2]["collections"]
        if collections == self._collections:
            return
        self._collections = collections
        count = _containers()
        most = self._limits.memory // _CONTAINER
        if self._containers_before is None:
            self._containers_before = count
        elif count - self._containers_before > most:
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
