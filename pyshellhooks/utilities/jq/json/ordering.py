"""jq's order: null, false, true, numbers, strings by code points, arrays item by item, objects by keys and then values.

Sorting is Python's if there are keys that Python compares as jq does; a long sort is split into short runs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from math import isinf
from typing import TYPE_CHECKING, Any

from ..errors import JqError
from .numbers import Literal, compare_numbers, spell_number

if TYPE_CHECKING:
    from ..running import Run

DEPTH = 10_000  # levels that jq compares

_RANKS: dict[type, int] = {type(None): 0, bool: 2, int: 3, float: 3, Literal: 3, str: 4, list: 5, dict: 6}
_LONGEST = 3_000_000  # nanoseconds of comparing each entry once, for the entries that are sorted at once
_LEVELS = 8  # nesting of keys that Python compares
_PARTS = 64  # values in one such key
_DIGITS = 80  # characters of a number in it
_STRINGS = {str}
_NUMERIC = {int, float}


def rank(value: Any) -> int:
    """Return the rank of a value's kind in jq's order: numbers are 3, strings 4, arrays 5, objects 6."""
    return 1 if value is False else _RANKS[type(value)]


# -- two values


def compare(a: Any, b: Any, run: Run | None = None) -> int:
    """Return less than 0, 0 or more than 0 in jq's order. Pass the run if the values may be large."""
    kind_a = type(a)
    if kind_a is type(b):
        if kind_a is str or kind_a is int:
            if a < b:
                return -1
            if a > b:
                return 1
            return 0
        if kind_a is list or kind_a is dict:
            return _compare_deeply(a, b, run)
    rank_a, rank_b = rank(a), rank(b)
    if rank_a != rank_b:
        return -1 if rank_a < rank_b else 1
    return compare_numbers(a, b) if rank_a == 3 else 0


def _compare_deeply(a: Any, b: Any, run: Run | None) -> int:
    order, pairs = _pairs(a, b, 0, run)
    stack = [(pairs, order)]
    turns = 0
    while stack:
        pairs, order = stack[-1]
        for left, right in pairs:
            turns += 1
            if not turns & 1023 and run is not None:
                run.check()
            kind = type(left)
            if (kind is list or kind is dict) and kind is type(right):
                stack.append(_pairs(left, right, len(stack), run)[::-1])
                break
            result = compare(left, right)
            if result:
                return result
        else:
            stack.pop()
            if order:
                return order
    return 0


def _pairs(a: Any, b: Any, depth: int, run: Run | None) -> tuple[int, Iterator[tuple[Any, Any]]]:
    """Return the order of two containers if all pairs are equal, and the pairs of values to compare first."""
    if type(a) is list:
        if depth >= DEPTH and a and b:
            raise JqError("Comparison too deep")
        return (len(a) > len(b)) - (len(a) < len(b)), zip(a, b, strict=False)
    # jq compares the keys as an array, one level below.
    if depth >= DEPTH or (depth >= DEPTH - 1 and a and b):
        raise JqError("Comparison too deep")
    keys_a, keys_b = sorted_keys(a, run), sorted_keys(b, run)
    if keys_a != keys_b:
        return (1 if keys_a > keys_b else -1), iter(())
    return 0, ((a[key], b[key]) for key in keys_a)


def sorted_keys(value: dict[str, Any], run: Run | None) -> list[str]:
    """Return the keys of an object sorted by code points, as ``keys`` does."""
    if len(value) < 1000 or run is None:
        return sorted(value)
    return ordered(run, list(value))


# -- many values


def ordered(run: Run, items: list[Any], keys: list[Any] | None = None) -> list[Any]:
    """Sort items stably in jq's order, by ``keys`` if given (one for each item)."""
    if len(items) < 2:
        return list(items)
    sort_keys = items if keys is None else keys
    by = _unwrapped(sort_keys)
    cost = _plain_cost(by)
    if cost is not None and by is items:
        return _sorted(run, items, None, cost)
    if cost is None:
        by, cost = _forms(run, by) or ([_Key(key, place, run) for place, key in enumerate(sort_keys)], 0)
    places = _sorted(run, range(len(by)), by.__getitem__, cost)
    return [items[place] for place in places]


def _unwrapped(keys: list[Any]) -> list[Any]:
    """Return the elements if all keys are arrays with one element, which ``sort_by`` makes; else the keys."""
    if set(map(type, keys)) == {list} and set(map(len, keys)) == {1}:
        return [key[0] for key in keys]
    return keys


def _plain_cost(keys: list[Any]) -> int | None:
    """Return the cost of sorting in nanoseconds if Python compares all keys as jq does, else None."""
    kinds = set(map(type, keys))
    if kinds == _STRINGS:
        return 50 * len(keys) + sum(map(len, keys))
    if not kinds <= _NUMERIC:
        return None
    if float in kinds and any(key != key for key in keys):  # NaN, which Python does not order
        return None
    return 30 * len(keys)


def _forms(run: Run, keys: list[Any]) -> tuple[list[Any], int] | None:
    """Return keys in a form that Python compares as jq does, and the cost of sorting; None if one is large or deep."""
    run.made(160 * len(keys))
    forms: list[Any] = []
    cost = 0
    for key in keys:
        if not len(forms) & 1023:
            run.check()
        room = [_PARTS, 100]
        form = _form(key, _LEVELS, room)
        if form is None:
            return None
        cost += room[1] + 60 * (_PARTS - room[0])
        forms.append(form)
    return forms, cost


def _form(value: Any, levels: int, room: list[int]) -> tuple[Any, ...] | None:
    """Return a key that Python compares as jq compares the value; None if it would be too large.

    ``room`` has the remaining number of values and the number of characters so far.
    """
    room[0] -= 1
    if room[0] < 0 or not levels:
        return None
    kind = type(value)
    if kind is str:
        room[1] += len(value)
        return 4, value
    if kind is int:
        return 3, value, 0
    if kind is float:
        if value != value:
            # nan is less than all numbers and than itself, so in an array the values after it do not matter.
            return (3,) if levels == _LEVELS else None
        return 3, value, 0
    if kind is Literal:
        return _exact_form(value)
    if kind is list:
        return _joined(5, [_form(item, levels - 1, room) for item in value[: _PARTS + 1]])
    if kind is dict:
        if len(value) > _PARTS:
            return None
        keys = sorted(value)
        room[1] += sum(map(len, keys))
        return _joined(6, [_form(value[key], levels - 1, room) for key in keys], keys)
    return (rank(value),)


def _joined(rank: int, parts: list[tuple[Any, ...] | None], keys: list[str] | None = None) -> tuple[Any, ...] | None:
    if None in parts:
        return None
    return (rank, *parts) if keys is None else (rank, keys, *parts)


def _exact_form(value: Literal) -> tuple[Any, ...] | None:
    """Return a key of a decimal: its double, and its difference from the shortest decimal of that double."""
    double = float(value)
    if isinf(double) or len(value.text) > _DIGITS:
        return None
    from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

    exact = Context(prec=1000, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return 3, double, exact.subtract(Decimal(value.text), Decimal(spell_number(double)))


class _Key:
    """A value that Python's sort compares in jq's order. The earlier one is the left side, as nan is less than nan."""

    __slots__ = ("place", "run", "value")

    def __init__(self, value: Any, place: int, run: Run) -> None:
        self.value = value
        self.place = place
        self.run = run

    def __lt__(self, other: _Key) -> bool:
        self.run.check()
        if self.place > other.place:
            return compare(other.value, self.value, self.run) > 0
        return compare(self.value, other.value, self.run) < 0


def _sorted(run: Run, entries: Sequence[Any], key: Callable[[Any], Any] | None, cost: int) -> list[Any]:
    """Sort with Python's comparison; ``cost`` is the time to compare each entry once, in nanoseconds."""
    if cost <= _LONGEST:
        return sorted(entries, key=key)
    size = max(len(entries) * _LONGEST // cost, 2)
    runs = []
    for start in range(0, len(entries), size):
        run.check()
        runs.append(sorted(entries[start : start + size], key=key))
    while len(runs) > 1:
        last = [runs.pop()] if len(runs) % 2 else []
        runs = [_merged(run, a, b, key, 2 * size) for a, b in zip(runs[::2], runs[1::2], strict=True)] + last
    return runs[0]


def _merged(run: Run, a: list[Any], b: list[Any], key: Callable[[Any], Any] | None, size: int) -> list[Any]:
    """Merge two sorted lists; of equal entries those of the first list come first."""
    out: list[Any] = []
    at_a = at_b = 0
    while at_a < len(a) and at_b < len(b):
        run.check()
        end_a, end_b = min(at_a + size, len(a)), min(at_b + size, len(b))
        last_a, last_b = a[end_a - 1], b[end_b - 1]
        if key is not None:
            last_a, last_b = key(last_a), key(last_b)
        if last_b < last_a:
            end_a = bisect_right(a, last_b, at_a, end_a, key=key)
        else:
            end_b = bisect_left(b, last_a, at_b, end_b, key=key)
        out += sorted(a[at_a:end_a] + b[at_b:end_b], key=key)
        at_a, at_b = end_a, end_b
    return out + a[at_a:] + b[at_b:]
