"""Oniguruma's regular expressions, as used by jq, on engines that can be interrupted.

===========  ===========================================================================================
literal      ``str.find``
``re``       patterns proven harmless (cost_bound.py), on ASCII up to the length that the proof covers
``re2``      regular patterns whose captures do not depend on how loops ran; linear, releases the GIL
``regex``    look-around, references, atomic groups; features that RE2 lacks, or all without RE2. With a timeout
machine      all others (machine): recursive groups, odd loops, the longest match of all
===========  ===========================================================================================

An engine runs a pattern only if its results are Oniguruma's. Oniguruma gives up after ten million steps, these do not.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Protocol

from ....errors import Stop
from . import nodes
from .subject import Spans, Subject

if TYPE_CHECKING:
    from ....cancel import CancelScope
    from .emit import Mode
    from .finder import Finder
    from .nodes import Pattern
    from .syntax import Unsupported

_MOST_PATTERN = 50_000
_SPECIAL = re.compile(r"[\\.*+?{|()\[^$#\s]").search
_SLOW_START = 200  # characters above which RE2, once loaded, is faster than ``re``, which tries each position


class Program(Protocol):
    """A pattern in one of the engines."""

    def test(self, text: str, scope: CancelScope | None) -> bool:
        """Return whether there is a match."""

    def search(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        """Return the spans of the first match from a position on."""


class Onig:
    """A compiled expression. ``names``: the name of each group, or None."""

    __slots__ = (
        "_cares_newline",
        "_fast",
        "_fast_longest",
        "_finder",
        "_fixed",
        "_from_start",
        "_literal",
        "_longest",
        "_not_empty",
        "_pattern",
        "_programs",
        "_slow_start",
        "groups",
        "has_names",
        "names",
    )

    def __init__(self, pattern: Pattern, not_empty: bool, longest: bool) -> None:
        self._pattern = pattern
        self.groups = pattern.groups
        self.has_names = bool(pattern.names)
        self.names: list[str | None] = [None] * (pattern.groups + 1)
        for name, numbers in pattern.names.items():
            for number in numbers:
                self.names[number] = name
        self._longest = longest
        self._fast: Any = None
        self._fast_longest = -1
        self._programs: dict[tuple[bool, bool, bool], Program] = {}
        self._finder: Finder | None = None
        self._literal = _literal(pattern.tree)
        self._not_empty = not_empty
        self._from_start = self._cares_newline = self._fixed = self._slow_start = False
        if self._literal is None:
            self._look_at(pattern)

    def _look_at(self, pattern: Pattern) -> None:
        from .choice import is_fixed, proven
        from .tuning import Lengths, walk

        parts = walk(pattern.tree)
        places = {part.kind for part in parts if isinstance(part, nodes.Place)}
        self._from_start = "start" in places
        self._cares_newline = bool(places & {"semi_end", "line_begin"})
        lengths = Lengths(pattern.nodes)
        self._not_empty = self._not_empty and not lengths.least(pattern.tree)
        # If all matches have the same length, in bytes, the first is the longest.
        self._fixed = is_fixed(pattern.tree, parts, lengths)
        takes_first = self._fixed or not self._longest
        if takes_first and not self._not_empty:
            self._fast, self._fast_longest, self._slow_start = proven(pattern.tree, self.groups)

    def test(self, text: str, scope: CancelScope | None = None) -> bool:
        """Return whether there is a match."""
        if self._literal is not None:
            return self._literal in text
        ascii = text.isascii()
        if ascii and len(text) <= self._fast_longest and not (self._slow_start and _is_better(text)):
            return self._fast(text) is not None
        program = self._programs.get((ascii, self._cares_newline and text[-1:] == "\n", False))
        if program is None:
            program = self._program(Subject(text), False)
        return program.test(text, scope)

    def search(self, subject: Subject, start: int, scope: CancelScope | None = None) -> Spans | None:
        """Return the spans of the first match from a position on, the whole first, (-1, -1) for unset groups."""
        if not subject.is_head(start):
            return self._search_inside(subject, start, scope)
        if self._literal is not None:
            return self._find_literal(subject, start)
        if subject.size <= self._fast_longest and subject.ascii:
            found = self._fast(subject.text, start)
            spans: Spans | None = None if found is None else found.regs
            return spans
        return self._program(subject, True).search(subject, start, scope)

    def _find_literal(self, subject: Subject, start: int) -> Spans | None:
        assert self._literal is not None
        if subject.ascii:
            at, size = subject.text.find(self._literal, start), len(self._literal)
        else:
            literal = self._literal.encode("utf-8", "surrogatepass")
            at, size = subject.data.find(literal, start), len(literal)
        return None if at < 0 else ((at, at + size),)

    def _search_inside(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        """Search from inside a character on: jq does so after an empty match."""
        finder = self._find()
        if self._longest or self._not_empty or self._from_start:
            return finder.search(subject, start, scope)
        at = start
        while not subject.is_head(at):
            match = finder.match(subject, at, start, scope)
            if match is not None:
                return match
            at += 1
        return self.search(subject, at, scope)

    def _find(self) -> Finder:
        if self._finder is None:
            from .finder import Finder
            from .syntax import Unsupported

            try:
                self._finder = Finder(self._pattern, self._not_empty, self._longest)
            except Unsupported as error:
                raise _refused(error) from None
            except RecursionError:
                raise _too_deep() from None
        return self._finder

    def _program(self, subject: Subject, captures: bool) -> Program:
        key = subject.ascii, self._cares_newline and subject.newline, captures
        program = self._programs.get(key)
        if program is None:
            from .emit import Mode

            try:
                program = self._programs[key] = self._choose(Mode(*key))
            except RecursionError:
                raise _too_deep() from None
        return program

    def _choose(self, mode: Mode) -> Program:
        if self._not_empty:
            return self._find()
        is_fixed = self._fixed and mode.ascii  # of the same length in bytes, too
        if self._longest and not is_fixed:
            return self._find()
        from .choice import linear

        return linear(self._pattern.tree, self.groups, mode, self.general) or self.general(mode.ascii)

    def general(self, ascii: bool) -> Program:
        """Return a program that can be interrupted at any time."""
        from .choice import general

        return general(self._pattern.tree, self.groups, ascii, self._find) or self._find()


def _is_better(text: str) -> bool:
    """Return whether RE2 is loaded and the text long enough for it."""
    return len(text) > _SLOW_START and "re2" in sys.modules


def _refused(error: Unsupported) -> Stop:
    return Stop("refused", f"a regular expression uses an unsupported feature: {error}")


def _too_deep() -> Stop:
    return Stop("refused", "a regular expression nests too deeply")


def _literal(tree: nodes.Node) -> str | None:
    """Return the text of a literal pattern, None for other patterns and the empty one."""
    parts = tree.parts if isinstance(tree, nodes.Sequence) else [tree]
    texts = [part.text for part in parts if isinstance(part, nodes.Text)]
    if len(texts) != len(parts):
        return None
    return "".join(texts) or None


def compile_onig(
    pattern: str,
    options: int = 0,
    *,
    not_empty: bool = False,
    longest: bool = False,
    scope: CancelScope | None = None,
) -> Onig:
    """Compile a pattern, without a cache. Raise ``OnigError`` with Oniguruma's message.

    ``options`` are those of ``tokens``. ``not_empty``: a match has at least one character. ``longest``: find the
    first of the longest matches in the text.
    """
    if pattern and not options and _SPECIAL(pattern) is None:
        return Onig(nodes.Pattern(nodes.Text(pattern), 0, {}, 0), not_empty, longest)
    if len(pattern) > _MOST_PATTERN:
        raise Stop("refused", "a regular expression is too long")
    from .syntax import Unsupported, parse
    from .tuning import tune

    try:
        parsed = parse(pattern, options, scope)
        tune(parsed)
        return Onig(parsed, not_empty, longest)
    except Unsupported as error:
        raise _refused(error) from None
    except RecursionError:
        raise _too_deep() from None
