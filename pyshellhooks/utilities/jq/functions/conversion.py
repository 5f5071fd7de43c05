"""Builtins that return the kind or the length of a value, or convert it to another kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..compiler.registry import Family
from ..errors import JqError
from ..json.numbers import Literal, absolute, read_number
from ..json.values import describe, kind

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_NUMBERS = (int, float, Literal)
_LONG = 1 << 16  # characters
# A long text that may be a number; a mismatch costs one pass over the text.
_numeral = re.compile(r"[+-]?[0-9]*+\.?[0-9]*+(?:[eE][+-]?[0-9]++)?|[sS]?[nN][aA][nN]0++").fullmatch


@function("type")
def type_(run: Run, value: Any) -> str:
    """Return the name of a value's kind."""
    return kind(value)


@function("not")
def not_(run: Run, value: Any) -> bool:
    """Return ``true`` for ``null`` and ``false``, else ``false``."""
    return value is None or value is False


@function("length")
def length(run: Run, value: Any) -> Any:
    """Return the number of code points, elements or fields, 0 for ``null``, the absolute value of a number."""
    if type(value) in (str, list, dict):
        return len(value)
    if value is None:
        return 0
    if type(value) in _NUMBERS:
        return absolute(value)
    raise JqError(f"{describe(value)} has no length")


@function("tostring")
def tostring(run: Run, value: Any) -> str:
    """Return a string unchanged, any other value as JSON."""
    return value if type(value) is str else tojson(run, value)


@function("tojson")
def tojson(run: Run, value: Any) -> str:
    """Return a value's JSON text."""
    from ..json.writer import compact

    return compact(run, value)


@function("fromjson")
def fromjson(run: Run, text: Any) -> Any:
    """Parse a string as JSON."""
    if type(text) is not str:
        raise JqError(f"{describe(text)} only strings can be parsed")
    from ..json.reader import read_text

    return read_text(run, text)


@function("tonumber")
def tonumber(run: Run, value: Any) -> Any:
    """Parse a string as a number; a number is unchanged."""
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
    """Parse the string ``true`` or ``false``; a boolean is unchanged."""
    if value is True or value is False:
        return value
    if value == "true" or value == "false":
        return bool(value == "true")
    raise JqError(f"{describe(value)} cannot be parsed as a boolean")


@function("have_decnum")
def have_decnum(run: Run, value: Any) -> bool:
    """Return ``true``: numbers of a text keep their digits."""
    return True


@function("have_literal_numbers")
def have_literal_numbers(run: Run, value: Any) -> bool:
    """Return ``true``: numbers of a text keep their digits."""
    return True
