"""Tables of variables for subshells: a small one is copied; over a large one a layer is laid."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .variables import Var

Default = TypeVar("Default")
Table = MutableMapping[str, "str | Var"]

LARGE = 256  # entries: up to here copying takes two microseconds, and a copy is three times as fast to read


class Layered(MutableMapping[str, "str | Var"]):
    """What a subshell sees and sets, over a table that nobody changes while it runs."""

    __slots__ = ("_base", "_gone", "_own", "_size")

    def __init__(self, base: dict[str, str | Var]) -> None:
        self._base = base
        self._own: dict[str, str | Var] = {}  # set here
        self._gone: set[str] = set()  # removed here; what was set again later stands in both
        self._size = len(base)

    def __getitem__(self, name: str) -> str | Var:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def get(self, name: str, default: Default | None = None) -> str | Var | Default | None:  # type: ignore[override]
        """Give what a name stands for."""
        found = self._own.get(name)
        if found is not None:
            return found
        return default if name in self._gone else self._base.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._own or (name in self._base and name not in self._gone)

    def __iter__(self) -> Iterator[str]:
        own, gone = self._own, self._gone
        yield from own
        for name in self._base:
            if name not in own and name not in gone:
                yield name

    def __len__(self) -> int:
        return self._size

    def __setitem__(self, name: str, held: str | Var) -> None:
        self._size += name not in self
        self._own[name] = held

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._size -= 1
        self._own.pop(name, None)
        self._gone.add(name)

    def subshell(self) -> Layered:
        """Give a layer of its own to a subshell of the subshell."""
        if len(self._own) + len(self._gone) > LARGE:
            self._base, self._own, self._gone = dict(self), {}, set()
        new = Layered(self._base)
        new._own, new._gone, new._size = self._own.copy(), self._gone.copy(), self._size
        return new


def for_subshell(table: Table) -> Table:
    """Give the table of a subshell that is waited for: until it ends nobody changes the one that it is made of."""
    if isinstance(table, Layered):
        return table.subshell()
    assert isinstance(table, dict)
    return table.copy() if len(table) <= LARGE else Layered(table)


def for_job(table: Table, owner: object) -> Table:
    """Give the table of a subshell that runs beside the shell: nothing of it is shared with anybody who may change it."""
    made = table.copy() if isinstance(table, dict) else dict(table)
    for name, held in table.items():
        if held.__class__ is not str and held.owner is not None:  # type: ignore[union-attr]
            made[name] = held.copy(owner)  # type: ignore[union-attr]
    return made
