"""C's ``strptime`` as in glibc's C locale, including its oddities.

Each conversion sets fields; some fields are computed from others at the end. Zones are parsed and ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ....times.moments import DAYS, MONTHS
from .moments import BrokenDown, local

if TYPE_CHECKING:
    from ....times.zones import Zone
    from ..running import Run

_SPACES = b" \t\n\v\f\r"
_space = re.compile(rb"[ \t\n\v\f\r]*").match
_word = re.compile(rb"[^ \t\n\v\f\r]*").match
_digits = re.compile(rb"[0-9]*").match
_directive = re.compile(rb"%[-_0^#]*[0-9]*([EO]?)(.?)", re.DOTALL).match
_shift = re.compile(rb"([+-])([0-9]{2})(?::(?=[0-9]))?([0-9]{0,2})").match

_COMPOSED = {
    b"c": b"%a %b %e %H:%M:%S %Y",
    b"D": b"%m/%d/%y",
    b"F": b"%Y-%m-%d",
    b"r": b"%I:%M:%S %p",
    b"R": b"%H:%M",
    b"T": b"%H:%M:%S",
    b"x": b"%m/%d/%y",
    b"X": b"%H:%M:%S",
}
# Conversion: minimum, maximum, digits.
_NUMBERS = {
    b"C": (0, 99, 2),
    b"d": (1, 31, 2),
    b"e": (1, 31, 2),
    b"g": (0, 99, 2),
    b"H": (0, 23, 2),
    b"I": (1, 12, 2),
    b"j": (1, 366, 3),
    b"k": (0, 23, 2),
    b"l": (1, 12, 2),
    b"m": (1, 12, 2),
    b"M": (0, 59, 2),
    b"S": (0, 61, 2),
    b"u": (1, 7, 1),
    b"U": (0, 53, 2),
    b"V": (0, 53, 2),
    b"w": (0, 6, 1),
    b"W": (0, 53, 2),
    b"y": (0, 99, 2),
    b"Y": (0, 9999, 4),
}
_WITH_O = b"deHImMSUVwWy"
# Days before each month of a common year, then of a leap year: glibc's index runs over from one into the other.
_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)
_BEFORE_IN_LEAP = (0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366)
_NO_WEEKDAY, _NO_YEARDAY = 8, 367  # jq's initial values, which stay if no conversion sets the field


class _Mismatch(Exception):
    """The text does not match the format."""


def strptime(run: Run, text: bytes, form: bytes, zone: Zone) -> tuple[BrokenDown, bytes] | None:
    """Parse a broken-down time; return it and the rest from the next white space on, or None for no match."""
    reader = _Reader(run, text, zone)
    try:
        reader.read(form)
    except _Mismatch:
        return None
    rest = text[reader.at :]
    if rest and rest[0] not in _SPACES:
        return None
    reader.complete()
    return reader.moment, rest


class _Reader:
    """Parser of one text, with the fields that were set so far."""

    def __init__(self, run: Run, text: bytes, zone: Zone) -> None:
        self.run = run
        self.text = text
        self.zone = zone
        self.at = 0
        self.moment = BrokenDown([0, 0, 0, 0, 0, 0, _NO_WEEKDAY, _NO_YEARDAY])
        self.is_of_12 = self.is_afternoon = False
        self.century = -1
        self.century_wanted = False
        self.days_wanted = False  # the day of the week and of the year must be computed
        self.week = 0
        self.fields: set[str] = set()  # "weekday", "yearday", "month", "day", "Sunday week", "Monday week"
        # After a conversion with O or E glibc has decided that the locale has alternative digits and eras, or none.
        self.alternative = False
        self.no_locale = False

    def read(self, form: bytes) -> None:
        """Parse with a format: literal text, white space for any white space, and conversions."""
        position = count = 0
        while position < len(form):
            count += 1
            if not count % 1024:
                self.run.check()
            byte = form[position]
            if byte in _SPACES:
                self.skip_space()
                position += 1
            elif byte != 0x25:
                if self.text[self.at : self.at + 1] != form[position : position + 1]:
                    raise _Mismatch
                self.at += 1
                position += 1
            else:
                match = _directive(form, position)
                assert match is not None
                position = match.end()
                modifier, conversion = match.groups()
                if modifier == b"E":
                    self.with_era(conversion)
                elif modifier == b"O":
                    self.with_alternative_digits(conversion)
                else:
                    self.convert(conversion)

    def skip_space(self) -> None:
        match = _space(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def convert(self, conversion: bytes) -> None:
        """Parse one conversion."""
        limits = _NUMBERS.get(conversion)
        if limits is not None:
            self.set(conversion, self.number(*limits))
            return
        composed = _COMPOSED.get(conversion)
        if composed is not None:
            self.read(composed)
            self.days_wanted |= conversion in b"cDFx"
            return
        reading = _READINGS.get(conversion)
        if reading is None:
            raise _Mismatch
        reading(self)

    def number(self, least: int, greatest: int, digits: int) -> int:
        """Parse a number, which ends before a digit that would make it too large."""
        self.skip_space()
        value = 0
        start = self.at
        while self.at - start < digits and (self.at == start or value * 10 <= greatest):
            digit = self.text[self.at : self.at + 1]
            if not digit.isdigit():
                break
            value = value * 10 + int(digit)
            self.at += 1
        if self.at == start or not least <= value <= greatest:
            raise _Mismatch
        return value

    def set(self, conversion: bytes, value: int) -> None:
        """Set the fields of a numeric conversion."""
        moment = self.moment
        if conversion in b"de":
            moment.day = value
            self.fields.add("day")
        elif conversion == b"m":
            moment.month = value - 1
            self.fields.add("month")
        elif conversion in b"Hk":
            moment.hour = value
            self.is_of_12 = False
        elif conversion in b"Il":
            moment.hour = value % 12
            self.is_of_12 = True
        elif conversion == b"M":
            moment.minute = value
        elif conversion == b"S":
            moment.second = value
        elif conversion == b"j":
            moment.yearday = value - 1
            self.fields.add("yearday")
        elif conversion in b"uw":
            moment.weekday = value % 7
            self.fields.add("weekday")
        elif conversion in b"UW":
            self.week = value
            self.fields.add("Sunday week" if conversion == b"U" else "Monday week")
        elif conversion in b"CyY":
            self.set_year(conversion, value)
        self.days_wanted |= conversion in b"CdemyY"

    def set_year(self, conversion: bytes, value: int) -> None:
        if conversion == b"C":
            self.century = value
        elif conversion == b"y":
            self.moment.year = value if value >= 69 else value + 100
            self.century_wanted = True
        else:
            self.moment.year = value - 1900
            self.century_wanted = False

    def with_era(self, conversion: bytes) -> None:
        """Parse ``%Ey`` and similar: the C locale has no eras, which glibc remembers from then on."""
        if conversion in (b"c", b"x", b"X"):
            self.convert(conversion)
            return
        if conversion not in (b"C", b"y", b"Y"):
            raise _Mismatch
        if not self.no_locale:
            if conversion == b"y":
                # The year of an era is parsed first, and then the year of a century.
                self.moment.year = self.number(0, 9999, 4)
                self.century_wanted = self.days_wanted = True
            if self.alternative:
                raise _Mismatch
            self.no_locale = True
        self.convert(conversion)

    def with_alternative_digits(self, conversion: bytes) -> None:
        """Parse ``%Od`` and similar: there are no such digits, so the first one sets glibc's state, the next fails."""
        if conversion in (b"b", b"B", b"h"):
            self.convert(conversion)
            return
        if not conversion or conversion not in _WITH_O or self.alternative:
            raise _Mismatch
        self.alternative = not self.no_locale
        wanted = self.century_wanted
        self.convert(conversion)
        if conversion == b"y":
            self.century_wanted = wanted

    def starts_with(self, word: bytes, at: int) -> bool:
        return self.text[at : at + len(word)].lower() == word.lower()

    def read_weekday(self) -> None:
        """Parse a day's name, full or short; after a short one glibc continues with the names of later days."""
        start = self.at
        end = -1
        for index, name in enumerate(DAYS):
            full = name.encode()
            spellings = () if self.no_locale else (full, full[:3])
            for word in spellings:
                if self.starts_with(word, start) and start + len(word) > end:
                    end, self.moment.weekday = start + len(word), index
            if self.alternative:
                continue
            if self.starts_with(full, start) and start + len(full) > end:
                end, self.moment.weekday = start + len(full), index
            elif self.starts_with(full[:3], start):
                if start > end:
                    end, self.moment.weekday = start, index
                start += 3
        if end < 0:
            raise _Mismatch
        self.at = end
        self.fields.add("weekday")

    def read_month(self) -> None:
        for index, name in enumerate(MONTHS):
            for word in (name.encode(), name[:3].encode()):
                if self.starts_with(word, self.at):
                    self.at += len(word)
                    self.moment.month = index
                    self.fields.add("month")
                    self.days_wanted = True
                    return
        raise _Mismatch

    def read_half(self) -> None:
        for is_afternoon, word in enumerate((b"AM", b"PM")):
            if self.starts_with(word, self.at):
                self.at += 2
                self.is_afternoon = bool(is_afternoon)
                return
        raise _Mismatch

    def read_percent(self) -> None:
        if self.text[self.at : self.at + 1] != b"%":
            raise _Mismatch
        self.at += 1

    def read_digits(self) -> bytes:
        match = _digits(self.text, self.at)
        assert match is not None
        if match.end() == self.at:
            raise _Mismatch
        self.at = match.end()
        return match.group()

    def read_seconds(self) -> None:
        """Parse seconds since the epoch, converted to the local zone; C's ``time_t`` wraps around."""
        value = int(self.read_digits()[-64:])
        moment = local((value + (1 << 63)) % (1 << 64) - (1 << 63), self.zone)
        if moment is None:
            raise _Mismatch
        self.moment = moment

    def skip_zone_name(self) -> None:
        self.skip_space()
        match = _word(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def read_offset(self) -> None:
        self.skip_space()
        if self.text[self.at : self.at + 1] == b"Z":
            self.at += 1
            return
        match = _shift(self.text, self.at)
        if match is None:
            raise _Mismatch
        minutes = match[3]
        if len(minutes) == 1 or minutes >= b"60":
            raise _Mismatch
        self.at = match.end()

    def complete(self) -> None:
        """Compute the fields that were not parsed."""
        moment = self.moment
        fields = self.fields
        if self.is_of_12 and self.is_afternoon:
            moment.hour += 12
        if self.century >= 0:
            in_century = moment.year % 100 if self.century_wanted else 0
            moment.year = in_century + (self.century - 19) * 100
        if self.days_wanted and "weekday" not in fields:
            if "yearday" in fields and not {"month", "day"} <= fields:
                self.set_month_and_day()
                fields |= {"month", "day"}
            moment.weekday = self.weekday()
        if self.days_wanted and "yearday" not in fields:
            moment.yearday = self.before()[moment.month] + moment.day - 1
        if "weekday" in fields and fields & {"Sunday week", "Monday week"}:
            self.complete_week()

    def complete_week(self) -> None:
        """Compute the day of the year from the number of the week and the day of the week."""
        moment = self.moment
        weekday, month, day = moment.weekday, moment.month, moment.day
        first_day = 0 if "Sunday week" in self.fields else 1
        moment.day, moment.month = 1, 0
        first = self.weekday()
        moment.day, moment.month = day, month
        if "yearday" not in self.fields:
            offset = 7 - (first - first_day)
            moment.yearday = offset % 7 + (self.week - 1) * 7 + (weekday - first_day + 7) % 7
        if "day" not in self.fields:
            moment.day = 1
        if "month" not in self.fields:
            moment.month = 0
        if not {"day", "month"} <= self.fields:
            self.set_month_and_day()

    def before(self) -> tuple[int, ...]:
        """Return the days before each month of the year, followed by the values after them in glibc's table."""
        year = self.moment.year + 1900
        # The Gregorian rule.
        is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return _BEFORE_IN_LEAP if is_leap else _BEFORE + _BEFORE_IN_LEAP

    def set_month_and_day(self) -> None:
        """Compute the month and the day, unless parsed, from the day of the year."""
        before = self.before()
        month = 0
        while month < len(before) and before[month] <= self.moment.yearday:
            month += 1
        if month:
            days = before[month - 1]
        else:
            days = 365 * (before is _BEFORE_IN_LEAP)  # the value before glibc's table
        if "month" not in self.fields:
            self.moment.month = month - 1
        if "day" not in self.fields:
            self.moment.day = self.moment.yearday - days + 1

    def weekday(self) -> int:
        """Compute the day of the week."""
        moment = self.moment
        year = max(0, moment.year + 1900 - (moment.month < 2))  # wrong for the first months of the year 0, as in C
        days = 365 * (moment.year - 70) + year // 4 - year // 100 + year // 400 - 473
        return (days + (_BEFORE + _BEFORE_IN_LEAP)[moment.month] + moment.day - 1) % 7


_READINGS: dict[bytes, Callable[[_Reader], object]] = {
    b"a": _Reader.read_weekday,
    b"A": _Reader.read_weekday,
    b"b": _Reader.read_month,
    b"B": _Reader.read_month,
    b"h": _Reader.read_month,
    b"G": _Reader.read_digits,
    b"n": _Reader.skip_space,
    b"p": _Reader.read_half,
    b"s": _Reader.read_seconds,
    b"t": _Reader.skip_space,
    b"z": _Reader.read_offset,
    b"Z": _Reader.skip_zone_name,
    b"%": _Reader.read_percent,
}
