"""Choice of an engine that runs an expression in Oniguruma's syntax with Oniguruma's results."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....patterns import tree as simple
from ....patterns.cost_bound import NotHarmlessError, profile
from ....patterns.emit import UnsupportedError
from ....patterns.engines import load_re2
from ....patterns.repeats import check_repeats
from ....patterns.timed_regex import LONG, compile_re2, compile_regex, deaf_for, search_bounded, time_left
from ....patterns.tree import PatternError
from . import nodes
from .emit import Mode, Re2Writer, ReWriter, Writer, in_ascii
from .nodes import INFINITE, Node
from .subject import Spans, Subject

if TYPE_CHECKING:
    from ....cancel import CancelScope
    from .oniguruma import Program
    from .tuning import Lengths

_MOST_WRITTEN = 50_000  # characters of a pattern for ``regex``, which compiles slowly
_MOST_FAST = 1 << 20  # characters for ``re``, which holds the GIL
_WORST_STEP = 8e-9  # seconds of RE2 per byte and instruction if its automaton gets too large
_SOON = 0.2
_LATE = object()


def proven(tree: Node, groups: int) -> tuple[Any, int, bool]:
    """Return a search of ``re`` if it is proven harmless, with the number of ASCII characters that it may search.

    The last value is whether the search tries each position, for a pattern that begins with ``\\b``.
    """
    tree = in_ascii(tree)
    try:
        proof = profile(_simple(tree), ignore_case=False, multiline=True)
        text = ReWriter(Mode(True, False, True)).whole(tree, groups)
    except (NotHarmlessError, UnsupportedError):
        return None, -1, False
    if proof is None or len(text) > LONG:
        return None, -1, False
    if isinstance(tree, nodes.Sequence) and tree.parts:
        first = tree.parts[0]
    else:
        first = tree
    slow = isinstance(first, nodes.Place) and first.kind not in ("begin", "line_begin")
    return re.compile(text).search, min(proof.longest, _MOST_FAST), slow


def linear(tree: Node, groups: int, mode: Mode, other: Callable[[bool], Program]) -> Program | None:
    """Return a program in RE2, None if RE2 is missing or does not support it. ``other`` replaces a slow search."""
    if not load_re2():
        return None
    try:
        if mode.ascii:
            tree = in_ascii(tree)
        text = Re2Writer(mode).whole(tree, groups)
        return _Re2(text, groups, mode, other)
    except UnsupportedError:
        return None


def general(tree: Node, groups: int, ascii: bool, other: Callable[[], Program]) -> Program | None:
    """Return a program in ``regex``, None if it is not supported. ``other`` returns an interruptible program."""
    try:
        if ascii:
            tree = in_ascii(tree)
        return _Regex(Writer(Mode(ascii, True, True)).whole(tree, groups), other)
    except UnsupportedError:
        return None


class _Re2:
    """RE2 on bytes."""

    __slots__ = ("_ascii", "_groups", "_other", "_program", "_step")

    def __init__(self, text: str, groups: int, mode: Mode, other: Callable[[bool], Program]) -> None:
        re2 = load_re2()
        settings = re2.Options()
        settings.log_errors = False
        settings.never_capture = not mode.captures or not groups
        self._groups = range(groups + 1) if mode.captures else range(1)
        self._ascii = mode.ascii
        self._other = other
        try:
            self._program = compile_re2(re2, text.encode("utf-8", "surrogatepass"), settings)
        except re2.error:
            raise UnsupportedError from None  # too large for RE2
        self._step: float = self._program.programsize * _WORST_STEP

    def _is_long(self, size: int, scope: CancelScope | None) -> bool:
        """Return whether a search might miss the deadline: mostly it is a hundred times faster, but uninterruptible."""
        worst = size * self._step
        return worst > _SOON and worst > time_left(scope)

    def test(self, text: str, scope: CancelScope | None) -> bool:
        """Return whether there is a match."""
        if self._is_long(len(text), scope):
            return self._other(self._ascii).test(text, scope)
        return self._program.search(text.encode("utf-8", "replace")) is not None

    def search(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        """Return the spans of the first match from a position on."""
        if self._is_long(subject.size - start, scope):
            return self._other(self._ascii).search(subject, start, scope)
        match = self._program.search(subject.data, start)
        if match is None:
            return None
        span = match.span
        return [span(number) for number in self._groups]


class _Regex:
    """The ``regex`` module on characters, with a timeout."""

    __slots__ = ("_other", "_program")

    def __init__(self, text: str, other: Callable[[], Program]) -> None:
        import regex

        self._other = other

        if len(text) > _MOST_WRITTEN:
            raise UnsupportedError
        try:
            check_repeats(text)
            self._program = compile_regex(text, regex.VERSION0)
        except (regex.error, PatternError, RecursionError, OverflowError, MemoryError):
            raise UnsupportedError from None

    def _search(self, text: str, at: int, scope: CancelScope | None) -> Any:
        """Return the match or None; ``_LATE`` if the module might not check the deadline in time."""
        deaf = deaf_for(text, at)
        if deaf and time_left(scope) <= deaf:
            return _LATE
        return search_bounded(self._program, text, at, scope)

    def test(self, text: str, scope: CancelScope | None) -> bool:
        """Return whether there is a match."""
        found = self._search(text, 0, scope)
        if found is _LATE:
            return self._other().test(text, scope)
        return found is not None

    def search(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        """Return the spans of the first match from a position on."""
        found = self._search(subject.text, subject.chars(start), scope)
        if found is _LATE:
            return self._other().search(subject, start, scope)
        if found is None:
            return None
        spans: Spans = found.regs
        if subject.ascii:
            return spans
        place = subject.place
        return [(-1, -1) if low < 0 else (place(low), place(high)) for low, high in spans]


_PLAIN = (nodes.Text, nodes.Set, nodes.Dot, nodes.Place, nodes.Sequence, nodes.Choice, nodes.Group, nodes.Repeat)


def is_fixed(tree: Node, parts: list[Node], lengths: Lengths) -> bool:
    """Return whether all matches of a tree have the same length, in characters."""
    for part in parts:
        if not isinstance(part, _PLAIN):
            return False
        if isinstance(part, nodes.Group) and part.called:
            return False
    least, most, _ = lengths.span(tree)
    return least == most


_PLACES = {"begin": "`", "end": "'", "semi_end": "'", "line_begin": "^", "line_end": "$", "word": "b", "not_word": "B"}


def _simple(node: Node) -> simple.Node:
    """Return the tree in the nodes of regex_nodes, for the proof. Raise ``NotHarmlessError`` for other nodes."""
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
        most = None if node.most == INFINITE else node.most
        return simple.Repeat(_simple(node.body), node.least, most)
    if isinstance(node, nodes.Place) and node.kind in _PLACES:
        return simple.Anchor(_PLACES[node.kind])
    raise NotHarmlessError
