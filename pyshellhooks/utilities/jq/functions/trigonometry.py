"""Pi, sine and cosine of decimals, to the precision of the current context."""

from __future__ import annotations

from decimal import Decimal, getcontext
from functools import lru_cache


@lru_cache(maxsize=8)
def _pi(digits: int) -> Decimal:
    """Compute pi by Machin's formula, in integers."""
    one: int = 10 ** (digits + 10)

    def arctangent(n: int) -> int:
        power = total = one // n
        k = 1
        while power:
            power //= -n * n
            k += 2
            total += power // k
        return total

    return Decimal(16 * arctangent(5) - 4 * arctangent(239)).scaleb(-digits - 10)


def pi() -> Decimal:
    """Return pi."""
    return +_pi(getcontext().prec)


def _series(first: Decimal, square: Decimal, n: int) -> Decimal:
    """Sum the alternating series of sine (from 1 on) or cosine (from 0 on)."""
    term = total = first
    while term and term.adjusted() > total.adjusted() - getcontext().prec - 3:
        term *= -square / ((n + 1) * (n + 2))
        n += 2
        total += term
    return total


def sine(x: Decimal) -> Decimal:
    """Return the sine of a small number."""
    return _series(x, x * x, 1)


def cosine(x: Decimal) -> Decimal:
    """Return the cosine of a small number."""
    return _series(Decimal(1), x * x, 0)
