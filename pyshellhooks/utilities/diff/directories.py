"""Pairs of entries of two directories (diffutils manual 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter

from ...text import encode, paced

Entries = tuple[str | None, str | None]


def pairs(names: Sequence[Sequence[str]], start: str, *, fold: bool) -> Iterator[Entries]:
    """Yield pairs of names in order, with None for a name that one directory lacks.

    ``start``: the first name to yield; ``fold``: ignore case.
    """

    def key(name: str) -> tuple[bytes, bytes]:
        data = encode(name)
        folded = data.lower() if fold else data
        return folded, data

    first = key(start)[0]
    sides = [sorted((*key(name), place, name) for name in paced(side)) for place, side in enumerate(names)]
    for same, group in groupby(merge(*sides), itemgetter(0)):
        if same < first:
            continue
        left: list[str] = []
        right: list[str] = []
        for _, _, place, name in group:
            side = right if place else left
            side.append(name)
        yield from _alike(left, right)


def _alike(left: list[str], right: list[str]) -> Iterator[Entries]:
    """Yield the pairs of names that differ only in case: equal names are paired first."""
    while left and right:
        if encode(left[0]) < encode(right[0]):
            fewer, more = left, right
        else:
            fewer, more = right, left
        if more[0] in fewer:
            fewer.remove(more[0])
            fewer.insert(0, more[0])
        yield left.pop(0), right.pop(0)
    yield from ((name, None) for name in left)
    yield from ((None, name) for name in right)
