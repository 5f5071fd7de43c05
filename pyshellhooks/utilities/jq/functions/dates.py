"""Builtins on dates: seconds since the epoch, broken-down times, and texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..compiler.registry import Family
from ..errors import JqError
from ..json.numbers import LARGEST, Literal

if TYPE_CHECKING:
    from ....times.zones import Zone
    from ..running import Run
    from .moments import BrokenDown

function = Family()

_ISO_8601 = "%Y-%m-%dT%H:%M:%SZ"
_READ_ISO_8601 = "([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z"


def _is_number(value: Any) -> bool:
    kind = type(value)
    return kind is int or kind is float or kind is Literal


def _zone(run: Run) -> Zone:
    from ....times.zones import zone

    return zone(run.call.zone)


def _as_seconds(value: Any) -> tuple[int, float]:
    """Convert a number to a ``time_t`` as C does; return it and the fraction."""
    double = float(value)
    if not -(2.0**63) <= double < 2.0**63:
        return -(1 << 63), 0.0
    return int(double), double - double // 1


def _listed(moment: BrokenDown | None, fraction: float) -> list[Any]:
    """Return a broken-down time as jq's array."""
    if moment is None:
        raise JqError("error converting number of seconds since epoch to datetime")
    fields: list[Any] = moment.fields()
    if fraction:
        fields[5] += fraction
    return fields


def _read(value: list[Any], words: str) -> BrokenDown:
    """Return a broken-down time from jq's array; missing fields are 0."""
    from .moments import BrokenDown, as_int

    fields = [0] * 8
    for index, field in enumerate(value[:8]):
        if not _is_number(field) or field != field:
            raise JqError(f"{words} requires parsed datetime inputs")
        fields[index] = as_int(field - 1900 if index == 0 else field)
    return BrokenDown(fields)


@function("now")
def now(run: Run, value: Any) -> float:
    from time import time_ns

    microseconds = time_ns() // 1000
    return microseconds // 1000000 + microseconds % 1000000 / 1000000.0


@function("gmtime")
def gmtime(run: Run, value: Any) -> list[Any]:
    from .moments import utc

    if not _is_number(value):
        raise JqError("gmtime() requires numeric inputs")
    seconds, fraction = _as_seconds(value)
    return _listed(utc(seconds), fraction)


@function("localtime")
def localtime(run: Run, value: Any) -> list[Any]:
    from .moments import local

    if not _is_number(value):
        raise JqError("localtime() requires numeric inputs")
    seconds, fraction = _as_seconds(value)
    return _listed(local(seconds, _zone(run)), fraction)


@function("mktime")
def mktime(run: Run, value: Any) -> int | float:
    from .moments import timegm

    if type(value) is not list:
        raise JqError("mktime requires array inputs")
    found = timegm(_read(value, "mktime"))
    if found is None or found[0] == -1:
        raise JqError("invalid gmtime representation")
    if found[0] == -2:
        raise JqError("mktime not supported on this platform")
    if -LARGEST <= found[0] <= LARGEST:
        return found[0]
    return float(found[0])


@function("strftime")
def strftime(run: Run, value: Any, form: Any) -> str:
    from .moments import timegm

    if _is_number(value):
        value = gmtime(run, value)
    moment = _broken_down_input(value, form, "strftime/1")
    found = timegm(moment)
    if found is None:
        # The fields stay unchanged; the abbreviation is the local zone's without summer time.
        here = _zone(run)
        moment.abbreviation = next((there[2] for there in map(here.at, (0, 15778476)) if not there[1]), "")
    else:
        moment = found[1]
    return _written(run, form, moment, "strftime/1")


@function("strflocaltime")
def strflocaltime(run: Run, value: Any, form: Any) -> str:
    from .moments import mktime

    if _is_number(value):
        value = localtime(run, value)
    moment = _broken_down_input(value, form, "strflocaltime/1")
    found = mktime(moment, _zone(run))
    if found is None:
        moment.summer = -1
    else:
        moment = found[1]
    return _written(run, form, moment, "strflocaltime/1")


def _broken_down_input(value: Any, form: Any, name: str) -> BrokenDown:
    """Check the input and the format, and return the broken-down time."""
    if type(value) is not list:
        raise JqError(f"{name} requires parsed datetime inputs")
    if type(form) is not str:
        raise JqError(f"{name} requires a string format")
    return _read(value, name)


def _written(run: Run, form: str, moment: BrokenDown, name: str) -> str:
    from ..json.utf8 import decode
    from .strftime import TooLong, strftime

    data = form.partition("\0")[0].encode()
    try:
        written = strftime(run, data, moment, _zone(run), len(data) + 100)
    except TooLong:
        written = b""
    if data and not written:
        raise JqError(f"{name}: unknown system failure")
    return decode(written)


@function("strptime")
def strptime(run: Run, value: Any, form: Any) -> list[Any]:
    from .strptime import strptime

    if type(value) is not str or type(form) is not str:
        raise JqError("strptime/1 requires string inputs and arguments")
    text, form = value.partition("\0")[0], form.partition("\0")[0]
    found = strptime(run, text.encode(), form.encode(), _zone(run))
    if found is None:
        raise JqError(f'date "{text}" does not match format "{form}"')
    moment, rest = found
    if rest:
        return [*moment.fields(), rest.decode()]
    return moment.fields()


def _to_iso(run: Run, value: Any) -> Any:
    from .moments import utc

    if type(value) is int:
        at = utc(value)
        if at is not None and abs(at.year) < 1000000:
            # The same text as strftime's.
            return f"{at.year + 1900}-{at.month + 1:02d}-{at.day:02d}T{at.hour:02d}:{at.minute:02d}:{at.second:02d}Z"
    return strftime(run, value, _ISO_8601)


def _from_iso(run: Run, value: Any) -> Any:
    match = None
    if type(value) is str:
        match = re.fullmatch(_READ_ISO_8601, value)
    if match is not None:
        from ....times.days import days_of

        year, month, day, hour, minute, second = map(int, match.groups())
        is_day = 1 <= month <= 12 and 1 <= day <= 31
        is_clock = hour < 24 and minute < 60 and second < 62  # leap seconds, as C's struct tm
        if is_day and is_clock:
            seconds = ((days_of(year, month, 1) + day - 1) * 24 + hour) * 3600 + minute * 60 + second
            if seconds >= 0:
                return seconds
    return mktime(run, strptime(run, value, _ISO_8601))


@function("todateiso8601")
def todateiso8601(run: Run, value: Any) -> Any:
    return _to_iso(run, value)


@function("todate")
def todate(run: Run, value: Any) -> Any:
    return _to_iso(run, value)


@function("fromdateiso8601")
def fromdateiso8601(run: Run, value: Any) -> Any:
    return _from_iso(run, value)


@function("fromdate")
def fromdate(run: Run, value: Any) -> Any:
    return _from_iso(run, value)
