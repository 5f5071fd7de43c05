"""Builtins on strings. Long strings are processed in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.registry import Family
from ..errors import JqError
from ..json.numbers import Literal, spell_number, to_int
from ..json.values import describe
from .paths import children

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_PIECE = 1 << 16  # characters or parts between two checks of the run
_ASCII_PIECE = 1 << 20
# Unicode's White_Space; Python's str.strip also removes \x1c to \x1f.
_BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def concatenate(run: Run, parts: list[str]) -> str:
    """Join strings."""
    if len(parts) <= _PIECE:
        size = sum(map(len, parts))
        if size > 4096:
            run.text(size)
        return "".join(parts)
    joined = []
    size = 0
    for at in range(0, len(parts), _PIECE):
        run.check()
        piece = parts[at : at + _PIECE]
        size += sum(map(len, piece))
        run.text(size)
        joined.append("".join(piece))
    return "".join(joined)


# -- split and join


@function("split")
def split(run: Run, text: Any, separator: Any) -> list[str]:
    """Split a string at a separator."""
    if type(text) is not str or type(separator) is not str:
        raise JqError("split input and separator must be strings")
    return parts_of(run, text, separator)


def parts_of(run: Run, text: str, separator: str) -> list[str]:
    """Split a text at a separator; an empty text has no parts, an empty separator splits between all characters."""
    if len(text) <= _PIECE:
        if not separator:
            return list(text)
        return text.split(separator) if text else []
    parts: list[str] = []
    if not separator:
        for at in range(0, len(text), _PIECE):
            run.check()
            run.made(8 * _PIECE if text.isascii() else 64 * _PIECE)
            parts += text[at : at + _PIECE]
        return parts
    at = 0
    while True:
        run.check()
        piece = text[at : at + _PIECE]
        found = piece.split(separator)
        if at + len(piece) == len(text):
            parts += found
            return parts
        last = found.pop()  # it may continue after the piece
        if found:
            parts += found
            run.made(64 * len(found))
            at += len(piece) - len(last)
            continue
        end = text.find(separator, at)
        if end < 0:
            parts.append(text[at:])
            return parts
        parts.append(text[at:end])
        at = end + len(separator)


@function("join")
def join(run: Run, value: Any, separator: Any) -> str:
    """Join the values of an array or object; numbers and booleans are converted, ``null`` is empty."""
    items = children(value)
    between = "" if separator is None else separator
    parts: list[str] = []
    for turn, item in enumerate(items):
        if not turn & 4095:
            run.check()
        if turn:
            if type(between) is not str:
                _refuse_sum(run, parts, separator)
            parts.append(between)
        if type(item) is str:
            parts.append(item)
        elif item is None:
            parts.append("")
        # As in the definition of jq's join, which adds strings: arrays and objects are errors.
        elif item is True or item is False:
            parts.append("true" if item else "false")
        elif type(item) in (int, float, Literal):
            parts.append(spell_number(item))
        else:
            _refuse_sum(run, parts, item)
    return concatenate(run, parts)


def _refuse_sum(run: Run, parts: list[str], item: Any) -> None:
    raise JqError(f"{describe(concatenate(run, parts))} and {describe(item)} cannot be added")


# -- letters and code points


def _require_text(text: Any, message: str) -> None:
    if type(text) is not str:
        raise JqError(message)


@function("ascii_downcase")
def ascii_downcase(run: Run, text: Any) -> str:
    """Convert A to Z to lower case."""
    _require_text(text, "explode input must be a string")
    return _with_ascii(run, text, bytes.lower)


@function("ascii_upcase")
def ascii_upcase(run: Run, text: Any) -> str:
    """Convert a to z to upper case."""
    _require_text(text, "explode input must be a string")
    return _with_ascii(run, text, bytes.upper)


def _with_ascii(run: Run, text: str, change: Any) -> str:
    """Change the ASCII letters of a text, on its UTF-8, where other characters have no ASCII bytes."""
    if len(text) <= _ASCII_PIECE:
        changed: str = change(text.encode()).decode()
        return changed
    pieces = []
    for at in range(0, len(text), _ASCII_PIECE):
        run.check()
        pieces.append(change(text[at : at + _ASCII_PIECE].encode()).decode())
    run.text(len(text))
    return "".join(pieces)


@function("explode")
def explode(run: Run, text: Any) -> list[int]:
    """Return the code points."""
    _require_text(text, "explode input must be a string")
    if len(text) <= _PIECE:
        return list(map(ord, text))
    points: list[int] = []
    for at in range(0, len(text), _PIECE):
        run.check()
        run.made(8 * _PIECE if text.isascii() else 40 * _PIECE)
        points += map(ord, text[at : at + _PIECE])
    return points


@function("implode")
def implode(run: Run, points: Any) -> str:
    """Return a string of code points; invalid ones become U+FFFD."""
    if type(points) is not list:
        raise JqError("implode input must be an array")
    pieces = []
    size = 0
    for at in range(0, len(points), _PIECE):
        run.check()
        piece = points[at : at + _PIECE]
        if set(map(type, piece)) == {int} and min(piece) >= 0 and max(piece) < 0xD800:
            pieces.append("".join(map(chr, piece)))
        else:
            pieces.append("".join(map(_character, piece)))
        size += len(piece)
        run.text(size)
    return "".join(pieces)


def _character(point: Any) -> str:
    if type(point) not in (int, float, Literal) or point != point:
        raise JqError(f"{describe(point)} can't be imploded, unicode codepoint needs to be numeric")
    number = to_int(point)
    if 0 <= number < 0xD800 or 0xDFFF < number <= 0x10FFFF:
        return chr(number)
    return "\ufffd"


@function("utf8bytelength")
def utf8bytelength(run: Run, text: Any) -> int:
    """Return the length of a string's UTF-8 in bytes."""
    if type(text) is not str:
        raise JqError(f"{describe(text)} only strings have UTF-8 byte length")
    if text.isascii():
        return len(text)
    size = 0
    for at in range(0, len(text), _ASCII_PIECE):
        run.check()
        size += len(text[at : at + _ASCII_PIECE].encode())
    return size


# -- the ends of strings


@function("startswith")
def startswith(run: Run, text: Any, start: Any) -> bool:
    """Return whether a string starts with another."""
    if type(text) is not str or type(start) is not str:
        raise JqError("startswith() requires string inputs")
    return text.startswith(start)


@function("endswith")
def endswith(run: Run, text: Any, end: Any) -> bool:
    """Return whether a string ends with another."""
    if type(text) is not str or type(end) is not str:
        raise JqError("endswith() requires string inputs")
    return text.endswith(end)


@function("ltrimstr")
def ltrimstr(run: Run, text: Any, start: Any) -> Any:
    """Remove a string from the start, if present."""
    if startswith(run, text, start):
        return text[len(start) :]
    return text


@function("rtrimstr")
def rtrimstr(run: Run, text: Any, end: Any) -> Any:
    """Remove a string from the end, if present."""
    if endswith(run, text, end):
        return text[: len(text) - len(end)]
    return text


@function("trimstr")
def trimstr(run: Run, text: Any, end: Any) -> Any:
    """Remove a string from the start, then from the end of the rest."""
    return rtrimstr(run, ltrimstr(run, text, end), end)


@function("ltrim")
def ltrim(run: Run, text: Any) -> Any:
    """Remove white space at the start."""
    _require_text(text, "trim input must be a string")
    at = 0
    while True:
        piece = text[at : at + _PIECE]
        left = piece.lstrip(_BLANKS)
        if left or not piece:
            at += len(piece) - len(left)
            return text[at:] if at else text
        at += len(piece)
        run.check()


@function("rtrim")
def rtrim(run: Run, text: Any) -> Any:
    """Remove white space at the end."""
    _require_text(text, "trim input must be a string")
    end = len(text)
    while True:
        piece = text[max(0, end - _PIECE) : end]
        left = piece.rstrip(_BLANKS)
        if left or not piece:
            return text[: end - len(piece) + len(left)]
        end -= len(piece)
        run.check()


@function("trim")
def trim(run: Run, text: Any) -> Any:
    """Remove white space at both ends."""
    return rtrim(run, ltrim(run, text))
