"""Offsets in a JSON document of the characters of a decoded string.

A problem in an inline command has an offset in the command; a person looks for it in the config file.
"""

from __future__ import annotations

from string import hexdigits


def place_in_string(raw: str, start: int, index: int) -> int:
    r"""Return the offset in ``raw`` of the character ``index`` of the JSON string whose opening quote is at ``start``.

    An escape (``\n``, ``\u00e9``, a pair of surrogates) is one character, at the offset of its backslash. An index at
    or behind the end of the string gives the closing quote.
    """
    at = start + 1
    for _ in range(index):
        if at >= len(raw) or raw[at] == '"':
            break
        at += _length(raw, at)
    return min(at, len(raw))


def _length(raw: str, at: int) -> int:
    if raw[at] != "\\":
        return 1
    first = _unit(raw, at)
    if first is None:
        return 2
    if 0xD800 <= first < 0xDC00:  # two escapes are one character, if the second one is the other half
        second = _unit(raw, at + 6)
        if second is not None and 0xDC00 <= second < 0xE000:
            return 12
    return 6


def _unit(raw: str, at: int) -> int | None:
    """Return the UTF-16 unit of an escape ``\\uXXXX``; None for anything else."""
    digits = raw[at + 2 : at + 6]
    if raw[at : at + 2] != "\\u" or len(digits) < 4:
        return None
    if not all(digit in hexdigits for digit in digits):  # int() would take signs and underscores too
        return None
    return int(digits, 16)
