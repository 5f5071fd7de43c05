"""What all of jq's kinds of values have in common: kind, truth, equality, order, and how errors name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from .errors import JqError
from .numbers import Literal, compare_numbers, spell_number

if TYPE_CHECKING:
    from .running import Run

_DEPTH = 10_000  # jq looks no deeper
_OFTEN = 4096  # turns of a loop between two checks of the deadline
_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    Literal: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_RANKS: dict[type, int] = {type(None): 0, bool: 2, int: 3, float: 3, Literal: 3, str: 4, list: 5, dict: 6}


def kind(value: Any) -> str:
    """Name the kind as ``type`` does."""
    return _KINDS[type(value)]


def rank(value: Any) -> int:
    """Give the place of the kind in jq's order: null, false, true, numbers, strings, arrays, objects."""
    return 1 if value is False else _RANKS[type(value)]


def truth(value: Any) -> bool:
    """Tell whether a condition holds: all but ``null`` and ``false`` do."""
    return value is not None and value is not False


def equal(a: Any, b: Any, run: Run | None = None) -> bool:
    """Tell whether two values are equal. Give the run where they may be large."""
    kind_a = type(a)
    if kind_a is type(b):
        if kind_a is str or kind_a is int or kind_a is float:
            return bool(a == b)
        if kind_a is list or kind_a is dict:
            return a is b or _equal_deeply(a, b, run)
    if rank(a) != rank(b):
        return False
    return _RANKS[kind_a] != 3 or (a == a and compare_numbers(a, b) == 0)


def _pairs(a: Any, b: Any, depth: int) -> Iterator[tuple[Any, Any]] | None:
    """Pair what is in two containers of one kind, or None if they can't be equal."""
    if len(a) != len(b):
        return None
    if depth >= _DEPTH:
        # jq looks at what is in a container at this depth, but not into it.
        raise JqError("Equality check too deep")
    if type(a) is list:
        return zip(a, b)
    if a.keys() != b.keys():
        return None
    return ((value, b[key]) for key, value in a.items())


def _equal_deeply(a: Any, b: Any, run: Run | None) -> bool:
    pairs = _pairs(a, b, 0)
    if pairs is None:
        return False
    stack = [pairs]
    turns = 0
    while stack:
        for left, right in stack[-1]:
            turns += 1
            if turns & 4095 == 0 and run is not None:
                run.check()
            kind_left = type(left)
            if (kind_left is list or kind_left is dict) and kind_left is type(right):
                if left is right:
                    continue
                pairs = _pairs(left, right, len(stack))
                if pairs is None:
                    return False
                stack.append(pairs)
                break
            if not equal(left, right):
                return False
        else:
            stack.pop()
    return True


def compare(a: Any, b: Any, run: Run | None = None) -> int:
    """Give less than 0, 0 or more than 0 in jq's order. Give the run where they may be large."""
    kind_a = type(a)
    if kind_a is type(b):
        if kind_a is str or kind_a is int:
            return (a > b) - (a < b)
        if kind_a is list or kind_a is dict:
            return _compare_deeply(a, b, run)
    rank_a, rank_b = rank(a), rank(b)
    if rank_a != rank_b:
        return -1 if rank_a < rank_b else 1
    return compare_numbers(a, b) if rank_a == 3 else 0


def _compare_deeply(a: Any, b: Any, run: Run | None) -> int:
    stack: list[tuple[Iterator[tuple[Any, Any]], int]] = []
    order, pairs = _ordered_pairs(a, b, run)
    if pairs is None:
        return order
    stack.append((pairs, order))
    turns = 0
    while stack:
        pairs, order = stack[-1]
        for left, right in pairs:
            turns += 1
            if turns & 4095 == 0 and run is not None:
                run.check()
            kind_left = type(left)
            if (kind_left is list or kind_left is dict) and kind_left is type(right):
                if len(stack) > _DEPTH:
                    raise JqError("Comparison too deep")
                order, inner = _ordered_pairs(left, right, run)
                if inner is None:
                    if order:
                        return order
                    continue
                stack.append((inner, order))
                break
            result = compare(left, right)
            if result:
                return result
        else:
            stack.pop()
            if order:
                return order
    return 0


def _ordered_pairs(a: Any, b: Any, run: Run | None) -> tuple[int, Iterator[tuple[Any, Any]] | None]:
    """Pair what decides between two containers, with what decides if that is all equal."""
    if type(a) is list:
        return (len(a) > len(b)) - (len(a) < len(b)), zip(a, b)
    keys_a, keys_b = sorted_keys(a, run), sorted_keys(b, run)
    if keys_a != keys_b:
        return (1 if keys_a > keys_b else -1), None
    return 0, ((a[key], b[key]) for key in keys_a)


def sorted_keys(value: dict[str, Any], run: Run | None) -> list[str]:
    """Give the keys of an object by code point, as ``keys`` does."""
    if len(value) < 10_000 or run is None:
        return sorted(value)
    return ordered(run, list(value))


def ordered(run: Run, items: list[Any], keys: list[Any] | None = None) -> list[Any]:
    """Sort items stably in jq's order, by ``keys`` if given (one for each item)."""
    chosen = items if keys is None else keys
    places = sorted(range(len(items)), key=[_Key(key, run) for key in chosen].__getitem__)
    return [items[place] for place in places]


class _Key:
    """A value that Python's sort compares in jq's order."""

    __slots__ = ("run", "value")

    def __init__(self, value: Any, run: Run) -> None:
        self.value = value
        self.run = run

    def __lt__(self, other: _Key) -> bool:
        self.run.check()
        return compare(self.value, other.value, self.run) < 0


def describe(value: Any) -> str:
    """Name a value for an error: ``number (5)``."""
    return f"{kind(value)} ({dump_truncated(value)})"


def dump_truncated(value: Any, size: int = 30) -> str:
    """Give the JSON text of a value within ``size`` - 1 bytes of UTF-8, as jq's errors quote it."""
    pieces: list[str] = []
    length = 0
    for piece in _dump(value, size):
        pieces.append(piece)
        length += len(piece)
        if length > size:
            break
    text = "".join(pieces)
    data = text.encode()
    if len(data) < size:
        return text
    end = {'"': '"', "[": "]", "{": "}"}.get(text[0], "")
    return data[: size - 4 - len(end)].decode("utf-8", "ignore") + "..." + end


def _dump(value: Any, size: int) -> Iterable[str]:
    """Write the first ``size`` characters or more; every level writes some, so this is never deep."""
    if type(value) is str:
        yield _spell(value[:size])
    elif type(value) is list:
        yield "["
        comma = ""
        for item in value:
            yield comma
            yield from _dump(item, size)
            comma = ","
        yield "]"
    elif type(value) is dict:
        yield "{"
        comma = ""
        for key, item in value.items():
            yield f"{comma}{_spell(key[:size])}:"
            yield from _dump(item, size)
            comma = ","
        yield "}"
    else:
        yield {None: "null", True: "true", False: "false"}[value] if _RANKS[type(value)] < 3 else spell_number(value)


def _spell(text: str) -> str:
    return encode_basestring(text).replace("\x7f", "\\u007f")
