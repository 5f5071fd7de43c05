"""What a program sees of its run: the deadline, the limits, and the world it may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..gauge import Gauge

if TYPE_CHECKING:
    from ...command import Call


END = object()  # no more inputs


class Run:
    """One run of jq, for builtins.

    ``check`` asks for the deadline: call it at least every few thousand turns of a loop. ``made`` counts what is large.
    """

    __slots__ = ("call", "gauge", "scope")

    def __init__(self, call: Call) -> None:
        self.call = call
        self.scope = call.scope
        self.gauge = Gauge(call.limits, "jq")

    def check(self) -> None:
        """Raise ``Stop`` if the run was cancelled or its time is over."""
        if self.scope.stop is not None:
            self.scope.check()

    def turned(self, turns: int) -> None:
        """Count steps of the machine: their forks and variables take memory."""
        self.gauge.made(turns * 64)

    def made(self, size: int) -> None:
        """Count the bytes of a value that was made (64 for an element); only what may be large need be told."""
        self.gauge.made(size)

    def text(self, size: int) -> None:
        """Count the characters of a large string *before* it is made; ``Stop`` past ``Limits.string``."""
        self.gauge.text(size)
