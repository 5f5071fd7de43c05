"""Operations on long texts in pieces, so that no call in C keeps the other threads of the host waiting.

A regular expression, or a method of ``str``, holds the GIL for its whole run. On 16 MB that is up to a second, in which
no deadline is kept and no other agent is served. Each function here has the same result as one call for the whole text.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from json.encoder import encode_basestring
from typing import Any, TypeVar

T = TypeVar("T")
LARGE = 2 << 20  # characters; longer texts are cut. One call on such a text takes at most about 50 ms
PIECE = 1 << 16
MANY = LARGE >> 4  # values that take as long to write, or texts to join

_BLANKS = re.compile(r"[ \t\r\n]*+")
# A pair of surrogates must not be cut.
_LOW = re.compile(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}")


def cut(text: str, start: int, end: int, stop: int) -> int:
    """Return an offset at or shortly after ``end`` that splits neither an escape nor a pair of escaped surrogates.

    ``start`` must not split one either. The text may be a whole document, or the inside of a string of one; it ends at
    ``stop``.
    """
    if end >= stop:
        return stop
    last = text.rfind("\\", start, end)
    if last >= end - 5 and last >= 0:
        before = last - start + 1 - len(text[start : last + 1].rstrip("\\"))
        if before % 2:  # an escape begins here; the backslashes before it are complete escapes
            long = 6 if text.startswith("u", last + 1) else 2
            following = text.find("\\", last + 2, last + long)
            if following < 0:
                following = last + long
            end = max(end, min(following, stop))
    if _LOW.match(text, end, stop):
        end += 6
    return end


def blanks_end(text: str, at: int) -> int:
    """Return the end of the blanks at ``at``."""
    while True:
        end = _BLANKS.match(text, at, at + PIECE).end()  # type: ignore[union-attr]
        if end < at + PIECE:
            return end
        at = end


def escaped_pieces(text: str, size: int = 0) -> Iterator[str]:
    """Yield the pieces of a document, split at the offsets of ``cut``."""
    size = size or PIECE
    at, stop = 0, len(text)
    while at < stop:
        end = cut(text, at, at + size, stop)
        yield text[at:end]
        at = end


def changed(text: str, change: Callable[[str], str], size: int = 0) -> str:
    """Apply a change of single characters to a text."""
    size = size or PIECE
    return "".join([change(text[at : at + size]) for at in range(0, len(text), size)])


def escapes_changed(text: str, change: Callable[[str], str], size: int = 0) -> str:
    """Apply a change of escapes to a document."""
    return "".join([change(piece) for piece in escaped_pieces(text, size)])


def compacted(text: str, change: Callable[[str], str], size: int = 0) -> str:
    """Apply a change that leaves strings alone to a valid document."""
    pieces: list[str] = []
    inside = False
    for piece in escaped_pieces(text, size):
        quotes = piece.count('"')
        if quotes and "\\" in piece:
            quotes = piece.replace("\\\\", "").replace('\\"', "").count('"')
        ends_inside = inside ^ (quotes % 2 == 1)
        if not quotes:
            pieces.append(piece if inside else change(piece))
        else:
            # The strings that the piece cuts get quotes for the change, which are removed from its result.
            opening, closing = '"' * inside, '"' * ends_inside
            whole = change(f"{opening}{piece}{closing}")
            pieces.append(whole[len(opening) : len(whole) - len(closing)])
        inside = ends_inside
    return "".join(pieces)


def encoded_string(text: str, size: int = 0) -> str:
    """Write a string as JSON."""
    size = size or PIECE
    pieces = [encode_basestring(text[at : at + size])[1:-1] for at in range(0, len(text), size)]
    return f'"{"".join(pieces)}"'


def scanned_string(text: str, begin: int, size: int = 0) -> tuple[str, int]:
    """Parse the string whose opening quote is at ``begin``; return it and its end. Raises ``JSONDecodeError``."""
    size = size or PIECE
    pieces: list[str] = []
    at, stop = begin + 1, len(text)
    while True:
        end = cut(text, at, at + size, stop)
        # The scanner refuses an unterminated piece, so add a quote; the string may end before it.
        try:
            value, ended = scanstring(f'{text[at:end]}"', 0, True)
        except JSONDecodeError:
            return scanstring(text, begin + 1, True)  # type: ignore[no-any-return]
        pieces.append(value)
        if ended <= end - at:
            return "".join(pieces), at + ended
        if end >= stop:
            return scanstring(text, begin + 1, True)  # type: ignore[no-any-return]
        at = end


def decoded(data: bytes, errors: str, size: int = 0) -> str:
    """Decode UTF-8, with an error handler of ``bytes.decode``."""
    size = size or PIECE
    decode = getincrementaldecoder("utf-8")(errors).decode
    pieces = [decode(data[at : at + size]) for at in range(0, len(data), size)]
    return "".join([*pieces, decode(b"", True)])


def joined(separator: str, parts: Iterable[str], many: int = 0) -> str:
    """Return ``separator.join(parts)``."""
    listed = list(parts)
    many = many or MANY
    while len(listed) > many:
        listed = [separator.join(listed[at : at + many]) for at in range(0, len(listed), many)]
    return separator.join(listed)


def mapped(pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Return ``dict(pairs)``, without its one call in C: a million keys take most of a second."""
    return {key: value for key, value in pairs}


def holds(text: str, words: Iterable[str], size: int = 0) -> bool:
    """Return whether a text contains one of some lower-case words in any case."""
    size = size or PIECE
    listed = list(words)
    overlap = max(map(len, listed), default=0)
    for at in range(0, len(text), size):
        folded = text[at : at + size + overlap].lower()
        if any(word in folded for word in listed):
            return True
    return False


def weighs_more(value: Any, most: int) -> bool:
    """Return whether a value has more items than ``most``; sixteen characters of a text count as one more.

    Only exact dicts, lists and tuples are containers, not their subclasses.
    """
    todo = [value]
    for one in todo:  # the list grows in the loop
        kind = type(one)
        if kind is dict:
            items = one.values()
        elif kind is list or kind is tuple:
            items = one
        else:
            items = (one,)
        most -= len(items)
        if most < 0:
            return True
        for item in items:
            kind = type(item)
            if kind is str:
                most -= len(item) >> 4
            elif kind is dict or kind is list or kind is tuple:
                todo.append(item)
    return most < 0
