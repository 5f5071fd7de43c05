"""The tokens of dates (GNU coreutils manual, "Date input formats"), as GNU date 9.1 reads them.

A sign without a digit after it is skipped, a comment in parentheses is a blank, and any other character is a token of
its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...regexes import lazy_pattern
from ...text import pause

END = "end"
_MOST = 2**63 - 1  # larger numbers are errors
_LONGEST_WORD = 19  # characters; GNU cuts a longer one

_NUMBER = lazy_pattern(r"(?P<sign>[-+][ \t\n\v\f\r]*)?(?P<digits>[0-9]+)(?:[.,](?P<fraction>[0-9]+))?")
_SIGN = lazy_pattern(r"[-+][ \t\n\v\f\r]*")
_WORD = lazy_pattern(r"[A-Za-z][A-Za-z.]*")
_BLANKS = " \t\n\v\f\r"


class Token(NamedTuple):
    """One token.

    ``kind``         its name in the grammar
    ``value``        the number; seconds for a zone
    ``digits``       the number of digits
    ``fraction``     nanoseconds to add to ``value``
    ``unit``         an index of year, month, day and second, and the amount of it in one unit
    ``is_negative``  whether it has a minus, even before 0
    """

    kind: str
    value: int = 0
    digits: int = 0
    fraction: int = 0
    unit: tuple[int, int] = (0, 0)
    is_negative: bool = False


END_TOKEN = Token(END)
_MONTHS = ("january february march april may june july august september october november december").split()
_DAYS = ("sunday monday tuesday wednesday thursday friday saturday").split()
_CALENDAR = {
    **{name: Token("month", number) for number, name in enumerate(_MONTHS, 1)},
    **{name: Token("day", number) for number, name in enumerate(_DAYS)},
}
_SHORT = {name[:3]: token for name, token in reversed(_CALENDAR.items())}
_CALENDAR |= {"sept": Token("month", 9), "tues": Token("day", 2), "wednes": Token("day", 3)}
_CALENDAR |= {"thur": Token("day", 4), "thurs": Token("day", 4)}
_MERIDIANS = {"am": 0, "a.m.": 0, "pm": 12, "p.m.": 12}
_ZONE_HOURS = (
    "wet 0 art -3 brt -3 nst -3.5 ast -4 clt -4 est -5 cst -6 mst -7 pst -8 akst -9 hst -10 hast -10 sst -12 wat 1 cet 1 met 1 mez 1 "
    "eet 2 cat 2 sast 2 eat 3 msk 3 ist 5.5 sgt 8 kst 9 jst 9 gst 10 nzst 12"
)
_SUMMER_HOURS = "west 0 bst 0 brst -3 ndt -3.5 adt -4 clst -4 edt -5 cdt -6 mdt -7 pdt -8 akdt -9 hadt -10 cest 1 mest 1 mesz 1 eest 2 msd 3 nzdt 12"


def _hours(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(float(hours) * 3600) for name, hours in zip(words[::2], words[1::2], strict=True)}


_UNIVERSAL = {name: Token("zone") for name in ("gmt", "ut", "utc")}
_ZONES = {
    **{name: Token("zone", seconds) for name, seconds in _hours(_ZONE_HOURS).items()},
    **{name: Token("summer zone", seconds) for name, seconds in _hours(_SUMMER_HOURS).items()},
}
_MILITARY = {
    **{letter: Token("zone", hours * 3600) for hours, letter in enumerate("abcdefghiklm", 1)},
    **{letter: Token("zone", -hours * 3600) for hours, letter in enumerate("nopqrstuvwxy", 1)},
    "t": Token("T", -7 * 3600),
    "z": Token("zone"),
}
SECOND = (3, 1)
_UNITS = {
    "year": (0, 1),
    "month": (1, 1),
    "fortnight": (2, 14),
    "week": (2, 7),
    "day": (2, 1),
    "hour": (3, 3600),
    "minute": (3, 60),
    "min": (3, 60),
    "second": SECOND,
    "sec": SECOND,
}
_ORDINALS = {
    "last": -1,
    "this": 0,
    "next": 1,
    "first": 1,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
}
_ORDINALS |= {"eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12}
_RELATIVE = {
    **{name: Token("shift", days) for name, days in (("tomorrow", 1), ("yesterday", -1), ("today", 0), ("now", 0))},
    **{name: Token("ordinal", number) for name, number in _ORDINALS.items()},
    "ago": Token("ago", -1),
    "hence": Token("ago", 1),
    "dst": Token("dst"),
}


def tokens(text: str, local_zones: Callable[[], dict[str, int]]) -> Iterator[Token]:
    """Yield the tokens of a text, and then ``END_TOKEN``. Raises ``ValueError`` at an unknown word.

    ``local_zones``: returns the names of the zone in which the date is read: 1 for summer time, 0 for winter time, -1 for
    a name of both.
    """
    at = 0
    while at < len(text):
        pause()
        char = text[at]
        if char in _BLANKS:
            at += 1
        elif char == "(":
            at = _end_of_comment(text, at)
        elif (number := _NUMBER.match(text, at)) is not None:
            at = number.end()
            yield _number(number)
        elif (sign := _SIGN.match(text, at)) is not None:
            at = sign.end()
        elif (word := _WORD.match(text, at)) is not None:
            at = word.end()
            yield _named(word.group()[:_LONGEST_WORD].lower(), local_zones)
        else:
            at += 1
            yield Token(char)
    yield END_TOKEN


def _end_of_comment(text: str, at: int) -> int:
    """Return the end of the comment that begins at ``at``. Comments nest, and the end of the text closes all."""
    depth = 0
    while at < len(text):
        pause()
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if not depth:
            break
    return at


def _number(match: re.Match[str]) -> Token:
    digits, fraction = match["digits"], match["fraction"]
    counting = digits.lstrip("0")
    if len(counting) > 19 or int(counting or "0") > _MOST:
        raise ValueError("a number is too large")
    is_negative = match["sign"] is not None and match["sign"][0] == "-"
    sign = -1 if is_negative else 1
    value = sign * int(counting or "0")
    signed = "unsigned" if match["sign"] is None else "signed"
    if fraction is None:
        return Token(signed, value, len(digits), is_negative=is_negative)
    nanoseconds = int(fraction[:9].ljust(9, "0"))
    if is_negative and fraction[9:].strip("0"):
        nanoseconds += 1  # down, not towards zero
    return Token(f"{signed} decimal", value, len(digits), sign * nanoseconds)


def _named(word: str, local_zones: Callable[[], dict[str, int]]) -> Token:
    """Return the meaning of a word in lower case; the order of the tables is GNU's."""
    if word in _MERIDIANS:
        return Token("meridian", _MERIDIANS[word])
    is_short = len(word) == 3 or (len(word) == 4 and word[3] == ".")
    if is_short:
        of_calendar = _SHORT.get(word[:3])
    else:
        of_calendar = _CALENDAR.get(word)
    token = of_calendar or _zone(word, local_zones) or _unit(word)
    if token is None:
        token = _RELATIVE.get(word) or _MILITARY.get(word)
    if token is None and "." in word:
        token = _zone(word.replace(".", ""), local_zones)
    if token is None:
        raise ValueError(word)
    return token


def _zone(word: str, local_zones: Callable[[], dict[str, int]]) -> Token | None:
    if word in _UNIVERSAL:
        return _UNIVERSAL[word]
    local = local_zones().get(word)
    if local is not None:
        return Token("local zone", local)
    return _ZONES.get(word)


def _unit(word: str) -> Token | None:
    unit = _UNITS.get(word) or _UNITS.get(word.removesuffix("s"))
    if unit is not None:
        return Token("unit", unit=unit)
    return None
