"""Moments in a time zone, and their formats in date and printf (C strftime; GNU coreutils 9.1 "date")."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from ..regexes import lazy_pattern
from ..text import pause, remembered
from .days import civil, days_of, is_leap
from .zones import zone as find_zone

DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Moment:
    """A broken-down time with its offset from UTC in seconds and the zone's abbreviation."""

    __slots__ = (
        *("abbreviation", "day", "hour", "minute", "month", "nanosecond", "offset", "second", "seconds"),
        *("weekday", "year", "zone"),
    )

    def __init__(self, seconds: int, nanosecond: int, offset: int, abbreviation: str, zone: str | None) -> None:
        self.seconds = seconds
        self.nanosecond = nanosecond
        self.offset = offset
        self.abbreviation = abbreviation
        self.zone = zone
        days, rest = divmod(seconds + offset, 86400)
        self.hour, rest = divmod(rest, 3600)
        self.minute, self.second = divmod(rest, 60)
        self.year, self.month, self.day = civil(days)
        self.weekday = (days + 4) % 7  # 0 is Sunday

    @property
    def yearday(self) -> int:
        """The number of days of the year before this day."""
        return (self.seconds + self.offset) // 86400 - days_of(self.year, 1, 1)

    def at(self, year: int, month: int, day: int, hour: int, minute: int, second: int) -> int:
        """Return the nanoseconds since the epoch of another time in this zone. Raise ValueError for an invalid time."""
        # datetime checks the day, but knows only the years 1 to 9999: so by any year of the same length.
        datetime(2000 if is_leap(year) else 2001, month, day)
        # 60 is a leap second, as in C's struct tm.
        if hour not in range(24) or minute not in range(60) or second not in range(61):
            raise ValueError("no such time")
        return instant(days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second, self.zone) * 10**9


def zone_at(seconds: int, zone: str | None) -> tuple[int, str]:
    """Return the offset from UTC in seconds and the abbreviation of a zone named by TZ at a moment."""
    offset, _, abbreviation = find_zone(zone).at(seconds)
    return offset, abbreviation


def local(seconds: int, nanosecond: int, zone: str | None) -> Moment:
    """Return the moment in a zone named by TZ (None: the machine's)."""
    return Moment(seconds, nanosecond, *zone_at(seconds, zone), zone)


def moment(nanoseconds: int, zone: str | None) -> Moment:
    """Return the moment of a number of nanoseconds since the epoch."""
    return local(nanoseconds // 10**9, nanoseconds % 10**9, zone)


def instant(wall: int, zone: str | None) -> int:
    """Return the time since the epoch when clocks in a zone show ``wall`` (seconds as if in UTC), as mktime does."""
    guess = wall - zone_at(wall, zone)[0]
    return wall - zone_at(guess, zone)[0]


def _iso_week(at: Moment) -> tuple[int, int]:
    monday = (at.weekday + 6) % 7
    week = (at.yearday - monday + 10) // 7
    if week < 1:
        year = at.year - 1
        return year, _weeks_in(year)
    if week > _weeks_in(at.year):
        return at.year + 1, 1
    return at.year, week


def _weeks_in(year: int) -> int:
    first = (days_of(year, 1, 1) + 3) % 7  # 0 is Monday
    # A week belongs to the year of its Thursday (ISO 8601): a year with 53 Thursdays has 53 weeks.
    if first == 2:
        return 53 if is_leap(year) else 52
    return 53 if first == 3 else 52


_COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "r": "%I:%M:%S %p",
    "R": "%H:%M",
    "T": "%H:%M:%S",
    "x": "%m/%d/%y",
    "X": "%H:%M:%S",
}
# Conversion: value, width, padding.
_NUMBERS: dict[str, tuple[Callable[[Moment], int], int, str]] = {
    "C": (lambda at: at.year // 100, 2, "0"),
    "d": (lambda at: at.day, 2, "0"),
    "e": (lambda at: at.day, 2, " "),
    "g": (lambda at: _iso_week(at)[0] % 100, 2, "0"),
    "G": (lambda at: _iso_week(at)[0], 4, "0"),
    "H": (lambda at: at.hour, 2, "0"),
    "I": (lambda at: at.hour % 12 or 12, 2, "0"),
    "j": (lambda at: at.yearday + 1, 3, "0"),
    "k": (lambda at: at.hour, 2, " "),
    "l": (lambda at: at.hour % 12 or 12, 2, " "),
    "m": (lambda at: at.month, 2, "0"),
    "M": (lambda at: at.minute, 2, "0"),
    "q": (lambda at: (at.month - 1) // 3 + 1, 1, "0"),
    "s": (lambda at: at.seconds, 1, "0"),
    "S": (lambda at: at.second, 2, "0"),
    "u": (lambda at: at.weekday or 7, 1, "0"),
    "U": (lambda at: (at.yearday - at.weekday + 7) // 7, 2, "0"),
    "V": (lambda at: _iso_week(at)[1], 2, "0"),
    "w": (lambda at: at.weekday, 1, "0"),
    "W": (lambda at: (at.yearday - (at.weekday + 6) % 7 + 7) // 7, 2, "0"),
    "y": (lambda at: at.year % 100, 2, "0"),
    "Y": (lambda at: at.year, 4, "0"),
}
_HALVES = ("AM", "PM")
_TEXTS: dict[str, Callable[[Moment], str]] = {
    "a": lambda at: DAYS[at.weekday][:3],
    "A": lambda at: DAYS[at.weekday],
    "b": lambda at: MONTHS[at.month - 1][:3],
    "B": lambda at: MONTHS[at.month - 1],
    "h": lambda at: MONTHS[at.month - 1][:3],
    "p": lambda at: _HALVES[at.hour // 12],
    "P": lambda at: _HALVES[at.hour // 12].lower(),
    "Z": lambda at: at.abbreviation,
    "n": lambda at: "\n",
    "t": lambda at: "\t",
    "%": lambda at: "%",
}
_KNOWN = frozenset((*_NUMBERS, *_TEXTS, *_COMPOSED, "N", "z"))
_WIDEST = 100_000
_FILL = {"0": "0", "+": "0", "_": " "}  # the padding character of each padding flag
# Flags, width, colons, conversion. Colons belong to z alone; before any other letter they are text, which is parsed
# again.
_PARTS = lazy_pattern(r"%([-_0+^#]*+)([0-9]*+)[EO]?+(?::++(?!z)|(:*+)(.?))", re.DOTALL)


def strftime(fmt: str, at: Moment, *, extensions: str = "Nq:") -> str:
    """Format a moment with GNU's flags (``_ - 0 + ^ #``), widths and conversions; unknown ones stay as they are.

    ``extensions``: conversions of ``date`` beyond strftime(3); printf and awk have only strftime(3).
    """
    return "".join([part if part.__class__ is str else part(at) for part in _read(fmt, extensions)])  # type: ignore[operator]


@remembered(64)
def _read(fmt: str, extensions: str) -> tuple[str | Callable[[Moment], str], ...]:
    """Split a format into texts and functions. Cached, as listings and logs use the same format for each line."""
    out: list[str | Callable[[Moment], str]] = []
    position = 0
    for match in _PARTS.finditer(fmt):
        pause()
        out.append(fmt[position : match.start()])
        position = match.end()
        flags, width, colons, conversion = match.groups("")
        if not _is_supported(conversion, colons, extensions):
            out.append(match.group())
            continue
        is_plain = not width and not flags.strip("^#")
        if conversion == "F" and is_plain and ":" in extensions:
            flags, width = f"{flags}+", "10"  # a year after 9999 has a sign
        out.append(_conversion(conversion, flags, min(int(width or -1), _WIDEST), len(colons)))
    out.append(fmt[position:])
    return tuple(filter(None, out))


def _is_supported(conversion: str, colons: str, extensions: str) -> bool:
    if conversion not in _KNOWN:
        return False
    if conversion in "Nq" and conversion not in extensions:
        return False
    if not colons:
        return True
    return ":" in extensions and len(colons) <= 3


def _conversion(conversion: str, flags: str, width: int, colons: int) -> Callable[[Moment], str]:
    """Return the function that formats a conversion."""
    has_default_form = not flags and width < 0
    if has_default_form and conversion in _NUMBERS:
        value, natural, default = _NUMBERS[conversion]
        shown = f"%{default.strip()}{natural}d"
        return lambda at: shown % value(at)
    if has_default_form and conversion in _TEXTS:
        return _TEXTS[conversion]
    return lambda at: _convert(at, conversion, flags, width, colons)


def _convert(at: Moment, conversion: str, flags: str, width: int, colons: int) -> str:
    pad = flags.replace("^", "").replace("#", "")[-1:]  # the last padding flag wins
    if conversion in _NUMBERS:
        value, natural, default = _NUMBERS[conversion]
        if width < 0:
            width = natural
        signed = natural if conversion in "CGYgy" else 0  # only a year may have a plus
        return _number(value(at), pad, width, default, signed)
    if conversion == "N":
        return _fraction(f"{at.nanosecond:09d}", pad, width)
    if conversion == "z":
        return _offset(at.offset, colons, pad, width)
    text = _with_case(_text(at, conversion, pad, width), conversion, flags)
    if pad == "-":
        return text
    return text.rjust(width, _FILL.get(pad, " "))


def _text(at: Moment, conversion: str, pad: str, width: int) -> str:
    has_form = bool(pad) or width >= 0
    if conversion == "F" and has_form:
        # The flags and the width are the year's; 6 characters are left for month and day.
        year = _number(at.year, pad, max(width - 6, 0), "0", 4)
        return f"{year}-{at.month:02d}-{at.day:02d}"
    if conversion in _COMPOSED:
        return strftime(_COMPOSED[conversion], at)
    return _TEXTS[conversion](at)


def _with_case(text: str, conversion: str, flags: str) -> str:
    """Apply ``^``, upper case, and ``#``, the other case: upper case but for ``%p`` and ``%Z``, which have it already."""
    if "^" in flags:
        return text.upper()
    if "#" not in flags:
        return text
    return text.lower() if conversion in "pZ" else text.upper()


def _number(value: int, pad: str, width: int, default: str, signed: int) -> str:
    """Format a number. ``signed``: with more digits than this the flag ``+`` adds a plus; 0: never."""
    sign = "-" if value < 0 else ""
    digits = str(abs(value))
    if pad == "+" and not sign:
        is_long = max(len(digits), width) > signed
        if signed and is_long:
            sign = "+"
    if pad == "-":
        return sign + digits
    if _FILL.get(pad, default) == "0":
        return sign + digits.rjust(width - len(sign), "0")
    return (sign + digits).rjust(width)


def _fraction(digits: str, pad: str, width: int) -> str:
    if width <= 0:
        return digits
    digits = digits[:width].ljust(width, "0")
    if pad not in ("-", "_"):
        return digits
    digits = digits.rstrip("0") or "0"
    if pad == "-":
        return digits
    return digits.ljust(width)


def _offset(seconds: int, colons: int, pad: str, width: int) -> str:
    sign = "-" if seconds < 0 else "+"
    hours, rest = divmod(abs(seconds), 3600)
    minutes, second = divmod(rest, 60)
    drops_zeros = pad in ("-", "_")
    if drops_zeros and colons == 0:
        text, least = f"{sign}{hours * 100 + minutes}", 5
    else:
        tail = _offset_tail(colons, minutes, second)
        if not drops_zeros:
            return sign + f"{hours:02d}{tail}".rjust(width - 1, "0")
        text, least = f"{sign}{hours}{tail}", 3 + len(tail)
    if pad == "-":
        return text
    return text.rjust(max(width, least))


def _offset_tail(colons: int, minutes: int, second: int) -> str:
    """Return the part of an offset after the hours; ``%:::z`` is only as precise as needed."""
    if colons == 0:
        return f"{minutes:02d}"
    if colons == 3:
        if not minutes and not second:
            return ""
        colons = 2 if second else 1
    return f":{minutes:02d}" if colons == 1 else f":{minutes:02d}:{second:02d}"
