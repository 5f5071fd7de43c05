"""Regular expressions that are compiled when they are first used: a run meets few of those that there are."""

from __future__ import annotations

import re
from typing import AnyStr

_ACTS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Lazy:
    """What stands for a pattern. Once used it has the pattern's methods as its own, and costs no more than that."""

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
    """Return what behaves as ``re.compile(text, flags)``, and compiles at the first ``match``, ``search``, …"""
    return _Lazy(text, flags)  # type: ignore[return-value]
