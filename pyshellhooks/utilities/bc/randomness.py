"""``random()``: the numbers of the C library's random(), which bc never seeds (glibc's additive feedback, degree 31)."""

from __future__ import annotations

from collections import deque


class Randomness:
    """The sequence that begins with 1804289383."""

    def __init__(self) -> None:
        self._state: deque[int] = deque(maxlen=31)

    def _begin(self) -> None:
        values = [1]
        for _ in range(30):
            values.append(16807 * values[-1] % 2147483647)
        self._state.extend([*values[:31]])
        # The first three of the second round are those of the first; ten rounds are thrown away.
        for _ in range(3):
            self._state.append(self._state[0])
        for _ in range(310):
            self._step()

    def _step(self) -> int:
        value = (self._state[0] + self._state[28]) & 0xFFFFFFFF
        self._state.append(value)
        return value

    def next(self) -> int:
        """Return the next number."""
        if not self._state:
            self._begin()
        return self._step() >> 1
