"""Ranges of code points: the classes of ASCII and those that several flavours share, with operations on them."""

from __future__ import annotations

from collections.abc import Iterable

from ..text import remembered
from .tree import Bracket

Ranges = tuple[tuple[int, int], ...]

MOST = 0x10FFFF
_UPPER, _LOWER, _DIGIT = (0x41, 0x5A), (0x61, 0x7A), (0x30, 0x39)
ASCII: Ranges = ((0x00, 0x7F),)
ASCII_RANGES: dict[str, Ranges] = {
    "alnum": (_DIGIT, _UPPER, _LOWER),
    "alpha": (_UPPER, _LOWER),
    "ascii": ASCII,
    "blank": ((0x09, 0x09), (0x20, 0x20)),
    "cntrl": ((0x00, 0x1F), (0x7F, 0x7F)),
    "digit": (_DIGIT,),
    "graph": ((0x21, 0x7E),),
    "lower": (_LOWER,),
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((0x09, 0x0D), (0x20, 0x20)),
    "upper": (_UPPER,),
    "word": (_DIGIT, _UPPER, (0x5F, 0x5F), _LOWER),
    "xdigit": (_DIGIT, (0x41, 0x46), (0x61, 0x66)),
}
# Unicode's White_Space.
SPACES: Ranges = (
    *(*ASCII_RANGES["space"], (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
)
# Alphabetic characters other than letters, marks and Nl.
LETTER_LIKE: Ranges = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the same characters as sorted ranges, as few as possible."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return tuple(result)


def complement(ranges: Iterable[tuple[int, int]], most: int = MOST) -> Ranges:
    """Return the ranges of all other characters up to ``most``."""
    others: list[tuple[int, int]] = []
    after = 0
    for low, high in merged(ranges):
        if low > after:
            others.append((after, low - 1))
        after = high + 1
    if after <= most:
        others.append((after, most))
    return tuple(others)


def mask_of(ranges: Iterable[tuple[int, int]]) -> int:
    """Return the characters below 256 as a bit mask."""
    mask = 0
    for low, high in ranges:
        if low < 256:
            mask |= (1 << (min(high, 255) + 1)) - (1 << low)
    return mask


def bracket(ranges: Iterable[tuple[int, int]], classes: Iterable[str] = (), negated: bool = False) -> Bracket:
    """Return a bracket expression of ranges and classes."""
    return Bracket("", tuple([(chr(low), chr(high)) for low, high in ranges]), tuple(classes), negated)


@remembered(256)
def is_property(name: str) -> bool:
    """Return whether the ``regex`` module supports ``\\p{name}``."""
    import regex

    for char in name:
        if char not in " _-=" and not (char.isascii() and char.isalnum()):
            return False  # the module parses an invalid name as something else
    try:
        regex.compile(f"\\p{{{name}}}")
    except (regex.error, ValueError, OverflowError):  # it tries to parse some names as numbers
        return False
    return True
