"""``printf`` and the formatting of numbers (POSIX XCU awk, "Output Statements"; gawk manual 5.5)."""

from __future__ import annotations

from ...errors import Stop
from ...text import pause, remembered
from ..support.gauge import LARGE, Gauge
from .values import Array, AwkError, StrNum, Value, misused, special_text, to_number, whole_text

_FLAGS = b"-+ #0'"
_MODIFIERS = b"hlLqjzt"


class Directive:
    """A conversion specification. ``argument`` counts from 1 (``2$``); 0 means the next argument.

    ``width`` and ``precision``: -1 absent, -2 the next argument (``*``), -2 - N argument number N (``*N$``).
    """

    __slots__ = ("argument", "conversion", "flags", "place", "precision", "width")

    def __init__(self, flags: bytes, width: int, precision: int, conversion: str, argument: int, place: int) -> None:
        self.flags = flags
        self.width = width
        self.precision = precision
        self.conversion = conversion
        self.argument = argument
        self.place = place  # position of its end in the format


def _number(text: bytes, at: int) -> tuple[int, int]:
    start = at
    while at < len(text) and 48 <= text[at] <= 57:
        at += 1
    return (min(int(text[start:at][:12]), 1 << 40) if at > start else -1), at


@remembered(256)
def parse_format(text: bytes) -> tuple[bytes | Directive, ...]:
    """Split a format into texts and conversions; an invalid conversion stays text."""
    parts: list[bytes | Directive] = []
    literal = bytearray()
    at = 0
    while at < len(text):
        pause()
        percent = text.find(b"%", at)
        if percent < 0:
            literal += text[at:]
            break
        literal += text[at:percent]
        found, at = _directive(text, percent)
        if isinstance(found, bytes):
            literal += found
            continue
        if literal:
            parts.append(bytes(literal))
            literal.clear()
        parts.append(found)
    if literal:
        parts.append(bytes(literal))
    return tuple(parts)


def _size(text: bytes, at: int) -> tuple[int, int]:
    """Parse a width or precision: a number, ``*`` or ``*2$``; return it and the position after it."""
    if text[at : at + 1] != b"*":
        return _number(text, at)
    argument, after = _number(text, at + 1)
    if argument > 0 and text[after : after + 1] == b"$":
        return -2 - argument, after + 1
    return -2, at + 1


def _directive(text: bytes, start: int) -> tuple[bytes | Directive, int]:
    at = start + 1
    argument, after = _number(text, at)
    if argument > 0 and text[after : after + 1] == b"$":
        at = after + 1
    else:
        argument = 0
    begin = at
    while at < len(text) and text[at] in _FLAGS:
        at += 1
    flags = text[begin:at]
    width, at = _size(text, at)
    precision = -1
    if text[at : at + 1] == b".":
        precision, at = _size(text, at + 1)
        if precision == -1:
            precision = 0  # "%.s": a point without digits
    while at < len(text) and text[at] in _MODIFIERS:
        if text[at + 1 : at + 2] not in (b"d", b"i", b"o", b"u", b"x", b"X", b"l", b"h", b"e", b"f", b"g", b"s", b"c"):
            break
        at += 1
    letter = text[at : at + 1]
    if letter == b"%":
        return b"%", at + 1
    if not letter or letter not in b"csdiouxXeEfFgGaA":
        return text[start : at + 1], at + 1
    return Directive(flags, width, precision, letter.decode("ascii"), argument, at), at + 1


class Formatter:
    """``sprintf`` with a run's locale, limits and CONVFMT."""

    __slots__ = ("convfmt", "gauge", "limit", "utf8")

    def __init__(self, utf8: bool, limit: int, gauge: Gauge) -> None:
        self.utf8 = utf8
        self.limit = limit
        self.gauge = gauge
        self.convfmt = b"%.6g"

    def number(self, number: float, convfmt: bytes) -> bytes:
        """Convert a number to text: an integer in full, other numbers with CONVFMT or OFMT."""
        text = whole_text(number)
        if text is not None:
            return text
        if convfmt == b"%.6g":
            return b"%.6g" % number
        return self.format(convfmt, [number])

    def text(self, value: Value) -> bytes:
        """Convert a value to a string."""
        kind = value.__class__
        if kind is bytes:
            return value  # type: ignore[no-any-return]
        if kind is float:
            return self.number(value, self.convfmt)
        if kind is StrNum:
            return value.text  # type: ignore[no-any-return]
        if isinstance(value, Array):
            raise misused(value)
        return getattr(value, "text", b"")

    def format(self, text: bytes, values: list[Value]) -> bytes:
        """Return the result of ``sprintf``."""
        out: list[bytes] = []
        at = size = 0
        for part in parse_format(text):
            if isinstance(part, bytes):
                out.append(part)
                continue
            width, precision, flags = part.width, part.precision, part.flags
            if width <= -2:
                width, at = self._sized(text, values, at, part, width)
                if width < 0:
                    width, flags = -width, flags + b"-"
            if precision <= -2:
                precision, at = self._sized(text, values, at, part, precision)
                precision = max(-1, precision)
            if part.argument:
                value = self._argument(text, values, part.argument - 1, part)
            else:
                value, at = self._argument(text, values, at, part), at + 1
            if max(width, precision) > self.limit:
                raise Stop("limit", f"printf of awk makes more than {self.limit} bytes", "string")
            out.append(self._convert(part.conversion, flags, width, precision, value))
            size += len(out[-1])
            if size > self.limit:
                raise Stop("limit", f"printf of awk makes more than {self.limit} bytes", "string")
        if size > LARGE:
            self.gauge.made(size)
        return b"".join(out)

    def _sized(self, text: bytes, values: list[Value], at: int, part: Directive, size: int) -> tuple[int, int]:
        """Return a width or precision from an argument, and the index of the next argument."""
        if size < -2:
            return to_integer(self._argument(text, values, -3 - size, part)), at
        return to_integer(self._argument(text, values, at, part)), at + 1

    @staticmethod
    def _argument(text: bytes, values: list[Value], at: int, part: Directive) -> Value:
        if at < len(values):
            return values[at]
        shown = text.decode("utf-8", "replace")
        pad = " " * part.place
        raise AwkError(f"not enough arguments to satisfy format string\n\t`{shown}'\n\t{pad}^ ran out for this one")

    def _convert(self, conversion: str, flags: bytes, width: int, precision: int, value: Value) -> bytes:
        if conversion == "s":
            text = self.text(value)
            if precision >= 0:
                text = self._cut(text, precision)
        elif conversion == "c":
            text = self._character(value)
        else:
            number = to_number(value)
            if number - number != 0.0:
                return special_text(number)  # the width is ignored (gawk)
            if conversion in "diouxX":
                return _integer(conversion, flags, width, precision, number)
            return _real(conversion, flags, width, precision, number)
        lack = width - self._length(text)
        if lack <= 0:
            return text
        return text + b" " * lack if b"-" in flags else b" " * lack + text

    def _length(self, text: bytes) -> int:
        if not self.utf8 or text.isascii():
            return len(text)
        return len(text.decode("utf-8", "surrogateescape"))

    def _cut(self, text: bytes, size: int) -> bytes:
        if not self.utf8 or text.isascii():
            return text[:size]
        return text.decode("utf-8", "surrogateescape")[:size].encode("utf-8", "surrogateescape")

    def _character(self, value: Value) -> bytes:
        if value.__class__ is float or value.__class__ is StrNum:
            number = to_number(value)
            code = int(number) if number - number == 0.0 else 0
            is_character = 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
            if self.utf8 and is_character:
                return chr(code).encode("utf-8")
            return bytes((code & 255,))
        return self._cut(self.text(value), 1) or b"\0"


def _padded(text: bytes, sign: bytes, flags: bytes, width: int, zero: bool) -> bytes:
    fills_with_zeros = b"0" in flags and b"-" not in flags
    if zero and fills_with_zeros:
        return sign + text.rjust(width - len(sign), b"0")
    text = sign + text
    return text.ljust(width) if b"-" in flags else text.rjust(width)


def _sign(negative: bool, flags: bytes) -> bytes:
    if negative:
        return b"-"
    if b"+" in flags:  # it overrides a blank (printf(3))
        return b"+"
    if b" " in flags:
        return b" "
    return b""


def _integer(conversion: str, flags: bytes, width: int, precision: int, number: float) -> bytes:
    whole = int(number)
    if conversion in "di":
        digits = b"%d" % abs(whole)
        sign = _sign(whole < 0, flags)
    else:
        # gawk writes a number that does not fit into 64 bits with %g.
        if whole < 0:
            if whole < -(1 << 63):
                return _real("g", flags, width, precision, number)
            whole += 1 << 64
        elif whole >= 1 << 64:
            return _real("g", flags, width, precision, number)
        digits = format(whole, "d" if conversion == "u" else conversion).encode("ascii")
        sign = b""
        if b"#" in flags and whole:
            if conversion == "o":
                digits = b"0" + digits
            elif conversion in "xX":
                sign = b"0" + conversion.encode("ascii")
    if precision == 0 and whole == 0 and b"#" not in flags:
        digits = b""
    digits = digits.rjust(precision, b"0")
    return _padded(digits, sign, flags, width, precision < 0)


def _real(conversion: str, flags: bytes, width: int, precision: int, number: float) -> bytes:
    from math import copysign

    sign = _sign(copysign(1.0, number) < 0, flags)
    number = abs(number)
    if conversion in "aA":
        text = _hexadecimal(number, precision)
        return _padded(text.upper() if conversion == "A" else text, sign, flags, width, True)
    sharp = "#" if b"#" in flags else ""
    if precision < 0:
        precision = 6  # C's default
    text = format(number, f"{sharp}.{precision}{conversion}").encode("ascii")
    return _padded(text, sign, flags, width, True)


def _hexadecimal(number: float, precision: int) -> bytes:
    head, exponent = number.hex().split("p")
    digits = head[4:].rstrip("0") if "." in head else ""
    if 0 <= precision < len(digits):
        scaled = round(int(head[2] + head[4:], 16) / 16 ** (13 - precision))
        head, digits = f"0x{scaled >> 4 * precision:x}", format(scaled & (16**precision - 1), f"0{precision}x")
        if not precision:
            digits = ""
    digits = digits.ljust(max(precision, 0), "0")
    if digits:
        digits = "." + digits
    return f"{head[:3]}{digits}p{exponent}".encode("ascii")


def to_integer(value: Value) -> int:
    """Truncate a value to an integer, for widths and positions; NaN is 0 and infinities are clamped."""
    number = value if value.__class__ is float else to_number(value)
    if number - number == 0.0:  # neither infinite nor NaN
        return int(number)
    if number != number:
        return 0
    return (1 << 62) if number > 0 else -(1 << 62)
