"""``/dev/fd/N``, ``/dev/stdin`` and their kin, resolved in a descriptor table (rule 6)."""

from __future__ import annotations

import os
import stat as modes
from collections.abc import Iterator
from time import time_ns

from ..fs.base import Entry, FileSystem, Stat
from ..streams.base import Stream
from ..streams.fds import FdTable
from ..text import whole

_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def descriptor_number(path: str) -> int | None:
    """Give the descriptor that a path names, or None."""
    number = _STANDARD.get(path)
    if number is not None:
        return number
    for prefix in ("/dev/fd/", "/proc/self/fd/"):
        number_text = path[len(prefix) :]
        if path.startswith(prefix) and number_text.isdecimal() and number_text.isascii():
            return whole(number_text)
    return None


class DescriptorFS(FileSystem):
    """A file system in which ``/dev/fd/N`` leads to the call's own descriptors."""

    __slots__ = ("fds", "inner")

    def __init__(self, inner: FileSystem, fds: FdTable) -> None:
        self.inner = inner
        self.fds = fds

    def is_absolute(self, path: str) -> bool:
        return self.inner.is_absolute(path)

    def absolute(self, cwd: str, path: str) -> str:
        return path if descriptor_number(path) is not None else self.inner.absolute(cwd, path)

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        number = descriptor_number(path)
        return self.inner.open(path, flags, mode) if number is None else self.fds.get(number)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        number = descriptor_number(path)
        if number is None:
            return self.inner.stat(path, follow=follow)
        name = self.fds.get(number).path()
        if name is not None:
            try:
                return self.inner.stat(name)
            except OSError:
                pass
        now = time_ns()  # what a pipe of the kernel says: it has just been made
        seconds = now // 10**9
        return os.stat_result(
            (modes.S_IFIFO | 0o600, number, 0, 1, 0, 0, 0, seconds, seconds, seconds),
            {f"st_{kind}time{suffix}": value for kind in "amc" for suffix, value in (("", now / 1e9), ("_ns", now))},
        )

    def scandir(self, path: str) -> Iterator[Entry]:
        return self.inner.scandir(path)

    def access(self, path: str, mode: int) -> bool:
        number = descriptor_number(path)
        return self.inner.access(path, mode) if number is None else number in self.fds.entries

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self.inner.mkdir(path, mode)

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        self.inner.mkfifo(path, mode)

    def unlink(self, path: str) -> None:
        self.inner.unlink(path)

    def rmdir(self, path: str) -> None:
        self.inner.rmdir(path)

    def rename(self, old: str, new: str) -> None:
        self.inner.rename(old, new)

    def link(self, target: str, path: str) -> None:
        self.inner.link(target, path)

    def symlink(self, target: str, path: str) -> None:
        self.inner.symlink(target, path)

    def readlink(self, path: str) -> str:
        return self.inner.readlink(path)

    def chmod(self, path: str, mode: int) -> None:
        self.inner.chmod(path, mode)

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        self.inner.utime(path, times, follow=follow)

    def truncate(self, path: str, size: int) -> None:
        self.inner.truncate(path, size)

    def realpath(self, path: str) -> str:
        return path if descriptor_number(path) is not None else self.inner.realpath(path)

    def host_path(self, path: str) -> str | None:
        return self.inner.host_path(path)

    def temporary_directory(self) -> str:
        return self.inner.temporary_directory()
