"""Version order of names with numbers (gnulib filevercmp, for ``sort -V`` and ``ls -v``)."""

from __future__ import annotations

from functools import cmp_to_key

from ...text import pause

_SUFFIX_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz~")
_DIGITS = frozenset(b"0123456789")
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def _prefix_length(name: bytes) -> int:
    """Return the length of a name without its suffix ``(\\.[A-Za-z~][A-Za-z0-9~]*)*``."""
    length = len(name)
    prefix = at = 0
    while True:
        while at + 1 < length and name[at] == _DOT and name[at + 1] in _SUFFIX_LETTERS:
            at += 2
            while at < length and (name[at] in _SUFFIX_LETTERS or name[at] in _DIGITS):
                at += 1
        if at >= length:
            return prefix
        at += 1
        prefix = at


_DOT = ord(".")


_TILDE = ord("~")


def _order(text: bytes, at: int) -> int:
    """Return the rank of a byte: ``~`` sorts before the end of the text, the end before digits, letters before others."""
    if at >= len(text):
        return -1
    byte = text[at]
    if byte in _DIGITS:
        return 0
    if byte in _LETTERS:
        return byte
    return -2 if byte == _TILDE else byte + 256


def _digits_end(text: bytes, at: int) -> int:
    """Return where the digits at a place end."""
    while at < len(text) and text[at] in _DIGITS:
        at += 1
    return at


def _compare(one: bytes, other: bytes) -> int:
    i = j = 0
    while i < len(one) or j < len(other):
        # Written out, since a call for each byte would make sort -V slower by a tenth.
        while (i < len(one) and one[i] not in _DIGITS) or (j < len(other) and other[j] not in _DIGITS):
            left, right = _order(one, i), _order(other, j)
            if left != right:
                return left - right
            i += 1
            j += 1
        start, begin = i, j
        i, j = _digits_end(one, i), _digits_end(other, j)
        # Without leading zeros the longer number is the larger one, so that no digits need to be parsed.
        first, second = one[start:i].lstrip(b"0"), other[begin:j].lstrip(b"0")
        if len(first) != len(second):
            return len(first) - len(second)
        if first != second:
            return -1 if first < second else 1
    return 0


def compare_versions(one: bytes, other: bytes) -> int:
    """Compare two names. Return 0 only for the same version."""
    pause()
    if not one or not other:
        return len(one) - len(other)
    hidden, other_hidden = one[0] == _DOT, other[0] == _DOT
    if hidden != other_hidden:
        return -1 if hidden else 1
    if hidden and one != other:
        # "." sorts before "..", and both before all other hidden names.
        for special in (b".", b".."):
            if one == special:
                return -1
            if other == special:
                return 1
    elif hidden and one in (b".", b".."):
        return 0
    left, right = _prefix_length(one), _prefix_length(other)
    order = _compare(one[:left], other[:right])
    if order or (left == len(one) and right == len(other)):
        return order
    return _compare(one, other)  # the suffixes decide only between names with equal prefixes


version_key = cmp_to_key(compare_versions)
