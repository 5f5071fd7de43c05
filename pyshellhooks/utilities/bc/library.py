"""The functions of ``bc -l``: sine, cosine, arctangent, logarithm and exponential (POSIX XCU bc, "-l").

Each value is computed with additional digits and truncated to ``scale``. Internally a number is an integer over
10**places.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from ...errors import Stop
from .numbers import MOST_DIGITS, Number, shorten, ten, whole

FUNCTIONS = frozenset("sclea")
_SPARE = 25
_SERIES_SPARE = 10  # additional digits within a series


def _fixed(number: Number, places: int) -> int:
    a, s = number
    if places >= s:
        return a * ten(places - s)
    return shorten(a, s, places)[0]


class Library:
    """The functions for one scale. ``check`` is called at each step and raises ``Stop`` if the run must end."""

    def __init__(self, scale: int, check: Callable[[], None]) -> None:
        if scale > MOST_DIGITS // 4:
            raise Stop("limit", f"a number of bc has more than {MOST_DIGITS // 4} digits")
        self._scale = scale
        self._check = check

    def call(self, name: str, number: Number) -> Number:
        """Return the value of one of ``FUNCTIONS``."""
        if name == "l":
            return self._logarithm(number)
        if not number[0]:
            if name in "ec":  # e(0) and c(0) are 1
                return ten(self._scale), self._scale
            return 0, 0
        if name == "e":
            return self._exponential(number)
        if name == "a":
            places = self._scale + _SPARE + len(str(abs(whole(number)).bit_length()))
            value = self._arctangent(abs(_fixed(number, places)), places)
            if number[0] < 0:
                value = -value
            return self._done(value, places)
        return self._turned(number, quarters=name == "c")

    def _done(self, value: int, places: int) -> Number:
        return shorten(value, places, self._scale)

    def _series(
        self,
        term: int,
        factor: int,
        one: int,
        *,
        sign: int = -1,
        grow: Callable[[int], int] = lambda _: 1,
        share: Callable[[int], int] = lambda _: 1,
    ) -> int:
        """Return the sum of the terms ``term * (sign * factor)**k / (grow(1) * … * grow(k)) / share(k)``."""
        total, count, signed = 0, 0, 1
        while term:
            self._check()
            total += signed * (term // share(count))
            count += 1
            signed *= sign
            term = term * factor // (one * grow(count))
        return total

    def _exponential(self, number: Number) -> Number:
        size = abs(whole(number))
        if size > 2 * MOST_DIGITS:
            if number[0] < 0:
                return 0, self._scale
            raise Stop("limit", f"a number of bc has more than {MOST_DIGITS} digits")
        places = self._scale + size * 4343 // 10000 + _SPARE  # 0.4343: the common logarithm of e
        x = abs(_fixed(number, places))
        halvings = max(0, x.bit_length() - ten(places).bit_length() + 8)
        extra = halvings // 3 + 5
        one = ten(places + extra)
        value = self._series(one, x * ten(extra) >> halvings, one, sign=1, grow=lambda count: count)
        for _ in range(halvings):
            self._check()
            value = value * value // one
        value //= ten(extra)
        if number[0] < 0:
            value = ten(2 * places) // value  # e(-x) is 1/e(x)
        return self._done(value, places)

    def _logarithm(self, number: Number) -> Number:
        a, s = number
        if a <= 0:
            return (1 - ten(self._scale)) * ten(self._scale), self._scale
        if a == ten(s):
            return 0, 0
        # The number is m * 2**shift, with m from 1 to 4.
        shift = a.bit_length() - ten(s).bit_length() - 1
        places = self._scale + _SPARE + len(str(abs(shift)))
        m = (a * ten(places) << max(0, -shift)) // (ten(s) << max(0, shift))
        value = self._log_near_one(m, places)
        if shift:
            value += shift * self._log_near_one(2 * ten(places), places)
        return self._done(value, places)

    def _log_near_one(self, m: int, places: int) -> int:
        """Return the logarithm of a number from 1 to 4."""
        one = ten(places + _SERIES_SPARE)
        m *= ten(_SERIES_SPARE)
        # Eight square roots divide the logarithm by 256, and bring the number so near to 1 that the series is short.
        for _ in range(8):
            self._check()
            m = isqrt(m * one)
        ratio = (m - one) * one // (m + one)
        total = self._series(ratio, ratio * ratio // one, one, sign=1, share=lambda count: 2 * count + 1)
        return total * 512 // ten(_SERIES_SPARE)

    def _arctangent(self, x: int, places: int) -> int:
        one = ten(places + _SERIES_SPARE)
        x *= ten(_SERIES_SPARE)
        # atan(x) = 2 * atan(x / (1 + sqrt(1 + x*x))): five halvings divide the angle by 32.
        for _ in range(5):
            self._check()
            x = x * one // (one + isqrt(one * one + x * x))
        total = self._series(x, x * x // one, one, share=lambda count: 2 * count + 1)
        return total * 32 // ten(_SERIES_SPARE)

    def _turned(self, number: Number, *, quarters: int) -> Number:
        """Return the sine of a number plus ``quarters`` quarter turns."""
        places = self._scale + _SPARE
        deeper = places + abs(whole(number)).bit_length() * 302 // 1000 + 5
        full, rest = divmod(_fixed(number, deeper), 2 * self._arctangent(ten(deeper), deeper))
        quarters = (quarters + full) % 4
        one, x = ten(places), rest // ten(deeper - places)
        if quarters % 2:
            value = self._series(one, x * x // one, one, grow=lambda count: 2 * count * (2 * count - 1))
        else:
            value = self._series(x, x * x // one, one, grow=lambda count: 2 * count * (2 * count + 1))
        return self._done(-value if quarters >= 2 else value, places)
