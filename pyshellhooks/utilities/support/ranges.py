"""Lists of positions in cut's syntax: ``1,3-5,7-`` (POSIX XCU cut)."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import UsageError
from ...text import paced, parse_digits
from .quoting import quote

END = 2**63
_DIGITS = "0123456789"
# The counted thing in GNU's messages: a range, an item, all items, the position of one.
_FIELDS = "field range", "field value", "fields", "field number"
_CHARACTERS = (
    "byte or character range",
    "byte/character position",
    "byte/character positions",
    "byte/character offset",
)


def parse_ranges(text: str, *, fields: bool, env: Mapping[str, str]) -> list[tuple[int, int]]:
    """Parse a list. Return merged (first, last) pairs, counted from 1. Raise ``UsageError`` with GNU's messages."""
    a_range, a_value, all_of_them, a_place = _FIELDS if fields else _CHARACTERS
    pairs: list[tuple[int, int]] = []
    done = 0
    for item in paced(text.replace(" ", ",").replace("\t", ",").split(",")):
        first, dash, last = item.partition("-")
        if "-" in last:
            raise UsageError(f"invalid {a_range}")
        for part in (first, last):
            if part.strip(_DIGITS):
                # GNU reports all of the list from the wrong character on, not only this item.
                start = done + item.index(part)
                bad = text[start:].lstrip(_DIGITS)
                raise UsageError(f"invalid {a_value} {quote(bad, env)}")
        done += len(item) + 1
        if item == "-":
            raise UsageError("invalid range with no endpoint: -")
        low, high = _bounds(first, last, is_range=bool(dash))
        if low == 0:
            raise UsageError(f"{all_of_them} are numbered from 1")
        if high < low:
            raise UsageError("invalid decreasing range")
        if low >= END or high > END:
            raise UsageError(f"{a_place} {quote(item, env)} is too large")
        pairs.append((low, high))
    return merged(pairs)


def _bounds(first: str, last: str, *, is_range: bool) -> tuple[int, int]:
    """Return the bounds of an item. An empty item is 0, like the ``0`` that GNU reads there."""
    if not is_range:
        place = parse_digits(first or "0")
        return place, place
    low = parse_digits(first or "1")
    return low, parse_digits(last) if last else END


def merged(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort ranges and join overlapping ones. Adjacent ones stay separate: an output delimiter goes between them."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(pairs):
        if out and low <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return out


def complement(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the positions that are in none of the ranges."""
    out = []
    at = 1
    for low, high in pairs:
        if low > at:
            out.append((at, low - 1))
        at = max(at, high + 1)
    if at < END:
        out.append((at, END))
    return out
