"""Tests on times: ``-mtime``, ``-amin``, ``-newerXY``, ``-used`` (POSIX XCU find; GNU find manual 2.3)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, modf

from ...errors import UsageError
from ...fs.base import Stat
from ..support.quoting import quote
from .expression import Test
from .files import File
from .state import State, bad_argument, wrong

_NANO = 10**9
_DAY = 86400
STAMPS: dict[str, Callable[[Stat], int]] = {
    "a": lambda found: found.st_atime_ns,
    "c": lambda found: found.st_ctime_ns,
    "m": lambda found: found.st_mtime_ns,
}


def start_of_day(state: State) -> int:
    """Return the time from which days are counted back: a day ago, or the last midnight (``-daystart``)."""
    if not state.full_days:
        return state.now - _DAY * _NANO
    from ...times.moments import moment

    at = moment(state.now, state.call.zone)
    return (at.seconds - at.hour * 3600 - at.minute * 60 - at.second) * _NANO


def _amount(text: str) -> float | None:
    text = text.lstrip(" \t\n\v\f\r")  # as strtod(3)
    # Unlike strtod, float() takes digits of other scripts, underscores, blanks after the number, "inf" and "nan".
    if not text or text[0] not in "0123456789.":
        return None
    if not text.isascii() or "_" in text or text.strip() != text:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _window(word: str, text: str, origin: int, unit: int) -> Callable[[int], bool]:
    """Return a test against the time ``text`` units before ``origin``: before it, after it, or in the unit after it."""
    sign = text[:1] if text[:1] in ("+", "-") else ""
    amount = _amount(text[len(sign) :])
    if amount is None:
        raise bad_argument(word, text)
    try:
        fraction, seconds = modf(amount * unit)
        mark = origin - int(seconds) * _NANO - int(fraction * _NANO)
    except (OverflowError, ValueError):
        raise bad_argument(word, text)
    if sign == "+":
        return lambda stamp: stamp < mark
    if sign == "-":
        return lambda stamp: stamp > mark
    return lambda stamp: mark < stamp <= mark + unit * _NANO


def days(state: State, word: str, text: str) -> Test:
    """``-atime -ctime -mtime``: days of 24 hours; fractions of a day are ignored."""
    stamp = STAMPS[word[1]]
    origin = start_of_day(state)
    if text.startswith("-"):
        origin += (_DAY - 1) * _NANO  # GNU's -N also includes the last second of the day before
    inside = _window(word, text, origin, _DAY)
    return lambda file: inside(stamp(file.found))


def minutes(state: State, word: str, text: str) -> Test:
    """``-amin -cmin -mmin``."""
    stamp = STAMPS[word[1]]
    inside = _window(word, text, start_of_day(state) + _DAY * _NANO, 60)
    return lambda file: inside(stamp(file.found))


def used(state: State, word: str, text: str) -> Test:
    """``-used``: the days between status change and access; a fraction counts as a day."""
    sign = text[:1] if text[:1] in ("+", "-") else ""
    amount = _amount(text[len(sign) :])
    if amount is None or amount == inf:
        raise wrong(f"Invalid argument {text} to -used")
    mark = int(min(amount, 1e9) * _DAY) * _NANO

    def test(file: File) -> bool:
        passed = file.found.st_atime_ns - file.found.st_ctime_ns
        if passed < 0:
            return False
        if sign:
            if sign == "+":
                return passed > mark
            return passed < mark
        return mark - _DAY * _NANO < passed <= mark

    return test


def newer(state: State, word: str, text: str) -> Test:
    """``-newer -anewer -cnewer``: modified, accessed or status changed after a file was modified."""
    letter = word[1] if word[1] in "ac" else "m"  # -newer is -newermm
    stamp = STAMPS[letter]
    mark = state.reference(text).st_mtime_ns
    return lambda file: stamp(file.found) > mark


def newer_xy(state: State, word: str, text: str) -> Test:
    """``-newerXY``: time X of the file after time Y of another, or after a date (``t``)."""
    stamp = STAMPS[word[6]]
    if word[7] == "t":
        from ..date.parse import parse_date

        mark = parse_date(text, state.now, state.call.zone)
        if mark is None:
            shown = quote(text, state.call.env)
            raise UsageError(f"I cannot figure out how to interpret {shown} as a date or time", 1, hint=False)
        date = mark
        return lambda file: stamp(file.found) > date
    moment = STAMPS[word[7]](state.reference(text))
    return lambda file: stamp(file.found) > moment
