"""The environment of a command, as a utility sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import variables

if TYPE_CHECKING:
    from .context import ExecutionContext as Ctx


class Environment(Mapping[str, str]):
    """The exported variables, gathered when first looked at: most utilities never look."""

    __slots__ = ("_ctx", "_values")

    def __init__(self, ctx: Ctx) -> None:
        self._ctx = ctx
        self._values: dict[str, str] | None = None

    def _all(self) -> dict[str, str]:
        if self._values is None:
            self._values = variables.environment(self._ctx)
        return self._values

    def __getitem__(self, name: str) -> str:
        if self._values is None:
            # One name, as TZ or POSIXLY_CORRECT: no need to gather them all.
            if name in self._ctx.exports:
                value = variables.get(self._ctx, name)
                if value is not None:
                    return value
            raise KeyError(name)
        return self._values[name]

    def get(self, name: str, default: Any = None) -> Any:  # most that is asked for is not there
        if self._values is None and name not in self._ctx.exports:
            return default
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._ctx.exports and name in self._ctx.vars

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
