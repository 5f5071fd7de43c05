"""Repeated keys in one object of a payload: a tool's parser may take either value (RFC 8259, 4).

Guards judge the last one, as jq and Python do. A tool that takes the first one runs a call that no guard has judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from .compact import members

_LARGE = 1 << 22  # characters; of a longer or deeply nested text, only the two top levels are checked


def repeated_keys(text: str) -> list[str]:
    """Return the keys that occur twice in one object of a valid JSON text, each once."""
    repeated: dict[str, None] = {}
    if len(text) <= _LARGE:
        try:
            json.loads(
                text, object_pairs_hook=lambda pairs: repeated.update(dict.fromkeys(_twice(key for key, _ in pairs)))
            )
            return list(repeated)
        except RecursionError:
            pass
    pairs = members(text) if text.lstrip()[:1] == "{" else []
    repeated.update(dict.fromkeys(_twice(key for key, _ in pairs)))
    for _, raw in pairs:
        if raw[:1] == "{":
            repeated.update(dict.fromkeys(_twice(key for key, _ in members(raw))))
    return list(repeated)


def _twice(keys: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            yield key
        seen.add(key)
