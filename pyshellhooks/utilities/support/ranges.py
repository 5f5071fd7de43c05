"""Lists of positions in cut's syntax: ``1,3-5,7-`` (POSIX XCU cut)."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import UsageError
from ...text import paced, parse_digits
from .quoting import quote

END = 2**63
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
            if part.strip("0123456789"):
                start = done + item.index(part)
                bad = text[start:].lstrip("0123456789")
                raise UsageError(f"invalid {a_value} {quote(bad, env)}")
        done += len(item) + 1
        if dash and not first and not last:
            raise UsageError("invalid range with no endpoint: -")
        if (first and not parse_digits(first)) or (not dash and not first):
            raise UsageError(f"{all_of_them} are numbered from 1")
        low = parse_digits(first) if first else 1
        high = (parse_digits(last) if last else END) if dash else low
        if high < low:
            raise UsageError("invalid decreasing range")
        if low >= END or (high > END):
            raise UsageError(f"{a_place} {quote(item, env)} is too large")
        pairs.append((low, high))
    return merged(pairs)


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
