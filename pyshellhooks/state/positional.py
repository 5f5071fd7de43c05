"""Positional parameters after ``shift``: ``while [ $# -gt 0 ]; do …; shift; done`` takes time linear in their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

_MANY = 256  # parameters; fewer are copied


class Shifted(Sequence[str]):
    """The rest of a list that never changes."""

    __slots__ = ("_start", "_whole")

    def __init__(self, whole: list[str], start: int) -> None:
        self._whole = whole
        self._start = start

    def __len__(self) -> int:
        return len(self._whole) - self._start

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, int) and index >= 0:
            return self._whole[self._start + index]
        return self._whole[self._start :][index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole[self._start :])

    def without(self, count: int) -> Shifted:
        """Return the rest without its first ``count`` parameters."""
        return Shifted(self._whole, self._start + count)


def shifted(parameters: Sequence[str], count: int) -> Sequence[str]:
    """Return parameters without the first ``count``, which is at most their number."""
    if len(parameters) - count <= _MANY:
        return list(parameters[count:])
    if isinstance(parameters, Shifted):
        return parameters.without(count)
    return Shifted(list(parameters), count)
