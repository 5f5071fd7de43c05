"""Parsing and formatting of x86-64 ``long double`` numbers, for ``printf`` and ``seq``.

Bash and coreutils compute with 64-bit mantissas, so ``printf %.20f 0.1`` differs from a C double's result. Values are
exact here: a sign and ``mantissa * 2**exponent`` in integers, rounded half to even as glibc does.
"""

from __future__ import annotations

from fractions import Fraction

_MANTISSA = 64
_GREATEST = 16384  # 2**16384 is infinite
_LEAST = -16445  # the smallest denormal is 2**-16445


class LongDouble:
    """A number. ``special`` is ``inf``, ``nan`` or "". ``out_of_range``: the parsed text overflowed or underflowed."""

    __slots__ = ("negative", "out_of_range", "special", "value")

    def __init__(self, value: Fraction, negative: bool = False, special: str = "") -> None:
        self.value = value  # >= 0
        self.negative = negative
        self.special = special
        self.out_of_range = False

    def exact(self) -> Fraction:
        """Return the value with its sign."""
        return -self.value if self.negative else self.value


def rounded(value: Fraction) -> LongDouble:
    """Return the long double nearest to a number."""
    negative = value < 0
    size = abs(value)
    if not size:
        return LongDouble(size, negative)
    exponent = _binary_exponent(size)
    unit = max(exponent - _MANTISSA + 1, _LEAST)
    mantissa = _times_two(size, -unit)
    if mantissa.bit_length() + unit > _GREATEST:
        return LongDouble(Fraction(0), negative, "inf")
    if unit >= 0:
        return LongDouble(Fraction(mantissa << unit), negative)
    return LongDouble(Fraction(mantissa, 1 << -unit), negative)


def _nearest(number: int, by: int) -> int:
    """Divide, rounding half to even. Integers throughout: a Fraction for each step costs ten times as much."""
    quotient, rest = divmod(number, by)
    rest *= 2
    if rest == by:
        return quotient + (quotient & 1)
    return quotient + (rest > by)


def _times_two(value: Fraction, power: int) -> int:
    """Return value * 2**power, rounded."""
    if power >= 0:
        return _nearest(value.numerator << power, value.denominator)
    return _nearest(value.numerator, value.denominator << -power)


def _times_ten(value: Fraction, power: int) -> int:
    """Return value * 10**power, rounded."""
    if power >= 0:
        return _nearest(value.numerator * 10**power, value.denominator)
    return _nearest(value.numerator, value.denominator * 10**-power)


def _binary_exponent(value: Fraction) -> int:
    number, by = value.numerator, value.denominator
    exponent = number.bit_length() - by.bit_length()
    # The lengths alone leave two candidates: 7/4 and 4/7 have the same.
    if exponent >= 0:
        reached = number >= by << exponent
    else:
        reached = number << -exponent >= by
    return exponent if reached else exponent - 1


def _reaches_ten(value: Fraction, power: int) -> bool:
    """Return whether value >= 10**power."""
    if power >= 0:
        return bool(value.numerator >= value.denominator * 10**power)
    return bool(value.numerator * 10**-power >= value.denominator)


def parse(text: str) -> tuple[LongDouble, int]:
    """Parse a number as strtold does. Return it and the number of characters used (0: not a number)."""
    at = len(text) - len(text.lstrip(" \t\n\v\f\r"))
    negative = text[at : at + 1] == "-"
    if text[at : at + 1] in ("+", "-"):
        at += 1
    rest = text[at:].lower()
    for word, special in (("infinity", "inf"), ("inf", "inf"), ("nan", "nan")):
        if rest.startswith(word):
            return LongDouble(Fraction(0), negative, special), at + len(word)
    if rest.startswith("0x"):
        value, length = _digits(rest[2:], 16, "p", 2)
        if length:
            return _signed(value, negative), at + 2 + length
    value, length = _digits(rest, 10, "e", 10)
    if not length:
        return LongDouble(Fraction(0)), 0
    return _signed(value, negative), at + length


def _signed(value: Fraction, negative: bool) -> LongDouble:
    number = rounded(value)
    number.negative = negative
    number.out_of_range = bool(number.special) or bool(value and not number.value)
    return number


_FARTHEST = 25000  # a power of ten beyond the range of the format
_MOST_PLACES = 17000  # the most decimal places a number can have; all further ones are zeros


def _digits(text: str, base: int, marker: str, power: int) -> tuple[Fraction, int]:
    """Parse the digits, point and exponent of a number. Return its value and how many characters it has."""
    allowed = "0123456789abcdef"[:base]
    whole = _span(text, 0, allowed)
    end = whole
    fraction = ""
    if text[end : end + 1] == ".":
        end = _span(text, whole + 1, allowed)
        fraction = text[whole + 1 : end]
    if not whole and not fraction:
        return Fraction(0), 0
    # The first 20000 significant digits determine the 64 bits; int() refuses more digits at once.
    number = text[:whole].lstrip("0")
    digits = (number + fraction)[:20000]
    scale = _clamped(len(number) - len(digits))
    value = Fraction(_whole(digits, base)) * Fraction(base) ** scale
    if text[end : end + 1] == marker:
        sign = end + 1
        if text[sign : sign + 1] in ("+", "-"):
            sign += 1
        last = _span(text, sign, "0123456789")
        if last > sign:
            exponent = int(text[end + 1 : min(last, sign + 9)])
            if value:
                value *= Fraction(power) ** _clamped(exponent)
            end = last
    return value, end


def _whole(digits: str, base: int) -> int:
    number = 0
    for start in range(0, len(digits), 4000):
        piece = digits[start : start + 4000]
        number = number * base ** len(piece) + int(piece, base)
    return number


def _span(text: str, start: int, allowed: str) -> int:
    rest = text[start:]
    return start + len(rest) - len(rest.lstrip(allowed))


def _clamped(exponent: int) -> int:
    """Limit an exponent to the range of the format, so that 10**999999999 is never computed."""
    return max(-_FARTHEST, min(_FARTHEST, exponent))


def show(number: LongDouble, conversion: str, precision: int | None, alternate: bool) -> str:
    """Return the digits of ``%a %e %f %g`` (C 7.21.6.1), without sign and padding; upper case for upper conversions."""
    text = number.special or _show_finite(number.value, conversion.lower(), precision, alternate)
    return text.upper() if conversion.isupper() else text


def _show_finite(value: Fraction, kind: str, precision: int | None, alternate: bool) -> str:
    if kind == "a":
        return _show_a(value, precision, alternate)
    if precision is None:
        precision = 6
    if kind == "f":
        return _show_f(value, precision, alternate)
    if kind == "e":
        return _show_e(value, precision, alternate)
    return _show_g(value, precision or 1, alternate)


def _decimal(number: int, width: int = 1) -> str:
    """Return str() of an integer of any size: the interpreter refuses more than 4300 digits at once."""
    pieces = []
    unit = 10**4000
    while number >= unit:
        number, low = divmod(number, unit)
        pieces.append(str(low).rjust(4000, "0"))
    pieces.append(str(number))
    return "".join(reversed(pieces)).rjust(width, "0")


def _show_f(value: Fraction, precision: int, alternate: bool) -> str:
    if precision > _MOST_PLACES:
        return _show_f(value, _MOST_PLACES, alternate) + "0" * (precision - _MOST_PLACES)
    digits = _decimal(_times_ten(value, precision), precision + 1)
    if not precision:
        return digits + "." if alternate else digits
    return f"{digits[:-precision]}.{digits[-precision:]}"


def _scientific(value: Fraction, precision: int) -> tuple[str, int]:
    if not value:
        return "0" * (precision + 1), 0
    exponent = (_binary_exponent(value) * 30103) // 100000
    while not _reaches_ten(value, exponent):
        exponent -= 1
    while _reaches_ten(value, exponent + 1):
        exponent += 1
    digits = _times_ten(value, precision - exponent)
    if digits >= 10 ** (precision + 1):
        exponent += 1
        digits = _times_ten(value, precision - exponent)
    return _decimal(digits), exponent


def _show_e(value: Fraction, precision: int, alternate: bool) -> str:
    digits, exponent = _scientific(value, min(precision, _MOST_PLACES))
    point = "." if precision or alternate else ""
    zeros = "0" * (precision - _MOST_PLACES)
    return f"{digits[0]}{point}{digits[1:]}{zeros}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _show_g(value: Fraction, precision: int, alternate: bool) -> str:
    if not alternate:
        precision = min(precision, _MOST_PLACES)  # trailing zeros are not printed
    _, exponent = _scientific(value, min(precision, _MOST_PLACES) - 1)
    if -4 <= exponent < precision:
        text = _show_f(value, precision - 1 - exponent, alternate)
        mantissa, tail = text, ""
    else:
        text = _show_e(value, precision - 1, alternate)
        mantissa, e, power = text.partition("e")
        tail = e + power
    if not alternate and "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return mantissa + tail


def _show_a(value: Fraction, precision: int | None, alternate: bool) -> str:
    # The x87 format has an explicit leading bit, so glibc's first hex digit is 8..f.
    if value:
        digits, fraction, exponent = _hexadecimal(value, precision)
    else:
        digits, fraction, exponent = 0, "0" * (precision or 0), 0
    point = "." if fraction or alternate else ""
    return f"0x{digits:x}{point}{fraction}p{exponent:+d}"


def _hexadecimal(value: Fraction, precision: int | None) -> tuple[int, str, int]:
    """Return the first digit, the digits after the point, and the binary exponent."""
    exponent = _binary_exponent(value) - 3
    places = 15 if precision is None else min(precision, _MOST_PLACES)
    digits = _times_two(value, 4 * places - exponent)
    if digits >= 16 ** (places + 1):  # rounded up to one more digit
        exponent += 4
        digits = _times_two(value, 4 * places - exponent)
    text = f"{digits:x}"
    fraction = text[1:]
    if precision is None:
        fraction = fraction.rstrip("0")
    else:
        fraction += "0" * (precision - places)
    return int(text[0], 16), fraction, exponent
