"""One directory of a file system as the root of its own."""

from __future__ import annotations

from collections.abc import Callable

from .base import FileSystem, Saved, Settled
from .change import Change, Original
from .layer import Layer, link_at, resolve


class Rooted(Layer):
    """``Rooted(fs, "/w")``: ``/x`` here is ``/w/x`` there, and nothing here leads anywhere else.

    ``..`` stops at the root, and targets of symbolic links count from it, as under chroot. The parts of a path are
    looked at one after the other. A link that takes the place of one of them meanwhile is not followed (``Settled``):
    a script can't lead itself out. Windows and macOS can't be asked for that.
    """

    __slots__ = ("_prefix", "inner")

    def __init__(self, inner: FileSystem, root: str) -> None:
        self.inner = inner
        self._prefix = inner.realpath(root).rstrip("/")

    def _link_of(self, path: str, last: bool) -> str | None:
        return link_at(self.inner, Settled(self._prefix + path, self._prefix), path, last)

    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        above = path.root if isinstance(path, Settled) else ""
        return self.inner, Settled(self._prefix + resolve(path, self._link_of, follow), self._prefix + above)

    def _is_fixed(self, path: str) -> bool:
        # For the file system below, the root here is a directory like any other.
        return resolve(path, self._link_of, False) == "/"

    def changes(self) -> list[Change]:
        above = self._prefix + "/"
        own = (change for change in self.inner.changes() if change.path.startswith(above))
        return [Change(change.kind, change.path[len(self._prefix) :]) for change in own]

    def original(self, path: str) -> Original | None:
        return self.inner.original(self._prefix + path)

    def save(self) -> Saved:
        return self.inner.save()

    def load(self, saved: Saved) -> Callable[[], None]:
        return self.inner.load(saved)
