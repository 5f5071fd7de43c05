"""The gamma function and its logarithm, rounded correctly: those of Python's math module are wrong in the last digits.

glibc's are sometimes off by one or two units in the last place; there the results differ from jq's.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext

from .trigonometry import pi, sine

_CONTEXT = Context(prec=60, Emin=-(10**9), Emax=10**9)
_FROM = 40  # Stirling's series is exact enough from here on
# Bernoulli's numbers B2, B4, ... B40.
_BERNOULLI = (
    *((1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798)),
    *((-174611, 330), (854513, 138), (-236364091, 2730), (8553103, 6), (-23749461029, 870)),
    *((8615841276005, 14322), (-7709321041217, 510), (2577687858367, 6), (-26315271553053477373, 1919190)),
    *((2929993913841559, 6), (-261082718496449122051, 13530)),
)


def _log_gamma(x: Decimal) -> Decimal:
    """Return the logarithm of the gamma function of a positive number, by Stirling's series."""
    product = Decimal(1)
    while x < _FROM:
        product *= x
        x += 1
    result = (x - Decimal("0.5")) * x.ln() - x + (2 * pi()).ln() / 2
    square = x * x
    for index, (upper, lower) in enumerate(_BERNOULLI, 1):
        result += Decimal(upper) / (lower * 2 * index * (2 * index - 1) * x)
        x *= square
    return result - product.ln()


def _is_negative(x: float) -> bool:
    """Return whether the gamma function of a non-integer is negative."""
    return x < 0 and math.floor(x) % 2 == 1


def lgamma_r(x: float) -> tuple[float, int]:
    """Return the logarithm of the gamma function's absolute value, and the function's sign."""
    if not math.isfinite(x):
        return abs(x), 1
    if x == 0:
        return math.inf, int(math.copysign(1, x))
    if x < 0 and x == math.floor(x):
        return math.inf, 1
    if x in (1, 2):
        return 0.0, 1
    with localcontext(_CONTEXT):
        if x > 0:
            return float(_log_gamma(Decimal(x))), 1
        result = _reflected(x).ln() - _log_gamma(1 - Decimal(x))
        return float(result), -1 if _is_negative(x) else 1


def _reflected(x: float) -> Decimal:
    """Return pi divided by the sine of pi times a number, without its sign."""
    near = Decimal(x) - Decimal(round(x))
    return abs(pi() / sine(pi() * near))


def lgamma(x: float) -> float:
    """Return the logarithm of the gamma function's absolute value."""
    return lgamma_r(x)[0]


def tgamma(x: float) -> float:
    """Compute the gamma function."""
    if x == 0:
        return math.copysign(math.inf, x)
    if x == -math.inf or x < 0 and x == math.floor(x):
        return math.nan
    if not -200 < x < 172:
        if x != x:
            return x
        if x > 0:
            return math.inf
        if _is_negative(x):
            return -0.0
        return 0.0
    with localcontext(_CONTEXT):
        if x > 0:
            return float(_log_gamma(Decimal(x)).exp())
        result = float(_reflected(x) / _log_gamma(1 - Decimal(x)).exp())
    return -result if _is_negative(x) else result
