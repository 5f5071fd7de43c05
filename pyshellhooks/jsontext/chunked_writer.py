"""A JSON writer for large values, which calls the encoder of the standard library piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .chunks import LARGE, encoded_string, joined, weighs_more

Encode = Callable[[Any], str]

_BATCH = 1 << 12  # items that are written in one call, if they are small
_LIGHT = 1 << 15  # the most that one call writes, in the units of ``weighs_more``
_SHALLOW = 100  # levels that the encoder always accepts


def write(value: Any, encode: Encode, batch: int = 0, light: int = 0) -> str:
    """Write a value as ``encode`` does, with the same errors."""
    return joined("", _Writer(encode, batch or _BATCH, light or _LIGHT).write(value))


class _Open:
    """A container that is being written, with the position in it."""

    __slots__ = ("at", "close", "items", "keyed", "size", "value")

    def __init__(self, value: Any, batch: int) -> None:
        self.keyed = type(value) is dict
        # A copy in one call: another thread may be writing into it.
        self.items: Any = value
        if self.keyed:
            self.items = list(value.items())
        elif type(value) is list:
            self.items = value.copy()
        self.close = "}" if self.keyed else "]"
        self.value = value  # keeps it alive, so that its id stays unique
        self.at = 0
        self.size = batch


class _Writer:
    __slots__ = ("_batch", "_encode", "_light", "_open", "_stack")

    def __init__(self, encode: Encode, batch: int, light: int) -> None:
        self._encode = encode
        self._batch = batch
        self._light = light
        self._stack: list[_Open] = []
        self._open: set[int] = set()

    def write(self, value: Any) -> Iterator[str]:
        """Yield the JSON text in pieces."""
        yield from self._value(value)
        stack = self._stack
        while stack:
            top = stack[-1]
            if top.at >= len(top.items):
                stack.pop()
                self._open.discard(id(top.value))
                yield top.close
                continue
            if top.at:
                yield ","
            part = self._part(top)
            top.at += len(part)
            if len(part) > 1:
                items = dict(part) if top.keyed else part
                yield self._encode(items)[1:-1]
            elif top.keyed:
                key, item = part[0]
                yield self._encode({key: 0})[1:-2]  # the encoder spells keys of other types too
                yield from self._value(item)
            else:
                yield from self._value(part[0])

    def _part(self, top: _Open) -> Any:
        """Return as many items as one call may write; at least one, of any size."""
        size = min(2 * top.size, self._batch)
        while size > 1 and weighs_more(top.items[top.at : top.at + size], self._light):
            size //= 2
        top.size = size
        return top.items[top.at : top.at + size]

    def _value(self, value: Any) -> Iterator[str]:
        kind = type(value)
        if kind is str and len(value) > LARGE:
            yield encoded_string(value)
            return
        is_container = kind is dict or kind is list or kind is tuple
        if not is_container or not weighs_more(value, self._light):
            yield self._encode(value)
            return
        if id(value) in self._open:
            raise ValueError("Circular reference detected")  # the encoder's words
        self._open.add(id(value))
        self._stack.append(_Open(value, self._batch))
        self._look_at_depth()
        yield "{" if kind is dict else "["

    def _look_at_depth(self) -> None:
        """Raise the encoder's ``RecursionError`` if the depth is more than it accepts."""
        depth = len(self._stack)
        if depth > _SHALLOW and depth % 16 == 0:
            nested: list[Any] = []
            for _ in range(depth):
                nested = [nested]
            self._encode(nested)
