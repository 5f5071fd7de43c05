"""The order in which gawk 5.2 walks an array with ``for (key in array)``, which scripts print without sorting.

Observed from gawk 5.2.1, and reproduced so that a script's output is the same everywhere: if an array's first key is an
integer, the integers from 1 on come last and in order, after all other keys. Those other keys, and all keys of other
arrays, come in the order of a hash table with chains (65599 as multiplier, 32 bits, a prime number of places, new keys
at the head).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

_PLACES = (13, 127, 1021, 8191, 131071)
_CHAIN = 2  # average number of keys in a place before the table grows
_MOST = 50_000  # keys; a larger array is walked in insertion order, since computing gawk's order costs too much


def traversal(keys: Iterable[bytes]) -> list[bytes]:
    """Return keys, passed in insertion order, in the order in which gawk walks them."""
    known = list(keys)
    if len(known) < 2 or len(known) > _MOST:
        return known
    if not _is_whole(known[0]):
        return _hashed(known)
    # gawk's array of counted elements has no zero and no negative numbers.
    counted = [key for key in known if _is_whole(key) and key[0] != 45 and key != b"0"]
    if len(counted) < len(known):
        taken = set(counted)
        others = _hashed([key for key in known if key not in taken])
    else:
        others = []
    counted.sort(key=int)
    return others + counted


def _is_whole(key: bytes) -> bool:
    """Return whether gawk stores a key as an integer: one that is written as the integer would be."""
    digits = key[1:] if key[:1] == b"-" else key
    if not digits.isdigit() or len(digits) > 15:
        return False
    return digits[0] != 48 or key == b"0"


def _hash(key: bytes) -> int:
    value = 0
    for byte in key:
        if byte > 127:
            byte -= 256  # C's char is signed
        value = (value * 65599 + byte) & 0xFFFFFFFF
    return value


def _hashed(keys: list[bytes]) -> list[bytes]:
    """Return the keys in the order of gawk's hash table, by inserting them one by one.

    The newest key of a place is the last of its list.
    """
    hashes = {key: _hash(key) for key in keys}
    sizes = iter(_PLACES)
    size = next(sizes)
    table: list[list[bytes]] = [[] for _ in range(size)]
    for count, key in enumerate(keys, 1):
        if count // size > _CHAIN and size < _PLACES[-1]:
            size = next(sizes)
            grown: list[list[bytes]] = [[] for _ in range(size)]
            for place in table:
                for old in reversed(place):
                    grown[hashes[old] % size].append(old)
            table = grown
        table[hashes[key] % size].append(key)
    return list(chain.from_iterable(reversed(place) for place in table))
