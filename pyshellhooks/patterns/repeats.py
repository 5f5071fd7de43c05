"""Limit on the size of a pattern with its repetitions unrolled, checked before compilation.

``regex.compile`` unrolls repetitions, without a timeout and with the GIL held: ``(?:x{65535}){65535}`` would stop the
host. It puts the required turns in front of the loop, so that ``+`` is two copies, ``{2}`` three, and twelve nested
``{2}`` are 531,441. A copy costs about 250 bytes and 0.6 us for each character or group; a bracket expression costs an
eighth of its length. PCRE and RE2 reject such patterns by their compiled size.
"""

from __future__ import annotations

import re

from ..text import pause
from .tree import PatternError

LARGEST = 200_000  # product of nested counts; PCRE2's link size allows about as much
HEAVIEST = 500_000  # characters and groups in total after unrolling: 125 MB, 0.3 s

_REPEAT = re.compile(r"[*+?]|\{(\d+)(?:(,)(\d*))?\}")


class _Group:
    """An open group: the largest product of counts in it so far, and its unrolled size."""

    __slots__ = ("product", "weight")

    def __init__(self) -> None:
        self.product = 1
        self.weight = 1


def check_repeats(pattern: str) -> None:
    """Raise ``PatternError``, with PCRE2's message, for more than ``LARGEST`` copies or ``HEAVIEST`` unrolled parts."""
    groups = [_Group()]
    product = weight = 1  # of the atom before the current position
    counted = False  # a repetition ends here: a following + or ? is its modifier
    at = 0
    size = len(pattern)
    while at < size:
        pause()
        char = pattern[at]
        match = _REPEAT.match(pattern, at)
        is_modifier = counted and char in "+?"  # possessive or lazy
        if match is not None and not is_modifier:
            times = _times(match)
            product *= times
            groups[-1].weight += weight * (times - 1)
            weight *= times
            if product > LARGEST or groups[-1].weight > HEAVIEST:
                raise PatternError("regular expression is too large", at)
            groups[-1].product = max(groups[-1].product, product)
            counted = True
            at = match.end()
            continue
        counted = False
        start = at
        at = _after_class(pattern, at) if char == "[" else at + 1 + (char == "\\")
        if char == "(":
            groups.append(_Group())
            product = weight = 1
            continue
        weight = 1 + (at - start) // 8
        if char == ")" and len(groups) > 1:
            closed = groups.pop()
            product, weight = closed.product, closed.weight
            groups[-1].product = max(groups[-1].product, product)
        elif match is None:
            product = 1
        groups[-1].weight += weight


def _times(repeat: re.Match[str]) -> int:
    least, comma, most = repeat.groups()
    if least is None:
        return 2 if repeat[0] == "+" else 1
    copies = int(least)
    is_open = comma is not None and not most
    if copies > 1 or is_open:
        copies += 1
    return max(copies, int(most or 0), 1)


def _after_class(pattern: str, start: int) -> int:
    at = start + 1
    if pattern[at : at + 1] == "^":
        at += 1
    if pattern[at : at + 1] == "]":
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1
