"""The proleptic Gregorian calendar, as days since 1970-01-01."""

from __future__ import annotations


def days_of(year: int, month: int, day: int) -> int:
    """Return the days since 1970-01-01 in the proleptic Gregorian calendar; months after 12 extend into later years."""
    year += (month - 1) // 12
    month = (month - 1) % 12 + 1
    # The year begins in March here, so that a leap day is its last day and needs no case of its own.
    if month > 2:
        since_march = month - 3
    else:
        since_march = month + 9
        year -= 1
    era, of_era = divmod(year, 400)
    # The months from March on have 31 30 31 30 31 days, again and again: 153 in 5 months.
    of_year = (153 * since_march + 2) // 5 + day - 1
    # 719468 days are from the first of March of the year 0 to 1970-01-01.
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def is_leap(year: int) -> bool:
    """Return whether a year has a 29th of February."""
    return days_of(year + 1, 1, 1) - days_of(year, 1, 1) == 366


def civil(days: int) -> tuple[int, int, int]:
    """Return year, month and day of a number of days; the inverse of ``days_of``."""
    era, rest = divmod(days + 719468, 146097)
    of_era = (rest - rest // 1460 + rest // 36524 - rest // 146096) // 365
    of_year = rest - (365 * of_era + of_era // 4 - of_era // 100)
    year = of_era + era * 400
    since_march = (5 * of_year + 2) // 153
    day = of_year - (153 * since_march + 2) // 5 + 1
    if since_march < 10:
        return year, since_march + 3, day
    return year + 1, since_march - 9, day
