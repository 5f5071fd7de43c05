"""The proleptic Gregorian calendar, as days since 1970-01-01."""

from __future__ import annotations


def days_of(year: int, month: int, day: int) -> int:
    """Return the days since 1970-01-01 in the proleptic Gregorian calendar; months after 12 extend into later years."""
    year += (month - 1) // 12
    month = (month - 1) % 12 + 1
    shifted = year - (month <= 2)
    era, of_era = divmod(shifted, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def civil(days: int) -> tuple[int, int, int]:
    """Return year, month and day of a number of days; the inverse of ``days_of``."""
    era, rest = divmod(days + 719468, 146097)
    of_era = (rest - rest // 1460 + rest // 36524 - rest // 146096) // 365
    of_year = rest - (365 * of_era + of_era // 4 - of_era // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return of_era + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1
