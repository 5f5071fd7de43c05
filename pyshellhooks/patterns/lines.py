"""Search for the matching lines of a block, many lines at once.

Matching lines often follow each other, so RE2 searches for whole runs of them, as each call is expensive. If RE2 does
not support a pattern (back-references, look-around, ``\\b`` next to letters beyond ASCII), it searches for a wider one,
and each line that it finds is tested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from .characters import is_valid
from .emit import Options, Re2Emitter, UnsupportedError, starts_with_word
from .literals import characters_of, literal_of
from .programs import Search, load_re2, re2_search, re2_settings
from .tree import Anchor, BackReference, Concatenation, Dot, Node

if TYPE_CHECKING:
    from ..cancel import CancelScope

SMALL = 8192  # bytes for which RE2 is not worth loading
_SPARSE = 8  # matches in a block after which runs are searched
_TURNS = 256
_AT_ONCE = 1 << 20  # bytes


class Tester(Protocol):
    """A pattern that can test a single line."""

    def test(self, data: bytes, *, scope: CancelScope | None = None) -> bool:
        """Return whether there is a match."""

    def find(self, data: bytes, start: int = 0, *, scope: CancelScope | None = None) -> int:
        """Return the start of the first match, or -1."""

    def count(self, data: bytes, scope: CancelScope | None = None) -> int | None:
        """Return the number of lines that match, or None."""


class _Edges(Re2Emitter):
    """Emitter of ``\\<`` at the start and ``\\>`` at the end as the neighbouring character, so that all letters count.

    That finds the lines, but the match is one character too long on that side.
    """

    def whole(self, tree: Node) -> str:
        parts: list[Node] = list(tree.parts) if isinstance(tree, Concatenation) else [tree]
        head = tail = ""
        other = rf"[^{self.classes('alnum')}_\n]"
        if len(parts) > 1 and isinstance(first := parts[0], Anchor):
            if first.kind in "b<" and starts_with_word(parts[1]):
                head = rf"(?:(?m:^)|{other})"
                del parts[0]
        if len(parts) > 1 and isinstance(last := parts[-1], Anchor):
            if last.kind in "b>" and starts_with_word(parts[-2], True):
                tail = rf"(?:{other}|(?m:$))"
                del parts[-1]
        self.ascii_only = False
        body = head + self.emit(Concatenation(parts)) + tail
        if self.ascii_only:
            raise UnsupportedError
        return f"(?i){body}" if self.options.ignore_case else body


class _Wider(Re2Emitter):
    """Emitter of a pattern that matches at least the same lines."""

    def boundary(self, node: Anchor) -> str:
        return "(?:)"

    def back_reference(self, node: BackReference) -> str:
        return r"[^\n]*"

    def whole(self, tree: Node) -> str:
        body = self.emit(tree)
        return f"(?i){body}" if self.options.ignore_case else body


def _linear(emitter: Re2Emitter, tree: Node) -> _Linear | None:
    try:
        return _Linear(emitter, tree)
    except UnsupportedError:
        return None


class _Linear:
    """A pattern in RE2, with searches for the next match and the next run of matching lines."""

    __slots__ = ("find", "run")

    def __init__(self, emitter: Re2Emitter, tree: Node) -> None:
        text = emitter.whole(tree)
        run = rf"(?:(?m:^)[^\n]*(?:{text})[^\n]*(?:\n|\z))+"
        coding = "utf-8" if emitter.options.utf8 else "latin-1"
        settings = re2_settings(emitter.options, captures=False)
        self.find: Search = re2_search(text.encode(coding), settings)
        # A run must extend over all adjacent lines.
        settings.longest_match = True
        self.run: Search = re2_search(run.encode(coding), settings)


_Programs = tuple[tuple[_Linear | None, bool], tuple[_Linear | None, bool]]


class LineFinder:
    """Search for the matching lines of a block. ``tester`` decides about a single line.

    ``tree``: the pattern, with ``Options.lines``; None if it could not be parsed. ``exact``: it matches no more lines
    than the tester. ``alone``: the tester can process only one line at a time.
    """

    __slots__ = (
        "_all_but_empty",
        "_alone",
        "_exact",
        "_folded",
        "_literal",
        "_options",
        "_programs",
        "_tester",
        "_tree",
    )

    def __init__(
        self, tree: Node | None, options: Options, tester: Tester, *, exact: bool = True, alone: bool = False
    ) -> None:
        self._tree = tree
        self._options = options
        self._tester = tester
        self._exact = exact
        self._alone = alone
        self._literal: bytes | None = None
        self._folded: bytes | None = None
        self._all_but_empty = False
        if exact and tree is not None:
            self._literal = literal_of(tree, options)
            self._folded = _folded_literal(tree, options)
            self._all_but_empty = _is_dot(tree)
        self._programs: _Programs | None = None

    def runs(
        self, data: bytes, start: int, scope: CancelScope | None, *, valid: bool | None = None
    ) -> Iterator[tuple[int, int]]:
        """Return the start and the end of matching lines, adjacent ones possibly together.

        ``valid``: whether the data is known to be UTF-8.
        """
        if self._literal == b"":
            return iter(((start, len(data)),))
        if self._literal is not None:
            return self._single_lines(data, start, scope, self._literal)
        if len(data) - start > SMALL:
            at_once = self._at_once(data, start, scope, valid)
            if at_once is not None:
                return at_once
        if self._alone:
            return self._confirmed(iter(((start, len(data)),)), data, scope)
        return self._single_lines(data, start, scope)

    def _at_once(
        self, data: bytes, start: int, scope: CancelScope | None, valid: bool | None
    ) -> Iterator[tuple[int, int]] | None:
        """Return a search for many lines at once, or None if this pattern or data needs another way."""
        if self._all_but_empty:
            solid = _solid(data, start)
            if solid is not None:
                return solid
        if self._tree is None or not load_re2():
            return None
        ascii = data.isascii()
        if self._options.utf8 and not ascii:
            if valid is None:
                valid = is_valid(data)
            if not valid:
                return None
        if self._all_but_empty:
            return _not_empty(data, start)
        programs = self._programs or self._compile(self._tree)
        linear, exact = programs[not ascii]
        if linear is None:
            return None
        runs = self._linear_runs(linear, data, start, scope)
        return runs if exact else self._confirmed(runs, data, scope)

    def count(self, data: bytes, scope: CancelScope | None, *, valid: bool | None = None) -> int:
        """Return the number of matching lines; the last line ends with a newline."""
        if len(data) > SMALL:
            counted = self._tester.count(data, scope)
            if counted is not None:
                return counted
        if self._folded is not None and len(data) <= _AT_ONCE:
            return len(re.findall(re.escape(self._folded) + rb"[^\n]*\n", data.lower()))
        runs = self.runs(data, 0, scope, valid=valid)
        return sum([data.count(b"\n", low, high) for low, high in runs])

    def _compile(self, tree: Node) -> _Programs:
        """Return the programs for ASCII data and for other data, each with whether it is exact."""
        options = self._options
        emitter = Re2Emitter(options)
        exact = _linear(emitter, tree) if self._exact else None
        if exact is None:
            wider = _linear(_Wider(options), tree), False
            self._programs = wider, wider
        elif emitter.ascii_only and options.utf8:
            self._programs = (exact, True), self._compile_other(tree)
        else:
            self._programs = (exact, True), (exact, True)
        return self._programs

    def _compile_other(self, tree: Node) -> tuple[_Linear | None, bool]:
        """Return the program for data beyond ASCII, of a pattern for which the exact one is wrong there."""
        options = self._options
        if not options.word and not options.first:
            edges = _linear(_Edges(options), tree)
            if edges is not None:
                return edges, True
        return _linear(_Wider(options), tree), False

    def _single_lines(
        self, data: bytes, start: int, scope: CancelScope | None, literal: bytes | None = None
    ) -> Iterator[tuple[int, int]]:
        size = len(data)
        find = self._tester.find
        turns = 0
        while start < size:
            if literal is None:
                found = find(data, start, scope=scope)
            else:
                found = data.find(literal, start)
            if found < 0:
                return
            low = data.rfind(b"\n", start, found) + 1 or start
            if low >= size:
                return  # an empty match after the last newline
            start = data.find(b"\n", found) + 1 or size
            yield low, start
            turns += 1
            if not turns % _TURNS and scope is not None:
                scope.check()

    def _linear_runs(
        self, linear: _Linear, data: bytes, start: int, scope: CancelScope | None
    ) -> Iterator[tuple[int, int]]:
        size = len(data)
        find = linear.find
        for _ in range(_SPARSE):
            if start >= size:
                return
            spans = find(data, start)
            if spans is None:
                return
            found = spans[0][0]
            low = data.rfind(b"\n", start, found) + 1 or start
            if low >= size:
                return
            start = data.find(b"\n", found) + 1 or size
            yield low, start
        if self._folded is not None:
            yield from self._single_lines(data.lower(), start, scope, self._folded)
            return
        run = linear.run
        turns = 0
        while start < size:
            spans = run(data, start)
            if spans is None:
                return
            low, start = spans[0]
            if low >= size:
                return
            yield low, start
            turns += 1
            if not turns % _TURNS and scope is not None:
                scope.check()

    def _confirmed(
        self, runs: Iterator[tuple[int, int]], data: bytes, scope: CancelScope | None
    ) -> Iterator[tuple[int, int]]:
        test = self._tester.test
        turns = 0
        for start, stop in runs:
            while start < stop:
                end = data.find(b"\n", start, stop)
                if end < 0:  # the last line of the data, without a newline
                    end = after = stop
                else:
                    after = end + 1
                if test(data[start:end], scope=scope):
                    yield start, after
                start = after
                turns += 1
                if not turns % _TURNS and scope is not None:
                    scope.check()


_FOLDED_BEYOND_ASCII = frozenset("iks")  # U+0130, U+0131, U+212A and U+017F are other cases of them


def _folded_literal(tree: Node, options: Options) -> bytes | None:
    """Return a literal pattern with -i as lower-case bytes, None unless only ASCII letters match its letters."""
    if options.word or not options.ignore_case:
        return None
    text = characters_of(tree)
    if not text or not text.isascii():
        return None
    folded = text.lower()
    return folded.encode() if _FOLDED_BEYOND_ASCII.isdisjoint(folded) else None


def _is_dot(tree: Node) -> bool:
    if isinstance(tree, Concatenation) and len(tree.parts) == 1:
        tree = tree.parts[0]
    return isinstance(tree, Dot)


_SOLID = re.compile(rb"[^\n]")
_BARE = re.compile(rb"\n[\x80-\xff]*\n")  # after another line, one without any ASCII character
_NO_ASCII = re.compile(rb"\n[\x80-\xff]+\n")  # which may be invalid UTF-8


def _solid(data: bytes, start: int) -> Iterator[tuple[int, int]] | None:
    """Return the non-empty lines if each has an ASCII character, so that no UTF-8 check is needed; else None."""
    if data[start] == 10 or data[start] > 127:
        return None
    if _BARE.search(data, start) is None:
        return iter(((start, len(data)),))
    if _NO_ASCII.search(data, start) is not None:
        return None
    return _not_empty(data, start)


def _not_empty(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    while (match := _SOLID.search(data, start)) is not None:
        start = data.find(b"\n\n", match.start()) + 1 or len(data)
        yield match.start(), start


def between(runs: Iterator[tuple[int, int]], size: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the ranges between runs of lines."""
    for low, high in runs:
        if start < low:
            yield start, low
        start = high
    if start < size:
        yield start, size
