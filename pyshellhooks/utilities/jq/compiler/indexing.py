"""Indexing of values, ``.[key]``, with every kind of key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import JqError
from ..json.numbers import Literal, to_int
from ..json.values import describe, kind

if TYPE_CHECKING:
    from ..running import Run

_NUMBERS = (int, float, Literal)
_MISSING = object()


def index(run: Run, value: Any, key: Any) -> Any:
    """Return ``value[key]`` in jq's sense: a field, an element, a slice, or the positions of an array in an array."""
    if type(value) is dict and type(key) is str:
        return value.get(key)
    by = type(key)
    if type(value) is list:
        if by is int:
            try:
                return value[key]
            except IndexError:
                return None
        if by is float or by is Literal:
            return index(run, value, to_int(key)) if key == key else None
        if by is list:
            from ..functions.searching import array_positions

            return array_positions(run, value, key)
    if by is dict and (type(value) is list or type(value) is str):
        start, end = bounds(len(value), key)
        return value[start:end]
    if value is None and (by is str or by is dict or by in _NUMBERS):
        return None
    raise JqError(f"Cannot index {kind(value)} with {describe(key)}")


def bounds(length: int, key: dict[str, Any]) -> tuple[int, int]:
    """Return the start and the end of the slice ``{"start": a, "end": b}``; the start is rounded down, the end up."""
    start, end = key.get("start", _MISSING), key.get("end", _MISSING)
    if start is None:
        start = 0
    if end is None:
        end = length
    if type(start) not in _NUMBERS or type(end) not in _NUMBERS:
        raise JqError("Array/string slice indices must be integers")
    start = 0.0 if start != start else float(start)
    end = float(length) if end != end else float(end)
    if start < 0:
        start = max(start + length, 0.0)
    first = int(min(start, length))
    if end < 0:
        end += length
    if end < 0:
        end = first
    last = length if end > length else int(end)
    if last < end and last < length:
        last += 1
    return first, max(first, last)
