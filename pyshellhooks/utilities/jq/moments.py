"""Broken down times and counts of seconds, as C has them: ``gmtime``, ``localtime``, ``timegm`` and ``mktime``."""

from __future__ import annotations

from ...times.days import civil, days_of
from ...times.zones import DAY, Local, Zone

_STRIDE = 601200  # seconds between two looks for a time with or without summer time, as glibc does it
_STRIDES = 447


def as_int(number: float) -> int:
    """Cut a number to a C ``int``."""
    if number >= 0x7FFFFFFF:
        return 0x7FFFFFFF
    return int(number) if number > -0x80000000 else -0x80000000


def wrapped(number: int) -> int:
    """Let a number go round as a C ``int`` does."""
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
        """List them in jq's order, with the year as people write it."""
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
    """Break a moment down in UTC; None where C has no such year."""
    return _broken_down(seconds, (0, 0, "GMT"))


def local(seconds: int, zone: Zone) -> BrokenDown | None:
    """Break a moment down in a zone."""
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
    """Count the seconds that clocks show, as if in UTC; fields may be out of range."""
    days = days_of(moment.year + 1900, moment.month + 1, 1) + moment.day - 1
    return days * DAY + moment.hour * 3600 + moment.minute * 60 + moment.second


def _excess(moment: BrokenDown) -> int:
    """Tell how far the seconds are out of range: C adds that last."""
    return moment.second - max(0, min(59, moment.second))


def timegm(moment: BrokenDown) -> tuple[int, BrokenDown] | None:
    """Return the moment, and its fields brought into range; None where C has no such year."""
    seconds = _wall(moment)
    found = utc(seconds)
    if found is None or utc(seconds - _excess(moment)) is None:
        return None
    return seconds, found


def mktime(moment: BrokenDown, zone: Zone, summer: int = -1) -> tuple[int, BrokenDown] | None:
    """Return the moment at which clocks show a time, and its fields brought into range.

    ``summer`` says whether summer time is meant, 0 or 1, or is -1. The search is glibc's: on it depends what is found
    where clocks show a time twice or never. It begins without a guess, as the first one of a process does.
    """
    excess = _excess(moment)
    seconds = _search(_wall(moment) - excess, zone, summer)
    if seconds is None or local(seconds, zone) is None:
        return None
    found = local(seconds + excess, zone)
    return None if found is None else (seconds + excess, found)


def _search(wall: int, zone: Zone, summer: int) -> int | None:
    """Find the moment of a time on the wall."""
    here = before = before_that = wall
    was_summer = 0
    for _ in range(6):
        offset, is_summer, _abbreviation = zone.at(here)
        error = wall - here - offset
        if error == 0:
            break
        if here == before != before_that and (was_summer <= is_summer if summer < 0 else summer != is_summer):
            return here  # clocks jump over that time: the search goes to and fro
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
    return here + 3600 * ((summer == 0) - (is_summer == 0))  # it never is: summer time is an hour then
