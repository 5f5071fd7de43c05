"""Values of awk variables and their conversions (POSIX XCU awk, "Expressions in awk").

Strings are ``bytes``, numbers ``float``. ``StrNum`` is input that looks like a number; ``UNSET`` is an uninitialized
value, both empty and zero. Arrays are ``Array``; a strongly typed regular expression (gawk's ``@/x/``) is a
``TypedRegex``.
"""

from __future__ import annotations

import re
from typing import Any

from ...regexes import lazy_pattern
from ...text import pause, pieces
from ..support.gauge import Gauge

Value = Any  # bytes | float | StrNum | Unset | TypedRegex | Array

_AT_ONCE = 65536  # bytes to split between two pauses, in which other threads may run


class AwkError(Exception):
    """A fatal error of a program. ``kind``: ``fatal`` (status 2) or ``error`` (status 1, found before it runs)."""

    def __init__(self, message: str, where: str = "", kind: str = "fatal", *, excerpt: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where  # "cmd. line:3"
        self.kind = kind
        self.record = ""  # "(FILENAME=x FNR=3) ", if a record was being read
        self.excerpt = excerpt  # the source line, for a syntax error: shown above the message

    def at(self, where: str) -> AwkError:
        """Set the error's position if it has none, and return the error."""
        if not self.where:
            self.where = where
        return self


class Unset:
    """The value of an uninitialized variable or element."""

    __slots__ = ()


UNSET = Unset()


class NoField:
    """The value of a field after the last: empty, zero, and in comparisons a string (gawk)."""

    __slots__ = ()


NO_FIELD = NoField()


class StrNum:
    """Input that looks like a number: it compares as a number and prints as its original text."""

    __slots__ = ("number", "text")

    def __init__(self, text: bytes, number: float) -> None:
        self.text = text
        self.number = number


class TypedRegex:
    """``@/x/`` as a value."""

    __slots__ = ("text",)

    def __init__(self, text: bytes) -> None:
        self.text = text


class Array(dict[bytes, Any]):
    """An array. Reading an element creates it (POSIX); ``name`` is for messages."""

    __slots__ = ("gauge", "name")

    def __init__(self, name: str, gauge: Gauge) -> None:
        super().__init__()
        self.name = name
        self.gauge = gauge

    def __missing__(self, key: bytes) -> Value:
        self[key] = UNSET
        self.gauge.array(len(self))
        return UNSET

    def subarray(self, key: bytes) -> Array:
        """Return the array in an element, which is created if the element is unset."""
        found = self[key]
        if found.__class__ is Array:
            return found
        if found is not UNSET:
            raise AwkError(f"attempt to use scalar `{self.element(key)}' as an array")
        inner = self[key] = Array(self.element(key), self.gauge)
        return inner

    def element(self, key: bytes) -> str:
        """Return the name of an element for messages."""
        return f'{self.name}["{key.decode("utf-8", "replace")}"]'


def misused(array: Array) -> AwkError:
    """Return the error for an array that is used as a scalar."""
    return AwkError(f"attempt to use array `{array.name}' in a scalar context")


_NUMBER = lazy_pattern(rb"[ \t\n\v\f\r]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_SPECIAL = lazy_pattern(rb"[ \t\n\v\f\r]*([+-](?:inf|nan))(?![0-9A-Za-z_])", re.IGNORECASE)
_LONG = 16
# The first bytes of a text that may look like a number.
STARTS = frozenset(b"0123456789+-. \t\n\v\f\r")


def parse_number(text: bytes) -> float:
    """Return the number at the start of a text, or 0. Hexadecimal numbers do not count; ``+inf -nan`` do."""
    try:
        number = float(text)
    except ValueError:
        pass
    else:
        # float() also accepts "1_000", "inf" and "nan".
        if number - number == 0.0 and 95 not in text:
            return number
    if not text or text[0] not in STARTS:
        return 0.0
    match = _NUMBER.match(text)
    if match is not None:
        return float(match[1])
    match = _SPECIAL.match(text)
    return float(match[1]) if match is not None else 0.0


def looks_numeric(text: bytes) -> float | None:
    """Return the text as a number, or None if it is not one. Blanks around it are ignored."""
    if not text or text[0] not in STARTS:
        return None
    if len(text) > _LONG and _NUMBER.fullmatch(text.rstrip()) is None:
        return None  # a long line that only begins with a number: faster than the exception of float()
    try:
        number = float(text)
    except ValueError:
        return None
    if number - number == 0.0 and 95 not in text:
        return number
    for form in (_NUMBER, _SPECIAL):
        match = form.match(text)
        if match is not None and not text[match.end() :].strip():
            return float(match[1])
    return None


def from_input(text: bytes) -> Value:
    """Return the value of an input text: a ``StrNum`` if it looks like a number."""
    number = looks_numeric(text)
    return text if number is None else StrNum(text, number)


def to_number(value: Value) -> float:
    """Convert a value to a number."""
    kind = value.__class__
    if kind is float:
        return value  # type: ignore[no-any-return]
    if kind is bytes:
        return parse_number(value)
    if kind is StrNum:
        return value.number  # type: ignore[no-any-return]
    if isinstance(value, Array):
        raise misused(value)
    if kind is TypedRegex:
        return parse_number(value.text)
    return 0.0


def to_bool(value: Value) -> bool:
    """Return whether a value is true."""
    kind = value.__class__
    if kind is float:
        return bool(value != 0.0)
    if kind is bytes:
        return bool(value)
    if kind is StrNum:
        return bool(value.number != 0.0)
    return kind is TypedRegex and bool(value.text)


_WHOLE: dict[float, bytes] = {float(number): b"%d" % number for number in range(1024)}


def whole_text(number: float) -> bytes | None:
    """Return the text of an integer, an infinity or NaN, or None for other numbers."""
    known = _WHOLE.get(number)
    if known is not None:
        return known
    if number.is_integer():
        return b"%d" % number
    if number - number == 0.0:
        return None
    return special_text(number)


def special_text(number: float) -> bytes:
    """Return the text of an infinity or NaN, which always has a sign (gawk)."""
    if number != number:
        from math import copysign

        return b"-nan" if copysign(1.0, number) < 0 else b"+nan"
    return b"+inf" if number > 0 else b"-inf"


def characters(text: bytes) -> list[bytes]:
    """Split UTF-8 into characters; an invalid byte counts as a character."""
    if text.isascii():
        return single_bytes(text)
    result: list[bytes] = []
    for piece in pieces(text.decode("utf-8", "surrogateescape")):
        result += [char.encode("utf-8", "surrogateescape") for char in piece]
    return result


def single_bytes(text: bytes) -> list[bytes]:
    """Split a text into single bytes."""
    result: list[bytes] = []
    for start in range(0, len(text), _AT_ONCE):
        pause()
        result += [text[at : at + 1] for at in range(start, min(start + _AT_ONCE, len(text)))]
    return result
