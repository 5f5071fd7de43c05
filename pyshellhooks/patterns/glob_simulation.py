"""Matching of extended globs without backtracking: a simulation with sets of positions.

A set of positions in the text is the bits of an ``int``; an item maps the positions where it may start to those where
it may end. That is linear in the pattern for each pass over the text, at any nesting: no input takes exponential time.
``!(...)`` is the only item that is evaluated for each start separately; its results are cached.
"""

from __future__ import annotations

from collections.abc import Callable

from ..text import Spelling, pause, translated
from .charclass import CharSet
from .glob_syntax import ANY, STAR, Extended, Item, Sequence

Check = Callable[[], None]


class Simulation:
    """The simulation of patterns on one text.

    ``guard_dot``: the first character is a dot that only a literal may match (a leading dot in pathname expansion).
    """

    __slots__ = ("_all", "_check", "_masks", "_negations", "_size", "_text")

    def __init__(self, text: str, check: Check | None, guard_dot: bool = False) -> None:
        self._text = text
        self._size = len(text)
        self._all = (1 << len(text)) - 1  # positions of characters
        if guard_dot:
            self._all &= ~1
        self._check = check or pause
        self._masks: dict[object, int] = {}
        self._negations: dict[tuple[int, int], int] = {}

    def ends(self, items: Sequence, starts: int) -> int:
        """Return the positions where the items may end if they start at any of ``starts``."""
        for item in items:
            if not starts:
                break
            starts = self._step(item, starts)
        return starts

    def _step(self, item: Item, starts: int) -> int:
        if isinstance(item, str):
            return self._literal(item, starts)
        if item is STAR:
            if self._all & 1 or not starts & 1 or not self._size:
                return self._all_from_lowest(starts)
            return self._all_from_lowest(starts & ~1) | 1  # the guarded dot
        if item is ANY:
            return (starts & self._all) << 1
        if isinstance(item, CharSet):
            return (starts & self._mask(item, item.has) & self._all) << 1
        assert isinstance(item, Extended)
        return self._extended(item, starts)

    def _all_from_lowest(self, starts: int) -> int:
        if not starts:
            return 0
        lowest = starts & -starts
        return ((1 << (self._size + 1)) - 1) & ~(lowest - 1)

    def _literal(self, literal: str, starts: int) -> int:
        if starts & (starts - 1) == 0:
            at = starts.bit_length() - 1
            if not self._text.startswith(literal, at):
                return 0
            return starts << len(literal)
        for char in literal:
            starts = (starts & self._mask(char, char.__eq__)) << 1
        return starts

    def _mask(self, key: object, wanted: Callable[[str], bool]) -> int:
        mask = self._masks.get(key)
        if mask is None:
            # Parsing in base 2 takes linear time, setting one bit after another quadratic time.
            bits = translated(self._text[::-1], Spelling(lambda char: "1" if wanted(char) else "0"))
            mask = self._masks[key] = int(bits or "0", 2)
        return mask

    def _extended(self, item: Extended, starts: int) -> int:
        self._check()
        operator = item.operator
        if operator == "!":
            return self._negation(item, starts)
        once = self._any_of(item, starts)
        if operator == "@":
            return once
        if operator == "?":
            return once | starts
        reached = once
        if operator == "*":
            reached |= starts
        fresh = once
        while fresh:
            self._check()
            fresh = self._any_of(item, fresh) & ~reached
            reached |= fresh
        return reached

    def _any_of(self, item: Extended, starts: int) -> int:
        ends = 0
        for alternative in item.alternatives:
            ends |= self.ends(alternative, starts)
        return ends

    def _negation(self, item: Extended, starts: int) -> int:
        ends = 0
        while starts:
            start = starts & -starts
            starts ^= start
            key = (id(item), start.bit_length())
            found = self._negations.get(key)
            if found is None:
                self._check()
                reachable = self._step(STAR, start)
                found = self._negations[key] = reachable & ~self._any_of(item, start)
            ends |= found
        return ends


def reverse(items: Sequence) -> Sequence:
    """Return a pattern that matches the reversed texts."""
    return tuple(_reverse_item(item) for item in reversed(items))


def _reverse_item(item: Item) -> Item:
    if isinstance(item, str):
        return item[::-1]
    if isinstance(item, Extended):
        return Extended(item.operator, tuple(reverse(a) for a in item.alternatives))
    return item
