"""Numbers of jq 1.8: a number from a text keeps its decimal digits, a computed one is a double.

- ``int``: within ``±LARGEST``, so that every one is a double too, and sums and products round as doubles do.
- ``float``: a computed double, or a number from a text that jq would print the same, ``1.5``.
- ``Literal``: any other number from a text: ``1.0``, ``1e3``, ``-0``, ``12345678901234567890``.

Texts may have millions of digits: no function here converts a long text to an ``int``, ``float`` or ``Decimal``, since
that is slow and can't be interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from math import isfinite, isinf

LARGEST = 2**53 - 1  # up to here, no two integers have the same double

_PRECISION = 17  # the digits to which jq rounds a decimal before it converts it to a double
_GREATEST_EXPONENT = 999_999_999  # of the first digit
_LEAST_EXPONENT = -1_147_483_646  # of the last digit
_INFINITE = "1.7976931348623157e+308"  # jq prints the greatest double instead


@cache
def _decimal() -> Callable[[str], re.Match[str] | None]:
    return re.compile(r"([+-]?)(?:([0-9]++)(?:\.([0-9]*+))?|\.([0-9]++))(?:[eE]([+-]?)([0-9]++))?").fullmatch


class Literal(float):
    """A number from a text: ``text`` is its canonical decimal form, which jq prints; the float is its double.

    Only the text of an infinite number contains a lower-case ``e``.
    """

    __slots__ = ("text",)

    text: str

    def __new__(cls, double: float, text: str) -> Literal:
        self = float.__new__(cls, double)
        self.text = text
        return self

    def __reduce__(self) -> tuple[type[Literal], tuple[float, str]]:
        return Literal, (float(self), self.text)


Number = int | float


# -- reading


def read_number(text: str) -> Number:
    """Parse a number in a JSON text, a program or for ``tonumber``. Raise ``ValueError`` if it is invalid.

    jq accepts JSON's numbers and also ``nan``, ``infinity``, ``+1``, ``.5``, ``5.`` and ``007``.
    """
    if len(text) < 16 and text.isascii():
        if text.isdigit() and text[0] != "0":
            return int(text)
        number = _read_plain(text)
        if number is not None:
            return number
    match = _decimal()(text)
    if match is None:
        return _read_special(text)
    sign, whole, fraction, bare, exponent_sign, exponent_text = match.groups()
    exponent = 0
    if exponent_text:
        exponent = _read_exponent(_without_leading(exponent_text))
        if exponent_sign == "-":
            exponent = -exponent
    digits = whole or ""
    fraction = fraction or bare
    if fraction:
        digits += fraction
        exponent -= len(fraction)
    return _canonical("-" if sign == "-" else "", _without_leading(digits) or "0", exponent)


def _read_plain(text: str) -> Number | None:
    """Parse the usual, canonical forms: ``-12``, ``0``, ``1.50``; else return None. The text is short, so exact."""
    whole, point, fraction = text.partition(".")
    digits = whole[1:] if whole[:1] == "-" else whole
    has_leading_zero = digits[:1] == "0" and len(digits) > 1
    if has_leading_zero or not digits.isdigit():
        return None
    if not point:
        return int(text) if text != "-0" else None
    if not fraction.isdigit() or (digits == "0" and fraction[:6] == "000000"):
        return None
    double = float(text)
    if text[-1] != "0" and not -1e-4 < double < 1e-4:
        return double
    return Literal(double, text)


def _read_exponent(digits: str) -> int:
    """Parse an exponent. One of 2000000000 or more becomes another that is too large, as in decNumber."""
    is_large = len(digits) == 10 and digits[0] > "1"
    if is_large or len(digits) > 10:
        return 2 * _GREATEST_EXPONENT
    return int(digits or "0")


def _read_special(text: str) -> Number:
    sign = "-" if text[:1] == "-" else ""
    word = text.lower()
    if word[:1] in ("-", "+"):
        word = word[1:]
    if word in ("inf", "infinity"):
        return _infinite(sign)
    name = word[1:] if word[:1] == "s" else word
    # A payload may follow nan; jq accepts only zeros.
    if name[:3] == "nan" and not _without_leading(name[3:]):
        return float("nan")
    raise ValueError(text[:40])


def _infinite(sign: str) -> Literal:
    return Literal(float(f"{sign}inf"), sign + _INFINITE)


def _canonical(sign: str, digits: str, exponent: int) -> Number:
    """Return the number of digits without leading zeros, and an exponent."""
    if digits == "0":
        exponent = min(exponent, _GREATEST_EXPONENT)
    elif exponent + len(digits) - 1 > _GREATEST_EXPONENT:
        return _infinite(sign)
    if exponent < _LEAST_EXPONENT:
        digits = _cut(digits, len(digits) - (_LEAST_EXPONENT - exponent))
        exponent = _LEAST_EXPONENT
    text = sign + _spell_decimal(digits, exponent)
    double = _double(sign, digits, exponent)
    if len(text) < 30 and isfinite(double):
        # Comparisons rely on it that an integral double above LARGEST is always a computed one.
        if not double.is_integer():
            if _spell_double(double) == text:
                return double
        elif -LARGEST <= double <= LARGEST and str(int(double)) == text:
            return int(double)
    return Literal(double, text)


def _cut(digits: str, length: int) -> str:
    """Round digits to a length, a half upwards, as decNumber does if an exponent is too small."""
    if length < 0:
        return "0"
    rounded = digits[:length]
    if digits[length] >= "5":
        return _next(rounded)
    return rounded or "0"


def _next(digits: str) -> str:
    """Add one to the last digit."""
    head = digits.rstrip("9")
    zeros = "0" * (len(digits) - len(head))
    if head:
        return f"{head[:-1]}{int(head[-1]) + 1}{zeros}"
    return "1" + zeros


def _double(sign: str, digits: str, exponent: int) -> float:
    """Return the double of a decimal: jq rounds to 17 digits first, half to even."""
    if len(digits) > _PRECISION:
        exponent += len(digits) - _PRECISION
        rounded, first = digits[:_PRECISION], digits[_PRECISION]
        rounds_up = first > "5"
        if first == "5":  # a half goes to the even digit; digits after it make it more than a half
            rounds_up = rounded[-1] in "13579" or bool(_without_leading(digits[_PRECISION + 1 :]))
        if rounds_up:
            rounded = _next(rounded)
        digits = rounded
    return float(f"{sign}{digits}e{exponent}")


# -- writing


def spell_number(number: Number) -> str:
    """Return the text of a number as jq prints it."""
    if type(number) is int:
        return str(number)
    if isinstance(number, Literal):
        return number.text
    return _spell_double(number)


def _spell_double(double: float) -> str:
    """Return the shortest text that reads back as the double: the digits are Python's, the format is jq's."""
    text = repr(double)
    if text[-2:] == ".0":
        return text[:-2]
    if text[-1] == "f":
        return text.replace("inf", _INFINITE)
    if text == "nan":
        return "null"
    mantissa, plus, exponent = text.partition("e+")
    if plus:
        whole, _, fraction = mantissa.partition(".")
        if int(exponent) < len(whole.lstrip("-")) + len(fraction) + 15:
            return whole + fraction.ljust(int(exponent), "0")
    return text


def _spell_decimal(digits: str, exponent: int) -> str:
    """Return the text of a decimal in decNumber's format (to-scientific-string)."""
    if exponent == 0:
        return digits
    point = len(digits) + exponent
    if exponent > 0 or point < -5:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{digits[0]}{fraction}E{point - 1:+d}"
    if point > 0:
        return f"{digits[:point]}.{digits[point:]}"
    return f"0.{'0' * -point}{digits}"


# -- sign


def negate(number: Number) -> Number:
    """Return the negated number. A zero from a text loses its sign, a computed one changes it."""
    if type(number) is not Literal:
        return -number
    text = number.text
    if text[0] == "-":
        if not number:
            return read_number(text[1:])
        return Literal(-float(number), text[1:])
    if number or _significant(text)[2]:
        return Literal(-float(number), "-" + text)
    return number


def absolute(number: Number) -> Number:
    """Return the number without its sign, as ``length`` does."""
    if type(number) is not Literal:
        return abs(number)
    return negate(number) if number.text[0] == "-" else number


# -- order


def compare_numbers(a: Number, b: Number) -> int:
    """Return -1, 0 or 1 in jq's order, in which ``nan`` is less than any number, including itself.

    Two numbers from texts compare as decimals, others as doubles. An ``int`` or a ``float`` that is not integral may be
    either and compares as a decimal; that matters only next to a ``Literal`` with the same double.
    """
    if a < b or a != a:
        return -1
    if a > b or b != b:
        return 1
    if type(a) is Literal:
        if not _was_read(b):
            return 0
        return _compare_decimals(a.text, spell_number(b))
    if type(b) is Literal:
        if not _was_read(a):
            return 0
        return _compare_decimals(spell_number(a), b.text)
    return 0


def _was_read(number: Number) -> bool:
    return type(number) is not float or not (isinf(number) or number.is_integer())


def _compare_decimals(a: str, b: str) -> int:
    if a == b:
        return 0
    sign_a, exponent_a, digits_a = _significant(a)
    sign_b, exponent_b, digits_b = _significant(b)
    if not digits_a or not digits_b:
        return sign_a * bool(digits_a) - sign_b * bool(digits_b)
    if sign_a != sign_b:
        return sign_a
    if exponent_a == exponent_b and digits_a == digits_b:
        return 0
    if (exponent_a, digits_a) > (exponent_b, digits_b):
        return sign_a
    return -sign_a


def _significant(text: str) -> tuple[int, int, str]:
    """Return the sign (-1 or 1), the exponent of the first digit, and the digits, without zeros at either end."""
    sign = 1
    if text[0] == "-":
        sign, text = -1, text[1:]
    if text == _INFINITE:
        return sign, 2 * _GREATEST_EXPONENT, "1"
    mantissa, _, exponent = text.replace("e", "E").partition("E")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    stripped = _without_leading(digits)
    first = len(whole) - 1 - (len(digits) - len(stripped))
    return sign, first + int(exponent or "0"), _without_trailing(stripped)


# -- zeros: lstrip and rstrip take 10 ns per zero, so long runs are skipped in blocks

_ZEROS = "0" * 4096


def _without_leading(digits: str) -> str:
    start = 0
    while digits.startswith(_ZEROS, start):
        start += len(_ZEROS)
    return digits[start:].lstrip("0")


def _without_trailing(digits: str) -> str:
    end = len(digits)
    while digits.endswith(_ZEROS, 0, end):
        end -= len(_ZEROS)
    return digits[:end].rstrip("0")


# -- integers


def to_int(number: Number) -> int:
    """Convert a number to C's ``int``, clamped to its range; ``nan`` is 0."""
    double = float(number)
    if double != double:
        return 0
    if double >= 2147483647.0:
        return 2147483647
    if double > -2147483648.0:
        return int(double)
    return -2147483648


def to_long(number: Number) -> int:
    """Convert a number to C's ``intmax_t``, clamped to its range; ``nan`` is 0."""
    double = float(number)
    if double != double:
        return 0
    if double >= 9223372036854775808.0:
        return 9223372036854775807
    if double > -9223372036854775808.0:
        return int(double)
    return -9223372036854775808
