"""Conversions between broken-down times and seconds, as in C: ``gmtime``, ``localtime``, ``timegm`` and ``mktime``."""

from __future__ import annotations

from ....times.days import civil, days_of
from ....times.zones import DAY, Local, Zone

_STRIDE = 601200  # seconds between two probes for a time with or without summer time, as in glibc
_STRIDES = 447


def as_int(number: float) -> int:
    """Convert a number to a C ``int``, clamped to its range."""
    if number >= 0x7FFFFFFF:
        return 0x7FFFFFFF
    if number > -0x80000000:
        return int(number)
    return -0x80000000  # ``nan`` too


def wrapped(number: int) -> int:
    """Return a number modulo 2**32 as a C ``int``."""
    return (number + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class BrokenDown:
    """C's ``struct tm``: years count from 1900, months from 0, days of the week from Sunday, of the year from 0."""

    __slots__ = (
        "abbreviation",
        "day",
        "hour",
        "minute",
        "month",
        "offset",
        "second",
        "summer",
        "weekday",
        "year",
        "yearday",
    )

    def __init__(self, fields: list[int]) -> None:
        self.year, self.month, self.day, self.hour, self.minute, self.second, self.weekday, self.yearday = fields
        self.offset = self.summer = 0
        self.abbreviation = ""

    def fields(self) -> list[int]:
        """Return the fields in jq's order, with the full year."""
        return [
            wrapped(self.year + 1900),
            self.month,
            self.day,
            self.hour,
            self.minute,
            self.second,
            self.weekday,
            self.yearday,
        ]


def utc(seconds: int) -> BrokenDown | None:
    """Return the broken-down time of a moment in UTC; None if the year does not fit into a C ``int``."""
    return _broken_down(seconds, (0, 0, "GMT"))


def local(seconds: int, zone: Zone) -> BrokenDown | None:
    """Return the broken-down time of a moment in a zone; None if the year does not fit."""
    return _broken_down(seconds, zone.at(seconds))


def _broken_down(seconds: int, there: Local) -> BrokenDown | None:
    days, rest = divmod(seconds + there[0], DAY)
    year, month, day = civil(days)
    if not -0x80000000 <= year - 1900 <= 0x7FFFFFFF:
        return None
    hour, rest = divmod(rest, 3600)
    moment = BrokenDown(
        [year - 1900, month - 1, day, hour, *divmod(rest, 60), (days + 4) % 7, days - days_of(year, 1, 1)]
    )
    moment.offset, moment.summer, moment.abbreviation = there
    return moment


def _wall(moment: BrokenDown) -> int:
    """Return the seconds of a wall-clock time, as if it were in UTC; fields may be out of range."""
    days = days_of(moment.year + 1900, moment.month + 1, 1) + moment.day - 1
    return days * DAY + moment.hour * 3600 + moment.minute * 60 + moment.second


def _excess(moment: BrokenDown) -> int:
    """Return how far the seconds field is out of range: C adds that last."""
    return moment.second - max(0, min(59, moment.second))


def timegm(moment: BrokenDown) -> tuple[int, BrokenDown] | None:
    """Return the moment of a UTC time, and its normalized fields; None if the year does not fit into a C ``int``."""
    seconds = _wall(moment)
    found = utc(seconds)
    if found is None or utc(seconds - _excess(moment)) is None:
        return None
    return seconds, found


def mktime(moment: BrokenDown, zone: Zone, summer: int = -1) -> tuple[int, BrokenDown] | None:
    """Return the moment of a local time, and its normalized fields; None if there is none.

    ``summer`` is 1 for summer time, 0 without it, -1 if unknown. The search is glibc's, which determines the result for
    local times that occur twice or never. It begins without a guess, as the first one of a process does.
    """
    excess = _excess(moment)
    seconds = _search(_wall(moment) - excess, zone, summer)
    if seconds is None or local(seconds, zone) is None:
        return None
    found = local(seconds + excess, zone)
    if found is None:
        return None
    return seconds + excess, found


def _search(wall: int, zone: Zone, summer: int) -> int | None:
    """Return the moment of a wall-clock time, None if the search finds none."""
    here = before = before_that = wall
    was_summer = 0
    for _ in range(6):
        offset, is_summer, _abbreviation = zone.at(here)
        error = wall - here - offset
        if error == 0:
            break
        if here == before != before_that and (was_summer <= is_summer if summer < 0 else summer != is_summer):
            return here  # the clock skips that time: the search alternates between two moments
        before, before_that, here, was_summer = before_that, here, here + error, is_summer
    else:
        return None
    if summer < 0 or summer == is_summer:
        return here
    for stride in range(_STRIDE, _STRIDES * _STRIDE, _STRIDE):
        for there in (here - stride, here + stride):
            offset, is_there, _abbreviation = zone.at(there)
            if is_there == summer:
                return wall - offset
    return here + 3600 * ((summer == 0) - (is_summer == 0))  # the zone has no such time: assume an hour
