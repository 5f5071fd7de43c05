"""The environment of a utility."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import variables

if TYPE_CHECKING:
    from .context import ExecutionContext as Ctx


class Environment(Mapping[str, str]):
    """The exported variables, collected at the first access: most utilities need none."""

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
            # A single name, such as TZ or POSIXLY_CORRECT, does not need all of them.
            if name in self._ctx.exports:
                value = variables.get(self._ctx, name)
                if value is not None:
                    return value
            raise KeyError(name)
        return self._values[name]

    def get(self, name: str, default: Any = None) -> Any:  # most requested names are not set
        if self._values is None and name not in self._ctx.exports:
            return default
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._ctx.exports and name in self._ctx.vars

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
