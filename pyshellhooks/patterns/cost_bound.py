"""Proof that ``re`` may run a pattern: a bound of its cost on data of a given length, computed from the tree.

``re`` backtracks, and holds the GIL while it does. A provable pattern is a sequence of characters, sets, anchors,
repetitions of a fixed text, and alternatives of fixed texts: then the worst case is a polynomial of known degree, and
``longest`` is the length of data up to which it takes at most a few million steps. All other patterns need a linear
engine.
"""

from __future__ import annotations

from ..text import paced
from .ranges import ASCII_RANGES, mask_of
from .tree import Alternation, Anchor, Bracket, Char, Concatenation, Dot, Group, Node, Repeat

_STEPS = 2_000_000
_MOST_WAYS = 64
_MOST_LENGTH = 512
_MOST_STARTS = 16
_ALL = (1 << 256) - 1
_UNBOUNDED = 1 << 62


class NotHarmlessError(Exception):
    """The pattern can't be proven harmless."""


class Profile:
    """The result of a proof.

    ``longest``: bytes of data that may be searched. ``exact``: its leftmost-first match, including groups, is the
    leftmost-longest one.
    """

    __slots__ = ("exact", "longest")

    def __init__(self, longest: int, exact: bool) -> None:
        self.longest = longest
        self.exact = exact


class _Element:
    """One step of the sequence: alternatives of fixed texts (sets as bit masks), repeated."""

    __slots__ = ("choices", "least", "most")

    def __init__(self, choices: list[list[int]], least: int = 1, most: int | None = 1) -> None:
        self.choices = choices
        self.least = least
        self.most = most

    @property
    def variable(self) -> bool:
        return self.least != self.most

    def first(self) -> int:
        mask = 0
        for choice in self.choices:
            mask |= choice[0] if choice else _ALL
        return mask

    def mandatory(self) -> bool:
        return self.least > 0 and all(self.choices)


class _Place:
    """An anchor, or the start of a group, in the sequence."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind


def profile(tree: Node, *, ignore_case: bool, multiline: bool, followed: bool = False) -> Profile | None:
    """Prove a pattern harmless, or return None. ``followed``: a condition will follow the pattern (``grep -w``)."""
    try:
        sequence = _sequence(tree, ignore_case)
        if followed:
            sequence.append(_Place(">"))
        return _judge(sequence, multiline)
    except NotHarmlessError:
        return None


def _judge(sequence: list[_Element | _Place], multiline: bool) -> Profile:
    length = variable = 0
    ways = 1
    exclusive_all = same_length_all = True
    for element in sequence:
        if isinstance(element, _Place):
            continue
        length += max(map(len, element.choices)) * max(element.least, 1)
        variable += element.variable
        if len(element.choices) > 1:
            same_length_all &= len({len(choice) for choice in element.choices}) == 1
            if not _exclusive(element.choices):
                exclusive_all = False
                ways *= len(element.choices)
    repetitions = _Repetitions(sequence)
    ways *= repetitions.ways
    if ways > _MOST_WAYS or length > _MOST_LENGTH:
        raise NotHarmlessError
    degree = repetitions.degree
    if not _is_anchored(sequence, multiline):
        degree += 1  # the search begins at each position
    steps = _STEPS // (repetitions.starts * ways * (1 + length // 16))
    if degree <= 1:
        # The steps of a single pass are fast: 16 million of them hold the GIL for a tenth of a second.
        longest = 8 * steps // _weight(sequence)
    else:
        longest = int(steps ** (1 / degree))
    one_choice = variable == 1 and same_length_all
    return Profile(longest, exclusive_all and (repetitions.decided or one_choice))


class _Repetitions:
    """The cost of the repetitions of a sequence.

    ``degree``: how many of them multiply the cost by the length of the data. ``ways``: the number of ways in which the
    short others may match. ``starts``: the factor by which those that are decided add passes. ``decided``: the next
    character always decides how often each is repeated.
    """

    __slots__ = ("decided", "degree", "starts", "ways")

    def __init__(self, sequence: list[_Element | _Place]) -> None:
        self.degree = 0
        self.ways = self.starts = 1
        self.decided = True
        has_runs = False
        for at, element in enumerate(sequence[:-1]):  # nothing after the last one can fail, so it never backtracks
            if isinstance(element, _Place) or not element.variable:
                continue
            if not _decided(sequence, at):
                self._add_undecided(element)
                continue
            starts = _starts(sequence, at)
            if starts <= _MOST_STARTS:
                self.starts = starts
            else:
                has_runs = True
        self.degree += has_runs

    def _add_undecided(self, element: _Element) -> None:
        self.decided = False
        if element.most is None or element.most - element.least > 3:
            self.degree += 1
        else:
            self.ways *= element.most - element.least + 1


def _is_anchored(sequence: list[_Element | _Place], multiline: bool) -> bool:
    """Return whether a pattern can match only at the start of the text."""
    for item in sequence:
        if isinstance(item, _Element):
            return False
        if item.kind == "(":
            continue
        return item.kind == "`" or (item.kind == "^" and not multiline)
    return False


def _weight(sequence: list[_Element | _Place]) -> int:
    """Return the factor by which sets, choices, groups and anchors may slow down a pass, compared with letters."""
    weight = 0
    for element in sequence:
        if isinstance(element, _Place):
            weight += 1 if element.kind == "(" else 2
            continue
        has_sets = any(mask & (mask - 1) for mask in element.choices[0])  # more than one bit
        if has_sets or len(element.choices) > 1:
            weight += max(map(len, element.choices)) * max(element.least, 1)
    return min(max(weight // 2, 1), 16)


def _decided(sequence: list[_Element | _Place], at: int) -> bool:
    """Return whether the next character always decides if the repetition continues."""
    element = sequence[at]
    assert isinstance(element, _Element)
    for following in sequence[at + 1 :]:
        if isinstance(following, _Element):
            return following.mandatory() and not following.first() & element.first()
    return True


def _starts(sequence: list[_Element | _Place], at: int) -> int:
    """Return from how many start positions a search may visit one character of a repetition.

    They are few if no match can start with a character of the repetition: then a match that visits it starts in the
    text of fixed length before the repetition. So ``id=[0-9]+x`` takes one pass.
    """
    before = [element for element in sequence[:at] if isinstance(element, _Element)]
    element = sequence[at]
    assert isinstance(element, _Element)
    taken = 0
    for choice in element.choices:
        for mask in choice:
            taken |= mask
    if not before or any(place.variable for place in before):
        return _UNBOUNDED
    if not before[0].mandatory() or before[0].first() & taken:
        return _UNBOUNDED
    return sum([max(map(len, place.choices)) * place.least for place in before])


def _exclusive(choices: list[list[int]]) -> bool:
    if len(choices) > 24:
        return False
    for at, choice in enumerate(choices):
        for other in choices[at + 1 :]:
            if all(a & b for a, b in zip(choice, other, strict=False)):
                return False
    return True


def _sequence(node: Node, ignore_case: bool) -> list[_Element | _Place]:
    if isinstance(node, Concatenation):
        out: list[_Element | _Place] = []
        for part in paced(node.parts):
            out += _sequence(part, ignore_case)
        return out
    if isinstance(node, Group):
        return [_Place("("), *_sequence(node.body, ignore_case)]
    if isinstance(node, Anchor):
        return [_Place(node.kind)]
    if isinstance(node, Alternation):
        return [_Element([_fixed(choice, ignore_case) for choice in node.choices])]
    if isinstance(node, Repeat):
        return _repeated(node, ignore_case)
    return [_Element([[_mask(node, ignore_case)]])]


def _repeated(node: Repeat, ignore_case: bool) -> list[_Element | _Place]:
    if node.least == node.most:
        sequence = _sequence(node.body, ignore_case)
        if len(sequence) * node.least > _MOST_LENGTH:
            raise NotHarmlessError
        return sequence * node.least
    body = _fixed(node.body, ignore_case)
    if not body or node.least > 64:
        raise NotHarmlessError
    return [_Element([body], node.least, node.most)]


def _fixed(node: Node, ignore_case: bool) -> list[int]:
    """Return the masks of a text of fixed length. Raise ``NotHarmlessError`` for any other node."""
    if isinstance(node, Concatenation):
        out: list[int] = []
        for part in paced(node.parts):
            out += _fixed(part, ignore_case)
        return out
    if isinstance(node, Group):
        return _fixed(node.body, ignore_case)
    return [_mask(node, ignore_case)]


def _mask(node: Node, ignore_case: bool) -> int:
    """Return the set of bytes that a single-character node may match in ASCII data; it may be too large."""
    if isinstance(node, Dot):
        return _ALL
    if isinstance(node, Char):
        mask = _bit(node.char)
        return _both_cases(mask) if ignore_case else mask
    if not isinstance(node, Bracket):
        raise NotHarmlessError
    mask = 0
    for char in node.chars:
        mask |= _bit(char)
    for low, high in node.ranges:
        mask |= mask_of(((ord(low), ord(high)),))
    for name in node.classes:
        mask |= mask_of(ASCII_RANGES[name])
    if ignore_case:
        mask = _both_cases(mask)
    return _ALL & ~mask if node.negated else mask


def _bit(char: str) -> int:
    if char > "\xff":  # it never occurs in ASCII data, nor in data of bytes
        return 0
    return 1 << ord(char)


def _both_cases(mask: int) -> int:
    upper = mask & mask_of(ASCII_RANGES["upper"])
    lower = mask & mask_of(ASCII_RANGES["lower"])
    return mask | upper << 32 | lower >> 32
