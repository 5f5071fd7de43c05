"""Oniguruma's regular expressions, as jq has them, on engines that can be stopped.

===========  ===========================================================================================
literal      ``str.find``
``re``       patterns proven harmless (harmless.py), on ASCII up to the length the proof is good for
``re2``      what is regular, where captures don't tell apart how loops went; linear, releases the GIL
``regex``    look-around, references, atomic groups; what RE2 lacks, or all where it is missing. With a timeout
machine      all else (onig_machine): groups that call themselves, odd loops, the longest match of all
===========  ===========================================================================================

Each of them gives Oniguruma's answer, or is not asked. Where Oniguruma gives up after ten million steps these go on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import Stop
from . import onig_nodes as nodes
from . import regex_nodes as simple
from .emit import UnsupportedError
from .engines import load_re2, time_left
from .harmless import NotHarmlessError, profile
from .onig_emit import Mode, Re2Writer, ReWriter, Writer, in_ascii
from .onig_nodes import INFINITE, Node
from .onig_search import Finder, Spans, Subject
from .onig_syntax import Pattern, Unsupported, parse
from .onig_tuning import Lengths, tune, walk

if TYPE_CHECKING:
    from ..cancel import CancelScope

Search = Callable[[Subject, int, "CancelScope | None"], Spans | None]

_MOST_PATTERN = 100_000
_MOST_WRITTEN = 50_000  # for ``regex``, which takes its time to compile
_WORST_STEP = 8e-9  # seconds that RE2 takes for a byte and an instruction where its automaton gets too large
_SPECIAL = re.compile(r"[\\.*+?{|()\[^$#\s]").search


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
        parts = walk(pattern.tree)
        places = {part.kind for part in parts if isinstance(part, nodes.Place)}
        self._from_start = "start" in places
        self._cares_newline = bool(places & {"semi_end", "line_begin"})
        lengths = Lengths(pattern.nodes)
        self._not_empty = not_empty and not lengths.least(pattern.tree)
        self._longest = longest
        # Where all matches are of one length, in bytes, the first is the longest.
        self._fixed = _is_fixed(pattern.tree, parts, lengths)
        self._literal = _literal(pattern.tree)
        self._fast: Any = None
        self._fast_longest = -1
        self._programs: dict[tuple[bool, bool, bool], Search] = {}
        self._finder: Finder | None = None
        if self._literal is None and not self._not_empty and (self._fixed or not longest):
            self._prove()

    def _prove(self) -> None:
        """Let ``re`` have it if that can do no harm."""
        tree = in_ascii(self._pattern.tree)
        try:
            proof = profile(_simple(tree), ignore_case=False, multiline=True)
            text = ReWriter(Mode(True, False, True)).whole(tree, self.groups)
        except (NotHarmlessError, UnsupportedError):
            return
        if proof is not None:
            self._fast = re.compile(text).search
            self._fast_longest = proof.longest

    def test(self, text: str, scope: CancelScope | None = None) -> bool:
        """Say whether there is a match."""
        if self._literal is not None:
            return self._literal in text
        if len(text) <= self._fast_longest and text.isascii():
            return self._fast(text) is not None
        subject = Subject(text)
        return self._program(subject, False)(subject, 0, scope) is not None

    def search(self, subject: Subject, start: int, scope: CancelScope | None = None) -> Spans | None:
        """Give the spans of the first match from a place on, the whole first, (-1, -1) for groups without any."""
        if not subject.is_head(start):
            return self._search_inside(subject, start, scope)
        if self._literal is not None:
            return self._find_literal(subject, start)
        if subject.size <= self._fast_longest and subject.ascii:
            found = self._fast(subject.text, start)
            regs: Spans | None = None if found is None else found.regs
            return regs
        return self._program(subject, True)(subject, start, scope)

    def _find_literal(self, subject: Subject, start: int) -> Spans | None:
        assert self._literal is not None
        if subject.ascii:
            at, size = subject.text.find(self._literal, start), len(self._literal)
        else:
            literal = self._literal.encode("utf-8", "surrogatepass")
            at, size = subject.data.find(literal, start), len(literal)
        return None if at < 0 else ((at, at + size),)

    def _search_inside(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        """Search from the middle of a character on: jq does so after a match of nothing."""
        finder = self._find()
        if self._longest or self._not_empty or self._from_start:
            return finder.search(subject, start, scope)
        at = start
        while not subject.is_head(at):
            found = finder.match(subject, at, start, scope)
            if found is not None:
                return found
            at += 1
        return self.search(subject, at, scope)

    def _find(self) -> Finder:
        if self._finder is None:
            try:
                self._finder = Finder(self._pattern, self._not_empty, self._longest)
            except Unsupported as error:
                raise _refused(error) from None
        return self._finder

    # Which engine

    def _program(self, subject: Subject, captures: bool) -> Search:
        key = subject.ascii, self._cares_newline and subject.newline, captures
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = self._choose(Mode(*key))
        return program

    def _choose(self, mode: Mode) -> Search:
        if self._not_empty or (self._longest and not (self._fixed and mode.ascii)):
            return self._find().search
        if load_re2():
            tree = in_ascii(self._pattern.tree) if mode.ascii else self._pattern.tree
            try:
                return _Re2(Re2Writer(mode).whole(tree, self.groups), self, mode).search
            except UnsupportedError:
                pass
        return self.without_re2(mode.ascii)

    def without_re2(self, ascii: bool) -> Search:
        """Give what can be stopped at any time."""
        tree = in_ascii(self._pattern.tree) if ascii else self._pattern.tree
        try:
            return _Regex(Writer(Mode(ascii, True, True)).whole(tree, self.groups)).search
        except UnsupportedError:
            return self._find().search


class _Re2:
    """RE2 on bytes."""

    __slots__ = ("_ascii", "_groups", "_other", "_owner", "_program")

    def __init__(self, text: str, owner: Onig, mode: Mode) -> None:
        re2 = load_re2()
        settings = re2.Options()
        settings.log_errors = False
        settings.never_capture = not mode.captures or not owner.groups
        self._groups = range(owner.groups + 1) if mode.captures else range(1)
        self._ascii = mode.ascii
        self._owner = owner
        self._other: Search | None = None
        try:
            self._program = re2.compile(text.encode("utf-8", "surrogatepass"), settings)
        except re2.error:
            raise UnsupportedError from None  # too big for it

    def search(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        worst = (subject.size - start) * self._program.programsize * _WORST_STEP
        if worst > 0.2 and worst > time_left(scope):
            # Nothing stops RE2. It is most often a hundred times as fast as that, but not always.
            if self._other is None:
                self._other = self._owner.without_re2(self._ascii)
            return self._other(subject, start, scope)
        found = self._program.search(subject.data, start)
        if found is None:
            return None
        span = found.span
        return [span(number) for number in self._groups]


class _Regex:
    """The ``regex`` module on characters, with a timeout."""

    __slots__ = ("_program",)

    def __init__(self, text: str) -> None:
        import regex

        if len(text) > _MOST_WRITTEN:
            raise UnsupportedError
        try:
            self._program = regex.compile(text, regex.VERSION0)
        except (regex.error, RecursionError, OverflowError, MemoryError):
            raise UnsupportedError from None

    def search(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        at = start if subject.ascii else subject.chars(start)
        try:
            found = self._program.search(subject.text, at, timeout=time_left(scope))
        except TimeoutError:
            raise Stop("regex", "a regular expression took too long") from None
        except MemoryError:
            raise Stop("regex", "a regular expression needs too much memory") from None
        if found is None:
            return None
        spans: Spans = found.regs
        if subject.ascii:
            return spans
        place = subject.place
        return [(-1, -1) if low < 0 else (place(low), place(high)) for low, high in spans]


def _refused(error: Unsupported) -> Stop:
    return Stop("refused", f"a regular expression has what is not supported here: {error}")


def _is_fixed(tree: Node, parts: list[Node], lengths: Lengths) -> bool:
    plain = (
        nodes.Text | nodes.Set | nodes.Dot | nodes.Place | nodes.Sequence | nodes.Choice | nodes.Group | nodes.Repeat
    )
    if not all(isinstance(part, plain) and not (isinstance(part, nodes.Group) and part.called) for part in parts):
        return False
    least, most, _ = lengths.span(tree)
    return least == most


def _literal(tree: Node) -> str | None:
    """Give the text that a pattern is, where it is nothing else."""
    parts = tree.parts if isinstance(tree, nodes.Sequence) else [tree]
    texts = [part.text for part in parts if isinstance(part, nodes.Text)]
    return "".join(texts) or None if len(texts) == len(parts) else None


_PLACES = {"begin": "`", "end": "'", "semi_end": "'", "line_begin": "^", "line_end": "$", "word": "b", "not_word": "B"}


def _simple(node: Node) -> simple.Node:
    """Give the tree in the nodes of which something can be proven."""
    if isinstance(node, nodes.Text):
        return simple.Concatenation([simple.Char(char) for char in node.text])
    if isinstance(node, nodes.Set):
        mask = node.chars.mask()
        return simple.Bracket("".join([chr(code) for code in range(128) if mask >> code & 1]))
    if isinstance(node, nodes.Dot):
        return simple.Dot()
    if isinstance(node, nodes.Sequence):
        return simple.Concatenation([_simple(part) for part in node.parts])
    if isinstance(node, nodes.Choice):
        return simple.Alternation([_simple(choice) for choice in node.choices])
    if isinstance(node, nodes.Group):
        return simple.Group(node.number, _simple(node.body))
    if isinstance(node, nodes.Repeat) and not node.hollow:
        return simple.Repeat(_simple(node.body), node.least, None if node.most == INFINITE else node.most)
    if isinstance(node, nodes.Place) and node.kind in _PLACES:
        return simple.Anchor(_PLACES[node.kind])
    raise NotHarmlessError


def compile_onig(pattern: str, options: int = 0, *, not_empty: bool = False, longest: bool = False) -> Onig:
    """Compile a pattern; ``OnigError`` in Oniguruma's words. Remembered.

    ``options`` are those of ``onig_tokens``. ``not_empty``: a match is of one character at least. ``longest``: the longest
    match anywhere, the first of these.
    """
    return _compile(pattern, options, not_empty, longest)


@lru_cache(maxsize=256)
def _compile(pattern: str, options: int, not_empty: bool, longest: bool) -> Onig:
    if pattern and not options and _SPECIAL(pattern) is None:
        return Onig(Pattern(nodes.Text(pattern), 0, {}, 0), not_empty, longest)
    if len(pattern) > _MOST_PATTERN:
        raise Stop("refused", "a regular expression is too long")
    try:
        parsed = parse(pattern, options)
        tune(parsed)
        return Onig(parsed, not_empty, longest)
    except Unsupported as error:
        raise _refused(error) from None
    except RecursionError:
        raise Stop("refused", "a regular expression nests too deeply") from None
