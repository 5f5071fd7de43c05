"""Numbers as jq 1.8 keeps them: what was read keeps its decimal digits, what was computed is a double.

- ``int``: within ``±LARGEST``, so that every one is a double too, and sums and products round as doubles do.
- ``float``: a double. A number that was read is one if jq spells the double as the text was spelled.
- ``Literal``: any other number that was read.

Texts may have millions of digits: nothing here makes Python's ``int``, ``float`` or ``Decimal`` of a long text.
"""

from __future__ import annotations

import re
from math import isfinite, isinf, isnan

LARGEST = 2**53
_ROUND = 17  # the digits that jq rounds a decimal to before it makes a double of it
_GREATEST_EXPONENT = 999_999_999
_LEAST_EXPONENT = -1_147_483_646
_GREATEST = "1.7976931348623157e+308"

_decimal = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?)([0-9]+))?").fullmatch
_special = re.compile(r"[+-]?(?:(inf(?:inity)?)|s?nan0*)", re.IGNORECASE | re.ASCII).fullmatch
_int = re.compile(r"-?(?:0|[1-9][0-9]{0,14})").fullmatch


class Literal(float):
    """A number as it was read: ``text`` is its canonical decimal spelling, the float its double.

    The text is as jq prints it; only an infinite one has a small ``e`` in it.
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


def read_number(text: str) -> Number:
    """Read a number as jq's texts, programs and ``tonumber`` spell it; ``ValueError`` if it is none.

    Besides JSON's spellings these are ``nan``, ``infinity``, ``+1``, ``.5``, ``5.`` and ``007``.
    """
    if _int(text) is not None and text != "-0":
        return int(text)
    if len(text) < 20 and text.isascii():
        try:
            double = float(text)
        except ValueError:
            pass
        else:
            if repr(double) == text and "e" not in text and "n" not in text and text[-2:] != ".0":
                return double
    match = _decimal(text)
    if match is None:
        return _read_special(text)
    sign, whole, fraction, bare, exponent_sign, exponent_text = match.groups()
    digits = whole or ""
    exponent = 0
    if exponent_text:
        exponent_text = exponent_text.lstrip("0")
        # decNumber keeps no longer one; all from here on is infinite or zero.
        beyond = len(exponent_text) > 10 or len(exponent_text) == 10 and exponent_text[0] > "1"
        exponent = 2 * _GREATEST_EXPONENT if beyond else int(exponent_text or "0")
        if exponent_sign == "-":
            exponent = -exponent
    fraction = fraction or bare
    if fraction:
        digits += fraction
        exponent -= len(fraction)
    return _canonical("-" if sign == "-" else "", digits.lstrip("0") or "0", exponent)


def _read_special(text: str) -> Number:
    match = _special(text)
    if match is None:
        raise ValueError(text[:40])
    if match.group(1) is None:
        return float("nan")
    return _infinite("-" if text[0] == "-" else "")


def _infinite(sign: str) -> Literal:
    return Literal(float(f"{sign}inf"), sign + _GREATEST)


def _canonical(sign: str, digits: str, exponent: int) -> Number:
    """Make the number of digits without leading zeros."""
    zero = digits == "0"
    if zero:
        exponent = min(exponent, _GREATEST_EXPONENT)
    elif exponent + len(digits) - 1 > _GREATEST_EXPONENT:
        return _infinite(sign)
    if exponent < _LEAST_EXPONENT:
        digits, exponent = _rounded_up(digits, len(digits) - (_LEAST_EXPONENT - exponent)), _LEAST_EXPONENT
    text = sign + _spell_decimal(digits, exponent)
    double = _double(sign, digits, exponent)
    if isfinite(double):
        if double.is_integer() and -LARGEST <= double <= LARGEST and str(int(double)) == text:
            return int(double)
        if len(text) < 30 and _spell_double(double) == text:
            return double
    return Literal(double, text)


def _rounded_up(digits: str, length: int) -> str:
    """Cut digits to a length, a half upwards: where an exponent is too small."""
    if length < 0:
        return "0"
    kept = digits[:length]
    if digits[length : length + 1] < "5":
        return kept or "0"
    return _increased(kept)


def _increased(digits: str) -> str:
    """Add one to the last digit."""
    head = digits.rstrip("9")
    nines = len(digits) - len(head)
    if not head:
        return "1" + "0" * nines
    return f"{head[:-1]}{int(head[-1]) + 1}{'0' * nines}"


def _spell_decimal(digits: str, exponent: int) -> str:
    """Write a decimal as decNumber does (to-scientific-string)."""
    if exponent == 0:
        return digits
    point = len(digits) + exponent
    if exponent > 0 or point < -5:
        tail = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{digits[0]}{tail}E{point - 1:+d}"
    if point > 0:
        return f"{digits[:point]}.{digits[point:]}"
    return f"0.{'0' * -point}{digits}"


def _double(sign: str, digits: str, exponent: int) -> float:
    """Give the double of a decimal: jq rounds to 17 digits first, half to even."""
    if len(digits) > _ROUND:
        exponent += len(digits) - _ROUND
        kept, rest = digits[:_ROUND], digits[_ROUND:]
        if rest[0] > "5" or rest[0] == "5" and (rest[1:].strip("0") or kept[-1] in "13579"):
            kept = _increased(kept)
        digits = kept
    return float(f"{sign}{digits}e{exponent}")


def spell_number(number: Number) -> str:
    """Write a number as jq prints it."""
    if type(number) is int:
        return str(number)
    if type(number) is Literal:
        return number.text
    return _spell_double(number)


def _spell_double(double: float) -> str:
    text = repr(double)
    if text[-2:] == ".0":
        return text[:-2]
    if "n" in text:
        return "null" if isnan(double) else ("-" if double < 0 else "") + _GREATEST
    if "e+" in text:
        mantissa, _, exponent = text.partition("e+")
        whole, _, fraction = mantissa.partition(".")
        if int(exponent) < len(whole.lstrip("-")) + len(fraction) + 15:
            return whole + fraction.ljust(int(exponent), "0")
    return text


def negate(number: Number) -> Number:
    """Give the number with the other sign; a zero that was read has none."""
    if type(number) is Literal:
        text = number.text
        if text[0] == "-":
            return read_number(text[1:]) if number == 0 else Literal(-number, text[1:])
        if number == 0 and _parts(text)[2] == "":
            return number
        return Literal(-float(number), "-" + text)
    return -number


def absolute(number: Number) -> Number:
    """Give the number without its sign."""
    if type(number) is Literal:
        return negate(number) if number.text[0] == "-" and number != 0 else number
    return abs(number)


def compare_numbers(a: Number, b: Number) -> int:
    """Give -1, 0 or 1: as decimals if they were read, else as doubles. ``nan`` is less than all, itself too."""
    if a < b or a != a:
        return -1
    if a > b or b != b:
        return 1
    if (type(a) is Literal and _has_decimal(b)) or (type(b) is Literal and _has_decimal(a)):
        return _compare_decimals(spell_number(a), spell_number(b))
    return 0


def _has_decimal(number: Number) -> bool:
    """Tell whether decimals can be compared: not if it was computed and is infinite."""
    return type(number) is not float or not isinf(number)


def _parts(text: str) -> tuple[int, int, str]:
    """Give the sign (-1 or 1), the exponent of the first digit, and the digits, without zeros at either end."""
    sign = 1
    if text[0] == "-":
        sign, text = -1, text[1:]
    if text == _GREATEST:
        return sign, 2 * _GREATEST_EXPONENT, "1"
    mantissa, _, exponent = text.replace("e", "E").partition("E")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    first = len(whole) - 1 + int(exponent or "0")
    stripped = digits.lstrip("0")
    return sign, first - (len(digits) - len(stripped)), stripped.rstrip("0")


def _compare_decimals(a: str, b: str) -> int:
    if a == b:
        return 0
    sign_a, first_a, digits_a = _parts(a)
    sign_b, first_b, digits_b = _parts(b)
    if not digits_a or not digits_b:
        return sign_a * bool(digits_a) - sign_b * bool(digits_b)
    if sign_a != sign_b:
        return sign_a
    left, right = (first_a, digits_a), (first_b, digits_b)
    return 0 if left == right else sign_a if left > right else -sign_a


def to_int(number: Number) -> int:
    """Cut a number to an integer of C's ``int``, as jq does for an index; ``nan`` is 0."""
    double = float(number)
    if isnan(double):
        return 0
    if double >= 2147483647.0:
        return 2147483647
    if double <= -2147483648.0:
        return -2147483648
    return int(double)
