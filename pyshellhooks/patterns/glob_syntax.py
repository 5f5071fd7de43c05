"""Parser of shell patterns (POSIX XCU 2.13; bash manual 3.5.8.1 for the extended ones).

A pattern text has its quoted characters escaped by backslashes. It becomes a sequence of items: a literal ``str``,
``ANY``, ``STAR``, a ``CharSet``, or an ``Extended`` group.
"""

from __future__ import annotations

from itertools import pairwise

from ..regexes import lazy_pattern
from ..text import EVERY, pause
from .case_mapping import lower
from .charclass import GLOB_CLASSES, CharSet, Predicate


class Wildcard:
    """``?`` or ``*``: one of the two objects below, compared by identity."""

    __slots__ = ()


ANY = Wildcard()
STAR = Wildcard()


class Extended:
    """``op(alternative|alternative)``; each alternative is a sequence of items."""

    __slots__ = ("alternatives", "operator")

    def __init__(self, operator: str, alternatives: tuple[Sequence, ...]) -> None:
        self.operator = operator
        self.alternatives = alternatives


Item = str | Wildcard | CharSet | Extended
Sequence = tuple[Item, ...]

_PLAIN = lazy_pattern(r"[^\\*?\[+@!]+")
_MAX_DEPTH = 100
# Each unclosed bracket costs a scan to the end; after so many of them ``[`` is a literal.
MAX_UNCLOSED = 32


def parse_glob(pattern: str, extglob: bool, ignore_case: bool) -> Sequence:
    """Parse a whole pattern. Never fails: malformed parts are literals."""
    return _parse(pattern, extglob, ignore_case, 0)


def _parse(pattern: str, extglob: bool, ignore_case: bool, depth: int) -> Sequence:
    items: list[Item] = []
    literal: list[str] = []

    def add(item: Item) -> None:
        if literal:
            items.append("".join(literal))
            literal.clear()
        if item is STAR and items and items[-1] is STAR:
            return  # two stars match the same texts as one
        items.append(item)

    groups: dict[int, list[int]] = {}
    if extglob and "(" in pattern and depth < _MAX_DEPTH:
        groups = _groups(pattern)
    at, size = 0, len(pattern)
    unclosed = 0
    turns = 0
    while at < size:
        turns += 1
        if not turns % EVERY:
            pause()
        plain = _PLAIN.match(pattern, at)
        if plain is not None and not ignore_case:
            literal.append(plain.group())
            at = plain.end()
            continue
        char = pattern[at]
        at += 1
        if at in groups and char in "?*+@!":
            cuts = groups[at]
            texts = [pattern[left + 1 : right] for left, right in pairwise(cuts)]
            add(Extended(char, tuple(_parse(text, extglob, ignore_case, depth + 1) for text in texts)))
            at = cuts[-1] + 1
        elif char == "*":
            add(STAR)
        elif char == "?":
            add(ANY)
        elif char == "[":
            bracket = parse_bracket(pattern, at, ignore_case) if unclosed < MAX_UNCLOSED else None
            # A bracket that is not closed is a literal one (POSIX XCU 2.13.1).
            if bracket is None:
                unclosed += 1
                literal.append("[")
            else:
                at = bracket[1]
                add(bracket[0])
        else:
            if char == "\\" and at < size:
                char = pattern[at]
                at += 1
            literal.append(lower(char) if ignore_case else char)
    if literal:
        items.append("".join(literal))
    return tuple(items)


def _groups(pattern: str) -> dict[int, list[int]]:
    """Return the closed groups: from the position of each opening parenthesis to those of it, its bars and its end."""
    closed: dict[int, list[int]] = {}
    open_groups: list[list[int]] = []
    at, size = 0, len(pattern)
    unclosed = 0
    while at < size:
        pause()
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[" and unclosed < MAX_UNCLOSED:
            bracket = parse_bracket(pattern, at + 1, False)
            if bracket is not None:
                at = bracket[1] - 1
            else:
                unclosed += 1
        elif char == "(" and at and pattern[at - 1] in "?*+@!":
            open_groups.append([at])
        elif char == "|" and open_groups:
            open_groups[-1].append(at)
        elif char == ")" and open_groups:
            group = open_groups.pop()
            closed[group[0]] = [*group, at]
        at += 1
    return closed


def parse_bracket(pattern: str, at: int, ignore_case: bool) -> tuple[CharSet, int] | None:
    """Parse a bracket expression after ``[``; return the set and the position after ``]``, None if it is not closed."""
    size = len(pattern)
    negated = at < size and pattern[at] in "!^"
    if negated:
        at += 1
    chars: set[str] = set()
    ranges: list[tuple[str, str]] = []
    predicates: list[Predicate] = []
    first = True
    while at < size:
        pause()
        if pattern[at] == "]" and not first:
            return CharSet(frozenset(chars), tuple(ranges), tuple(predicates), negated, ignore_case), at + 1
        first = False
        if pattern.startswith("[:", at):
            end = pattern.find(":]", at + 2)
            name = pattern[at + 2 : end]
            if end > 0 and name.isalnum():
                # An unknown class matches nothing, as in bash.
                if name in GLOB_CLASSES:
                    predicates.append(GLOB_CLASSES[name])
                at = end + 2
                continue
        low, at = _bracket_char(pattern, at)
        # A hyphen at the end of the bracket is a character like others.
        if at + 1 < size and pattern[at] == "-" and pattern[at + 1] != "]":
            high, at = _bracket_char(pattern, at + 1)
            if low and high:
                ranges.append((low, high))
        elif low:
            chars.add(low)
    return None


def _bracket_char(pattern: str, at: int) -> tuple[str, int]:
    char = pattern[at]
    if char not in "\\[":
        return char, at + 1
    following = pattern[at + 1 : at + 2]
    if char == "\\" and following:
        return following, at + 2
    if char == "[" and following in (".", "="):
        end = pattern.find(following + "]", at + 3)
        if end > 0:
            symbol = pattern[at + 2 : end]
            if len(symbol) != 1:
                symbol = ""  # C.UTF-8 has no longer collating elements
            return symbol, end + 2
    return char, at + 1
