"""Shell patterns: ``case``, ``[[ == ]]``, ``${x#p}`` and pathname expansion (POSIX XCU 2.13, bash manual 3.5.8.1).

In a pattern text quoted characters are escaped by a backslash. All matching is on characters; an invalid byte counts as
one. No pattern takes exponential time: plain patterns are split at their stars into pieces of fixed length, which are
searched one after another; extended ones are simulated (glob_simulation).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache

from ..regexes import lazy_pattern
from ..text import EVERY, pause, translated
from .case_mapping import lower, upper
from .charclass import CharSet
from .glob_simulation import Check, Simulation, reverse
from .glob_syntax import MAX_UNCLOSED, STAR, Extended, Item, Sequence, Wildcard, parse_bracket, parse_glob

_MAGIC = lazy_pattern(r"(?s:\\.?)|[*?\[]")
_MAGIC_EXTENDED = lazy_pattern(r"(?s:\\.?)|[*?\[]|[+@!]\(")
_ESCAPED = {ord(char): "\\" + char for char in "\\*?[]()|+@!-^"}


def has_magic(text: str, extglob: bool = False) -> bool:
    """Return whether a pattern text can match anything other than itself."""
    if "*" not in text and "?" not in text and "[" not in text:
        return extglob and "(" in text and _has_magic(text, extglob)
    return _has_magic(text, extglob)


def _has_magic(text: str, extglob: bool) -> bool:
    unclosed = 0
    magic = _MAGIC_EXTENDED if extglob else _MAGIC
    for match in magic.finditer(text):
        char = text[match.start()]
        if char == "\\":
            continue
        if char != "[":
            return True
        if unclosed < MAX_UNCLOSED and parse_bracket(text, match.end(), False) is not None:
            return True
        unclosed += 1
        if not unclosed % EVERY:
            pause()
    return False


def escape(text: str) -> str:
    """Escape all special characters, so that the pattern matches only the text."""
    if text.isalnum():
        return text
    return translated(text, _ESCAPED)


def unescape(text: str) -> str:
    """Remove the escaping backslashes."""
    if "\\" not in text:
        return text
    out: list[str] = []
    characters = iter(text)
    for char in characters:
        if char == "\\":
            char = next(characters, "\\")  # at the end it escapes nothing, and is itself
        out.append(char)
    return "".join(out)


class Glob(ABC):
    """A compiled pattern. ``literal`` is the only text that it matches, None for a pattern with magic.

    ``check`` is called regularly in long searches and may raise.
    """

    __slots__ = ("literal",)

    literal: str | None

    @abstractmethod
    def matches(self, text: str, check: Check | None = None) -> bool:
        """Return whether the whole text matches."""

    @abstractmethod
    def prefix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        """Return the end of the shortest or longest prefix that matches (``${x#p}``, ``${x##p}``)."""

    @abstractmethod
    def suffix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        """Return the start of the shortest or longest suffix that matches (``${x%p}``, ``${x%%p}``)."""

    @abstractmethod
    def search(self, text: str, start: int = 0, check: Check | None = None) -> tuple[int, int] | None:
        """Return the leftmost, then longest, match from ``start`` on (``${x/p/r}``)."""


class LiteralGlob(Glob):
    """A pattern without magic."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self.literal = self._text = text

    def matches(self, text: str, check: Check | None = None) -> bool:
        return text == self._text

    def prefix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        if not text.startswith(self._text):
            return None
        return len(self._text)

    def suffix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        if not text.endswith(self._text):
            return None
        return len(text) - len(self._text)

    def search(self, text: str, start: int = 0, check: Check | None = None) -> tuple[int, int] | None:
        at = text.find(self._text, start)
        if at < 0:
            return None
        return at, at + len(self._text)


class Piece:
    """The part between two stars that is not a literal: a fixed number of characters."""

    __slots__ = ("_cells", "_core", "_core_at", "size")

    def __init__(self, cells: list[str | CharSet | None]) -> None:
        self._cells = cells
        self.size = len(cells)
        # ``str.find`` skips to candidates with the first literal run.
        self._core_at = -1
        core: list[str] = []
        for index, cell in enumerate(cells):
            if isinstance(cell, str):
                if not core:
                    self._core_at = index
                core.append(cell)
            elif core:
                break
        self._core = "".join(core)

    def at(self, text: str, start: int) -> bool:
        """Return whether the piece matches at ``start``."""
        if start < 0 or start + self.size > len(text):
            return False
        for cell in self._cells:
            if cell is not None:
                char = text[start]
                if isinstance(cell, str):
                    if cell != char:
                        return False
                elif not cell.has(char):
                    return False
            start += 1
        return True

    def find(self, text: str, low: int, high: int, check: Check | None) -> int:
        """Return the leftmost position between ``low`` and ``high``, or -1."""
        core, offset, last = self._core, self._core_at, high - self.size
        turns = 0
        while low <= last:
            if core:
                low = text.find(core, low + offset, high) - offset
                if low + offset < 0 or low > last:
                    return -1
            if self.at(text, low):
                return low
            low += 1
            turns += 1
            if not turns & 4095:
                (check or pause)()
        return -1

    def rfind(self, text: str, low: int, high: int, check: Check | None) -> int:
        """Return the rightmost position between ``low`` and ``high``, or -1."""
        core, offset, start = self._core, self._core_at, high - self.size
        turns = 0
        while start >= low:
            if core:
                start = text.rfind(core, low + offset, start + offset + len(core)) - offset
                if start < low:
                    return -1
            if self.at(text, start):
                return start
            start -= 1
            turns += 1
            if not turns & 4095:
                (check or pause)()
        return -1


def _size(piece: str | Piece) -> int:
    if isinstance(piece, str):
        return len(piece)
    return piece.size


def _matches_at(piece: str | Piece, text: str, start: int) -> bool:
    if isinstance(piece, str):
        return text.startswith(piece, start)
    return piece.at(text, start)


def _find(piece: str | Piece, text: str, low: int, high: int, check: Check | None) -> int:
    if isinstance(piece, str):
        return text.find(piece, low, high)
    return piece.find(text, low, high, check)


def _rfind(piece: str | Piece, text: str, low: int, high: int, check: Check | None) -> int:
    if isinstance(piece, str):
        return text.rfind(piece, low, high)
    return piece.rfind(text, low, high, check)


class StarGlob(Glob):
    """A pattern of pieces of fixed length with stars between them.

    The first piece is anchored at one end, the last at the other, and each one between may match at its leftmost
    position: so the search never backtracks.
    """

    __slots__ = ("_ignore_case", "_middle", "_pieces")

    def __init__(self, pieces: tuple[str | Piece, ...], ignore_case: bool) -> None:
        self.literal = None
        self._pieces = pieces
        self._middle = pieces[1:-1]
        self._ignore_case = ignore_case

    def matches(self, text: str, check: Check | None = None) -> bool:
        pieces = self._pieces
        if self._ignore_case:
            text = lower(text)
        first, last = pieces[0], pieces[-1]
        if len(pieces) == 1:
            return len(text) == _size(first) and _matches_at(first, text, 0)
        low = _size(first)
        high = len(text) - _size(last)
        if low > high:  # the first and the last piece would overlap
            return False
        if not _matches_at(first, text, 0) or not _matches_at(last, text, high):
            return False
        for piece in self._middle:
            index = _find(piece, text, low, high, check)
            if index < 0:
                return False
            low = index + _size(piece)
        return True

    def _ends(self, text: str, start: int, longest: bool, check: Check | None) -> int | None:
        """Return the end of a match whose first piece matches at ``start``, or None."""
        pieces = self._pieces
        end = start + _size(pieces[0])
        if len(pieces) == 1:
            return end
        for piece in self._middle:
            index = _find(piece, text, end, len(text), check)
            if index < 0:
                return None
            end = index + _size(piece)
        last = pieces[-1]
        seek = _rfind if longest else _find
        index = seek(last, text, end, len(text), check)
        if index < 0:
            return None
        return index + _size(last)

    def prefix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        if self._ignore_case:
            text = lower(text)
        if not _matches_at(self._pieces[0], text, 0):
            return None
        return self._ends(text, 0, longest, check)

    def suffix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        if self._ignore_case:
            text = lower(text)
        pieces = self._pieces
        last = pieces[-1]
        start = len(text) - _size(last)
        if start < 0 or not _matches_at(last, text, start):
            return None
        if len(pieces) == 1:
            return start
        for piece in reversed(self._middle):
            start = _rfind(piece, text, 0, start, check)
            if start < 0:
                return None
        seek = _find if longest else _rfind
        start = seek(pieces[0], text, 0, start, check)
        return None if start < 0 else start

    def search(self, text: str, start: int = 0, check: Check | None = None) -> tuple[int, int] | None:
        if self._ignore_case:
            text = lower(text)
        start = _find(self._pieces[0], text, start, len(text), check)
        if start < 0:
            return None
        # If the rest does not match after the leftmost start, it matches after no later one.
        end = self._ends(text, start, True, check)
        if end is None:
            return None
        return start, end


class ExtendedGlob(Glob):
    """A pattern with ``?( *( +( @( !(`` in it."""

    __slots__ = ("_ignore_case", "_items", "_reversed", "_words")

    def __init__(self, items: Sequence, ignore_case: bool) -> None:
        self.literal = None
        self._items = items
        self._reversed: Sequence | None = None
        self._ignore_case = ignore_case
        self._words = _words(items)

    def matches(self, text: str, check: Check | None = None) -> bool:
        if self._ignore_case:
            text = lower(text)
        if self._words is not None:
            return text in self._words
        return bool(Simulation(text, check).ends(self._items, 1) >> len(text))

    def matches_name(self, name: str) -> bool:
        """Return whether a name matches, with a leading dot that only a literal dot may match."""
        if self._ignore_case:
            name = lower(name)
        return bool(Simulation(name, None, name.startswith(".")).ends(self._items, 1) >> len(name))

    def prefix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        if self._ignore_case:
            text = lower(text)
        return _outermost(Simulation(text, check).ends(self._items, 1), longest)

    def _backwards(self) -> Sequence:
        if self._reversed is None:
            self._reversed = reverse(self._items)
        return self._reversed

    def suffix(self, text: str, longest: bool, check: Check | None = None) -> int | None:
        if self._ignore_case:
            text = lower(text)
        index = _outermost(Simulation(text[::-1], check).ends(self._backwards(), 1), longest)
        if index is None:
            return None
        return len(text) - index

    def search(self, text: str, start: int = 0, check: Check | None = None) -> tuple[int, int] | None:
        tail = text[start:]
        if self._ignore_case:
            tail = lower(tail)
        # A backward simulation from all positions gives the starts of all matches; the leftmost is the highest bit.
        everywhere = (1 << (len(tail) + 1)) - 1
        starts = Simulation(tail[::-1], check).ends(self._backwards(), everywhere)
        if not starts:
            return None
        at = len(tail) - (starts.bit_length() - 1)
        end = _outermost(Simulation(tail[at:], check).ends(self._items, 1), True)
        assert end is not None
        return start + at, start + at + end


def _outermost(positions: int, highest: bool) -> int | None:
    if not positions:
        return None
    if not highest:
        positions &= -positions  # its lowest bit
    return positions.bit_length() - 1


def _words(items: Sequence) -> frozenset[str] | None:
    """Return the texts of ``@(one|two)``, the usual extended pattern; None for any other."""
    if len(items) != 1:
        return None
    only = items[0]
    if not isinstance(only, Extended) or only.operator != "@":
        return None
    words: set[str] = set()
    for alternative in only.alternatives:
        text = alternative[0] if alternative else ""
        if len(alternative) > 1 or not isinstance(text, str):
            return None
        words.add(text)
    return frozenset(words)


def _pieces(items: Sequence) -> tuple[str | Piece, ...]:
    pieces: list[str | Piece] = []
    cells: list[str | CharSet | None] = []
    texts: list[str] = []  # of the piece, while it is a literal
    for item in (*items, STAR):
        if item is STAR:
            text = "".join(texts)
            pieces.append(Piece([*cells, *text]) if cells else text)
            cells, texts = [], []
        elif isinstance(item, str):
            texts.append(item)
        else:
            cells += [*"".join(texts), item if isinstance(item, CharSet) else None]
            texts = []
    return tuple(pieces)


def compile_glob(pattern: str, *, extglob: bool = True, ignore_case: bool = False) -> Glob:
    """Compile a pattern text; never fails. Short patterns are cached, so that a repeated call costs a look-up."""
    if len(pattern) > 1024:
        return _compile(pattern, extglob, ignore_case)
    return _cached(pattern, extglob, ignore_case)


def _compile(pattern: str, extglob: bool, ignore_case: bool) -> Glob:
    if not ignore_case and not has_magic(pattern, extglob):
        return LiteralGlob(unescape(pattern))
    items = parse_glob(pattern, extglob, ignore_case)
    if ignore_case and "[:" in pattern:  # a class is tested on the letter in its original case (bash)
        items, ignore_case = _letter_by_letter(items), False
    if any(isinstance(item, Extended) for item in items):
        return ExtendedGlob(items, ignore_case)
    return StarGlob(_pieces(items), ignore_case)


def _letter_by_letter(items: Sequence) -> Sequence:
    """Replace a pattern's letters by sets that match either case, so that the text keeps its case."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, str):
            for char in item:
                if char == upper(char):  # it has one case only; a parsed pattern is in lower case
                    out.append(char)
                else:
                    out.append(CharSet(frozenset(char), (), (), False, True))
        elif isinstance(item, Extended):
            out.append(Extended(item.operator, tuple(map(_letter_by_letter, item.alternatives))))
        else:
            out.append(item)
    return tuple(out)


# The keys have at most 1024 characters each, so that the cache is small.
_cached = lru_cache(maxsize=512)(_compile)


def compile_component(
    pattern: str, *, extglob: bool = False, ignore_case: bool = False, dotglob: bool = False
) -> Callable[[str], bool]:
    """Compile a path component to a predicate on a directory entry's name.

    Only a literal dot matches a leading dot, unless ``dotglob`` is set (POSIX XCU 2.13.3).
    """
    glob = compile_glob(pattern, extglob=extglob, ignore_case=ignore_case)
    matches = glob.matches
    if dotglob or isinstance(glob, LiteralGlob):
        return matches
    items = parse_glob(pattern, extglob, ignore_case)
    first = items[0] if items else ""
    if isinstance(first, str) and first.startswith("."):
        return matches
    if isinstance(glob, ExtendedGlob) and isinstance(first, Extended | Wildcard):
        return glob.matches_name
    return lambda name: not name.startswith(".") and matches(name)


def split_path(pattern: str) -> list[str]:
    """Split a pattern at its slashes, including escaped ones: no pattern matches a slash (POSIX XCU 2.13.3)."""
    if "\\" not in pattern:
        return pattern.split("/")
    parts: list[str] = []
    current: list[str] = []
    characters = iter(pattern)
    for char in characters:
        if char == "\\":
            following = next(characters, "")
            if following != "/":
                current.append(char + following)
                continue
            char = "/"
        if char == "/":
            parts.append("".join(current))
            current.clear()
        else:
            current.append(char)
    parts.append("".join(current))
    return parts
