"""Regular expressions that are compiled at their first use, because a run uses few of them."""

from __future__ import annotations

import re
from typing import AnyStr

_ACTS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Lazy:
    """A proxy for a pattern. Its first use stores the pattern's methods in it, so later calls have no overhead."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        self.__dict__.update({act: getattr(compiled, act) for act in _ACTS})
        return getattr(compiled, name)


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a proxy for ``re.compile(text, flags)`` that compiles at the first ``match``, ``search``, …"""
    return _Lazy(text, flags)  # type: ignore[return-value]
