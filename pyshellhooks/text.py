"""Conversion between bytes and str, and helpers for long texts.

Shell words, variables and paths are ``str``; streams carry ``bytes``. UTF-8 with ``surrogateescape`` preserves every
byte in a round trip, valid or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

_MOST_DIGITS = 30
PIECE = 1 << 16  # characters that one operation handles fast enough
EVERY = 1024  # iterations of a loop between two calls of ``pause``
_between: list[Callable[[], None]] = []


_T = TypeVar("_T")
Poll = TypeVar("Poll", bound=Callable[[], None])


def on_long_work(poll: Poll) -> Poll:
    """Register a function that ``pause`` calls. So rooms without access to a run can end with it."""
    _between.append(poll)
    return poll


def pause() -> None:
    """Raise ``Stop`` if the run is over. For loops over long texts, every few thousand iterations."""
    for poll in _between:
        poll()


def lines(*texts: str) -> str:
    """Join the texts that are not empty with newlines."""
    return "\n".join(filter(None, texts))


def present(values: Iterable[_T | None]) -> list[_T]:
    """Return the values that are not None."""
    return [value for value in values if value is not None]


def last_of(values: Iterable[_T | None]) -> _T | None:
    """Return the last value that is not None, or None."""
    items = present(values)
    return items[-1] if items else None


def joined(texts: Iterable[str | None], between: str) -> str | None:
    """Join the texts that are not None, or return None if there are none."""
    items = present(texts)
    return between.join(items) if items else None


def pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces of ``PIECE`` characters, with ``pause`` between them."""
    if len(text) <= PIECE:
        yield text
        return
    for start in range(0, len(text), PIECE):
        pause()
        yield text[start : start + PIECE]


def translated(text: str, table: Mapping[int, str]) -> str:
    """Return ``text.translate(table)``, computed in pieces."""
    if len(text) <= PIECE:
        return text.translate(table)
    return "".join([piece.translate(table) for piece in pieces(text)])


Item = TypeVar("Item")
Params = ParamSpec("Params")
Made = TypeVar("Made")


def paced(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items, with ``pause`` after every ``EVERY``: for loops over up to millions of them."""
    for turn, item in enumerate(items, 1):
        yield item
        if not turn % EVERY:
            pause()


def remembered(entries: int, most: int = 4 * PIECE) -> Callable[[Callable[Params, Made]], Callable[Params, Made]]:
    """Return a decorator that caches a function's results for at most ``entries`` calls and ``most`` characters.

    Beyond that the cache is cleared. Compiled forms take some hundred times the memory of their text, and texts that
    differ each time would stay in memory after their runs. So the limit is not only in entries
    (``functools.lru_cache``), and the result for a long text is not cached. Only the size of the first argument counts:
    a text, or a tuple of texts or of such tuples.
    """

    def declare(make: Callable[Params, Made]) -> Callable[Params, Made]:
        known: dict[object, Made] = {}
        size = 0

        @wraps(make)
        def cached(*args: Params.args, **named: Params.kwargs) -> Made:
            nonlocal size
            key = (args, *named.items()) if named else args
            try:
                return known[key]
            except KeyError:
                pass
            result = make(*args, **named)
            length = _size(args[0])
            if length <= most // 4:
                if len(known) >= entries or size + length > most:
                    known.clear()
                    size = 0
                size += length
                known[key] = result
            return result

        cached.forget = known.clear  # type: ignore[attr-defined]
        return cached

    return declare


def forget(function: Callable[..., object]) -> None:
    """Clear the cache of a ``remembered`` function."""
    function.forget()  # type: ignore[attr-defined]


def _size(argument: object) -> int:
    if isinstance(argument, str | bytes):
        return len(argument)
    if not isinstance(argument, tuple):
        return 0
    size = len(argument)
    for item in argument:
        if size > PIECE:
            break
        size += _size(item)
    return size


def characters(text: str) -> set[str]:
    """Return the set of characters in a text."""
    result: set[str] = set()
    for piece in pieces(text):
        result.update(piece)
    return result


class Spelling(dict[int, str]):
    """A table for ``translated`` that computes the replacement of each character with a function."""

    def __init__(self, spell: Callable[[str], str]) -> None:
        super().__init__()
        self._spell = spell

    def __missing__(self, code: int) -> str:
        spelt = self._spell(chr(code))
        if code < 0x3000:  # the others are not cached, since there may be a million
            self[code] = spelt
        return spelt


def visible(text: str, keep: str = "\t") -> str:
    """Return a text in which escapes replace characters that control a terminal or change how others look.

    ``keep``: characters that stay.
    """
    if text.isprintable():
        return text
    shown: list[str] = []
    for char in text:
        if char.isprintable() or char in keep:
            shown.append(char)
        else:
            shown.append(char.encode("unicode_escape").decode("ascii"))
    return "".join(shown)


def decode(data: bytes) -> str:
    """Return external bytes as the shell's text. Never raises."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the shell's text as bytes, the inverse of ``decode``. Never raises.

    A lone surrogate that is not an escaped byte (from JSON's ``"\\ud800"``) becomes its three bytes of WTF-8.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return b"".join(_encode_one(char) for char in text)


def _encode_one(char: str) -> bytes:
    try:
        return char.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return char.encode("utf-8", "surrogatepass")


def folded_name(name: str) -> str:
    """Return a file name so that two of them are equal if a disk that ignores case may take them for one.

    Such disks differ: APFS and HFS+ also ignore how an accent is composed, and HFS+ ignores some characters without width.
    """
    if name.isascii():
        return name.lower()
    from unicodedata import category, normalize

    folded = normalize("NFD", normalize("NFD", name).casefold())
    return "".join(char for char in folded if category(char) != "Cf")


def parse_digits(digits: str) -> int:
    """Return the value of decimal digits with an optional sign; beyond 30 digits only some larger number.

    No caller compares with such a large number. Python's own ``int`` refuses thousands of digits, and is slow before.
    """
    if len(digits) <= _MOST_DIGITS:
        return int(digits)
    sign = digits[0] if digits[0] in "+-" else ""
    counting = digits[len(sign) :].lstrip("0")
    if not counting:
        return 0
    if len(counting) > _MOST_DIGITS:
        counting = "1" + "0" * _MOST_DIGITS
    return int(sign + counting)
