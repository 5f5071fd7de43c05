"""The functions of ``bc -l``: sine, cosine, arctangent, logarithm, exponential and Bessel's (POSIX XCU bc, "-l").

Each value is worked out with digits to spare and truncated to ``scale``. Numbers within are integers over 10**places.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from ...errors import Stop
from .numbers import MOST_DIGITS, Number, shorten, ten, whole

Check = Callable[[], None]
_SPARE = 15


class Library:
    """The functions at one scale. ``check`` is asked at each step whether the run goes on."""

    def __init__(self, scale: int, check: Check) -> None:
        self.scale = scale
        self.check = check

    def call(self, name: str, arguments: list[Number]) -> Number:
        """Return a function's value."""
        if self.scale > MOST_DIGITS // 4:
            raise Stop("limit", f"a number of bc has more than {MOST_DIGITS // 4} digits")
        if name == "j":
            return self._bessel(whole(arguments[0]), arguments[1])
        return {"e": self._e, "l": self._l, "s": self._s, "c": self._c, "a": self._a}[name](arguments[0])

    def _fixed(self, number: Number, places: int) -> int:
        a, s = number
        return a * ten(places - s) if places >= s else shorten(a, s, places)[0]

    def _done(self, value: int, places: int) -> Number:
        return shorten(value, places, self.scale)

    def _e(self, number: Number) -> Number:
        x = whole(number)
        if not number[0]:
            return ten(self.scale), self.scale
        if abs(x) > 2 * MOST_DIGITS:
            if x < 0:
                return 0, self.scale
            raise Stop("limit", f"a number of bc has more than {MOST_DIGITS} digits")
        places = self.scale + abs(x) * 4343 // 10000 + _SPARE + 10
        value = self._exp(abs(self._fixed(number, places)), places)
        if number[0] < 0:
            value = ten(2 * places) // value
        return self._done(value, places)

    def _exp(self, x: int, places: int) -> int:
        halvings = max(0, x.bit_length() - ten(places).bit_length() + 8)
        extra = halvings // 3 + 5
        one = ten(places + extra)
        x = x * ten(extra) >> halvings
        total = term = one
        count = 1
        while term:
            self.check()
            term = term * x // (one * count)
            total += term
            count += 1
        for _ in range(halvings):
            self.check()
            total = total * total // one
        return total // ten(extra)

    def _l(self, number: Number) -> Number:
        if number[0] <= 0:
            return (1 - ten(self.scale)) * ten(self.scale), self.scale
        if number[0] == ten(number[1]):
            return 0, 0
        places = self.scale + _SPARE + 10
        # x = m * 2**k with m near 1.
        a, s = number
        shift = a.bit_length() - ten(s).bit_length()
        places += len(str(abs(shift)))
        m = a * ten(places) // ten(s)
        m = self._scaled(a, s, places, shift) if shift else m
        value = self._log_near_one(m, places)
        if shift:
            value += shift * self._log_near_one(2 * ten(places), places)
        return self._done(value, places)

    def _scaled(self, a: int, s: int, places: int, shift: int) -> int:
        if shift > 0:
            return a * ten(places) // (ten(s) << shift)
        return (a * ten(places) << -shift) // ten(s)

    def _log_near_one(self, m: int, places: int) -> int:
        extra = 10
        one = ten(places + extra)
        m *= ten(extra)
        for _ in range(8):
            self.check()
            m = isqrt(m * one)
        ratio = (m - one) * one // (m + one)
        square = ratio * ratio // one
        total, term, count = 0, ratio, 1
        while term:
            self.check()
            total += term // count if term > 0 else -(-term // count)
            term = term * square // one if term > 0 else -(-term * square // one)
            count += 2
        return total * 512 // ten(extra)

    def _arctangent(self, x: int, places: int) -> int:
        extra = 10
        one = ten(places + extra)
        x *= ten(extra)
        for _ in range(5):
            self.check()
            x = x * one // (one + isqrt(one * one + x * x))
        square = x * x // one
        total, term, count = 0, x, 1
        while term:
            self.check()
            total += term // count
            term = -(term * square // one) if term > 0 else -term * square // one
            count += 2
        return total * 32 // ten(extra)

    def _a(self, number: Number) -> Number:
        if not number[0]:
            return 0, 0
        places = self.scale + _SPARE + 10
        size = len(str(abs(whole(number)).bit_length()))
        value = self._arctangent(abs(self._fixed(number, places + size)), places + size)
        return self._done(-value if number[0] < 0 else value, places + size)

    def _reduced(self, number: Number, places: int) -> tuple[int, int]:
        """Return the rest by a quarter of the circle, and in which quarter it is."""
        deeper = places + abs(whole(number)).bit_length() * 302 // 1000 + 5
        half_pi = 2 * self._arctangent(ten(deeper), deeper)
        quarter, rest = divmod(self._fixed(number, deeper), half_pi)
        return rest // ten(deeper - places), quarter % 4

    def _series(self, x: int, places: int, first: int) -> int:
        one = ten(places)
        square = x * x // one
        term = x if first == 1 else one
        total, count = 0, first
        while term:
            self.check()
            total += term
            term = abs(term) * square // (one * (count + 1) * (count + 2)) * (-1 if term > 0 else 1)
            count += 2
        return total

    def _turned(self, number: Number, turn: int) -> Number:
        places = self.scale + _SPARE + 10
        rest, quarter = self._reduced(number, places)
        quarter = (quarter + turn) % 4
        value = self._series(rest, places, 1 - quarter % 2)
        return self._done(-value if quarter >= 2 else value, places)

    def _s(self, number: Number) -> Number:
        return self._turned(number, 0) if number[0] else (0, 0)

    def _c(self, number: Number) -> Number:
        return self._turned(number, 1) if number[0] else (ten(self.scale), self.scale)

    def _bessel(self, order: int, number: Number) -> Number:
        n = abs(order)
        x = abs(whole(number))
        if n > 1000 or x > MOST_DIGITS // 10:
            raise Stop("limit", "j(n,x) of bc takes n up to 1000 and x up to 30000")
        places = self.scale + _SPARE + 10 + x + n
        one = ten(places)
        half = self._fixed(number, places) // 2
        term = one
        for count in range(1, n + 1):
            self.check()
            term = term * half // (one * count)
        square = half * half // one
        total, count = 0, 1
        while term:
            self.check()
            total += term
            size = abs(term) * square // (one * count * (n + count))
            term = -size if term > 0 else size
            count += 1
        return self._done(-total if order < 0 and n % 2 else total, places)
