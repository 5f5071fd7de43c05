"""The base class of the nodes."""

from __future__ import annotations


class Node:
    """A node with its place in the text. Nodes that differ only in their places are equal."""

    __slots__ = ("end", "pos")

    pos: int
    end: int

    def __repr__(self) -> str:
        names = [n for c in type(self).__mro__[:-2] for n in c.__dict__.get("__slots__", ()) if n not in ("pos", "end")]
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = [n for c in type(self).__mro__[:-2] for n in c.__dict__.get("__slots__", ()) if n not in _PLACE]
        return all(getattr(self, n) == getattr(other, n) for n in names)

    __hash__ = None  # type: ignore[assignment]


_PLACE = ("pos", "end", "line", "source_text")
