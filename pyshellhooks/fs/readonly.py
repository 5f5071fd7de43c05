"""``ReadOnly``: a view of a file system that refuses all changes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable

from ..streams.base import Stream
from .base import CREATE, READ, TRUNCATE, Saved
from .change import Change, of_kind
from .layer import PassThroughFS


class ReadOnly(PassThroughFS):
    """The file system ``inner``, but every change is EROFS. Devices can be written, as on a read-only mount."""

    __slots__ = ()

    def _is_device(self, path: str) -> bool:
        try:
            return stat.S_ISCHR(self.inner.stat(path).st_mode)
        except OSError:
            return False

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        if flags & (CREATE | TRUNCATE | 3) and not self._is_device(path):
            self._check_open(path, flags)
        return self.inner.open(path, flags, mode)

    def _check_open(self, path: str, flags: int) -> None:
        """Raise EROFS for an open that changes a file or creates one, or the error of a missing file."""
        only_reads = flags & 3 == READ and not flags & TRUNCATE
        if only_reads and self.inner.exists(path):  # CREATE does nothing to it
            return
        if flags & CREATE or self.inner.exists(path):
            raise self._refuse(path)
        self.inner.stat(path)

    def access(self, path: str, mode: int) -> bool:
        if not self.inner.access(path, mode):
            return False
        return not mode & os.W_OK or self._is_device(path)

    def _refuse(self, path: str) -> OSError:
        return OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    def _refuse_new(self, path: str) -> OSError:
        try:
            self.inner.stat(path, follow=False)
        except FileNotFoundError:
            return self._refuse(path)
        return OSError(errno.EEXIST, os.strerror(errno.EEXIST), path)  # a kernel checks this first

    def _refuse_old(self, path: str) -> OSError:
        self.inner.stat(path, follow=False)
        return self._refuse(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        raise self._refuse_new(path)

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        raise self._refuse_new(path)

    def unlink(self, path: str) -> None:
        raise self._refuse_old(path)

    def rmdir(self, path: str) -> None:
        raise self._refuse_old(path)

    def rename(self, old: str, new: str) -> None:
        raise self._refuse_old(old)

    def link(self, target: str, path: str) -> None:
        raise self._refuse_old(target)

    def symlink(self, target: str, path: str) -> None:
        raise self._refuse_new(path)

    def chmod(self, path: str, mode: int) -> None:
        raise self._refuse_old(path)

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        raise self._refuse_old(path)

    def truncate(self, path: str, size: int) -> None:
        raise self._refuse_old(path)

    def changes(self) -> list[Change]:
        return []

    def save(self) -> Saved:
        return {"kind": "read-only"}

    def load(self, saved: Saved) -> Callable[[], None]:
        of_kind(saved, "read-only")
        return lambda: None
