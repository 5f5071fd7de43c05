"""Dates as people write them, for ``date -d`` and ``touch -d`` (GNU coreutils manual, "Date input formats").

A text is a date here if and only if GNU date 9.1 accepts it, because a guard may test only that.
"""

from __future__ import annotations

from ...regexes import lazy_pattern
from ...times.days import civil, days_of
from ...times.moments import Moment, instant, moment
from ...times.zones import zone as find_zone
from .tokens import END_TOKEN, SECOND, Token, tokens

# The usual forms in lists of dates.
_PLAIN = lazy_pattern(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?)?")
_MOST_INT = 2**31 - 1  # years, months and days are C's int
_MOST_SECONDS = 2**63 - 1
_QUARTER = 90 * 86400


class _Reader:
    """The parts of a date that have been read so far."""

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
        self.summer: int | None = None  # of a named zone: 1 summer time, 0 winter time, -1 either (``local_zones``)
        self._local_zones: dict[str, int] | None = None
        self.epoch: int | None = None
        self.counts = {"date": 0, "clock": 0, "weekday": 0, "zone": 0, "epoch": 0, "year": 0}

    @property
    def now(self) -> Moment:
        """The current time in the zone, for the parts that the text does not give."""
        return moment(self._now, self.zone)

    def once(self, kind: str) -> None:
        self.counts[kind] += 1
        if self.counts[kind] > 1:
            raise ValueError(kind)

    def on(self, year: int, month: int, day: int) -> None:
        """Take a date."""
        self.once("date")
        self.counts["year"] = 1
        self.date = year, month, day

    def on_this_year(self, month: int, day: int) -> None:
        """Take a date without a year: it is in the current one, unless a year follows."""
        self.once("date")
        self.date = self.now.year, month, day

    def move(self, amount: int, unit: tuple[int, int]) -> None:
        """Add an amount of a unit to the date."""
        index, factor = unit
        self.shift[index] += amount * factor
        self.shifted = True

    def local_zones(self) -> dict[str, int]:
        """Return the names of the zone in the year from now: 1 for summer time, 0 for winter time, -1 for a name of both."""
        if self._local_zones is None:
            names: dict[str, int] = {}
            at = find_zone(self.zone).at
            for quarter in range(4):
                _, is_summer, name = at(self._now // 10**9 + quarter * _QUARTER)
                name = name.lower()
                if names.get(name, is_summer) != is_summer:
                    is_summer = -1
                names[name] = is_summer
            self._local_zones = names
        return self._local_zones

    def nanoseconds(self) -> int:
        """Put it together as gnulib's parse_datetime does."""
        if self.epoch is not None:
            return self.epoch
        year, month, day = self.date or self.today()
        hour, minute, second, fraction = self.clock or self.usual_clock()
        # A time that the calendar or the clock does not have is refused before anything is added to it.
        if max(year, month, day) > _MOST_INT:
            raise ValueError("no such date")
        if hour > 23 or minute > 59 or second > 59:
            raise ValueError("no such time")
        days_before = days_of(year, month, day)
        if civil(days_before) != (year, month, day):
            raise ValueError("no such date")
        of_day = hour * 3600 + minute * 60 + second
        start = self.start_of(days_before * 86400 + of_day)
        if self.summer in (0, 1) and find_zone(self.zone).at(start)[1] != self.summer:
            raise ValueError("the zone has another time then")
        # gnulib ignores a weekday beside a date.
        moves_to_weekday = self.weekday is not None and self.date is None
        if not self.shifted and not moves_to_weekday:
            return start * 10**9 + fraction
        year, month, day = civil(days_before + self.days_to_weekday(days_before))
        years, months, days, seconds = self.shift
        if max(abs(year + years), abs(month + months), abs(day + days)) > _MOST_INT:
            raise ValueError("no such date")
        wall = (days_of(year + years, month + months, day) + days) * 86400 + of_day
        start = self.shifted_start(wall)
        if self.offset is not None:
            start -= self.offset - find_zone(self.zone).at(start)[0]
        if abs(start + seconds) > _MOST_SECONDS:
            raise ValueError("no such time")
        return (start + seconds) * 10**9 + fraction + self.nanoseconds_more

    def today(self) -> tuple[int, int, int]:
        now = self.now
        return now.year, now.month, now.day

    def usual_clock(self) -> tuple[int, int, int, int]:
        """Return the time of a text without one: midnight for a day, the current time if the text only shifts it."""
        names_day = self.date is not None or self.weekday is not None
        if not self.shifted or names_day:
            return 0, 0, 0, 0
        now = self.now
        return now.hour, now.minute, now.second, now.nanosecond

    def days_to_weekday(self, days: int) -> int:
        """Return how many days lie between a day and the weekday that the text names."""
        if self.weekday is None or self.date is not None:
            return 0
        wanted, ordinal = self.weekday
        today = (days + 4) % 7  # 1970-01-01 was a Thursday
        weeks = ordinal
        if ordinal > 0 and today != wanted:
            weeks -= 1  # the days up to the first such weekday are part of the first week
        return (wanted - today) % 7 + 7 * weeks

    def shifted_start(self, wall: int) -> int:
        """Return the seconds since the epoch of a time on the wall after a shift.

        A text that names no time of its own stays in the summer or winter time of now (mktime's ``tm_isdst``).
        """
        start = instant(wall, self.zone)
        if self.date is not None or self.clock is not None or self.weekday is not None:
            return start
        at = find_zone(self.zone).at
        offset, is_summer, _ = at(self._now // 10**9)
        if at(start)[1] == is_summer:
            return start
        return wall - offset

    def start_of(self, wall: int) -> int:
        """Return the seconds since the epoch of a time on the wall; one that clocks in the zone jump over is refused."""
        if self.offset is not None:
            return wall - self.offset
        at = find_zone(self.zone).at
        # A first guess: the offset may be another one at that moment.
        start = wall - at(wall)[0]
        if start + at(start)[0] != wall:
            start = instant(wall, self.zone)
            if start + at(start)[0] != wall:
                raise ValueError("no such time")
        return start


def _year(token: Token) -> int:
    """Return the year of a number, which has two digits in this century or the last one."""
    year = abs(token.value)
    if token.digits == 2 and token.value >= 0:
        year += 2000 if year < 69 else 1900
    return year


def _negated(token: Token) -> Token:
    return token._replace(value=-token.value)


class _Parser:
    """The grammar, over tokens. Of two rules with the same beginning the longer applies. It raises ``ValueError``."""

    def __init__(self, words: list[Token], reader: _Reader) -> None:
        self.words = words
        self.at = 0
        self.reader = reader

    def kind(self, ahead: int = 0) -> str:
        """Return the kind of a token that has not been read."""
        return self.words[min(self.at + ahead, len(self.words) - 1)].kind

    def take(self, *kinds: str) -> Token:
        """Read a token of one of these kinds."""
        token = self.words[self.at]
        if token.kind not in kinds:
            raise ValueError(token.kind)
        self.at += 1
        return token

    def takes(self, kind: str) -> bool:
        """Read a token if it is of this kind; return whether it was."""
        if self.kind() != kind:
            return False
        self.at += 1
        return True

    def run(self) -> None:
        if self.takes("@"):
            seconds = self.take("unsigned", "signed", "unsigned decimal", "signed decimal")
            self.reader.epoch = seconds.value * 10**9 + seconds.fraction
            self.take(END_TOKEN.kind)
        readers = {
            "unsigned": self.number,
            "signed": self.relative,
            "unsigned decimal": self.seconds,
            "signed decimal": self.seconds,
            "month": self.month,
            "day": self.weekday,
            "ordinal": self.ordinal,
            "unit": self.unit,
            "shift": self.shift,
            "zone": self.zone,
            "T": self.zone,
            "summer zone": self.summer_zone,
            "local zone": self.local_zone,
        }
        while (kind := self.kind()) != END_TOKEN.kind:
            if kind not in readers:
                raise ValueError(kind)
            readers[kind]()

    def number(self) -> None:
        """Read an item that begins with a number without a sign."""
        first = self.take("unsigned")
        following = self.kind()
        if following == ":":
            self.clock(first)
        elif following == "meridian":
            self.set_clock(first, Token("unsigned"), Token("unsigned"))
        elif following == "/":
            self.slashes(first)
        elif following == "month":
            self.day_and_month(first)
        elif following == "day":
            self.reader.once("weekday")
            self.reader.weekday = self.take("day").value, first.value
        elif following == "unit":
            self.move(first.value)
        elif following == "signed":
            self.number_and_signed(first)
        else:
            self.digits(first)

    def number_and_signed(self, first: Token) -> None:
        """Read ``2020-12-31``, ``2020 +1 day`` or ``12+05``."""
        if self.kind(1) == "signed":
            self.iso_date(first)
        elif self.kind(1) == "unit":
            self.digits(first)
            self.reader.move(self.take("signed").value, self.take("unit").unit)
        else:
            self.set_clock(first, Token("unsigned"), Token("unsigned"))
            self.offset()

    def iso_date(self, year: Token) -> None:
        month, day = self.take("signed"), self.take("signed")
        self.reader.on(_year(year), -month.value, -day.value)
        if not self.takes("T"):
            return
        hour = self.take("unsigned")
        if self.kind() == ":":
            self.clock(hour, has_meridian=False)
        elif self.kind() == "signed":
            self.set_clock(hour, Token("unsigned"), Token("unsigned"))
            self.offset()
        else:
            raise ValueError("time")

    def clock(self, hour: Token, has_meridian: bool = True) -> None:
        """Read a time from its first colon on."""
        self.take(":")
        minute, second = self.take("unsigned"), Token("unsigned")
        if self.takes(":"):
            second = self.take("unsigned", "unsigned decimal")
        if self.kind() == "meridian" and not has_meridian:
            raise ValueError("meridian")
        self.set_clock(hour, minute, second)
        # Directly after a time a signed number is the zone, even before a unit: "10:00 +1 day" is in zone +01.
        if self.words[self.at - 1].kind != "meridian" and self.kind() == "signed":
            self.offset()

    def set_clock(self, hour: Token, minute: Token, second: Token) -> None:
        """Take a time, with the meridian that follows it."""
        self.reader.once("clock")
        hours = hour.value
        if self.kind() == "meridian":
            if not 1 <= hours <= 12:
                raise ValueError(hours)
            hours = hours % 12 + self.take("meridian").value
        self.reader.clock = hours, minute.value, second.value, second.fraction

    def offset(self) -> None:
        """Read a zone that is a signed number."""
        self.reader.once("zone")
        self.reader.offset = self.hours_and_minutes()

    def hours_and_minutes(self) -> int:
        hours = self.take("signed")
        if self.takes(":"):
            sign = -1 if hours.is_negative else 1
            minutes = hours.value * 60 + sign * self.take("unsigned").value
        elif hours.digits <= 2:
            minutes = hours.value * 60
        else:
            whole_hours, rest = divmod(abs(hours.value), 100)
            minutes = whole_hours * 60 + rest
            if hours.is_negative:
                minutes = -minutes
        if abs(minutes) > 24 * 60:
            raise ValueError(minutes)
        return minutes * 60

    def slashes(self, first: Token) -> None:
        self.take("/")
        second = self.take("unsigned")
        if not self.takes("/"):
            self.reader.on_this_year(first.value, second.value)
            return
        third = self.take("unsigned")
        if first.digits >= 4:
            self.reader.on(_year(first), second.value, third.value)
        else:
            self.reader.on(_year(third), first.value, second.value)

    def day_and_month(self, day: Token) -> None:
        month = self.take("month").value
        if self.kind() == "unsigned":
            self.reader.on(_year(self.take("unsigned")), month, day.value)
        elif self.kind() == "signed":
            self.reader.on(_year(_negated(self.take("signed"))), month, day.value)
        else:
            self.reader.on_this_year(month, day.value)

    def month(self) -> None:
        month = self.take("month").value
        day = self.take("unsigned", "signed")
        if day.kind == "signed":
            self.reader.on(_year(_negated(self.take("signed"))), month, -day.value)
        elif self.takes(","):
            self.reader.on(_year(self.take("unsigned")), month, day.value)
        else:
            self.reader.on_this_year(month, day.value)

    def weekday(self) -> None:
        self.reader.once("weekday")
        self.reader.weekday = self.take("day").value, 0
        self.takes(",")

    def ordinal(self) -> None:
        number = self.take("ordinal").value
        if self.kind() == "day":
            self.reader.once("weekday")
            self.reader.weekday = self.take("day").value, number
        else:
            self.move(number)

    def unit(self) -> None:
        self.move(1)

    def relative(self) -> None:
        self.move(self.take("signed").value)

    def move(self, amount: int) -> None:
        """Read a unit, and ``ago`` or ``hence`` after it."""
        unit = self.take("unit").unit
        self.reader.move(amount * self.ago(), unit)

    def ago(self) -> int:
        if self.kind() == "ago":
            return self.take("ago").value
        return 1

    def shift(self) -> None:
        self.reader.move(self.take("shift").value, (2, 1))

    def seconds(self) -> None:
        """Read ``+ 1.5 seconds``: only seconds may have a fraction."""
        amount = self.take("unsigned decimal", "signed decimal")
        if self.take("unit").unit != SECOND:
            raise ValueError("fraction")
        sign = self.ago()
        self.reader.nanoseconds_more += sign * (amount.value * 10**9 + amount.fraction)
        self.reader.shifted = True

    def zone(self) -> None:
        """Read the name of a zone, and a number or DST after it."""
        zone = self.take("zone", "T")
        self.reader.once("zone")
        self.reader.offset = zone.value
        if self.kind() == "signed" and self.kind(1) == "unit":
            self.reader.move(self.take("signed").value, self.take("unit").unit)
        elif zone.kind == "zone" and self.kind() == "signed":
            self.reader.offset += self.hours_and_minutes()
        elif zone.kind == "zone" and self.takes("dst"):
            self.reader.offset += 3600

    def summer_zone(self) -> None:
        self.reader.once("zone")
        self.reader.offset = self.take("summer zone").value + 3600

    def local_zone(self) -> None:
        """Read a name of the zone in which the date is read."""
        self.reader.once("zone")
        self.reader.summer = self.take("local zone").value
        if self.takes("dst"):
            self.reader.summer = 1

    def digits(self, number: Token) -> None:
        """Take a number on its own: a year, a date or a time."""
        reader = self.reader
        if reader.date is not None and self.year_is_missing(number):
            reader.counts["year"] = 1
            reader.date = _year(number), *reader.date[1:]
        elif number.digits > 4:
            year = Token("unsigned", number.value // 10000, number.digits - 4)
            reader.on(_year(year), number.value // 100 % 100, number.value % 100)
        else:
            if number.digits <= 2:
                hour, minute = (number.value, 0)
            else:
                hour, minute = divmod(number.value, 100)
            reader.once("clock")
            reader.clock = hour, minute, 0, 0

    def year_is_missing(self, number: Token) -> bool:
        """Return whether a number after a date is its year, and not an hour."""
        reader = self.reader
        if reader.counts["year"] or reader.shifted:
            return False
        return reader.clock is not None or number.digits > 2


def _own_zone(text: str) -> tuple[str, str] | None:
    """Split a text into the zone of a leading ``TZ="…"`` and the rest; None without such a prefix."""
    stripped = text.lstrip(" \t\n\v\f\r")
    if not stripped.startswith('TZ="'):
        return None
    name = ""
    at = 4
    while at < len(stripped):
        char = stripped[at]
        if char == '"':
            return name, stripped[at + 1 :]
        if char == "\\":
            at += 1
            char = stripped[at : at + 1]
            if char not in ("\\", '"'):
                return None
        name += char
        at += 1
    return None


def parse_date(text: str, now: int, zone: str | None) -> int | None:
    """Return the nanoseconds since the epoch that a text means at ``now`` (nanoseconds) in a zone; None if it is not a date."""
    if (own := _own_zone(text)) is not None:
        zone, text = own
    try:
        reader = _Reader(now, zone)
        if (plain := _PLAIN.fullmatch(text)) is not None:
            year, month, day, hour, minute, second = plain.groups("0")
            reader.date = int(year), int(month), int(day)
            reader.clock = int(hour), int(minute), int(second), 0
        else:
            _Parser(list(tokens(text, reader.local_zones)), reader).run()
        return reader.nanoseconds()
    except (ValueError, OverflowError):
        return None
