"""Search for the end of the longest match of a POSIX expression (POSIX XBD 9.1) without RE2.

The ``regex`` module returns the first match in Perl's order, which may be shorter: of ``()|.`` it takes the empty text.
Here all ends are computed at once. A set of positions is the bits of an ``int``, and a node maps the positions where it
may begin to those where it may end: at any nesting, the time is at most quadratic in the text. Back-references are not
supported.
"""

from __future__ import annotations

from typing import Any

from ..errors import Stop
from ..text import EVERY, pause
from .emit import Options, RegexEmitter
from .timed_regex import compile_regex
from .tree import (
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
_MOST_BITS = 1 << 30  # of the cached sets of one window
_WORD_END = Anchor(">")  # the condition of ``grep -w`` at the end of the match


def is_certain(tree: Node) -> bool:
    """Return whether all matches at a position have the same length: no alternatives, and no variable repetition."""
    for node in every_node(tree):
        if isinstance(node, Alternation):
            return False
        if isinstance(node, Repeat) and node.least != node.most:
            return False
    return True


def has_back_reference(tree: Node) -> bool:
    """Return whether a tree has a back-reference."""
    return any(isinstance(node, BackReference) for node in every_node(tree))


class Ends:
    """Search for the ends of one expression's matches."""

    __slots__ = ("_ignore_case", "_programs", "_writer", "tree")

    def __init__(self, tree: Node, options: Options) -> None:
        self.tree = Concatenation([tree, _WORD_END]) if options.word else tree
        self._writer = RegexEmitter(options)
        self._ignore_case = "(?i)" if options.ignore_case else ""
        self._programs: dict[int, Any] = {}

    def last(self, text: str, start: int) -> int:
        """Return the end of the longest match at ``start``, or -1. Raise ``Stop`` for too much time or memory."""
        size = _FIRST_WINDOW
        while True:
            window = _Window(self, text, start, min(size, len(text) - start))
            found = window.ends(self.tree, 1)
            if window.is_cut:
                size *= _GROWTH
                continue
            if not found:
                return -1
            return start + found.bit_length() - 1

    def program(self, node: Node) -> Any:
        """Return a program that finds the positions of a character or an anchor."""
        program = self._programs.get(id(node))
        if program is None:
            if node is _WORD_END:
                text = f"(?!{self._writer.word()})"
            else:
                text = self._writer.emit(node)
            program = self._programs[id(node)] = compile_regex(self._ignore_case + text)
        return program


class _Window:
    """A part of a text: ``size`` characters from ``start`` on. ``is_cut``: a match may continue after it."""

    __slots__ = ("_expression", "_masks", "_size", "_start", "_text", "is_cut")

    def __init__(self, expression: Ends, text: str, start: int, size: int) -> None:
        self._expression = expression
        self._text = text
        self._start = start
        self._size = size
        self._masks: dict[int, int] = {}
        self.is_cut = False

    def ends(self, node: Node, starts: int) -> int:
        """Return the positions where a node may end if it starts at any of ``starts``."""
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
            ends = 0
            for choice in node.choices:
                ends |= self.ends(choice, starts)
            return ends
        if isinstance(node, Group):
            return self.ends(node.body, starts)
        if isinstance(node, Repeat):
            return self._repeated(node, starts)
        assert isinstance(node, Anchor)
        return starts & self._mask(node)

    def _repeated(self, node: Repeat, starts: int) -> int:
        body, times = node.body, node.least
        for _ in range(node.least):
            pause()
            after = self.ends(body, starts)
            if after == starts:
                break  # further turns change nothing
            starts = after
        if node.most is None and isinstance(body, Char | Dot | Bracket):
            # The addition carries each position to the end of its run of matching characters.
            mask = self._mask(body)
            found = starts | (((starts & mask) + mask) ^ mask)
            self._look_behind(found)
            return found
        found = starts
        while starts:
            if node.most is not None and times >= node.most:
                break
            pause()
            starts = self.ends(body, starts) & ~found
            found |= starts
            times += 1
        return found

    def _look_behind(self, starts: int) -> None:
        if starts >> self._size and self._start + self._size < len(self._text):
            self.is_cut = True

    def _mask(self, node: Node) -> int:
        """Return the positions of a character or an anchor."""
        mask = self._masks.get(id(node))
        if mask is not None:
            return mask
        if len(self._masks) * self._size > _MOST_BITS:
            raise Stop("regex", "a regular expression needs too much memory")
        stop = self._start + self._size
        # An anchor depends on the character after the window, too.
        found = self._expression.program(node).finditer(self._text, self._start, stop + isinstance(node, Anchor))
        bits = bytearray(b"0") * (self._size + 1)
        for count, match in enumerate(found):
            if not count % EVERY:
                pause()
            if match.start() <= stop:
                bits[stop - match.start()] = 49
        mask = self._masks[id(node)] = int(bits, 2)
        return mask
