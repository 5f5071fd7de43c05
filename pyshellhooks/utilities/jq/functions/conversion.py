"""Builtins that say what a value is, and those that turn one kind into another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..errors import JqError
from ..numbers import Literal, absolute, read_number
from ..registry import Family
from ..values import describe, kind

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_NUMBERS = (int, float, Literal)
_LONG = 1 << 16  # characters
# What may be a long number; it says no in one pass over the text.
_numeral = re.compile(r"[+-]?[0-9]*+\.?[0-9]*+(?:[eE][+-]?[0-9]++)?|[sS]?[nN][aA][nN]0++").fullmatch


@function("type")
def type_(run: Run, value: Any) -> str:
    """Name the kind of a value."""
    return kind(value)


@function("not")
def not_(run: Run, value: Any) -> bool:
    """Return ``true`` for ``null`` and ``false``, else ``false``."""
    return value is None or value is False


@function("length")
def length(run: Run, value: Any) -> Any:
    """Return the number of code points, elements or fields; 0 for ``null``, a number without its sign."""
    if type(value) in (str, list, dict):
        return len(value)
    if value is None:
        return 0
    if type(value) in _NUMBERS:
        return absolute(value)
    raise JqError(f"{describe(value)} has no length")


@function("tostring")
def tostring(run: Run, value: Any) -> str:
    """Return a string as it is, all else as JSON."""
    return value if type(value) is str else tojson(run, value)


@function("tojson")
def tojson(run: Run, value: Any) -> str:
    """Return a value's JSON text."""
    from ..writer import compact

    return compact(run, value)


@function("fromjson")
def fromjson(run: Run, text: Any) -> Any:
    """Read the JSON text that a string is."""
    if type(text) is not str:
        raise JqError(f"{describe(text)} only strings can be parsed")
    from ..reader import read_text

    return read_text(run, text)


@function("tonumber")
def tonumber(run: Run, value: Any) -> Any:
    """Read the number that a string is."""
    if type(value) in _NUMBERS:
        return value
    if type(value) is str and (len(value) <= _LONG or _numeral(value) is not None):
        try:
            return read_number(value)
        except ValueError:
            pass
    raise JqError(f"{describe(value)} cannot be parsed as a number")


@function("toboolean")
def toboolean(run: Run, value: Any) -> bool:
    """Read ``true`` or ``false``."""
    if value is True or value is False:
        return value
    if value == "true" or value == "false":
        return bool(value == "true")
    raise JqError(f"{describe(value)} cannot be parsed as a boolean")


@function("have_decnum")
def have_decnum(run: Run, value: Any) -> bool:
    """Say that numbers that were read keep their digits."""
    return True


@function("have_literal_numbers")
def have_literal_numbers(run: Run, value: Any) -> bool:
    """Say that numbers that were read keep their digits."""
    return True
