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
        while at + 1 < length and name[at] == 46 and name[at + 1] in _SUFFIX_LETTERS:
            at += 2
            while at < length and (name[at] in _SUFFIX_LETTERS or name[at] in _DIGITS):
                at += 1
        if at >= length:
            return prefix
        at += 1
        prefix = at


def _order(text: bytes, at: int) -> int:
    if at >= len(text):
        return -1
    byte = text[at]
    if byte in _DIGITS:
        return 0
    if byte in _LETTERS:
        return byte
    if byte == 126:
        return -2
    return byte + 256


def _compare(one: bytes, other: bytes) -> int:
    i = j = 0
    while i < len(one) or j < len(other):
        while (i < len(one) and one[i] not in _DIGITS) or (j < len(other) and other[j] not in _DIGITS):
            left, right = _order(one, i), _order(other, j)
            if left != right:
                return left - right
            i += 1
            j += 1
        start, begin = i, j
        while i < len(one) and one[i] in _DIGITS:
            i += 1
        while j < len(other) and other[j] in _DIGITS:
            j += 1
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
    if (one[0] == 46) != (other[0] == 46):
        return -1 if one[0] == 46 else 1
    if one[0] == 46:
        for special in (b".", b".."):
            if (one == special) != (other == special):
                return -1 if one == special else 1
            if one == special:
                return 0
    left, right = _prefix_length(one), _prefix_length(other)
    found = _compare(one[:left], other[:right])
    if found or (left == len(one) and right == len(other)):
        return found
    return _compare(one, other)


version_key = cmp_to_key(compare_versions)
