"""C's ``strftime`` as in glibc's C locale, with GNU's flags and widths."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ....times.moments import DAYS, MONTHS
from .moments import BrokenDown, mktime, wrapped

if TYPE_CHECKING:
    from ....times.zones import Zone
    from ..running import Run

_PIECES = re.compile(rb"([^%]+)|(%([-_0^#]*)([0-9]*)([EO]?)(.?))", re.DOTALL)
_WIDEST = 0x7FFFFFFF

_COMPOSED = {
    b"D": b"%m/%d/%y",
    b"F": b"%Y-%m-%d",
    b"R": b"%H:%M",
    b"T": b"%H:%M:%S",
    b"c": b"%a %b %e %H:%M:%S %Y",
    b"r": b"%I:%M:%S %p",
    b"x": b"%m/%d/%y",
    b"X": b"%H:%M:%S",
}


def _hour_of_12(at: BrokenDown) -> int:
    return at.hour - 12 if at.hour > 12 else at.hour or 12


def _iso_days(yearday: int, weekday: int) -> int:
    """Return the days since the Monday of the first ISO week."""
    return yearday - (yearday - weekday + 4) % 7 + 3


def _iso_week(at: BrokenDown) -> tuple[int, int]:
    """Return the year and the week of ISO 8601."""
    year = wrapped(at.year + 1900)
    days = _iso_days(at.yearday, at.weekday)
    if days < 0:
        year -= 1
        days = _iso_days(at.yearday + _length(year), at.weekday)
    else:
        beyond = _iso_days(at.yearday - _length(year), at.weekday)
        if beyond >= 0:
            year += 1
            days = beyond
    return wrapped(year), days // 7 + 1


def _length(year: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 or year % 400 == 0)
    return 366 if is_leap else 365


# Conversion: value, digits, whether it is padded with spaces, the valid modifiers.
_NUMBERS: dict[bytes, tuple[Callable[[BrokenDown], int], int, bool, bytes]] = {
    b"C": (lambda at: wrapped(at.year + 1900) // 100, 1, False, b"EO"),
    b"d": (lambda at: at.day, 2, False, b"O"),
    b"e": (lambda at: at.day, 2, True, b"O"),
    b"g": (lambda at: _iso_week(at)[0] % 100, 2, False, b"O"),
    b"G": (lambda at: _iso_week(at)[0], 1, False, b"O"),
    b"H": (lambda at: at.hour, 2, False, b"O"),
    b"I": (_hour_of_12, 2, False, b"O"),
    b"j": (lambda at: wrapped(at.yearday + 1), 3, False, b"O"),
    b"k": (lambda at: at.hour, 2, True, b"O"),
    b"l": (_hour_of_12, 2, True, b"O"),
    b"m": (lambda at: wrapped(at.month + 1), 2, False, b"O"),
    b"M": (lambda at: at.minute, 2, False, b"O"),
    b"S": (lambda at: at.second, 2, False, b"O"),
    b"u": (lambda at: (at.weekday + 6) % 7 + 1, 1, False, b"EO"),
    b"U": (lambda at: (at.yearday - at.weekday + 7) // 7, 2, False, b"O"),
    b"V": (lambda at: _iso_week(at)[1], 2, False, b"O"),
    b"w": (lambda at: at.weekday, 1, False, b"O"),
    b"W": (lambda at: (at.yearday - (at.weekday + 6) % 7 + 7) // 7, 2, False, b"O"),
    b"y": (lambda at: at.year % 100, 2, False, b"EO"),
    b"Y": (lambda at: wrapped(at.year + 1900), 1, False, b"E"),
}


def _name(names: tuple[str, ...], index: int) -> bytes:
    if 0 <= index < len(names):
        return names[index].encode()
    return b"?"


# Conversion: text, and the valid modifiers.
_TEXTS: dict[bytes, tuple[Callable[[BrokenDown], bytes], bytes]] = {
    b"a": (lambda at: _name(DAYS, at.weekday)[:3], b""),
    b"A": (lambda at: _name(DAYS, at.weekday), b""),
    b"b": (lambda at: _name(MONTHS, at.month)[:3], b"O"),
    b"B": (lambda at: _name(MONTHS, at.month), b"O"),
    b"h": (lambda at: _name(MONTHS, at.month)[:3], b"O"),
    b"p": (lambda at: b"PM" if at.hour > 11 else b"AM", b"EO"),
    b"P": (lambda at: b"pm" if at.hour > 11 else b"am", b"EO"),
    b"Z": (lambda at: at.abbreviation.encode(), b"EO"),
    b"n": (lambda at: b"\n", b"EO"),
    b"t": (lambda at: b"\t", b"EO"),
    b"%": (lambda at: b"%", b"EO"),
}


class TooLong(Exception):
    """The result does not fit into the buffer."""


def strftime(run: Run, form: bytes, at: BrokenDown, zone: Zone, room: int) -> bytes:
    """Format a time in less than ``room`` bytes, or raise ``TooLong``. ``zone`` is for ``%s``, which is ``mktime``."""
    writer = _Writer(at, zone, room)
    writer.write(run, form)
    return b"".join(writer.out)


class _Writer:
    """The result so far, and the remaining room."""

    __slots__ = ("at", "out", "room", "zone")

    def __init__(self, at: BrokenDown, zone: Zone, room: int) -> None:
        self.at = at
        self.zone = zone
        self.room = room
        self.out: list[bytes] = []

    def add(self, text: bytes, width: int = -1, fill: bytes = b" ") -> None:
        """Add a text, padded on the left."""
        size = max(len(text), width)
        if size >= self.room:
            raise TooLong
        self.room -= size
        self.out.append(text if size == len(text) else text.rjust(size, fill))

    def write(self, run: Run, form: bytes) -> None:
        """Add the literal text and the conversions of a format."""
        for count, match in enumerate(_PIECES.finditer(form), 1):
            if not count % 1024:
                run.check()
            plain, directive, flags, digits, modifier, conversion = match.groups()
            if plain is not None:
                self.add(plain)
                continue
            width = min(int(digits[:20]), _WIDEST) if digits else -1
            if not self.convert(run, conversion, flags, width, modifier):
                changed = conversion in (b"b", b"h") and b"#" in flags  # glibc does this before it rejects the modifier
                self.text(directive, flags + b"^" if changed else flags, width)

    def text(self, text: bytes, flags: bytes, width: int) -> None:
        """Add a text, in upper case if the flags contain ``^``."""
        if b"^" in flags:
            text = text.upper()
        # Of the flags for padding, only ``0`` changes a text.
        pad = b"0" if _pad(flags) == b"0" else b" "
        self.add(text, width, pad)

    def convert(self, run: Run, conversion: bytes, flags: bytes, width: int, modifier: bytes) -> bool:
        """Add a conversion; return False if it is invalid."""
        if conversion in _NUMBERS:
            value, digits, spaces, modifiers = _NUMBERS[conversion]
            if modifier in modifiers:
                self.number(value(self.at), digits, flags, width, spaces)
                return True
        elif conversion in _TEXTS:
            text, modifiers = _TEXTS[conversion]
            if modifier in modifiers:
                self.cased(conversion, text(self.at), flags, width)
                return True
        elif conversion in _COMPOSED:
            has_alternative = modifier == b"E" and conversion in b"cxX"  # of another era, as in Japan
            if not modifier or has_alternative or conversion in b"rRT":
                inner = _Writer(self.at, self.zone, self.room)
                inner.write(run, _COMPOSED[conversion])
                self.text(b"".join(inner.out), flags, width)
                return True
        elif conversion == b"s":
            found = mktime(self.at, self.zone, self.at.summer)
            seconds = -1 if found is None else found[0]
            self.text(b"%d" % seconds, flags, width)
            return True
        elif conversion == b"z":
            if self.at.summer >= 0:
                sign = b"-" if self.at.offset < 0 else b"+"
                hours, minutes = divmod(abs(self.at.offset) // 60, 60)
                self.text(sign, flags, width)
                self.number(hours * 100 + minutes, 4, flags, width, False)
            return True
        return False

    def cased(self, conversion: bytes, text: bytes, flags: bytes, width: int) -> None:
        """Add a text; ``#`` changes its case: names to upper case, ``%p`` and ``%Z`` to lower case."""
        if b"#" in flags:
            if conversion in b"pPZ":
                text, flags = text.lower(), flags.replace(b"^", b"")
            elif conversion in b"aAbBh":
                text = text.upper()
        elif conversion == b"P":
            flags = flags.replace(b"^", b"")
        self.text(text, flags, width)

    def number(self, value: int, digits: int, flags: bytes, width: int, spaces: bool) -> None:
        """Add a number with at least ``digits`` digits, or padded to a width."""
        if width >= self.room:
            raise TooLong
        pad = _pad(flags) if flags else b""
        if pad == b"-":
            self.add(b"%d" % value, width)
        elif pad == b"_" or spaces and not pad:
            self.add(b"%*d" % (max(digits, width), value))
        else:
            self.add(b"%0*d" % (max(digits, width), value))


def _pad(flags: bytes) -> bytes:
    """Return the last of the flags for padding, or b""."""
    for flag in reversed(flags):
        if flag in b"-_0":
            return bytes((flag,))
    return b""
