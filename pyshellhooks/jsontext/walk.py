"""A scan of JSON of any depth, without recursion.

The C scanner fails on JSON that nests deeper than the interpreter's stack. A model could hide a command from a guard
behind such an input, and a log could hide a deny; so this slower scan takes over if the scanner fails.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r'[ \t\r\n]*(?:([{}\[\],:])|(")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null))'
)
# A part of a string: one match of a whole long string would not let other threads run.
_CHARACTERS = re.compile(r'(?>[^"\\\x00-\x1f]{1,4096}+|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,4096}+')

# The token that may come next.
_VALUE, _VALUE_OR_END, _KEY, _KEY_OR_END, _COLON, _AFTER = range(6)


def skip(text: str, start: int, until: int | None = None) -> tuple[int, bool]:
    """Return the end of the value that begins at ``start`` and True, or the place of its first error and False.

    A value that extends beyond ``until`` counts as an error.
    """
    stack: list[str] = []
    expected = _VALUE
    at = start
    while True:
        token = _TOKEN.match(text, at)
        if token is None or (until is not None and at > until):
            return at, False
        sign, string, _ = token.groups()
        end = token.end()
        if string is not None:
            end = _string_end(text, end)
            if end < 0:
                return at, False
        following: int | None = None
        if sign is not None:
            following = _sign(sign, expected, stack)
        elif string is not None and expected in (_KEY, _KEY_OR_END):
            following = _COLON
        elif expected in (_VALUE, _VALUE_OR_END):
            following = _AFTER
        if following is None:
            return at, False
        expected = following
        at = end
        if not stack and expected == _AFTER:
            return at, True


def _string_end(text: str, at: int) -> int:
    """Return the end of the string whose characters begin at ``at``; -1 if it is invalid or not closed."""
    while True:
        end = _CHARACTERS.match(text, at).end()  # type: ignore[union-attr]
        if text.startswith('"', end):
            return end + 1
        if end == at:
            return -1
        at = end


def _sign(sign: str, expected: int, stack: list[str]) -> int | None:
    """Process one of ``{}[],:``; return the token that may come next, or None if it is invalid here."""
    if sign in "{[":
        if expected not in (_VALUE, _VALUE_OR_END):
            return None
        closing, following = ("}", _KEY_OR_END) if sign == "{" else ("]", _VALUE_OR_END)
        stack.append(closing)
        return following
    if sign == ":":
        return _VALUE if expected == _COLON else None
    if not stack:
        return None
    if sign == ",":
        if expected != _AFTER:
            return None
        return _KEY if stack[-1] == "}" else _VALUE
    may_end = expected in (_AFTER, _KEY_OR_END, _VALUE_OR_END)
    if not may_end or stack[-1] != sign:
        return None
    stack.pop()
    return _AFTER
