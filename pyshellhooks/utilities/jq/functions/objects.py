"""Builtins on objects and their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.indexing import index
from ..compiler.registry import Family
from ..errors import JqError
from ..json.ordering import sorted_keys
from ..json.values import describe, truth
from .paths import children, has

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_PIECE = 1 << 14  # elements between two checks of the run


@function("keys")
def keys(run: Run, value: Any) -> list[Any]:
    """Return the sorted keys of an object, or the indexes of an array."""
    result: list[Any] = sorted_keys(value, run) if type(value) is dict else keys_unsorted(run, value)
    return result


@function("keys_unsorted")
def keys_unsorted(run: Run, value: Any) -> list[Any]:
    """Return the keys of an object in insertion order, or the indexes of an array."""
    if type(value) is dict:
        return list(value)
    if type(value) is list:
        run.made(40 * len(value))
        return list(range(len(value)))
    raise JqError(f"{describe(value)} has no keys")


@function("to_entries")
def to_entries(run: Run, value: Any) -> list[dict[str, Any]]:
    """Return ``{"key": k, "value": v}`` for each key or index."""
    if type(value) is dict:
        pairs = iter(value.items())
    elif type(value) is list:
        pairs = iter(enumerate(value))
    else:
        raise JqError(f"{describe(value)} has no keys")
    entries: list[dict[str, Any]] = []
    for key, item in pairs:
        entries.append({"key": key, "value": item})
        if not len(entries) % _PIECE:
            run.check()
            run.made(200 * _PIECE)
    return entries


@function("from_entries")
def from_entries(run: Run, value: Any) -> dict[str, Any]:
    """Return an object from entries, whose key may be named ``key``, ``Key``, ``name`` or ``Name``."""
    fields: dict[str, Any] = {}
    for turn, entry in enumerate(children(value)):
        if not turn % _PIECE:
            run.check()
            run.made(100 * _PIECE)
        key = None
        for name in ("key", "Key", "name", "Name"):
            key = index(run, entry, name)
            if truth(key):
                break
        item = index(run, entry, "value" if has(run, entry, "value") else "Value")
        if type(key) is not str:
            raise JqError(f"Cannot use {describe(key)} as object key")
        fields[key] = item
    return fields
