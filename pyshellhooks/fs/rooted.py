"""``Rooted``: one directory of a file system as a root."""

from __future__ import annotations

from collections.abc import Callable

from .base import FileSystem, ResolvedPath, Saved
from .change import Change, Original
from .layer import Layer, link_at, resolve


class Rooted(Layer):
    """``Rooted(fs, "/w")``: ``/x`` here is ``/w/x`` there, and no path leads out of ``/w``. Raises ``OSError``.

    ``..`` stops at the root, and targets of symbolic links are relative to it, as under chroot. The parts of a path are
    resolved one after the other. A link that replaces one of them meanwhile is not followed (``ResolvedPath``), so that a
    script can't escape by a race. Windows and macOS have no system call for that.
    """

    __slots__ = ("_prefix", "inner")

    def __init__(self, inner: FileSystem, root: str) -> None:
        self.inner = inner
        self._prefix = inner.realpath(root).rstrip("/")  # resolved once: the root itself may be behind links

    def _link_of(self, path: str, last: bool) -> str | None:
        return link_at(self.inner, ResolvedPath(self._prefix + path, self._prefix), path, last)

    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        above = path.root if isinstance(path, ResolvedPath) else ""
        return self.inner, ResolvedPath(self._prefix + resolve(path, self._link_of, follow), self._prefix + above)

    def _is_fixed(self, path: str) -> bool:
        # For the lower file system this root is an ordinary directory.
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
