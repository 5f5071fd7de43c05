"""Sort orders of ``asort``, ``asorti`` and ``PROCINFO["sorted_in"]`` (gawk manual 8.1.6 and 12.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

from .traversal import traversal
from .values import Array, AwkError, StrNum, Unset, Value, to_number

if TYPE_CHECKING:
    from .runtime import Runtime

Compare = Callable[[bytes, Value, bytes, Value], float]
Item = tuple[bytes, Value]


def ordered(runtime: Runtime, array: Array, how: bytes, function: Callable[[str], Compare]) -> list[Item]:
    """Return the elements of an array in an order: the name of a predefined one, or of a function of the program."""
    if how in (b"", b"@unsorted"):
        return [(key, array[key]) for key in traversal(array)]
    items = list(array.items())
    if not how.startswith(b"@"):
        compare = function(how.decode("utf-8", "replace"))

        def by_function(one: Item, other: Item) -> int:
            result = compare(one[0], one[1], other[0], other[1])
            if result < 0:
                return -1
            if result > 0:
                return 1
            return 0

        items.sort(key=cmp_to_key(by_function))
        return items
    key = _KEYS.get(how.removesuffix(b"_asc").removesuffix(b"_desc"))
    if key is None or not how.endswith((b"_asc", b"_desc")):
        raise AwkError(f"sort comparison function `{how.decode('utf-8', 'replace')}' is not defined")
    # Equal values are in the order of their indexes.
    items.sort(key=lambda item: item[0], reverse=how.endswith(b"_desc"))
    items.sort(key=lambda item: key(runtime, item), reverse=how.endswith(b"_desc"))
    return items


def _index_number(runtime: Runtime, item: Item) -> Any:
    return to_number(item[0]), item[0]


def _by_type(runtime: Runtime, item: Item) -> Any:
    value = item[1]
    kind = value.__class__
    if kind is Array:
        return 2, 0.0, b""
    if kind in (float, StrNum, Unset):
        return 0, to_number(value), b""
    return 1, 0.0, runtime.convert(value)


def _by_text(runtime: Runtime, item: Item) -> Any:
    if item[1].__class__ is Array:
        return 1, b""
    text = runtime.convert(item[1])
    return 0, text.lower() if runtime.regexes.ignore_case else text


def _by_number(runtime: Runtime, item: Item) -> Any:
    if item[1].__class__ is Array:
        return 1, 0.0, b""
    return 0, to_number(item[1]), runtime.convert(item[1])


_KEYS: dict[bytes, Callable[[Any, Item], Any]] = {
    b"@ind_num": _index_number,
    b"@ind_str": lambda runtime, item: item[0],
    b"@val_num": _by_number,
    b"@val_str": _by_text,
    b"@val_type": _by_type,
}


def sort_into(
    runtime: Runtime, source: Array, target: Array, how: bytes, indexes: bool, function: Callable[[str], Compare]
) -> float:
    """Sort an array into another for ``asort`` and ``asorti``; return the number of elements."""
    if not how:
        how = b"@ind_str_asc" if indexes else b"@val_type_asc"
    items = ordered(runtime, source, how, function)
    target.clear()
    for number, (key, value) in enumerate(items, 1):
        target[b"%d" % number] = key if indexes else value
    return float(len(items))
