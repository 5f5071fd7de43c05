"""The types of ``od -t``: the size of a value in bytes, its conversion to text, and the width of its column."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction

from ...command import Call
from ...errors import UsageError
from ...text import pause
from ..support.longdouble import LongDouble, show
from ..support.quoting import quote

_NAMES = (
    "nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us"
    " sp"
).split()
_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}
_LETTERS = {"C": 1, "S": 2, "I": 4, "L": 8}
_FLOATS = {"F": 4, "D": 8, "L": 16}
# The width of a value, with its sign, by its size in bytes.
_WIDTHS = {
    "d": {1: 4, 2: 6, 4: 11, 8: 20},
    "u": {1: 3, 2: 5, 4: 10, 8: 20},
    "o": {1: 3, 2: 6, 4: 11, 8: 22},
    "x": {1: 2, 2: 4, 4: 8, 8: 16},
    "f": {4: 15, 8: 24, 16: 29},
}
_CODES = {"d": {1: "b", 2: "h", 4: "i", 8: "q"}, "u": {1: "B", 2: "H", 4: "I", 8: "Q"}}
Show = Callable[[bytes], list[str]]


class Format:
    """One type: ``show`` converts the values of a block to texts. ``pad`` is set once all types of a call are known."""

    __slots__ = ("pad", "show", "size", "trailer", "width")

    def __init__(self, size: int, width: int, show: Show, trailer: bool) -> None:
        self.size = size
        self.width = width
        self.show = show
        self.trailer = trailer
        self.pad = 0

    def line(self, block: bytes, size: int) -> str:
        """Return the line for a block, which may be shorter than ``size``: zeros complete its last value."""
        fields = size // self.size
        blank = (size - len(block)) // self.size
        values = self.show(block + bytes(-len(block) % self.size))
        if not self.pad:
            text = "".join([value.rjust(self.width) for value in values])
        else:
            parts = []
            left = self.pad
            for at, value in zip(range(fields, blank, -1), values, strict=False):
                following = self.pad * (at - 1) // fields
                parts.append(value.rjust(left - following + self.width))
                left = following
            text = "".join(parts)
        if self.trailer:
            text += " " * (blank * self.width + self.pad * blank // fields)
            text += "  >" + "".join([chr(byte) if 32 <= byte < 127 else "." for byte in block]) + "<"
        return text


def _named(block: bytes) -> list[str]:
    return [_NAMED[byte] for byte in block]


def _characters(block: bytes) -> list[str]:
    return [_SHOWN[byte] for byte in block]


def _name_of(byte: int) -> str:
    code = byte & 127  # POSIX XCU od: type a ignores the high-order bit
    if code == 127:
        return "del"
    if code < len(_NAMES):
        return _NAMES[code]
    return chr(code)


def _shown(byte: int) -> str:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    if 32 <= byte < 127:
        return chr(byte)
    return f"{byte:03o}"


_NAMED = [_name_of(byte) for byte in range(256)]
_SHOWN = [_shown(byte) for byte in range(256)]


def _integers(kind: str, size: int, order: str) -> Show:
    code = _CODES["d" if kind == "d" else "u"][size]
    digits = _WIDTHS[kind][size]
    form = {"o": f"%0{digits}o", "x": f"%0{digits}x"}.get(kind, "%d")

    def show_integers(block: bytes) -> list[str]:
        return [form % value for value in struct.unpack(f"{order}{len(block) // size}{code}", block)]

    return show_integers


def _float(value: float, code: str, start: int) -> str:
    """Return the shortest decimal that converts back to the same number."""
    if value != value:
        if struct.pack(">d", value)[0] & 128:
            return "-nan"
        return "nan"
    # A subnormal number has fewer significant digits than ``start``, so that the search begins with one.
    least_normal = 1.17549435e-38 if code == "f" else 2.2250738585072014e-308
    if abs(value) < least_normal:
        start = 1
    for digits in range(start, 18):
        text = f"{value:.{digits}g}"
        try:
            if struct.pack(code, float(text)) == struct.pack(code, value):
                return text
        except OverflowError:
            continue
    return f"{value:.17g}"


def _floats(size: int, order: str) -> Show:
    if size == 16:
        return lambda block: [_extended(block[at : at + 16], order) for at in range(0, len(block), 16)]
    code, start = ("f", 6) if size == 4 else ("d", 15)

    def show_floats(block: bytes) -> list[str]:
        values = struct.unpack(f"{order}{len(block) // size}{code}", block)
        return [_float(value, code, start) for value in values]

    return show_floats


def _extended(data: bytes, order: str) -> str:
    """Return the text of x86's long double: 80 bits, stored in 16 bytes."""
    if order == ">":
        data = data[::-1]
    mantissa = int.from_bytes(data[:8], "little")
    power = int.from_bytes(data[8:10], "little")
    negative, power = power >> 15 == 1, power & 0x7FFF
    sign = "-" if negative else ""
    if power == 0x7FFF:
        return sign + ("inf" if mantissa == 1 << 63 else "nan")
    if power and not mantissa >> 63:
        return sign + "nan"  # an invalid encoding ("unnormal") that no arithmetic produces
    value = Fraction(mantissa) * Fraction(2) ** (max(power, 1) - 16383 - 63)
    number = LongDouble(value)
    # As gnulib's ftoastr: from LDBL_DIG on for a normal number, from 1 for a subnormal one.
    for digits in range(18 if mantissa >> 63 else 1, 22):
        text = show(number, "g", digits, False)
        if _reads_back(text, value):
            break
    return sign + text


def _reads_back(text: str, value: Fraction) -> bool:
    from ..support.longdouble import rounded

    return abs(rounded(Fraction(text)).exact()) == value


def parse_type(call: Call, text: str, order: str) -> list[Format]:
    """Parse a TYPE string, such as ``x1z`` or ``d2o4``."""
    formats: list[Format] = []
    at = 0
    while at < len(text):
        pause()
        kind = text[at]
        at += 1
        size = 1
        if kind in "doux":
            size, at = _size(call, text, at, _LETTERS, 4)
            if size not in (1, 2, 4, 8):
                _refuse(call, text, f"{size}-byte integral")
            width, made = _WIDTHS[kind][size], _integers(kind, size, order)
        elif kind == "f":
            size, at = _size(call, text, at, _FLOATS, 8)
            if size not in (4, 8, 16):
                _refuse(call, text, f"{size}-byte floating point")
            width, made = _WIDTHS["f"][size], _floats(size, order)
        elif kind in "ac":
            width, made = 3, _named if kind == "a" else _characters
        else:
            raise UsageError(f"invalid character '{kind}' in type string {quote(text, call.env)}", hint=False)
        trailer = text[at : at + 1] == "z"
        at += trailer
        formats.append(Format(size, width, made, trailer))
    return formats


def _size(call: Call, text: str, at: int, letters: dict[str, int], default: int) -> tuple[int, int]:
    if text[at : at + 1] in letters:
        return letters[text[at]], at + 1
    pause()
    end = at
    while end < len(text) and text[end] in "0123456789":
        end += 1
    if end == at:
        return default, at
    size = int(text[at : min(end, at + 30)])
    if size >= 2**64:
        raise UsageError(f"invalid type string {quote(text, call.env)}", hint=False)
    return size, end


def _refuse(call: Call, text: str, what: str) -> None:
    shown = quote(text, call.env)
    raise UsageError(f"invalid type string {shown};\nthis system doesn't provide a {what} type", hint=False)
