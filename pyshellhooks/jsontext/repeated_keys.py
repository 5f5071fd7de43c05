"""Repeated keys in one object of a payload: a tool's parser may take either value (RFC 8259, 4).

Guards judge the last one, as jq and Python do. A tool that takes the first one runs a call that no guard has judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from .compact import members

_LARGE = 1 << 22  # characters; of a longer or deeply nested text, only the two top levels are checked


def repeated_keys(text: str) -> list[str]:
    """Return the keys that occur twice in one object of a valid JSON text, each once."""
    repeated: dict[str, None] = {}  # in place of a set: it keeps their order

    def add(pairs: Iterable[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                repeated[key] = None
            seen.add(key)

    if len(text) <= _LARGE:
        try:
            json.loads(text, object_pairs_hook=add)
            return list(repeated)
        except RecursionError:
            pass
    pairs = members(text) if text.lstrip()[:1] == "{" else []
    add(pairs)
    for _, raw in pairs:
        if raw[:1] == "{":
            add(members(raw))
    return list(repeated)
