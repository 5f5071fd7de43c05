"""The only border between bytes and str.

Shell words, variables and paths are ``str``; streams carry ``bytes``. UTF-8 with
``surrogateescape`` lets every byte make the round trip, valid or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

_MOST_DIGITS = 30
PIECE = 1 << 16  # characters that nobody waits long for
EVERY = 1024  # turns of a loop after which to ``pause``
_between: list[Callable[[], None]] = []


_T = TypeVar("_T")
Ask = TypeVar("Ask", bound=Callable[[], None])


def on_long_work(ask: Ask) -> Ask:
    """Declare what is called between two pieces of long work: the rooms that are pure know of no run that may be over."""
    _between.append(ask)
    return ask


def pause() -> None:
    """Let the run end here if it is over. For loops that a long text makes long, every few thousand turns."""
    for ask in _between:
        ask()


def lines(*texts: str) -> str:
    """Join texts in lines of their own, without those that are empty."""
    return "\n".join(filter(None, texts))


def present(values: Iterable[_T | None]) -> list[_T]:
    """Return those values that are there."""
    return [value for value in values if value is not None]


def last_of(values: Iterable[_T | None]) -> _T | None:
    """Return the last value that is there; None if there is none."""
    found = present(values)
    return found[-1] if found else None


def joined(texts: Iterable[str | None], between: str) -> str | None:
    """Join those texts that are there; None if there is none."""
    found = present(texts)
    return between.join(found) if found else None


def pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that no other thread waits long for, and ``pause`` between them."""
    if len(text) <= PIECE:
        yield text
        return
    for start in range(0, len(text), PIECE):
        pause()
        yield text[start : start + PIECE]


def translated(text: str, table: Mapping[int, str]) -> str:
    """Do ``str.translate``, in pieces."""
    return text.translate(table) if len(text) <= PIECE else "".join([piece.translate(table) for piece in pieces(text)])


Item = TypeVar("Item")
Given = ParamSpec("Given")
Made = TypeVar("Made")


def paced(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items, and ``pause`` now and then: for what would else run through a million of them."""
    for turn, item in enumerate(items, 1):
        yield item
        if not turn % EVERY:
            pause()


def remembered(entries: int, most: int = 4 * PIECE) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Keep what a function made, of so many texts and of ``most`` characters in all; above that all begins anew.

    What is compiled takes some hundred times the text, and texts that differ each time would stay when the runs are over.
    So the entries are not all that counts (``functools.lru_cache``), and a long text is not kept at all. The first argument
    is what counts: a text, or a tuple of texts or of tuples of them.
    """

    def declare(make: Callable[Given, Made]) -> Callable[Given, Made]:
        kept: dict[object, Made] = {}
        size = 0

        @wraps(make)
        def given(*args: Given.args, **named: Given.kwargs) -> Made:
            nonlocal size
            key = (args, *named.items()) if named else args
            try:
                return kept[key]
            except KeyError:
                pass
            made = make(*args, **named)
            length = _size(args[0])
            if length <= most // 4:
                if len(kept) >= entries or size + length > most:
                    kept.clear()
                    size = 0
                size += length
                kept[key] = made
            return made

        given.forget = kept.clear  # type: ignore[attr-defined]
        return given

    return declare


def forget(function: Callable[..., object]) -> None:
    """Drop what a ``remembered`` function has made."""
    function.forget()  # type: ignore[attr-defined]


def _size(given: object) -> int:
    if isinstance(given, str | bytes):
        return len(given)
    if not isinstance(given, tuple):
        return 0
    size = len(given)
    for one in given:
        if size > PIECE:
            break
        size += _size(one)
    return size


def characters(text: str) -> set[str]:
    """Return the characters that are in a text."""
    found: set[str] = set()
    for piece in pieces(text):
        found.update(piece)
    return found


class Spelling(dict[int, str]):
    """A table for ``translated`` that a function fills: how each character is spelt."""

    def __init__(self, spell: Callable[[str], str]) -> None:
        super().__init__()
        self._spell = spell

    def __missing__(self, code: int) -> str:
        spelt = self._spell(chr(code))
        if code < 0x3000:  # of others there may be a million
            self[code] = spelt
        return spelt


def visible(text: str, keep: str = "\t") -> str:
    """Show characters that a terminal would act on, or that change how the others look, by their numbers, but for some."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in keep else one.encode("unicode_escape").decode("ascii") for one in text
    )


def decode(data: bytes) -> str:
    """Turn bytes from outside into the shell's text; never fails."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Turn the shell's text into the bytes it came from.

    A lone surrogate that no byte stands behind (from JSON's ``"\\ud800"``) becomes
    the three bytes that WTF-8 gives it, so that this never fails either.
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


def whole(digits: str) -> int:
    """Read decimal digits with or without a sign; of a number that is larger than anything it is held against only that is said.

    Python's own ``int`` refuses thousands of digits, and is slow with fewer.
    """
    if len(digits) <= _MOST_DIGITS:
        return int(digits)
    sign = digits[0] if digits[0] in "+-" else ""
    counting = digits[len(sign) :].lstrip("0")
    return int(sign + (counting or "0")) if len(counting) <= _MOST_DIGITS else int(f"{sign}1{'0' * _MOST_DIGITS}")
