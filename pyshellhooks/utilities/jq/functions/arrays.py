"""Builtins on arrays: sums, sorting, shape."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ..compiler.indexing import index
from ..compiler.operators import add as plus
from ..compiler.operators import extend, subtract, update
from ..compiler.registry import Family
from ..errors import JqError
from ..json.numbers import LARGEST, Literal
from ..json.ordering import compare, ordered
from ..json.values import describe, equal, truth
from .conversion import length
from .paths import children
from .strings import concatenate

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_PIECE = 1 << 12  # elements between two checks of the run

# -- sums and truth


@function("add")
def add(run: Run, value: Any) -> Any:
    """Return the sum of all elements from the left, ``null`` for none. Runs of one kind are joined in one step."""
    items = children(value)
    total = None
    at = 0
    while at < len(items):
        whole = _WHOLES.get(type(total))
        if whole is not None:
            total, at = whole(run, total, items, at)
        if at < len(items):
            total = plus(run, total, items[at])
            at += 1
    return total


def _same(run: Run, first: Any, items: list[Any], at: int) -> tuple[list[Any], int]:
    """Return ``first`` and the next items of its kind, and the index of the first other item; ``null`` is skipped."""
    kind = type(first)
    found = [first]
    while at < len(items):
        item = items[at]
        if type(item) is kind:
            found.append(item)
        elif item is not None:  # null adds nothing
            break
        at += 1
        if not at % _PIECE:
            run.check()
    return found, at


def _whole_text(run: Run, first: str, items: list[Any], at: int) -> tuple[str, int]:
    texts, at = _same(run, first, items, at)
    return (concatenate(run, texts) if len(texts) > 1 else first), at


def _whole_array(run: Run, first: list[Any], items: list[Any], at: int) -> tuple[list[Any], int]:
    arrays, at = _same(run, first, items, at)
    whole: list[Any] = []
    reported = 0
    for turn, array in enumerate(arrays):
        extend(run, whole, array)
        if not turn % _PIECE or len(whole) - reported > 16 * _PIECE:
            run.check()
            run.made(8 * (len(whole) - reported))
            reported = len(whole)
            run.array(reported)
    return whole, at


def _whole_object(run: Run, first: dict[str, Any], items: list[Any], at: int) -> tuple[dict[str, Any], int]:
    objects, at = _same(run, first, items, at)
    whole: dict[str, Any] = {}
    for turn, fields in enumerate(objects):
        update(run, whole, fields)
        if not turn % _PIECE or len(fields) > _PIECE:
            run.check()
            run.made(64 * len(fields))
    return whole, at


def _whole_number(run: Run, total: Any, items: list[Any], at: int) -> tuple[Any, int]:
    """Add numbers: a piece of integers with one ``sum`` if every partial sum is exact."""
    while at < len(items):
        run.check()
        piece = items[at : at + _PIECE]
        are_integers = type(total) is int and set(map(type, piece)) == {int}
        if are_integers and sum(map(abs, piece)) + abs(total) <= LARGEST:
            total = total + sum(piece) or 0.0  # a zero is a double, as in operators.add
            at += len(piece)
            continue
        for item in piece:
            if type(item) not in _ADDED_TO_NUMBERS:
                return total, at
            total = plus(run, total, item)
            at += 1
    return total, at


def _whole_nothing(run: Run, total: None, items: list[Any], at: int) -> tuple[None, int]:
    while at < len(items) and items[at] is None:
        at += 1
        if not at % _PIECE:
            run.check()
    return None, at


_ADDED_TO_NUMBERS = (int, float, Literal, type(None))
_WHOLES: dict[type, Any] = {
    type(None): _whole_nothing,
    str: _whole_text,
    list: _whole_array,
    dict: _whole_object,
    int: _whole_number,
    float: _whole_number,
    Literal: _whole_number,
}


@function("any")
def any_(run: Run, value: Any) -> bool:
    """Return whether any element is true."""
    return _has(run, children(value), True)


@function("all")
def all_(run: Run, value: Any) -> bool:
    """Return whether every element is true."""
    return not _has(run, children(value), False)


def _has(run: Run, items: list[Any], wanted: bool) -> bool:
    for turn, item in enumerate(items):
        if truth(item) is wanted:
            return True
        if not turn % _PIECE:
            run.check()
    return False


# -- order


def _require_array(value: Any) -> None:
    if type(value) is not list:
        raise JqError(f"{describe(value)} cannot be sorted, as it is not an array")


def _keys(run: Run, items: Any, keys: Any) -> list[Any]:
    """Return the sort keys; if all are arrays of one element, the elements, which have the same order."""
    if type(items) is not list or type(keys) is not list or len(items) != len(keys):
        raise JqError(f"{describe(items)} and {describe(keys)} cannot be sorted, as they are not both arrays")
    return _elements(run, keys)


def _elements(run: Run, keys: list[Any]) -> list[Any]:
    """Return the elements if all keys are arrays of one element, which ``sort_by`` and others make; else the keys."""
    elements: list[Any] = []
    for at in range(0, len(keys), _PIECE):
        run.check()
        piece = keys[at : at + _PIECE]
        if set(map(type, piece)) != {list} or set(map(len, piece)) != {1}:
            return keys
        elements += [key[0] for key in piece]
    return elements


@function("sort")
def sort(run: Run, value: Any) -> list[Any]:
    """Return an array sorted in jq's order."""
    _require_array(value)
    return ordered(run, value)


@function("_sort_by_impl")
def sort_by(run: Run, items: Any, keys: Any) -> list[Any]:
    """Return the items sorted by the keys with the same indexes."""
    return ordered(run, items, _keys(run, items, keys))


@function("_group_by_impl")
def group_by(run: Run, items: Any, keys: Any) -> list[list[Any]]:
    """Return arrays of the items with equal keys, in the order of the keys."""
    groups: list[list[Any]] = []
    keys = _keys(run, items, keys)
    last = None
    for turn, place in enumerate(ordered(run, list(range(len(items))), keys)):
        if not turn % _PIECE:
            run.check()
            run.made(64 * _PIECE)
        if groups and equal(last, keys[place], run):
            groups[-1].append(items[place])
        else:
            groups.append([items[place]])
            last = keys[place]
    return groups


@function("unique")
def unique(run: Run, value: Any) -> list[Any]:
    """Return the sorted array without duplicates."""
    _require_array(value)
    result: list[Any] = []
    for turn, item in enumerate(ordered(run, value)):
        if not turn % _PIECE:
            run.check()
        if not result or not equal(result[-1], item, run):
            result.append(item)
    return result


@function("_unique_by_impl")
def unique_by(run: Run, items: Any, keys: Any) -> list[Any]:
    """Return the items sorted by keys, the first one of each key."""
    keys = _keys(run, items, keys)
    result: list[Any] = []
    last = None
    for turn, place in enumerate(ordered(run, list(range(len(items))), keys)):
        if not turn % _PIECE:
            run.check()
        if not result or not equal(last, keys[place], run):
            result.append(items[place])
            last = keys[place]
    return result


@function("min")
def min_(run: Run, value: Any) -> Any:
    """Return the least element, the first of several."""
    return min_by(run, value, value)


@function("max")
def max_(run: Run, value: Any) -> Any:
    """Return the greatest element, the last of several."""
    return max_by(run, value, value)


@function("_min_by_impl")
def min_by(run: Run, items: Any, keys: Any) -> Any:
    """Return the item with the least key."""
    return _extreme(run, items, keys, True)


@function("_max_by_impl")
def max_by(run: Run, items: Any, keys: Any) -> Any:
    """Return the item with the greatest key."""
    return _extreme(run, items, keys, False)


def _extreme(run: Run, items: Any, keys: Any, least: bool) -> Any:
    if type(items) is not list or type(keys) is not list:
        raise JqError(f"{describe(items)} and {describe(keys)} cannot be iterated over")
    if len(items) != len(keys):
        raise JqError(f"{describe(items)} and {describe(keys)} have wrong length")
    keys = _elements(run, keys)
    best: int | None = None
    for at in range(0, len(keys), _PIECE):
        run.check()
        for place in _candidates(keys[at : at + _PIECE], least):
            if best is None or (compare(keys[at + place], keys[best], run) < 0) is least:
                best = at + place
    return None if best is None else items[best]


def _candidates(keys: list[Any], least: bool) -> Iterable[int]:
    """Return the indexes of keys that may be the first of the least or the last of the greatest."""
    if set(map(type, keys)) not in _ALIKE:
        return range(len(keys))
    if least:
        return (keys.index(min(keys)),)
    # ``index`` finds the first of equal keys, but the last one is wanted.
    keys.reverse()
    return (len(keys) - 1 - keys.index(max(keys)),)


_ALIKE = ({int}, {str})  # kinds that Python compares as jq does


@function("bsearch")
def bsearch(run: Run, value: Any, wanted: Any) -> int:
    """Return the index of a value in a sorted array; if it is missing, -1 minus the index where it belongs."""
    if type(value) is not list:
        raise JqError(f"{describe(value)} cannot be searched from")
    start, end = 0, len(value)
    while start < end:
        middle = (start + end) // 2
        # An unsorted array has a result, too: that of jq's binary search.
        order = compare(wanted, value[middle], run)
        if order == 0:
            return middle
        if order < 0:
            end = middle
        else:
            start = middle + 1
    return -1 - start


# -- shape


@function("reverse")
def reverse(run: Run, value: Any) -> list[Any]:
    """Return the elements in reverse order. Besides arrays, jq accepts values of length 0."""
    if type(value) is list:
        return value[::-1]
    size = length(run, value)
    if size == 0:
        return []
    index(run, value, subtract(run, size, 1))  # raises: jq's definition indexes the value
    return []


@function("transpose")
def transpose(run: Run, value: Any) -> list[list[Any]]:
    """Return the columns of an array of rows; short rows are padded with ``null``."""
    rows = children(value)
    widest: Any = 0
    for turn, row in enumerate(rows):
        size = length(run, row)
        if not turn or size >= widest or widest != widest:  # NaN, the length of nan, is less than any number
            widest = size
        if not turn % _PIECE:
            run.check()
    if widest == 0:
        return []
    for row in rows:
        if row is not None and type(row) is not list:
            index(run, row, 0)  # raises
    # One call of ``zip_longest`` for so many rows could not be interrupted.
    if len(rows) > _PIECE:
        return [_column(run, rows, at) for at in range(widest)]
    columns: list[list[Any]] = []
    cells = 0
    for column in zip_longest(*(row or () for row in rows)):
        columns.append(list(column))
        cells += len(column) + 8
        if cells > 16 * _PIECE:
            run.check()
            run.made(8 * cells)
            cells = 0
    return columns


def _column(run: Run, rows: list[Any], at: int) -> list[Any]:
    column: list[Any] = []
    for begin in range(0, len(rows), _PIECE):
        run.check()
        column += [row[at] if row and at < len(row) else None for row in rows[begin : begin + _PIECE]]
    run.made(8 * len(column))
    return column


@function("flatten")
def flatten(run: Run, value: Any) -> list[Any]:
    """Return the elements with nested arrays replaced by their elements, at any depth."""
    return _flatten(run, value, -1)


@function("flatten")
def flatten_to(run: Run, value: Any, depth: Any) -> list[Any]:
    """Return the elements with nested arrays replaced by their elements, up to a depth."""
    if compare(depth, 0) < 0:
        raise JqError("flatten depth must not be negative")
    return _flatten(run, value, depth)


def _flatten(run: Run, value: Any, depth: Any) -> list[Any]:
    flat: list[Any] = []
    open_ = [iter(children(value))]
    depths = [depth]
    turns = 0
    while open_:
        turns += 1
        if not turns % _PIECE:
            run.check()
        # A negative depth never gets to 0, and means any depth.
        deeper = not equal(depths[-1], 0)
        for item in open_[-1]:
            if deeper and type(item) is list:
                depths.append(subtract(run, depths[-1], 1))
                open_.append(iter(item))
                break
            flat.append(item)
            if not len(flat) % _PIECE:
                run.check()
                run.made(8 * _PIECE)
        else:
            open_.pop()
            depths.pop()
    return flat
