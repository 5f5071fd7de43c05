"""Copy-on-write drafts of values, for assignments and for ``reduce`` with a growing state.

Values are shared, so a container is copied before it is changed; a draft copies each container at most once. jq changes
a value in place if it has the only reference; without that ``reduce .[] as $x ([]; . + [$x.id])`` would take quadratic
time.
"""

from __future__ import annotations

from typing import Any

from ..functions.paths import getpath, setpath
from ..running import Run
from . import operators

_COPIED = 4096  # items that may be copied between two checks of the run
_MOST_OWNED = 10_000
_CONTAINERS = frozenset((list, dict))


class Draft:
    """A value whose containers are changed in place once the draft owns copies of them.

    A reader may keep a container of the draft; after such a read the draft owns nothing and copies again.
    """

    __slots__ = ("_length", "_owned", "_run", "_texts", "_value")

    def __init__(self, run: Run, value: Any) -> None:
        self._run = run
        self._value = value
        self._owned: dict[int, Any] = {}  # copies by id; the references keep an id from being reused
        self._texts: list[str] = []  # to be appended to the value, a string
        self._length = 0

    @property
    def value(self) -> Any:
        """The current value; a caller that keeps a part of it must call ``forget``."""
        if self._texts:
            self._value += "".join(self._texts)
            self._texts.clear()
        return self._value

    @property
    def owns(self) -> bool:
        """Whether the draft owns a container, which it would change in place."""
        return bool(self._owned)

    def forget(self) -> None:
        """Give up the ownership of all containers, as a reader may hold one."""
        self._owned.clear()

    def _own(self, container: Any) -> None:
        if len(self._owned) >= _MOST_OWNED:
            self._owned.clear()
        self._owned[id(container)] = container

    def get(self, keys: list[Any]) -> Any:
        """Return the value at a path; the caller may keep it."""
        found = getpath(self._run, self.value, keys)
        if id(found) in self._owned:
            self.forget()
        return found

    def set(self, keys: list[Any], new: Any) -> None:
        """Set the value at a path."""
        holder, last = None, None
        value = self.value
        for at, key in enumerate(keys):
            # Only existing fields and elements, and an append, are changed in place; setpath does the rest.
            if type(value) is dict and type(key) is str:
                there = value.get(key)
            elif type(value) is list and type(key) is int and 0 <= key <= len(value):
                there = value[key] if key < len(value) else None
            else:
                new = setpath(self._run, value, keys[at:], new)
                break
            if id(value) not in self._owned:
                value = self._copy(value)
                if holder is None:
                    self._value = value
                else:
                    holder[last] = value
                self._own(value)
            if type(value) is list and key == len(value):
                value.append(None)
            holder, last, value = value, key, there
        if holder is None:
            self._value = new
        else:
            holder[last] = new

    def _copy(self, value: Any) -> Any:
        if len(value) > _COPIED:
            self._run.check()
            self._run.made(len(value) * 16)
        return value.copy()

    def add(self, keys: list[Any], more: Any) -> None:
        """Add ``more`` to the value at a path."""
        if not keys and type(self._value) is str and type(more) is str:
            if self._texts:
                self._length = self._length + len(more)
            else:
                self._length = len(self._value) + len(more)
            self._run.text(self._length)
            self._texts.append(more)
            return
        old = getpath(self._run, self.value, keys)
        if type(old) is not type(more) or type(old) not in _CONTAINERS:
            self.set(keys, operators.add(self._run, old, more))
            return
        if id(old) in self._owned:
            self._run.made(len(more) * 64)
            if type(old) is list:
                operators.extend(self._run, old, more)
            else:
                operators.update(self._run, old, more)
            return
        new = operators.add(self._run, old, more)
        self.set(keys, new)
        self._own(new)

    def delete(self, paths: list[list[Any]]) -> None:
        """Delete the values at the paths."""
        from ..functions.paths import delpaths

        self._value = delpaths(self._run, self.value, paths)
        self.forget()
