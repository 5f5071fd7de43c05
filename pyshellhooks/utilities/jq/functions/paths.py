"""Access to parts of values by keys and paths: reading, setting, deleting.

``index``, ``put``, ``getpath``, ``setpath`` and ``delpaths`` are for the compiler too. No function here changes a
value: the result is a changed copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import TYPE_CHECKING, Any

from ..compiler.indexing import bounds, index
from ..compiler.registry import Family
from ..errors import JqError
from ..json.numbers import Literal, to_int
from ..json.ordering import ordered
from ..json.values import describe, equal, kind

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_GREATEST_INDEX = 536_870_911  # jq's arrays are at most one element longer
_DEPTH = 10_000  # keys in a path
_PIECE = 1 << 16  # elements between two checks of the run
_NUMBERS = (int, float, Literal)

# -- one key


def _check_place(value: Any, key: Any) -> None:
    """Raise the error that setting ``value[key]`` would raise; the key must not be a slice."""
    by = type(key)
    if by is str and (type(value) is dict or value is None):
        return
    if by in _NUMBERS and (type(value) is list or value is None):
        if key != key:
            raise JqError("Cannot set array element at NaN index")
        at = to_int(key)
        size = len(value) if value else 0
        if at < 0 and at + size < 0:
            raise JqError("Out of bounds negative array index")
        if at > _GREATEST_INDEX:
            raise JqError("Array index too large")
        return
    raise JqError(f"Cannot update field at {kind(key)} index of {kind(value)}")


def put(run: Run, value: Any, key: Any, new: Any) -> Any:
    """Return a copy of the value with ``new`` at the key; the key makes an object or an array of ``null``."""
    by = type(key)
    if by is str and (type(value) is dict or value is None):
        if not value:
            return {key: new}
        _count_copy(run, value)
        fields = value.copy()
        fields[key] = new
        return fields
    if by is dict:
        if type(value) is list or value is None:
            return _put_slice(run, value or [], key, new)
        if type(value) is str:  # jq has a message of its own for strings
            raise JqError("Cannot update string slices")
    _check_place(value, key)
    items = [] if value is None else value.copy()
    _count_copy(run, items)
    at = to_int(key)
    if at >= len(items):
        _lengthen(run, items, at + 1)
    items[at] = new
    return items


def _count_copy(run: Run, value: Any) -> None:
    if len(value) > 1024:
        run.check()
        run.made(8 * len(value))


def _lengthen(run: Run, items: list[Any], length: int) -> None:
    """Pad an array with ``null``, within the memory limit."""
    if length > _PIECE:
        run.array(length)
    while len(items) < length:
        added = min(length - len(items), _PIECE)
        items.extend([None] * added)
        if added == _PIECE:
            run.check()
            run.made(8 * _PIECE)


def _put_slice(run: Run, items: list[Any], key: dict[str, Any], new: Any) -> list[Any]:
    start, end = bounds(len(items), key)
    if type(new) is not list:
        raise JqError("A slice of an array can only be assigned another array")
    _count_copy(run, items)
    _count_copy(run, new)
    return [*items[:start], *new, *items[end:]]


@function("has")
def has(run: Run, value: Any, key: Any) -> bool:
    """Return whether an object has the key, or an array the index; false for ``null``."""
    if type(value) is dict and type(key) is str:
        return bool(key in value)
    if value is None:
        return False
    if type(value) is list and type(key) in _NUMBERS:
        return bool(key > -1 and int(min(key, len(value))) < len(value))
    raise JqError(f"Cannot check whether {kind(value)} has a {kind(key)} key")


@function("in")
def in_(run: Run, value: Any, container: Any) -> bool:
    """Return whether the input is a key or an index of the argument."""
    found: bool = has(run, container, value)
    return found


def children(value: Any) -> list[Any]:
    """Return a list of the values that ``.[]`` yields."""
    if type(value) is list:
        return value
    if type(value) is dict:
        return list(value.values())
    raise JqError(f"Cannot iterate over {describe(value)}")


# -- paths


def check_path(path: Any) -> None:
    """Raise ``JqError`` if a value is not a path."""
    if type(path) is not list:
        raise JqError("Path must be specified as an array")
    if len(path) > _DEPTH:
        raise JqError("Path too deep")


@function("getpath")
def getpath(run: Run, value: Any, path: Any) -> Any:
    """Return the value at the path, ``null`` if a part of the path is missing."""
    check_path(path)
    for key in path:
        value = index(run, value, key)
    return value


@function("setpath")
def setpath(run: Run, value: Any, path: Any, new: Any) -> Any:
    """Return the value with ``new`` at the path."""
    check_path(path)
    trail = []
    for key in path:
        inner = index(run, value, key)
        if type(key) is not dict:  # ``put`` checks slices
            _check_place(value, key)
        trail.append(value)
        value = inner
    for key, outer in zip(reversed(path), reversed(trail), strict=True):
        new = put(run, outer, key, new)
    return new


class _Level:
    """A container on the way down: the range of the sorted paths that lead into it, and its keys to delete."""

    __slots__ = ("at", "end", "key", "keys", "own", "value")

    def __init__(self, value: Any, at: int, end: int) -> None:
        self.value = value
        self.at = at
        self.end = end
        self.key: Any = None  # of the inner container that is being processed
        self.keys: list[Any] = []
        self.own = False  # ``value`` is already a copy

    def store(self, run: Run, new: Any) -> None:
        """Set the inner container's new value."""
        if self.own and type(self.value) is dict and type(self.key) is str:
            self.value[self.key] = new
        elif self.own and type(self.key) in _NUMBERS:
            self.value[to_int(self.key)] = new
        else:
            self.value = put(run, self.value, self.key, new)
            self.own = True


@function("delpaths")
def delpaths(run: Run, value: Any, paths: Any) -> Any:
    """Return the value without the paths of an array; longer and later paths are deleted first."""
    if type(paths) is not list:
        raise JqError("Paths must be specified as an array")
    paths = ordered(run, paths)  # jq deletes from the last path, so that an index still means the same element
    for turn, path in enumerate(paths):
        if not turn & 4095:
            run.check()
        if type(path) is not list:
            raise JqError(f"Path must be specified as array, not {kind(path)}")
        if len(path) > _DEPTH:
            raise JqError("Path too deep")
    if not paths:
        return value
    if not paths[0]:
        return None
    return _delete(run, value, paths)


def _delete(run: Run, value: Any, paths: list[list[Any]]) -> Any:
    """Return the value without the paths, which are sorted and not empty."""
    levels = [_Level(value, 0, len(paths))]
    turns = 0
    while True:
        turns += 1
        if not turns & 1023:
            run.check()
        level = levels[-1]
        depth = len(levels) - 1
        if level.at == level.end:
            # All keys of a container at once: one by one, each would copy it.
            left = _without(run, level.value, level.keys)
            levels.pop()
            if not levels:
                return left
            levels[-1].store(run, left)
            continue
        begun = level.at
        key = paths[begun][depth]
        level.at = _same_key(run, paths, begun, level.end, depth)
        # The whole container is deleted, and with it the longer paths into it.
        if len(paths[begun]) == depth + 1:
            level.keys.append(key)
            continue
        inner = index(run, level.value, key)
        if inner is not None:
            level.key = key
            levels.append(_Level(inner, begun, level.at))


def _same_key(run: Run, paths: list[list[Any]], begun: int, end: int, depth: int) -> int:
    """Return the end of the paths that have the same key at this depth."""
    key = paths[begun][depth]
    at = begun + 1
    while at < end and equal(key, paths[at][depth], run):
        at += 1
        if not at & 1023:
            run.check()
    return at


def _without(run: Run, value: Any, keys: list[Any]) -> Any:
    """Return a container without the keys."""
    if value is None or not keys:
        return value
    if type(value) is list:
        return _without_elements(run, value, keys)
    if type(value) is not dict:
        raise JqError(f"Cannot delete fields from {kind(value)}")
    _count_copy(run, value)
    fields = value.copy()
    for turn, key in enumerate(keys):
        if type(key) is not str:
            raise JqError(f"Cannot delete {kind(key)} field of object")
        fields.pop(key, None)
        if not turn & 4095:
            run.check()
    return fields


def _without_elements(run: Run, items: list[Any], keys: list[Any]) -> list[Any]:
    length = len(items)
    mask = bytearray(b"\1") * length
    for turn, key in enumerate(keys):
        if not turn & 1023:
            run.check()
        if type(key) in _NUMBERS:
            # jq ignores an index outside of the array.
            if -length - 1 < key < length:
                at = int(key)
                if key < 0:
                    at += length
                if at < length:
                    mask[at] = 0
        elif type(key) is dict:
            start, end = bounds(length, key)
            mask[start:end] = bytes(end - start)
            if end - start > 1 << 20:
                run.check()
        else:
            raise JqError(f"Cannot delete {kind(key)} element of array")
    left: list[Any] = []
    for at in range(0, length, _PIECE):
        run.check()
        left += compress(items[at : at + _PIECE], mask[at : at + _PIECE])
    run.made(8 * len(left))
    return left


# -- events


def events(run: Run, value: Any) -> Iterator[list[Any]]:
    """Yield the events of ``tostream``: ``[path, leaf]``, and ``[path]`` of the last key at a container's end."""
    # An empty container is a leaf (jq manual, Streaming).
    if not (type(value) in (list, dict) and value):
        yield [[], value]
        return
    path: list[Any] = [None]
    open_: list[Iterator[tuple[Any, Any]]] = [_keyed(value)]
    turns = 0
    while open_:
        turns += 1
        if not turns & 1023:
            run.check()
        for path[-1], value in open_[-1]:
            if value and type(value) in (list, dict):
                open_.append(_keyed(value))
                path.append(None)
                break
            yield [path.copy(), value]
        else:
            yield [path.copy()]
            path.pop()
            open_.pop()


def _keyed(value: Any) -> Iterator[tuple[Any, Any]]:
    if type(value) is dict:
        return iter(value.items())
    return iter(enumerate(value))
