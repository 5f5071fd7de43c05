"""Dates as people write them, for ``date -d`` and ``touch -d`` (GNU coreutils manual, "Date input formats")."""

from __future__ import annotations

import re

from ...regexes import lazy_pattern
from ...text import pause, whole
from ...times.days import civil, days_of
from ...times.moments import DAYS, MONTHS, Moment, instant, moment
from ...times.zones import zone as find_zone

_TOKEN = lazy_pattern(
    r"(?P<space>[ \t\n\v\f\r,]+)|(?P<comment>\()"
    r"|(?P<epoch>@(?P<epoch_s>[-+]?[0-9]{1,18})(?:[.,](?P<epoch_f>[0-9]{1,30}))?)"
    r"|(?P<iso>(?P<y>[0-9]{1,9})-(?P<mo>[0-9]{1,2})-(?P<d>[0-9]{1,2}))"
    r"|(?P<slash>(?P<sa>[0-9]{1,9})/(?P<sb>[0-9]{1,2})(?:/(?P<sc>[0-9]{1,9}))?)"
    r"|(?P<dmy>(?P<dd>[0-9]{1,2})-(?P<dm>[A-Za-z]{3,9})-(?P<dy>[0-9]{1,9}))"
    r"|(?P<mdy>(?P<mm>[A-Za-z]{3,9})[ \t]*-[ \t]*(?P<md>[0-9]{1,2})[ \t]*-[ \t]*(?P<my>[0-9]{1,9}))"
    r"|(?P<clock>(?P<h>[0-9]{1,2}):(?P<mi>[0-9]{1,2})(?::(?P<s>[0-9]{1,2})(?:[.,](?P<f>[0-9]{1,30}))?)?)"
    r"|(?P<decimal>(?:[-+][ \t]*)?[0-9]{1,18}[.,][0-9]{1,30})"
    r"|(?P<signed>[-+][ \t]*[0-9]{1,18})(?::(?P<zm>[0-9]{2}))?|(?P<number>[0-9]{1,18})|(?P<word>[A-Za-z][A-Za-z.]*)"
)
# What lists of dates are mostly made of.
_PLAIN = lazy_pattern(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?)?")
_UNITS = {"year": (0, 1), "month": (1, 1), "fortnight": (2, 14), "week": (2, 7), "day": (2, 1), "hour": (3, 3600)}
_UNITS |= {"minute": (3, 60), "min": (3, 60), "second": (3, 1), "sec": (3, 1)}
_ORDINALS = {"last": -1, "this": 0, "next": 1, "first": 1, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_ORDINALS |= {"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12}
_SHIFTS = {"tomorrow": 1, "yesterday": -1, "today": 0, "now": 0}
_ZONES: dict[str, float] = {
    "gmt": 0,
    "ut": 0,
    "utc": 0,
    "z": 0,
    "wet": 0,
    "west": 1,
    "bst": 1,
    "cet": 1,
    "cest": 2,
    "met": 1,
    "mest": 2,
}
_ZONES |= {"eet": 2, "eest": 3, "msk": 3, "msd": 4, "ist": 5.5, "jst": 9, "nst": -3.5, "ast": -4, "adt": -3}
_ZONES |= {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "hst": -10}
_ZONES |= {letter: hours for hours, letter in enumerate("abcdefghiklm", 1)}
_ZONES |= {letter: -hours for hours, letter in enumerate("nopqrstuvwxy", 1)}


class _Reader:
    """What a text has said so far."""

    def __init__(self, now: int, zone: str | None) -> None:
        self._now = now
        self.zone = zone
        self.date: tuple[int, int, int] | None = None
        self.clock: tuple[int, int, int, int] | None = None
        self.weekday: tuple[int, int] | None = None  # day, ordinal
        self.shift = [0, 0, 0, 0]  # years, months, days, seconds
        self.nanoseconds_more = 0
        self.shifted = False
        self.offset: int | None = None
        self.epoch: int | None = None
        self.counts = {"date": 0, "clock": 0, "weekday": 0, "zone": 0, "epoch": 0, "year": 0}

    @property
    def now(self) -> Moment:
        """What is asked for where the text leaves something open."""
        return moment(self._now, self.zone)

    def once(self, kind: str) -> None:
        self.counts[kind] += 1
        if self.counts[kind] > 1:
            raise ValueError(kind)

    def on(self, year: str, month: int, day: int) -> None:
        """Take a date."""
        self.once("date")
        self.counts["year"] = 1
        self.date = _year(year), month, day

    def move(self, amount: int, unit: str) -> None:
        index, factor = _UNITS[unit]
        self.shift[index] += amount * factor
        self.shifted = True

    def nanoseconds(self) -> int:
        """Put it together as gnulib's parse_datetime does."""
        if self.epoch is not None:
            if self.date or self.clock or self.weekday or self.offset is not None or self.shifted:
                raise ValueError("epoch")
            return self.epoch
        if self.date is None or self.clock is None:
            base = self.now
        year, month, day = self.date or (base.year, base.month, base.day)
        if self.clock is not None:
            hour, minute, second, fraction = self.clock
        elif self.shifted and self.date is None and self.weekday is None:
            hour, minute, second, fraction = base.hour, base.minute, base.second, base.nanosecond
        else:
            hour = minute = second = fraction = 0
        # A time that the calendar or the clock does not have is refused before anything is added to it.
        days_before = days_of(year, month, day)
        if civil(days_before) != (year, month, day) or hour > 23 or minute > 59 or second > 59:
            raise ValueError("no such date")
        of_day = hour * 3600 + minute * 60 + second
        start = self.start_of(days_before * 86400 + of_day)
        if not self.shifted and (self.weekday is None or self.date is not None):
            return start * 10**9 + fraction
        years, months, days, seconds = self.shift
        if abs(year + years) >= 2**31:
            raise ValueError("no such year")
        count = days_of(year + years, month + months, day) + days
        if self.weekday is not None and self.date is None:
            wanted, ordinal = self.weekday
            today = (count + 4) % 7
            count += (wanted - today + 7) % 7 + 7 * (ordinal - (ordinal > 0 and today != wanted))
        wall = count * 86400 + of_day
        start = wall - self.offset if self.offset is not None else instant(wall, self.zone)
        return (start + seconds) * 10**9 + fraction + self.nanoseconds_more

    def start_of(self, wall: int) -> int:
        """Return the seconds since the epoch of a time on the wall; one that clocks in the zone jump over is refused."""
        if self.offset is not None:
            return wall - self.offset
        at = find_zone(self.zone).at
        start = wall - at(wall)[0]
        if start + at(start)[0] != wall:
            start = instant(wall, self.zone)
            if start + at(start)[0] != wall:
                raise ValueError("no such time")
        return start


def _tokens(text: str) -> list[re.Match[str]]:
    found = []
    at = 0
    while at < len(text):
        pause()
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(text[at:])
        at = match.end()
        if match.lastgroup == "comment":
            at = _end_of_comment(text, at)
        if match.lastgroup not in ("space", "comment"):
            found.append(match)
    return found


def _end_of_comment(text: str, at: int) -> int:
    """Return where the parenthesis before ``at`` is closed: others may lie in it, and the text's end closes all."""
    depth = 1
    while depth and at < len(text):
        pause()
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def _year(text: str) -> int:
    year = whole(text)
    if len(text) == 2:
        year += 2000 if year < 69 else 1900
    return year


def _name(word: str, names: tuple[str, ...]) -> int:
    """Return the index of a day or month by its name or a common abbreviation; -1."""
    lower = word.lower().rstrip(".")
    for index, name in enumerate(names):
        if lower in (name.lower(), name[:3].lower()):
            return index
    more = {"sept": 8} if names is MONTHS else {"tues": 2, "wednes": 3, "thur": 4, "thurs": 4}
    return more.get(lower, -1)


def _unit(word: str) -> str | None:
    lower = word.lower()
    return lower if lower in _UNITS else lower[:-1] if lower.endswith("s") and lower[:-1] in _UNITS else None


class _Parser:
    """The grammar, over tokens."""

    def __init__(self, tokens: list[re.Match[str]], reader: _Reader) -> None:
        self.tokens = tokens
        self.at = 0
        self.reader = reader

    def word(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return (self.tokens[index]["word"] or "") if index < len(self.tokens) else ""

    def run(self) -> None:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            reader = self.reader
            if token["epoch"]:
                reader.once("epoch")
                fraction = int((token["epoch_f"] or "0").ljust(9, "0")[:9])
                sign = -1 if token["epoch_s"].startswith("-") else 1
                reader.epoch = int(token["epoch_s"]) * 10**9 + sign * fraction
            elif token["iso"]:
                reader.on(token["y"], int(token["mo"]), int(token["d"]))
            elif token["slash"]:
                self.slash(token)
            elif token["dmy"]:
                reader.on(token["dy"], self.month(token["dm"]), int(token["dd"]))
            elif token["mdy"]:
                reader.on(token["my"], self.month(token["mm"]), int(token["md"]))
            elif token["decimal"]:
                self.decimal(token["decimal"])
            elif token["clock"]:
                self.time(token)
            elif token["signed"]:
                self.signed(token)
            elif token["number"]:
                self.number(token["number"])
            else:
                self.named(token["word"])

    def month(self, word: str) -> int:
        index = _name(word, MONTHS)
        if index < 0:
            raise ValueError(word)
        return index + 1

    def slash(self, token: re.Match[str]) -> None:
        first, second, third = token["sa"], int(token["sb"]), token["sc"]
        if third is None:
            self.reader.once("date")
            self.reader.date = self.reader.now.year, whole(first), second
        elif len(first) >= 4:
            self.reader.on(first, second, whole(third))
        else:
            self.reader.on(third, whole(first), second)

    def time(self, token: re.Match[str]) -> None:
        self.reader.once("clock")
        hour = self.meridian(int(token["h"]))
        fraction = int((token["f"] or "0").ljust(9, "0")[:9])
        self.reader.clock = hour, int(token["mi"]), int(token["s"] or 0), fraction
        following = self.tokens[self.at] if self.at < len(self.tokens) else None
        # Right behind a time a signed number is the zone, even where a unit follows: "10:00 +1 day" is in zone +01.
        if following is not None and following["signed"]:
            self.at += 1
            self.zone(following)

    def meridian(self, hour: int) -> int:
        word = self.word().lower().replace(".", "")
        if word not in ("am", "pm"):
            return hour
        self.at += 1
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        return hour % 12 + (12 if word == "pm" else 0)

    def zone(self, token: re.Match[str]) -> None:
        self.reader.once("zone")
        digits = token["signed"][1:].strip()
        if token["zm"]:
            seconds = whole(digits) * 3600 + int(token["zm"]) * 60
        elif len(digits) <= 2:
            seconds = whole(digits) * 3600
        else:
            seconds = int(digits[:-2]) * 3600 + int(digits[-2:]) * 60
        if seconds > 24 * 3600:
            raise ValueError(digits)
        self.reader.offset = -seconds if token["signed"][0] == "-" else seconds

    def signed(self, token: re.Match[str]) -> None:
        unit = _unit(self.word())
        if unit is None:
            raise ValueError(token["signed"])
        self.at += 1
        number = int(token["signed"].replace(" ", "").replace("\t", ""))
        self.reader.move(number * self.ago(), unit)

    def decimal(self, text: str) -> None:
        """Read ``+ 1.5 seconds``: of seconds alone there are fractions."""
        if _unit(self.word()) not in ("sec", "second"):
            raise ValueError(text)
        self.at += 1
        seconds, fraction = re.split("[.,]", text.strip("+- \t"))
        sign = self.ago() * (-1 if text.startswith("-") else 1)
        self.reader.nanoseconds_more += sign * (int(seconds) * 10**9 + int(fraction.ljust(9, "0")[:9]))
        self.reader.shifted = True

    def ago(self) -> int:
        if self.word().lower() != "ago":
            return 1
        self.at += 1
        return -1

    def number(self, digits: str) -> None:
        word = self.word()
        reader = self.reader
        unit = _unit(word)
        if unit is not None:
            self.at += 1
            reader.move(whole(digits) * self.ago(), unit)
        elif word.lower().replace(".", "") in ("am", "pm"):
            reader.once("clock")
            reader.clock = self.meridian(whole(digits)), 0, 0, 0
        elif word and _name(word, MONTHS) >= 0:
            self.at += 1
            reader.once("date")
            reader.date = self.year_or_now(), _name(word, MONTHS) + 1, whole(digits)
        elif word and _name(word, DAYS) >= 0:
            self.at += 1
            reader.once("weekday")
            reader.weekday = _name(word, DAYS), whole(digits)
        elif reader.date is not None and self.year_is_missing(digits):
            reader.counts["year"] = 1
            reader.date = _year(digits), *reader.date[1:]
        elif len(digits) > 4:
            reader.on(digits[:-4], int(digits[-4:-2]), int(digits[-2:]))
        else:
            reader.once("clock")
            reader.clock = (whole(digits), 0, 0, 0) if len(digits) <= 2 else (int(digits[:-2]), int(digits[-2:]), 0, 0)

    def year_is_missing(self, digits: str) -> bool:
        """Say whether a number behind a date is its year, and not an hour."""
        reader = self.reader
        return not reader.counts["year"] and not reader.shifted and (reader.clock is not None or len(digits) > 2)

    def year_or_now(self) -> int:
        following = self.tokens[self.at] if self.at < len(self.tokens) else None
        if following is not None and following["number"] and not _unit(self.word(1)):
            self.at += 1
            self.reader.counts["year"] = 1
            return _year(following["number"])
        return self.reader.now.year

    def named(self, word: str) -> None:
        lower = word.lower()
        reader = self.reader
        unit = _unit(word)
        if lower in _SHIFTS:
            reader.move(_SHIFTS[lower] * self.ago(), "day")
        elif lower in _ORDINALS and (_unit(self.word()) or _name(self.word(), DAYS) >= 0 and self.word()):
            self.ordinal(_ORDINALS[lower])
        elif unit is not None:
            reader.move(self.ago(), unit)
        elif _name(word, DAYS) >= 0:
            reader.once("weekday")
            reader.weekday = _name(word, DAYS), 0
        elif _name(word, MONTHS) >= 0:
            self.month_day(_name(word, MONTHS) + 1)
        elif lower in _ZONES:
            self.letters(lower)
        else:
            raise ValueError(word)

    def letters(self, word: str) -> None:
        """Read a zone by its letters, or the T between a date and its time."""
        reader = self.reader
        following = self.tokens[self.at] if self.at < len(self.tokens) else None
        if word == "t" and self.at > 1 and self.tokens[self.at - 2]["iso"]:
            if following is None or not following["clock"]:
                raise ValueError(word)
            return
        reader.once("zone")
        reader.offset = base = int(_ZONES[word] * 3600)
        if word != "t" and following is not None and following["signed"] and not _unit(self.word(1)):
            self.at += 1
            reader.counts["zone"] = 0
            self.zone(following)
            reader.offset += base

    def ordinal(self, number: int) -> None:
        word = self.word()
        self.at += 1
        unit = _unit(word)
        if unit is not None:
            self.reader.move(number * self.ago(), unit)
        else:
            self.reader.once("weekday")
            self.reader.weekday = _name(word, DAYS), number

    def month_day(self, month: int) -> None:
        following = self.tokens[self.at] if self.at < len(self.tokens) else None
        if following is None or not following["number"]:
            raise ValueError("month")
        self.at += 1
        self.reader.once("date")
        self.reader.date = self.reader.now.year, month, int(following["number"])
        more = self.tokens[self.at] if self.at < len(self.tokens) else None
        if more is not None and "," in more.string[following.end() : more.start()]:
            self.reader.date = self.year_or_now(), *self.reader.date[1:]


def parse_date(text: str, now: int, zone: str | None) -> int | None:
    """Return the nanoseconds since the epoch that a text means at ``now`` (nanoseconds) in a zone; None if it is no date."""
    stripped = text.lstrip()
    if stripped.startswith('TZ="'):
        zone, _, text = stripped[4:].partition('"')
    try:
        reader = _Reader(now, zone)
        if (plain := _PLAIN.fullmatch(text)) is not None:
            year, month, day, hour, minute, second = plain.groups("0")
            reader.date = int(year), int(month), int(day)
            reader.clock = int(hour), int(minute), int(second), 0
        else:
            _Parser(_tokens(text), reader).run()
        return reader.nanoseconds()
    except (ValueError, OverflowError):
        return None
