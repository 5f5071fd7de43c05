"""bc's decimals: an integer and how many of its digits stand behind the point (GNU bc 1.07, "Numbers").

Every operation gives the scale that the manual names for it and truncates. CPython multiplies and divides large integers
in one step that nothing interrupts, so that their size is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

from ...errors import Stop

Number = tuple[int, int]
ZERO: Number = (0, 0)
ONE: Number = (1, 0)
# The longest division of such numbers takes half a second.
MOST_DIGITS = 300_000
_MOST_BITS = MOST_DIGITS * 3322 // 1000
_CHUNK = 2000  # digits that int() and str() take at once: Python refuses 4300 and more


def _too_large() -> Stop:
    return Stop("limit", f"a number of bc has more than {MOST_DIGITS} digits")


@lru_cache(maxsize=64)
def _small_power(exponent: int) -> int:
    return int(10**exponent)


def ten(exponent: int) -> int:
    """Return a power of ten."""
    if exponent > MOST_DIGITS:
        raise _too_large()
    return _small_power(exponent) if exponent < 4096 else int(10**exponent)


def shorten(mantissa: int, scale: int, wanted: int) -> Number:
    """Truncate to a scale; a number that has less keeps what it has."""
    if scale <= wanted:
        return mantissa, scale
    unit = ten(scale - wanted)
    return (-(-mantissa // unit) if mantissa < 0 else mantissa // unit), wanted


def add(one: Number, other: Number) -> Number:
    """Add; the scale is the larger one."""
    a, s = one
    b, t = other
    if s < t:
        a *= ten(t - s)
        s = t
    elif t < s:
        b *= ten(s - t)
    return a + b, s


def subtract(one: Number, other: Number) -> Number:
    """Subtract."""
    return add(one, (-other[0], other[1]))


def compare(one: Number, other: Number) -> int:
    """Return a number below, of or above 0."""
    return subtract(one, other)[0]


def multiply(one: Number, other: Number, scale: int) -> Number:
    """Multiply; the scale is at most the largest of ``scale`` and theirs."""
    a, s = one
    b, t = other
    if a.bit_length() + b.bit_length() > _MOST_BITS:
        raise _too_large()
    return shorten(a * b, s + t, max(scale, s, t))


def divide(one: Number, other: Number, scale: int) -> Number:
    """Divide to ``scale`` digits. ZeroDivisionError."""
    a, s = one
    b, t = other
    if not b:
        raise ZeroDivisionError
    move = scale + t - s
    if move >= 0:
        if a.bit_length() + move * 3322 // 1000 > _MOST_BITS:
            raise _too_large()
        a *= ten(move)
    else:
        b *= ten(-move)
    quotient = abs(a) // abs(b)
    return (-quotient if (a < 0) != (b < 0) else quotient), scale


def modulo(one: Number, other: Number, scale: int) -> Number:
    """Return ``a-(a/b)*b`` at the scale that the manual has for ``%``."""
    quotient = divide(one, other, scale)
    back = (quotient[0] * other[0], quotient[1] + other[1])
    a, s = subtract(one, back)
    wanted = max(one[1], other[1] + scale)
    return a * ten(max(0, wanted - s)), max(s, wanted)


def power(base: Number, exponent: int, scale: int) -> Number:
    """Raise to a whole power. ZeroDivisionError for a negative power of 0."""
    a, s = base
    count = abs(exponent)
    if not exponent:
        return ONE
    if abs(a) > 1 and a.bit_length() * count > _MOST_BITS:
        raise _too_large()
    if s * count > MOST_DIGITS:
        raise _too_large()
    exact = (a**count if abs(a) > 1 else a if count % 2 else a * a), s * count
    if exponent < 0:
        return divide(ONE, exact, scale)
    return shorten(exact[0], exact[1], min(s * count, max(scale, s)))


def root(number: Number, scale: int) -> Number:
    """Return the square root of a number that is not negative."""
    a, s = number
    wanted = max(scale, s)
    if not a:
        return ZERO
    if compare(number, ONE) == 0:
        return ONE
    move = 2 * wanted - s
    if a.bit_length() + move * 3322 // 1000 > _MOST_BITS:
        raise _too_large()
    return isqrt(a * ten(move)), wanted


def whole(number: Number) -> int:
    """Return the integer part."""
    return shorten(*number, 0)[0] if number[1] else number[0]


def length(number: Number) -> int:
    """Count the digits."""
    a, s = number
    return max(s, len(digits(abs(a)))) if a else max(s, 1)


def digits(value: int) -> str:
    """Write a large integer that is not negative, which ``str`` would refuse."""
    if value.bit_length() < 6000:
        return str(value)
    size = _CHUNK
    while 10 ** (2 * size) <= value:
        size *= 2
    return _digits(value, size).lstrip("0")


def _digits(value: int, size: int) -> str:
    if value.bit_length() < 6000:
        return str(value)
    high, low = divmod(value, ten(size))
    return _digits(high, size // 2) + _digits(low, size // 2).zfill(size)


def integer(text: str) -> int:
    """Read decimal digits, however many."""
    if len(text) <= _CHUNK:
        return int(text or "0")
    if len(text) > MOST_DIGITS:
        raise _too_large()
    middle = len(text) // 2
    return integer(text[:-middle]) * ten(middle) + integer(text[-middle:])


def parse(text: str, base: int) -> Number:
    """Read a constant: one digit alone has its own value, in others a digit above the base is the base's last."""
    before, _, after = text.partition(".")
    values = [int(char, 36) for char in before]
    if len(values) == 1 and not after:
        return values[0], 0
    if base == 10:
        cleaned = "".join("9" if char.isalpha() else char for char in before + after)
        return integer(cleaned), len(after)
    result = values[0] if len(values) == 1 else _in_base(values, base)
    if not after:
        return result, 0
    fraction = _in_base([int(char, 36) for char in after], base)
    return add((result, 0), divide((fraction, 0), (base ** len(after), 0), len(after)))


def _in_base(values: list[int], base: int) -> int:
    """Put digits together, by halves: one by one takes a time that grows with the square."""
    if len(values) < 32:
        result = 0
        for value in values:
            result = result * base + min(value, base - 1)
        return result
    if len(values) * (base.bit_length() - 1) > _MOST_BITS:
        raise _too_large()
    middle = len(values) // 2
    low = _in_base(values[-middle:], base)
    return _in_base(values[:-middle], base) * int(base**middle) + low


def write(number: Number, base: int, put: Callable[[str], None]) -> None:
    """Write a number in a base, piece by piece."""
    a, s = number
    if not a:
        put("0")
        return
    if a < 0:
        put("-")
        a = -a
    if base == 10:
        text = digits(a)
        if s:
            text = text.zfill(s)
            text = f"{text[: len(text) - s]}.{text[len(text) - s :]}"
        put(text)
        return
    unit = ten(s)
    high, low = divmod(a, unit)
    _whole(high, base, put)
    if s:
        put(".")
        _fraction(low, unit, s, base, put)


_DIGITS = "0123456789ABCDEF"


def _whole(value: int, base: int, put: Callable[[str], None]) -> None:
    width = len(str(base - 1))
    found = []
    while value:
        value, digit = divmod(value, base)
        found.append(digit)
    for digit in reversed(found):
        put(_DIGITS[digit] if base <= 16 else f" {digit:0{width}}")


def _fraction(low: int, unit: int, scale: int, base: int, put: Callable[[str], None]) -> None:
    width = len(str(base - 1))
    reached = 1
    space = ""
    bound = ten(scale)  # as many digits as it takes to have a number with more than ``scale`` digits
    while reached < bound:
        digit, low = divmod(low * base, unit)
        put(_DIGITS[digit] if base <= 16 else f"{space}{digit:0{width}}")
        space = " "
        reached *= base
