"""Bessel functions of both kinds. Orders 0 and 1 are rounded correctly; glibc's are wrong by a unit or two.

Up to an argument of 60 the power series is summed with enough digits, above that Hankel's asymptotic expansion.
Higher orders are computed from the lower ones in doubles, as in C.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from typing import TYPE_CHECKING

from .trigonometry import cosine, pi, sine

if TYPE_CHECKING:
    from ..running import Run

_SMALL = 60  # the greatest argument of the power series
_VANISHES = 500  # from this order on the function of a small argument is below the smallest double
_EULER = (
    "0.5772156649015328606065120900824024310421593359399235988057672348848677267776646709369470632917467495146314472498"
)


def _context(digits: int) -> Context:
    return Context(prec=digits, Emin=-(10**9), Emax=10**9)


def _power_series(n: int, x: Decimal) -> Decimal:
    """Sum the power series of the function of the first kind."""
    square = -x * x / 4
    term = total = (x / 2) ** n / math.factorial(n)
    k = 0
    while term and (k < _SMALL or term.adjusted() > total.adjusted() - 50):
        k += 1
        term *= square / (k * (k + n))
        total += term
    return total


def _second_kind(n: int, x: Decimal) -> Decimal:
    """Sum the series of the function of the second kind and order 0 or 1."""
    square = -x * x / 4
    term = (x / 2) ** n
    harmonic = total = Decimal(0)
    k = 0
    while term and (k < _SMALL or term.adjusted() > -60):
        total += term * (2 * harmonic + (Decimal(n) / (k + 1) if n else 0))
        k += 1
        term *= square / (k * (k + n))
        harmonic += Decimal(1) / k
    result = 2 * ((x / 2).ln() + Decimal(_EULER)) * _power_series(n, x) - total
    return (result - 2 / x if n else result) / pi()


def _asymptotic(n: int, x: Decimal) -> tuple[Decimal, Decimal]:
    """Return the functions of both kinds and order 0 or 1 by Hankel's expansion."""
    with localcontext(_context(70 + max(0, x.adjusted()))):
        turned = x - pi() * (2 * n + 1) / 4
        angle = turned - 2 * pi() * (turned / (2 * pi())).to_integral_value()
    even = odd = Decimal(0)
    term = Decimal(1)
    k = 0
    while term.adjusted() > -55:
        if k % 2:
            odd += -term if k & 2 else term
        else:
            even += -term if k & 2 else term
        k += 1
        following = term * (4 * n * n - (2 * k - 1) ** 2) / (8 * k * x)
        if abs(following) > abs(term):
            break
        term = following
    factor = (2 / (pi() * x)).sqrt()
    sin, cos = sine(+angle), cosine(+angle)
    return factor * (even * cos - odd * sin), factor * (even * sin + odd * cos)


def _first(n: int, x: float) -> float:
    """Compute the function of the first kind and order 0 or 1 of a positive number."""
    with localcontext(_context(60 if x > _SMALL else 60 + int(x))):
        exact = Decimal(x)
        return float(_asymptotic(n, exact)[0] if x > _SMALL else _power_series(n, exact))


def _second(n: int, x: float) -> float:
    if x <= 0 or not math.isfinite(x):
        if x == 0:
            return -math.inf
        if x == math.inf:
            return 0.0
        if x != x:
            return x
        return math.nan
    with localcontext(_context(60 if x > _SMALL else 60 + int(x))):
        exact = Decimal(x)
        return float(_asymptotic(n, exact)[1] if x > _SMALL else _second_kind(n, exact))


def j0(x: float) -> float:
    """Compute the function of the first kind and order 0."""
    if x == 0 or not math.isfinite(x):
        if x == 0:
            return 1.0
        if x != x:
            return x
        return 0.0
    return _first(0, abs(x))


def j1(x: float) -> float:
    """Compute the function of the first kind and order 1."""
    if x == 0 or not math.isfinite(x):
        if x == 0 or x != x:
            return x
        return 1 / x
    if abs(x) < 1e-300:
        return x / 2
    return math.copysign(1, x) * _first(1, abs(x))


def y0(x: float) -> float:
    """Compute the function of the second kind and order 0."""
    return _second(0, x)


def y1(x: float) -> float:
    """Compute the function of the second kind and order 1."""
    return _second(1, x)


def jn(run: Run, n: int, x: float) -> float:
    """Compute the function of the first kind and any order."""
    if n < 0:
        n, x = -n, -x
    if n < 2 or x != x:
        return j1(x) if n == 1 else j0(x)
    sign = -1.0 if n % 2 and math.copysign(1, x) < 0 else 1.0
    x = abs(x)
    if x == 0 or x == math.inf:
        return sign * 0.0
    if n <= x:
        low, high = j0(x), j1(x)
        for k in range(1, n):
            if not k % 4096:
                run.check()
            low, high = high, high * ((k + k) / x) - low
        return sign * high
    if x > _SMALL:
        return sign * _backward(run, n, x)
    if n > _VANISHES:
        return sign * 0.0
    with localcontext(_context(60 + int(x))):
        return sign * float(_power_series(n, Decimal(x)))


def _backward(run: Run, n: int, x: float) -> float:
    """Run the recurrence down from an order where the function vanishes (Miller's algorithm)."""
    start = n + 30 + int(10 * math.sqrt(n))
    above, here, wanted = 0.0, 1e-300, 0.0
    for k in range(start, 0, -1):
        if not k % 4096:
            run.check()
        above, here = here, here * ((k + k) / x) - above
        if k - 1 == n:
            wanted = here
        if abs(here) > 1e250:
            above, here, wanted = above * 1e-280, here * 1e-280, wanted * 1e-280
    # The results share an unknown factor: divide by it, using the known value of the greater of the two lowest orders.
    if abs(here) > abs(above):
        return wanted * (j0(x) / here)
    return wanted * (j1(x) / above)


def yn(run: Run, n: int, x: float) -> float:
    """Compute the function of the second kind and any order."""
    sign = -1.0 if n < 0 and n % 2 else 1.0
    n = abs(n)
    if n == 0:
        return y0(x)
    if x == math.inf:
        return 0.0
    if n == 1 or not x > 0:
        return sign * y1(x)
    low, high = y0(x), y1(x)
    for k in range(1, n):
        if not k % 4096:
            run.check()
        if high == -math.inf:
            break
        low, high = high, (k + k) / x * high - low
    return sign * high
