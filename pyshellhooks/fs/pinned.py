"""Files with pinned contents: a run reads the content that was trusted, not a later one."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from ..streams.base import BytesReader, Stream
from .base import CREATE, TRUNCATE, WRITE, FileSystem, Stat
from .layer import NamedStream, PassThroughFS

_WRITES = WRITE | os.O_RDWR | CREATE | TRUNCATE


def plain(path: str) -> str:
    """Return a path without ``.`` and doubled slashes; ``..`` stays, since a link may precede it."""
    if "/./" not in path and "//" not in path and not path.startswith("./") and not path.endswith("/."):
        return path
    parts = [part for part in path.split("/") if part not in ("", ".")]
    joined = "/".join(parts)
    return f"/{joined}" if path.startswith("/") else joined


class PinnedFS(PassThroughFS):
    """``inner``, except that a read of one of ``files`` by exactly this path returns its pinned content.

    The keys of ``files`` are paths in the form of ``plain``.

    A native program reads the disk itself and does not see the pinned contents.
    """

    __slots__ = ("_files",)

    def __init__(self, inner: FileSystem, files: Mapping[str, bytes]) -> None:
        super().__init__(inner)
        self._files = files

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        data = None if flags & _WRITES else self._content(path)
        if data is None:
            return self.inner.open(path, flags, mode)
        return NamedStream(BytesReader(data), path)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        data = self._content(path) if follow else None
        if data is None:
            return self.inner.stat(path, follow=follow)
        try:
            there: Stat | None = self.inner.stat(path)
        except OSError:  # it was deleted since it was pinned
            there = None
        from hashlib import sha256

        # The inode number is a hash of the content, so that a cache by inode is a cache of this content.
        number = int.from_bytes(sha256(data).digest()[:7], "big")
        mode, uid, gid = 0o755, 0, 0
        seconds, nanoseconds = [0, 0, 0], [0, 0, 0]
        if there is not None:
            mode, uid, gid = there.st_mode, there.st_uid, there.st_gid
            seconds = [int(there.st_atime), int(there.st_mtime), int(there.st_ctime)]
            nanoseconds = [there.st_atime_ns, there.st_mtime_ns, there.st_ctime_ns]
        found = (stat.S_IFREG | stat.S_IMODE(mode), number, 0, 1, uid, gid, len(data), *seconds)
        names = ("st_atime_ns", "st_mtime_ns", "st_ctime_ns")
        return os.stat_result(found, dict(zip(names, nanoseconds, strict=True)))

    def _content(self, path: str) -> bytes | None:
        return self._files.get(plain(path))
