"""Search with ``machine``: the positions where a match may begin, and the selection of a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import nodes
from .machine import LENGTHS, Chars, State
from .nodes import Node, Pattern
from .program import assemble, chars_of
from .subject import Spans, Subject

if TYPE_CHECKING:
    from ....cancel import CancelScope


class Finder:
    """Search that tries the machine at each position. ``longest``: find the first of the longest matches."""

    __slots__ = ("_first", "_groups", "_initial", "_keep", "_longest", "_machine", "_not_empty")

    def __init__(self, pattern: Pattern, not_empty: bool, longest: bool) -> None:
        self._machine = assemble(pattern)
        self._groups = pattern.groups
        self._not_empty = not_empty
        self._longest = longest
        self._keep = 2 * pattern.groups + 2
        others = self._machine.registers - self._keep - 2
        self._initial: list[Any] = [-1] * self._keep + [None, None] + [0] * others
        self._first = None if not_empty else first_bytes(pattern.tree)

    def test(self, text: str, scope: CancelScope | None) -> bool:
        """Return whether there is a match."""
        return self.search(Subject(text), 0, scope) is not None

    def search(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        """Return the spans of the first match from a position on."""
        if self._longest:
            return self._search_longest(subject, start, scope)
        for at in self._places(subject.data, start, scope):
            match = self.match(subject, at, start, scope)
            if match is not None:
                return match
        return None

    def _search_longest(self, subject: Subject, start: int, scope: CancelScope | None) -> Spans | None:
        best: Spans | None = None
        length = -1
        for at in self._places(subject.data, start, scope):

            def accept(state: State, end: int, at: int = at) -> bool:
                nonlocal best, length
                self._keep_up(state)
                if end - at > length and not (self._not_empty and end == at):
                    length = end - at
                    best = self._spans(state, end)
                return False

            self._machine.attempt(self._state(subject, at, start, scope), at, accept)
        return best

    def match(self, subject: Subject, at: int, origin: int, scope: CancelScope | None) -> Spans | None:
        """Match at one position. ``origin``: the start of the search."""
        end = -1

        def accept(state: State, place: int) -> bool:
            nonlocal end
            end = place
            self._keep_up(state)
            return not (self._not_empty and place == at)

        state = self._state(subject, at, origin, scope)
        if not self._machine.attempt(state, at, accept):
            return None
        return self._spans(state, end)

    def _state(self, subject: Subject, at: int, origin: int, scope: CancelScope | None) -> State:
        return State(subject.data, at, origin, self._initial.copy(), _never if scope is None else scope.check)

    def _keep_up(self, state: State) -> None:
        # The \K of a rejected match sets the start of the next one.
        begin = state.registers[self._keep]
        if begin is not None:
            state.keep = begin

    def _spans(self, state: State, end: int) -> Spans:
        registers = state.registers
        spans = [(min(state.keep, end), end)]
        for at in range(2, 2 * self._groups + 2, 2):
            spans.append((registers[at], registers[at + 1]) if registers[at + 1] >= 0 else (-1, -1))
        return spans

    def _places(self, data: bytes, start: int, scope: CancelScope | None) -> Iterator[int]:
        at, size = start, len(data)
        inside = start  # up to here each byte is a position
        while inside < size and data[inside] & 0xC0 == 0x80:
            inside += 1
        turns = 0
        while at <= size:
            if self._first is not None:
                found = self._first(data, at)
                if found is None:
                    return
                at = found.start()
                if at > inside and data[at] & 0xC0 == 0x80:
                    at += 1
                    continue
            yield at
            if at >= size:
                return
            at += LENGTHS[data[at]]
            turns += 1
            if not turns & 15 and scope is not None:
                scope.check()


def _never() -> None:
    pass


class _Firsts:
    """The first bytes of possible matches, as a bit mask."""

    def __init__(self) -> None:
        self.mask = 0

    def add(self, node: Node) -> bool | None:
        """Add a node's first bytes; return whether the node may match the empty text, None if unknown."""
        if isinstance(node, nodes.Text):
            data = node.text.encode("utf-8", "surrogatepass")
            self.mask |= 1 << data[0] if data else 0
            return not data
        if isinstance(node, nodes.Set | nodes.Dot):
            chars: Chars = chars_of(node)
            self.mask |= sum(1 << byte for byte in range(256) if chars.table[byte])
            return False
        if isinstance(node, nodes.Sequence):
            for part in node.parts:
                empty = self.add(part)
                if not empty:
                    return empty
            return True
        if isinstance(node, nodes.Choice):
            empties = [self.add(choice) for choice in node.choices]
            return None if None in empties else any(empties)
        if isinstance(node, nodes.Group | nodes.Atomic):
            return self.add(node.body)
        if isinstance(node, nodes.Repeat):
            if not node.most:
                return True
            empty = self.add(node.body)
            return None if empty is None else empty or not node.least
        if isinstance(node, nodes.Place | nodes.Look | nodes.Callout):
            return True
        return None


def first_bytes(tree: Node) -> Callable[[bytes, int], re.Match[bytes] | None] | None:
    """Return a search for the first byte of a match; None if a match may be empty or begin with almost any byte."""
    firsts = _Firsts()
    if firsts.add(tree) is not False or firsts.mask.bit_count() > 240:
        return None
    members = "".join([f"\\x{byte:02x}" for byte in range(256) if firsts.mask >> byte & 1])
    if members:
        return re.compile(f"[{members}]".encode()).search
    return re.compile(b"(?!)").search
