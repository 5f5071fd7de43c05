"""One directory of a file system as the root of its own."""

from __future__ import annotations

from .base import FileSystem
from .layer import Layer, link_at, resolve


class Rooted(Layer):
    """``Rooted(fs, "/w")``: ``/x`` here is ``/w/x`` there, and nothing here leads anywhere else.

    ``..`` stops at the root, and targets of symbolic links count from it, as under chroot. The parts of a path are
    looked at one after the other, so another process that swaps directories for links meanwhile can mislead it: it
    keeps a script in, not an attacker who shares the disk.
    """

    __slots__ = ("_prefix", "inner")

    def __init__(self, inner: FileSystem, root: str) -> None:
        self.inner = inner
        self._prefix = inner.realpath(root).rstrip("/")

    def _link_of(self, path: str, last: bool) -> str | None:
        return link_at(self.inner, self._prefix + path, path, last)

    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        return self.inner, self._prefix + resolve(path, self._link_of, follow)
