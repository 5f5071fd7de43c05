"""Time zones by the value of TZ, as glibc reads it: a database name, or POSIX's ``CET-1CEST,M3.5.0,M10.5.0/3``.

Nothing here reads the environment or the zone of the process, except for a call without TZ, which means the machine's
zone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..regexes import lazy_pattern
from .days import civil, days_of, is_leap

if TYPE_CHECKING:
    from datetime import tzinfo

DAY = 86400
_CYCLE = 146097 * DAY  # 400 years, after which the calendar repeats, including weekdays
_FIRST, _LAST = days_of(2, 1, 1) * DAY, days_of(9998, 1, 1) * DAY

_name = lazy_pattern(r"[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>")
_offset = lazy_pattern(r"([+-]?)([0-9]{1,5})(?::([0-9]{1,5}))?(?::([0-9]{1,5}))?")
# A day, as ``Mm.w.d``, ``Jn``, ``n`` or omitted, and a time, before a comma or the end.
_rule = lazy_pattern(
    r",?+(?:M([0-9]{1,5})\.([0-9]{1,5})\.([0-9]{1,5})|(J?)([0-9]{1,5})|(?=,?\Z))"
    r"(?:/(?!\Z)(-?)(?:([0-9]{1,5})(?::([0-9]{1,5})(?::([0-9]{1,5}))?)?)?|(?=,|\Z))"
)

_LONGEST = 4096  # characters of a name or a rule

Local = tuple[int, int, str]  # seconds east of Greenwich, 1 in summer time, the abbreviation


class Zone:
    """A time zone, by default UTC."""

    def at(self, seconds: int) -> Local:
        """Return the offset, summer time and abbreviation at a moment."""
        return 0, 0, "UTC"


class _Named(Zone):
    """A zone of the database, which Python supports for the years 1 to 9999."""

    def __init__(self, zone: tzinfo) -> None:
        from datetime import UTC, datetime, timedelta

        self._zone = zone
        self._epoch = datetime(1970, 1, 1, tzinfo=UTC)
        self._delta = timedelta

    def at(self, seconds: int) -> Local:
        there = (self._epoch + self._delta(seconds=_within(seconds))).astimezone(self._zone)
        offset = there.utcoffset()
        assert offset is not None
        return offset.days * DAY + offset.seconds, int(bool(there.dst())), there.tzname() or ""


class _Machine(Zone):
    """The zone of the machine."""

    def at(self, seconds: int) -> Local:
        from time import localtime

        try:
            there = localtime(_within(seconds))
        except (OverflowError, ValueError, OSError):
            return super().at(seconds)
        return there.tm_gmtoff, int(there.tm_isdst > 0), abbreviation(there.tm_zone, there.tm_gmtoff)


def abbreviation(name: str, offset: int) -> str:
    """Return the abbreviation of a zone; Windows has long names, which become ``UTC`` or an offset as of the database."""
    if " " not in name:
        return name
    if not offset:
        return "UTC"
    sign = "-" if offset < 0 else "+"
    hours, minutes = divmod(abs(offset) // 60, 60)
    if not minutes:
        return f"{sign}{hours:02}"
    return f"{sign}{hours:02}{minutes:02}"


class _Rule:
    """The day and time of a year at which an offset ends."""

    __slots__ = ("day", "month", "offset", "seconds", "week")

    def __init__(self, offset: int, month: int, week: int, day: int, seconds: int) -> None:
        self.month = month  # 0: ``day`` counts from 0; -1: from 1, and never the 29th of February
        self.week = week
        self.day = day
        self.seconds = seconds
        self.offset = offset

    def change(self, year: int) -> int:
        """Return the moment of the change in a year; glibc uses the first of January 1970 for all earlier years."""
        start = days_of(max(year, 1970), 1, 1)
        return (start + self._day_of(year)) * DAY - self.offset + self.seconds

    def _day_of(self, year: int) -> int:
        """Return the day of the change, counted from the first of January."""
        if self.month == 0:
            return self.day
        if self.month < 0:
            day = self.day - 1
            if self.day >= 60 and is_leap(year):
                day += 1
            return day
        first = days_of(year, self.month, 1)
        last = days_of(year, self.month + 1, 1) - 1
        day = (self.day - first - 4) % 7
        # Week 5 is the last one, also in a month that has the weekday only four times.
        day += 7 * min(self.week - 1, (last - first - day) // 7)
        return first + day - days_of(year, 1, 1)


class _Posix(Zone):
    """A zone in POSIX's notation. It has summer time if it has two rules."""

    def __init__(self, standard: Local, summer: Local, rules: tuple[_Rule, _Rule] | None) -> None:
        self._standard = standard
        self._summer = summer
        self._rules = rules

    def at(self, seconds: int) -> Local:
        if self._rules is None:
            return self._standard
        year = civil(seconds // DAY)[0]
        begin, end = (rule.change(year) for rule in self._rules)
        if begin <= end:
            is_summer = begin <= seconds < end
        else:  # south of the equator, summer lasts over the turn of the year
            is_summer = not end <= seconds < begin
        return self._summer if is_summer else self._standard


def _within(seconds: int) -> int:
    """Move a moment by whole cycles of the calendar into the years that Python supports."""
    if _FIRST <= seconds < _LAST:
        return seconds
    limit = _LAST - _CYCLE
    if seconds < _FIRST:
        limit = _FIRST
    return limit + (seconds - limit) % _CYCLE


def zone(name: str | None) -> Zone:
    """Return the zone for a value of TZ; None is the machine's. Only the start of an overlong name is used."""
    if name is not None:
        name = name[:_LONGEST]
    return _zone(name)


@lru_cache(maxsize=32)
def _zone(name: str | None) -> Zone:
    if name is None:
        return _Machine()
    name = name.partition("\0")[0]
    if not name or name == "UTC":
        return Zone()
    name = name.removeprefix(":")
    from zoneinfo import ZoneInfo

    try:
        return _Named(ZoneInfo(name))
    except (KeyError, ValueError, OSError):
        if not name:  # a colon alone
            return Zone()
        return _from_posix(name)


def _east(match: re.Match[str]) -> int:
    """Parse an offset as seconds east of Greenwich; a value that is too large becomes the largest."""
    hours = min(int(match[2]), 24)
    minutes = min(int(match[3] or 0), 59)
    seconds = min(int(match[4] or 0), 59)
    west = hours * 3600 + minutes * 60 + seconds
    # POSIX counts offsets to the west: ``CET-1`` is east of Greenwich.
    return west if match[1] == "-" else -west


def _from_posix(text: str) -> Zone:
    """Parse POSIX's notation up to the first error; the rest counts as omitted."""
    match = _name.match(text)
    if match is None:
        return _Posix((0, 0, ""), (0, 1, ""), None)
    name = match.group().strip("<>")
    text = text[match.end() :]
    match = _offset.match(text)
    if match is None:
        return _Posix((0, 0, name), (0, 1, name), None)
    offset = _east(match)
    standard = offset, 0, name
    text = text[match.end() :]
    if not text:
        return _Posix(standard, standard, None)
    match = _name.match(text)
    if match is None:
        # No summer time, but rules: its name is empty and its offset 0.
        return _Posix(standard, (0, 1, ""), _rules(text, offset, 0))
    name = match.group().strip("<>")
    text = text[match.end() :]
    match = _offset.match(text)
    if match is None:
        summer, text = offset + 3600, text[text[:1] in ("+", "-") :]
    else:
        summer, text = _east(match), text[match.end() :]
    return _Posix(standard, (summer, 1, name), _rules(text, offset, summer))


def _rules(text: str, standard: int, summer: int) -> tuple[_Rule, _Rule]:
    """Parse the start and end of summer time; omitted rules are those of the United States."""
    rules = [_Rule(standard, 0, 0, 0, 0), _Rule(summer, 0, 0, 0, 0)]
    for index, usual in enumerate(((3, 2), (11, 1))):
        match = _rule.match(text)
        if match is None:
            break
        month, week, weekday, julian, day, sign, hours, minutes, seconds = match.groups()
        rule = _Rule(rules[index].offset, *usual, 0, 7200)
        if month is not None:
            rule.month, rule.week, rule.day = int(month), int(week), int(weekday)
            is_valid = rule.month in range(1, 13) and rule.week in range(1, 6) and rule.day in range(7)
        elif day is not None:
            rule.month, rule.day = -1 if julian else 0, int(day)
            is_valid = rule.day in range(len(julian), 366)  # Julian days count from 1
        else:
            is_valid = True
        if not is_valid:
            break
        if sign is not None:
            rule.seconds = _seconds(sign, hours, minutes, seconds)
        text = text[match.end() :]
        rules[index] = rule
    return rules[0], rules[1]


def _seconds(sign: str, hours: str | None, minutes: str | None, seconds: str | None) -> int:
    after = int(hours or 2) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return -after if sign else after
