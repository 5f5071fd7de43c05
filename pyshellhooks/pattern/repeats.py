"""A bound on repetition counts, before an engine sees them.

``regex.compile`` takes time in proportion to the product of nested counts, without a timeout and with the GIL held:
``(?:x{65535}){65535}`` would stop the host. It writes what must be there at least once in front of the loop of
``+`` and ``{1,}`` too, which is one count more. PCRE and RE2 refuse such patterns by their compiled size.
"""

from __future__ import annotations

import re

from ..text import pause
from .regex_nodes import PatternError

LARGEST = 200_000  # product of nested counts; PCRE2's own link size allows about as much

_REPEAT = re.compile(r"[*+?]|\{(\d+)(?:(,)(\d*))?\}")


def check_repeats(pattern: str) -> None:
    """Refuse a pattern whose nested counts multiply to more than ``LARGEST``; ``PatternError`` in PCRE2's words."""
    inner = [1]  # per open group: the largest product in it so far
    last = 1  # the product of the atom before the current place
    counted = False  # a repetition ends at the current place: a + or ? behind it is no other one
    at = 0
    size = len(pattern)
    while at < size:
        pause()
        char = pattern[at]
        found = _REPEAT.match(pattern, at)
        if found is not None and not (counted and char in "+?"):
            last *= _times(found)
            if last > LARGEST:
                raise PatternError("regular expression is too large", at)
            inner[-1] = max(inner[-1], last)
            counted = True
            at = found.end()
            continue
        counted = False
        if char == "(":
            inner.append(1)
        if char == ")" and len(inner) > 1:
            last = inner.pop()
            inner[-1] = max(inner[-1], last)
        elif found is None:
            last = 1
        at = _after_class(pattern, at) if char == "[" else at + 1 + (char == "\\")


def _times(repeat: re.Match[str]) -> int:
    least, comma, most = repeat.groups()
    if least is None:
        return 2 if repeat[0] == "+" else 1
    return max(int(least) + (comma is not None and not most), int(most or 0), 1)


def _after_class(pattern: str, start: int) -> int:
    at = start + 1
    if pattern[at : at + 1] == "^":
        at += 1
    if pattern[at : at + 1] == "]":
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1
