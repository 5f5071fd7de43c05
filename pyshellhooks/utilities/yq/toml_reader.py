"""Parser from TOML to a value of jq, with the standard library's ``tomllib``."""

from __future__ import annotations

import tomllib
from datetime import date, time
from typing import TYPE_CHECKING, Any

from ...text import pause
from .numbers import literal

if TYPE_CHECKING:
    from ..jq.running import Run


class PacedText(str):
    """A text that polls the deadline while a library without deadlines reads it character by character."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> str:
        if type(at) is int and not at & 4095:
            pause()
        return str.__getitem__(self, at)

    def replace(self, old: str, new: str, count: Any = -1) -> PacedText:
        return PacedText(str.replace(self, old, new, count))


def read_toml(run: Run, data: bytes) -> Any:
    """Parse a document. Raise ``ValueError`` with the place, or RecursionError if it is nested too deeply."""
    run.made(8 * len(data))
    return plain(run, tomllib.loads(PacedText(data.decode())))


def plain(run: Run, root: dict[str, Any]) -> Any:
    """Replace dates by strings, and numbers by jq's; changes ``root`` in place."""
    open_: list[Any] = [root]
    while open_:
        container = open_.pop()
        run.check()
        for key, value in container.items() if type(container) is dict else enumerate(container):
            if type(value) is dict or type(value) is list:
                open_.append(value)
            elif type(value) is int or type(value) is float:
                container[key] = literal(value)
            elif isinstance(value, date | time):
                container[key] = value.isoformat()
    return root
