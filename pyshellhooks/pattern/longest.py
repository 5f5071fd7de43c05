"""Where the longest match of a POSIX expression ends (POSIX XBD 9.1), found without RE2.

The ``regex`` module gives the first match in Perl's order, which may be a shorter one: of ``()|.`` it takes the empty text. Here
all ends are found at once. A set of places is the bits of an ``int``, and a node maps the places where it may begin to
those where it may end: whatever nests, the work grows with the square of the text at most. Back-references are beyond it.
"""

from __future__ import annotations

from typing import Any

from ..errors import Stop
from ..text import EVERY, pause
from .bounded import compile_regex
from .emit import Options, RegexEmitter
from .regex_nodes import (
    Alternation,
    Anchor,
    BackReference,
    Bracket,
    Char,
    Concatenation,
    Dot,
    Group,
    Node,
    Repeat,
    every_node,
)

_FIRST_WINDOW = 1 << 8  # characters
_GROWTH = 8
_MOST_BITS = 1 << 30  # of what is kept for one window
_WORD_END = Anchor(">")  # stands for the end that the whole of ``grep -w`` wants


def is_certain(tree: Node) -> bool:
    """Say whether all matches from one place are as long: nothing is one of several, or repeated at will."""
    return not any(
        isinstance(node, Alternation) or (isinstance(node, Repeat) and node.least != node.most)
        for node in every_node(tree)
    )


def has_back_reference(tree: Node) -> bool:
    """Say whether a tree has a back-reference."""
    return any(isinstance(node, BackReference) for node in every_node(tree))


class Ends:
    """The ends of one expression's matches."""

    __slots__ = ("_ignore_case", "_programs", "_writer", "tree")

    def __init__(self, tree: Node, options: Options) -> None:
        self.tree = Concatenation([tree, _WORD_END]) if options.word else tree
        self._writer = RegexEmitter(options)
        self._ignore_case = "(?i)" if options.ignore_case else ""
        self._programs: dict[int, Any] = {}

    def last(self, text: str, start: int) -> int:
        """Return where the longest match from ``start`` on ends; -1 where there is none. Raises ``Stop`` where that takes too much."""
        size = _FIRST_WINDOW
        while True:
            window = _Window(self, text, start, min(size, len(text) - start))
            found = window.ends(self.tree, 1)
            if not window.is_cut:
                return start + found.bit_length() - 1 if found else -1
            size *= _GROWTH

    def program(self, node: Node) -> Any:
        """Return what finds the places of a character or an anchor."""
        program = self._programs.get(id(node))
        if program is None:
            text = f"(?!{self._writer.word()})" if node is _WORD_END else self._writer.emit(node)
            program = self._programs[id(node)] = compile_regex(self._ignore_case + text)
        return program


class _Window:
    """So many characters of a text from a place on. ``is_cut``: the match may go on behind them."""

    __slots__ = ("_expression", "_masks", "_size", "_start", "_text", "is_cut")

    def __init__(self, expression: Ends, text: str, start: int, size: int) -> None:
        self._expression = expression
        self._text = text
        self._start = start
        self._size = size
        self._masks: dict[int, int] = {}
        self.is_cut = False

    def ends(self, node: Node, starts: int) -> int:
        """Return the places where a node may end when it starts at any of ``starts``."""
        if not starts:
            return 0
        if isinstance(node, Char | Dot | Bracket):
            self._look_behind(starts)
            return (starts & self._mask(node)) << 1
        if isinstance(node, Concatenation):
            for part in node.parts:
                starts = self.ends(part, starts)
            return starts
        if isinstance(node, Alternation):
            found = 0
            for choice in node.choices:
                found |= self.ends(choice, starts)
            return found
        if isinstance(node, Group):
            return self.ends(node.body, starts)
        if isinstance(node, Repeat):
            return self._repeated(node, starts)
        assert isinstance(node, Anchor)
        return starts & self._mask(node)

    def _repeated(self, node: Repeat, starts: int) -> int:
        body, times = node.body, 0
        while times < node.least:
            pause()
            after = self.ends(body, starts)
            times = times + 1 if after != starts else node.least  # it goes on as it is
            starts = after
        if node.most is None and isinstance(body, Char | Dot | Bracket):
            # Adding carries each place to the end of its run of characters that fit.
            mask = self._mask(body)
            found = starts | (((starts & mask) + mask) ^ mask)
            self._look_behind(found)
            return found
        found = starts
        while starts and (node.most is None or times < node.most):
            pause()
            starts = self.ends(body, starts) & ~found
            found |= starts
            times += 1
        return found

    def _look_behind(self, starts: int) -> None:
        if starts >> self._size and self._start + self._size < len(self._text):
            self.is_cut = True

    def _mask(self, node: Node) -> int:
        """Return the places where a character or an anchor is."""
        mask = self._masks.get(id(node))
        if mask is not None:
            return mask
        if len(self._masks) * self._size > _MOST_BITS:
            raise Stop("regex", "a regular expression needs too much memory")
        stop = self._start + self._size
        # An anchor sees the character behind the window too.
        found = self._expression.program(node).finditer(self._text, self._start, stop + isinstance(node, Anchor))
        bits = bytearray(b"0") * (self._size + 1)
        for count, match in enumerate(found):
            if not count % EVERY:
                pause()
            if match.start() <= stop:
                bits[stop - match.start()] = 49
        mask = self._masks[id(node)] = int(bits, 2)
        return mask
