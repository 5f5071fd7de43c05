"""Selection of lines by two addresses (POSIX XCU sed, Addresses; GNU sed 4.9 if commands skip lines).

Lines may pass without a check of the range (``n``, ``N``, ``d`` before it), so a numeric first address also matches any
later line until its range is closed, and a range whose end passed unchecked ends at the next line that is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .script import Address, Command

_INACTIVE = -1
_CLOSED = -2  # a numeric first address does not open it again
_UNTIL_FOUND = -3  # the second address is matched against each line
# A state of 0 or more: active until this line.


class Ranges:
    """The states of a script's ranges."""

    __slots__ = ("_states",)

    def __init__(self, commands: Sequence[Command]) -> None:
        self._states = [_INACTIVE] * len(commands)
        for command in commands:
            first = command.first
            if first is None or command.second is None:
                continue
            if first.kind == "number" and not first.number:
                self._states[command.index] = _UNTIL_FOUND  # 0,/re/ is open before the first line

    def active(self, command: Command) -> bool:
        """Return whether the range continues after the last line that was checked."""
        state = self._states[command.index]
        return state >= 0 or state == _UNTIL_FOUND

    def closed(self, command: Command) -> bool:
        """Return whether a range that begins with a number is over."""
        return self._states[command.index] == _CLOSED

    def selects(self, command: Command, line: int, matches: Callable[[Address], bool]) -> bool:
        """Return whether a line is in the range, and update the range's state."""
        first, second = command.first, command.second
        assert first is not None and second is not None
        state = self._states[command.index]
        if state == _UNTIL_FOUND:
            if matches(second):
                self._states[command.index] = _CLOSED
            return True
        if state >= 0:
            if line >= state:
                self._states[command.index] = _CLOSED
            # A line can be skipped by another command, so that the range is seen again only after its end.
            return second.kind != "number" or line <= state
        if first.kind == "number":
            if state == _CLOSED or line < first.number:
                return False
        elif not matches(first):
            return False
        return self._open(command.index, first, second, line, matches)

    def _open(self, index: int, first: Address, second: Address, line: int, matches: Callable[[Address], bool]) -> bool:
        kind = second.kind
        if kind == "number":
            self._states[index] = second.number if line < second.number else _CLOSED
            if first.kind != "number":
                return True
            # After both: the range was not checked at its first line, and is over.
            return line <= second.number or line == first.number
        if kind in ("plus", "multiple") and not second.number:
            self._states[index] = _CLOSED  # +0 and ~0: only this line
        elif kind == "plus":
            self._states[index] = line + second.number
        elif kind == "multiple":
            # GNU sed 4.9 ends at the next multiple even if this line is one: 4,~4 is 4 to 8.
            self._states[index] = line + second.number - line % second.number
        elif kind in ("step", "last") and matches(second):
            self._states[index] = _CLOSED
        else:
            self._states[index] = _UNTIL_FOUND
        return True
