"""A bound on repetition counts, before an engine sees them.

``regex.compile`` takes time in proportion to the product of nested counts, without a timeout and with the GIL held:
``(?:x{65535}){65535}`` would stop the host. PCRE and RE2 refuse such patterns by their compiled size.
"""

from __future__ import annotations

import re

from ..text import pause
from .regex_nodes import PatternError

LARGEST = 200_000  # product of nested counts; PCRE2's own link size allows about as much

_COUNT = re.compile(r"\{(\d+)(?:,(\d*))?\}")


def check_repeats(pattern: str) -> None:
    """Refuse a pattern whose nested counts multiply to more than ``LARGEST``; ``PatternError`` in PCRE2's words."""
    inner = [1]  # per open group: the largest product in it so far
    last = 1  # the product of the atom before the current place
    at = 0
    size = len(pattern)
    while at < size:
        pause()
        char = pattern[at]
        if char == "\\":
            at += 2
            last = 1
            continue
        if char == "[":
            at = _after_class(pattern, at)
            last = 1
            continue
        if char == "(":
            inner.append(1)
        elif char == ")" and len(inner) > 1:
            last = inner.pop()
            inner[-1] = max(inner[-1], last)
        elif char == "{" and (found := _COUNT.match(pattern, at)):
            count = max(int(found[1]), int(found[2] or 0), 1)
            last *= count
            if last > LARGEST:
                raise PatternError("regular expression is too large", at)
            inner[-1] = max(inner[-1], last)
            at = found.end()
            continue
        elif char not in "*+?":
            last = 1
        at += 1


def _after_class(pattern: str, start: int) -> int:
    at = start + 1
    if pattern[at : at + 1] == "^":
        at += 1
    if pattern[at : at + 1] == "]":
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1
