"""``rand``: the sequence that gawk gives for a seed (BSD's additive feedback generator with 63 words of state)."""

from __future__ import annotations

_DEGREE = 63
_MODULUS = 2147483647


class Generator:
    """BSD ``random()``."""

    __slots__ = ("_front", "_state")

    def __init__(self, seed: int) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Begin the sequence of a seed."""
        word = seed & 0xFFFFFFFF
        state = [word]
        for _ in range(_DEGREE - 1):
            # The minimal standard generator; 0 would stay 0.
            word = word if word else 123459876
            signed = word - (1 << 32) if word >= 1 << 31 else word
            quotient = int(signed / 127773)
            word = 16807 * (signed - quotient * 127773) - 2836 * quotient
            if word < 0:
                word += _MODULUS
            state.append(word)
        self._state = state
        self._front = 1
        for _ in range(10 * _DEGREE):
            self._next()

    def _next(self) -> int:
        state, front = self._state, self._front
        total = state[front] = (state[front] + state[(front - 1) % _DEGREE]) & 0xFFFFFFFF
        self._front = (front + 1) % _DEGREE
        return total >> 1

    def random(self) -> float:
        """Give a number from 0 up to, not including, 1."""
        while True:
            first, second = self._next(), self._next()
            number = 0.5 + ((second / 2147483648.0 + first) / 2147483648.0) - 0.5
            if number != 1.0:
                return number
