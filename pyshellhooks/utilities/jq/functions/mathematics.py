"""Mathematical builtins: those of C's libm, with glibc's results, and jq's own on numbers.

Python's ``math`` calls the same libm, but raises an error if C returns an infinity or ``nan``. Functions that Python
lacks are here, or in ``bessel.py`` and ``gamma.py``: their results are rounded correctly, so they differ in the last
digits from glibc's, which are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..compiler.registry import Family, Function
from ..errors import JqError
from ..json.numbers import Literal, compare_numbers, negate
from ..json.values import describe

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_INFINITE = math.inf
_NAN = math.nan
_INVALID = -math.nan  # the processor's result of sqrt(-1): its sign is visible in copysign
_INT = 1 << 31
_LONG = 1 << 63


def _number(value: Any) -> float:
    kind = type(value)
    if kind is float:
        return value  # type: ignore[no-any-return]
    if kind is int or kind is Literal:
        return float(value)
    raise JqError(f"{describe(value)} number required")


# -- Functions of Python's math, and their errors


def _add(name: str, run: Callable[..., Any], arity: int) -> None:
    """Add a builtin; ``arity`` is given, since inspecting so many signatures would dominate the import time."""
    function.functions[f"{name}/{arity}"] = Function(run, False)


def _declare(name: str, c: Callable[[float], float]) -> None:
    """Declare a function of one number; an overflow gives an infinity with the argument's sign."""

    def run(run: Run, value: Any) -> float:
        x = _number(value)
        try:
            return c(x)
        except ValueError:
            return invalid
        except OverflowError:
            return math.copysign(_INFINITE, x)

    invalid = _NAN if name in ("acos", "asin", "log10") else _INVALID
    _add(name, run, 0)


def _declare_two(name: str, c: Callable[[float, float], float]) -> None:
    """Declare a function of two numbers."""

    def run(run: Run, value: Any, a: Any, b: Any) -> float:
        x, y = _number(a), _number(b)
        try:
            return c(x, y)
        except ValueError:
            return _INVALID

    _add(name, run, 2)


def _at_pole(c: Callable[[float], float], pole: float) -> Callable[[float], float]:
    """Return a logarithm that gives -infinity at its pole."""
    return lambda x: -_INFINITE if x == pole else c(x)


def _atanh(x: float) -> float:
    if abs(x) < 1 or x != x:
        return math.atanh(x)
    if abs(x) == 1:
        return math.copysign(_INFINITE, x)
    return _INVALID


def _cosh(x: float) -> float:
    try:
        return math.cosh(x)
    except OverflowError:
        return _INFINITE


def _exp10(x: float) -> float:
    """Return 10 to the power of ``x``, split as in glibc, so that both exponents of e are exact enough."""
    if not math.isfinite(x):
        return math.exp(x)
    if x < -332:
        return 0.0
    if x > 309:
        return _INFINITE
    if abs(x) < 2.0**-56:
        return 1.0
    mantissa, exponent = math.frexp(x)
    high = math.ldexp(math.trunc(math.ldexp(mantissa, 26)), exponent - 26)
    low = x - high
    return math.exp(high * _LN10_HIGH) * math.exp(high * _LN10_LOW + low * _LN10)


_LN10 = math.log(10)
_LN10_HIGH = float.fromhex("0x2.4d7637p0")
_LN10_LOW = float.fromhex("0x7.6aaa2b05ba95cp-28")


# -- Roundings


def _rounding_function(to_int: Callable[[float], int]) -> Callable[[float], float]:
    """Return a rounding function that preserves infinities, nan and the sign of zero."""

    def c(x: float) -> float:
        if -4503599627370496.0 < x < 4503599627370496.0:
            return math.copysign(to_int(x), x)
        return x

    return c


def _half_away(x: float) -> int:
    whole = int(x)
    rest = x - whole
    if rest >= 0.5:
        return whole + 1
    if rest <= -0.5:
        return whole - 1
    return whole


# -- Mantissa and exponent


def _logb(x: float) -> float:
    if x == 0:
        return -_INFINITE
    if math.isfinite(x):
        return float(math.frexp(x)[1] - 1)
    return abs(x)


def _significand(x: float) -> float:
    return math.frexp(x)[0] * 2


def _scaled(x: float, exponent: int) -> float:
    try:
        return math.ldexp(x, exponent)
    except OverflowError:
        return math.copysign(_INFINITE, x)


def _as_c_integer(x: float, limit: int) -> int:
    """Cast a double to C's int or long as x86-64 does: a value out of range becomes the least one."""
    if not -limit - 1 < x < limit:
        return -limit
    return int(x)


def _scalb(x: float, exponent: float) -> float:
    if math.isnan(x) or math.isnan(exponent):
        return x * exponent
    if math.isinf(exponent):
        if exponent > 0:
            return x * exponent
        return x / -exponent if x != 0 else x
    if exponent != math.floor(exponent):
        return _INVALID
    return _scaled(x, int(max(-65000.0, min(65000.0, exponent))))


@function("frexp")
def frexp(run: Run, value: Any) -> list[Any]:
    mantissa, exponent = math.frexp(_number(value))
    return [mantissa, exponent]


@function("modf")
def modf(run: Run, value: Any) -> list[Any]:
    return list(math.modf(_number(value)))


# -- Two and three arguments


def _pow(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except (OverflowError, ValueError) as error:
        if type(error) is ValueError and x != 0:
            return _INVALID
        odd = abs(math.fmod(y, 2)) == 1
        if odd:
            return math.copysign(_INFINITE, x)
        return _INFINITE


def _hypot(x: float, y: float) -> float:
    """Compute ``hypot`` as glibc 2.35 and later do; Python's differs in the last bit."""
    x, y = abs(x), abs(y)
    if math.isinf(x) or math.isinf(y):
        return _INFINITE
    if x != x or y != y:
        return x + y
    large, small = (y, x) if x < y else (x, y)
    if large == 0 or small <= large * 2.0**-54:
        return large + small
    if large > 2.0**511:
        return _hypot_kernel(large * 2.0**-600, small * 2.0**-600) / 2.0**-600
    if small < 2.0**-459:
        return _hypot_kernel(large / 2.0**-600, small / 2.0**-600) * 2.0**-600
    return _hypot_kernel(large, small)


def _hypot_kernel(large: float, small: float) -> float:
    """Return the root of the sum of squares, corrected once (Borges, "An Improved Algorithm for hypot(a,b)")."""
    root = math.sqrt(large * large + small * small)
    if root <= 2 * small:
        delta = root - small
        first, second = large * (2 * delta - large), (delta - 2 * (large - small)) * delta
    else:
        delta = root - large
        first, second = 2 * delta * (large - 2 * small), (4 * delta - small) * small + delta * delta
    return root - (first + second) / (2 * root)


def _fdim(x: float, y: float) -> float:
    return 0.0 if x <= y else x - y


def _fmax(x: float, y: float) -> float:
    if x >= y or y != y:
        return x
    return y


def _fmin(x: float, y: float) -> float:
    if x <= y or y != y:
        return x
    return y


@function("fma")
def fma(run: Run, value: Any, a: Any, b: Any, c: Any) -> float:
    """Multiply and add with one rounding, in integers."""
    x, y, z = _number(a), _number(b), _number(c)
    finite = math.isfinite(x) and math.isfinite(y)
    if not (finite and math.isfinite(z)):
        return z if finite else x * y + z
    if x == 0 or y == 0:
        return x * y + z
    (p, q), (r, s), (t, u) = x.as_integer_ratio(), y.as_integer_ratio(), z.as_integer_ratio()
    upper, lower = p * r * u + t * q * s, q * s * u
    if upper == 0:
        return 0.0
    try:
        return upper / lower
    except OverflowError:
        return _INFINITE if upper > 0 else -_INFINITE


@function("ldexp")
def ldexp(run: Run, value: Any, a: Any, b: Any) -> float:
    x, exponent = _number(a), _number(b)
    return _scaled(x, _as_c_integer(exponent, _INT))


@function("scalbln")
def scalbln(run: Run, value: Any, a: Any, b: Any) -> float:
    x, exponent = _number(a), _number(b)
    return _scaled(x, _as_c_integer(exponent, _LONG))


# -- Tests and constants


@function("abs")
def abs_(run: Run, value: Any) -> Any:
    kind = type(value)
    if kind is int or kind is float or kind is Literal:
        return negate(value) if compare_numbers(value, 0) < 0 else value
    if value is None or kind is bool:  # they are less than 0 in jq's order
        raise JqError(f"{describe(value)} cannot be negated")
    return value


@function("infinite")
def infinite(run: Run, value: Any) -> float:
    return _INFINITE


@function("nan")
def nan(run: Run, value: Any) -> float:
    return _NAN


@function("isinfinite")
def isinfinite(run: Run, value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)


@function("isfinite")
def isfinite(run: Run, value: Any) -> bool:
    return type(value) is int or (isinstance(value, float) and not math.isinf(value))


@function("isnan")
def isnan(run: Run, value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


@function("isnormal")
def isnormal(run: Run, value: Any) -> bool:
    if type(value) is int:
        return value != 0
    return isinstance(value, float) and 2.0**-1022 <= abs(value) < _INFINITE


# -- Special functions, which import their modules when called


def _declare_gamma(name: str, c_name: str) -> None:
    def run(run: Run, value: Any) -> float:
        x = _number(value)
        from . import gamma

        result: float = getattr(gamma, c_name)(x)
        return result

    _add(name, run, 0)


def _declare_bessel(name: str) -> None:
    def run(run: Run, value: Any) -> float:
        x = _number(value)
        from . import bessel

        result: float = getattr(bessel, name)(x)
        return result

    _add(name, run, 0)


@function("lgamma_r")
def lgamma_r(run: Run, value: Any) -> list[Any]:
    x = _number(value)
    from .gamma import lgamma_r

    return list(lgamma_r(x))


@function("jn")
def jn(run: Run, value: Any, a: Any, b: Any) -> float:
    order, x = _number(a), _number(b)
    from .bessel import jn

    return jn(run, _as_c_integer(order, _INT), x)


@function("yn")
def yn(run: Run, value: Any, a: Any, b: Any) -> float:
    order, x = _number(a), _number(b)
    from .bessel import yn

    return yn(run, _as_c_integer(order, _INT), x)


for _name in ("acos", "acosh", "asin", "asinh", "atan", "cbrt", "cos", "erf", "erfc", "exp", "exp2", "expm1"):
    _declare(_name, getattr(math, _name))
for _name in ("fabs", "sin", "sinh", "sqrt", "tan", "tanh"):
    _declare(_name, getattr(math, _name))
for _name, _pole in (("log", 0.0), ("log10", 0.0), ("log2", 0.0), ("log1p", -1.0)):
    _declare(_name, _at_pole(getattr(math, _name), _pole))
for _name, _c in (
    ("atanh", _atanh),
    ("cosh", _cosh),
    ("exp10", _exp10),
    ("logb", _logb),
    ("significand", _significand),
):
    _declare(_name, _c)
for _name, _whole in (("ceil", math.ceil), ("floor", math.floor), ("trunc", math.trunc), ("round", _half_away)):
    _declare(_name, _rounding_function(_whole))
for _name in ("nearbyint", "rint"):
    _declare(_name, _rounding_function(round))
for _name in ("atan2", "copysign", "fmod", "nextafter", "remainder"):
    _declare_two(_name, getattr(math, _name))
_OF_TWO: dict[str, Callable[[float, float], float]] = {
    "drem": math.remainder,
    "fdim": _fdim,
    "fmax": _fmax,
    "fmin": _fmin,
    "hypot": _hypot,
    "nexttoward": math.nextafter,
    "pow": _pow,
    "scalb": _scalb,
}
for _name, _of_two in _OF_TWO.items():
    _declare_two(_name, _of_two)
for _name, _c_name in (("gamma", "lgamma"), ("lgamma", "lgamma"), ("tgamma", "tgamma")):
    _declare_gamma(_name, _c_name)
for _name in ("j0", "j1", "y0", "y1"):
    _declare_bessel(_name)
