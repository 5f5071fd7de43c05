"""bc's decimal numbers: an integer and its scale, the number of digits after the point (GNU bc 1.07, "Numbers").

Every operation returns the scale that the manual defines for it, and truncates. CPython multiplies and divides large
integers in one step that nothing can interrupt, so their size is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt, log2, log10

from ...errors import Stop
from ...text import pause

Number = tuple[int, int]
ZERO: Number = (0, 0)
ONE: Number = (1, 0)
# The longest division of such numbers takes half a second.
MOST_DIGITS = 300_000
_MOST_BITS = MOST_DIGITS * 3322 // 1000
_CHUNK = 2000  # digits to convert with one int() or str(): Python refuses more than 4300
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _too_large() -> Stop:
    return Stop("limit", f"a number of bc has more than {MOST_DIGITS} digits")


@lru_cache(maxsize=64)
def _small_power(exponent: int) -> int:
    return int(10**exponent)


def ten(exponent: int) -> int:
    """Return a power of ten."""
    if exponent > MOST_DIGITS:
        raise _too_large()
    if exponent < 4096:
        return _small_power(exponent)
    return int(10**exponent)


def shorten(mantissa: int, scale: int, wanted: int) -> Number:
    """Truncate a number to a scale; a smaller scale stays as it is."""
    if scale <= wanted:
        return mantissa, scale
    unit = ten(scale - wanted)
    if mantissa < 0:
        return -(-mantissa // unit), wanted  # towards zero: // alone rounds down
    return mantissa // unit, wanted


def add(one: Number, other: Number) -> Number:
    """Return the sum; its scale is the larger one of the operands'."""
    a, s = one
    b, t = other
    if s < t:
        a *= ten(t - s)
        s = t
    elif t < s:
        b *= ten(s - t)
    return a + b, s


def subtract(one: Number, other: Number) -> Number:
    """Return the difference."""
    return add(one, (-other[0], other[1]))


def multiply(one: Number, other: Number, scale: int) -> Number:
    """Return the product; its scale is at most the largest of ``scale`` and the operands'."""
    a, s = one
    b, t = other
    if a.bit_length() + b.bit_length() > _MOST_BITS:
        raise _too_large()
    return shorten(a * b, s + t, max(scale, s, t))


def divide(one: Number, other: Number, scale: int) -> Number:
    """Return the quotient with ``scale`` digits after the point; raise ZeroDivisionError for a divisor of 0."""
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
    if (a < 0) != (b < 0):
        quotient = -quotient
    return quotient, scale


def modulo(one: Number, other: Number, scale: int) -> Number:
    """Return ``a-(a/b)*b`` with the scale that the manual defines for ``%``."""
    quotient = divide(one, other, scale)
    back = (quotient[0] * other[0], quotient[1] + other[1])
    a, s = subtract(one, back)
    wanted = max(one[1], other[1] + scale)
    return a * ten(max(0, wanted - s)), max(s, wanted)


def power(base: Number, exponent: int, scale: int) -> Number:
    """Return an integer power of a number; raise ZeroDivisionError for a negative power of 0."""
    a, s = base
    count = abs(exponent)
    if not exponent:
        return ONE
    if abs(a) > 1 and a.bit_length() * count > _MOST_BITS:
        raise _too_large()
    if s * count > MOST_DIGITS:
        raise _too_large()
    if abs(a) > 1:
        mantissa = a**count
    else:  # -1, 0 and 1
        mantissa = a if count % 2 else a * a
    exact = mantissa, s * count
    if exponent < 0:
        return divide(ONE, exact, scale)
    return shorten(exact[0], exact[1], min(s * count, max(scale, s)))


def root(number: Number, scale: int) -> Number:
    """Return the square root of a nonnegative number."""
    a, s = number
    wanted = max(scale, s)
    if not a:
        return ZERO
    if a == ten(s):
        return ONE
    move = 2 * wanted - s
    if a.bit_length() + move * 3322 // 1000 > _MOST_BITS:
        raise _too_large()
    return isqrt(a * ten(move)), wanted


def whole(number: Number) -> int:
    """Return the integer part."""
    if not number[1]:
        return number[0]
    return shorten(*number, 0)[0]


def length(number: Number) -> int:
    """Return the number of significant digits, as ``length()`` counts them."""
    a, s = number
    if not a:
        return max(s, 1)
    return max(s, len(_all_digits(abs(a), 10)))


def _all_digits(value: int, base: int) -> Sequence[str]:
    """Return the digits of a nonnegative number in a base, a text for each; an empty list for 0."""
    if base == 10 and value.bit_length() < _CHUNK:
        return str(value or "")
    found = _digits(value, base, int(value.bit_length() / log2(base)) + 2)
    while found and not found[0].strip("0"):
        del found[0]
    return found


def _digits(value: int, base: int, count: int) -> list[str]:
    """Return ``count`` digits, computed by halves: one by one, or with ``str``, would take quadratic time."""
    if count <= _CHUNK:
        pause()
        if base == 10:
            return list(str(value).zfill(count))
        found = []
        width = len(str(base - 1))
        for _ in range(count):
            value, digit = divmod(value, base)
            if base <= 16:
                found.append(_DIGITS[digit])
            else:
                found.append(f"{digit:0{width}}")
        return found[::-1]
    half = count // 2
    high, low = divmod(value, base**half)
    return _digits(high, base, count - half) + _digits(low, base, half)


def integer(text: str, base: int = 10) -> int:
    """Convert any number of digits to an integer."""
    if len(text) <= _CHUNK:
        return int(text or "0", base)
    if len(text) * log10(base) > MOST_DIGITS:
        raise _too_large()
    middle = len(text) // 2
    return integer(text[:-middle], base) * int(base**middle) + integer(text[-middle:], base)


@lru_cache(maxsize=36)
def _caps(base: int) -> dict[int, str]:
    return {ord(char): _DIGITS[base - 1] for char in _DIGITS[base:]}


def parse(text: str, base: int) -> Number:
    """Parse a constant: a single digit keeps its value; in longer ones a digit above the base counts as base - 1."""
    if len(text) == 1:
        return int(text, 36), 0
    before, _, after = text.translate(_caps(base)).partition(".")
    if base == 10:
        return integer(before + after), len(after)
    high = int(text[0], 36) if len(before) == 1 else integer(before, base)
    if not after:
        return high, 0
    return add((high, 0), divide((integer(after, base), 0), (base ** len(after), 0), len(after)))


def write(number: Number, base: int) -> str:
    """Convert a number to text in a base: above 16, each digit is a decimal number after a space."""
    a, s = number
    if not a:
        return "0"
    high, low = divmod(abs(a), ten(s))
    space = " " if base > 16 else ""
    found = "".join([space + digit for digit in _all_digits(high, base)])
    if a < 0:
        found = "-" + found
    if not s:
        return found
    count = s
    if base != 10:
        # The smallest count of digits with base**count >= 10**scale.
        count = int(s / log10(base))
        while base**count < ten(s):
            count += 1
        low = multiply((low, 0), (base**count, 0), 0)[0] // ten(s)
    return f"{found}.{space.join(_digits(low, base, count))}"
