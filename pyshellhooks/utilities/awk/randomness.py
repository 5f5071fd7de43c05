"""``rand``: the same sequence as gawk for a seed.

BSD's additive feedback generator with 63 words of state, shuffled through a table of 512 (Bays and Durham). This was
found by observing gawk 5.2.1; the cases of rand in conformance/cases/utilities/awk_functions.toml test it.
"""

from __future__ import annotations

_DEGREE = 63
_MODULUS = 2147483647
_TABLE = 512


class Generator:
    """BSD ``random()``, shuffled."""

    __slots__ = ("_front", "_last", "_state", "_table")

    def __init__(self, seed: int) -> None:
        word = seed & 0xFFFFFFFF
        state = [word]
        for _ in range(_DEGREE - 1):
            # The minimal standard generator, in which 0 would stay 0.
            word = word or 123459876
            signed = word - (1 << 32) if word >= 1 << 31 else word
            quotient = int(signed / 127773)
            word = 16807 * (signed - quotient * 127773) - 2836 * quotient
            if word < 0:
                word += _MODULUS
            state.append(word)
        self._state = state
        self._front = 1
        self._table = [self._next() for _ in range(_TABLE)]
        self._last = self._next()
        for _ in range(10 * _DEGREE):
            self._shuffled()

    def _next(self) -> int:
        state, front = self._state, self._front
        total = state[front] = (state[front] + state[(front - 1) % _DEGREE]) & 0xFFFFFFFF
        self._front = (front + 1) % _DEGREE
        return total >> 1

    def _shuffled(self) -> int:
        """Return the table's number at the index from the last number, and replace it by a new one."""
        at = self._last & (_TABLE - 1)
        found = self._last = self._table[at]
        self._table[at] = self._next()
        return found

    def random(self) -> float:
        """Return a number from 0 to 1, without 1."""
        while True:
            first, second = self._shuffled(), self._shuffled()
            number = 0.5 + ((first / 2147483648.0 + second) / 2147483648.0) - 0.5
            if number != 1.0:
                return number
