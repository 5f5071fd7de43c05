"""The files of one shell environment: ``/dev/fd/N``, ``/dev/stdin`` and similar are its own descriptors (rule 6)."""

from __future__ import annotations

import errno
import os
import stat as modes
from collections.abc import Iterator
from time import time_ns

from ..fs.base import Entry, FileSystem, Root, Stat
from ..fs.gated import GatedFS
from ..fs.proc_fd import DIRECTORY, OwnDescriptor, named_by
from ..streams.base import Stream
from ..streams.fds import FdTable


class DescriptorFS(FileSystem):
    """The file system of a run, in which names of descriptors lead to those of ``fds``, also through links.

    The inner file system raises ``OwnDescriptor`` for such a path. A third-party one may not, so a path that names a
    descriptor by its text is not passed on.
    """

    __slots__ = ("_plain", "fds", "inner")

    def __init__(self, inner: FileSystem, fds: FdTable) -> None:
        self.inner = inner
        self.fds = fds
        self._plain = inner.inner if type(inner) is GatedFS else inner  # for reads, which pass no gate

    def is_absolute(self, path: str) -> bool:
        return self._plain.is_absolute(path)

    def absolute(self, cwd: str, path: str) -> str:
        if named_by(path) is not None:
            return path
        return self._plain.absolute(cwd, path)

    # --- reads -----------------------------------------------------------------------------------------------------

    def _stream(self, number: int, path: str) -> Stream:
        stream = self.fds.entries.get(number)
        if stream is None:
            raise OSError(errno.ENOENT, "No such file or directory", path)
        return stream

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        number = named_by(path)
        if number is None:
            try:
                return self.inner.open(path, flags, mode)
            except OwnDescriptor as own:
                number = own.number
        if number == DIRECTORY:
            raise OSError(errno.EISDIR, "Is a directory", path)
        return self._stream(number, path)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        number = named_by(path) if follow else None
        if number is None:
            try:
                return self._plain.stat(path, follow=follow)
            except OwnDescriptor as own:
                number = own.number
            except OSError:
                number = named_by(path)
                if number is None:
                    raise
        if number == DIRECTORY:
            return _descriptor_stat(modes.S_IFDIR | 0o500, 0)
        stream = self._stream(number, path)
        if not follow:
            return _descriptor_stat(modes.S_IFLNK | 0o700, number)
        name = stream.path()
        if name is not None:
            try:
                return self._plain.stat(name)
            except OSError:
                pass
        return _descriptor_stat(modes.S_IFIFO | 0o600, number)

    def scandir(self, path: str) -> Iterator[Entry]:
        number = named_by(path)
        if number is None:
            try:
                return self._plain.scandir(path)
            except OwnDescriptor as own:
                number = own.number
        if number != DIRECTORY:
            raise OSError(errno.ENOTDIR, "Not a directory", path)
        return iter([Entry(str(entry), "l") for entry in sorted(self.fds.entries)])

    def access(self, path: str, mode: int) -> bool:
        number = named_by(path)
        if number is None:
            try:
                return self._plain.access(path, mode)
            except OwnDescriptor as own:
                number = own.number
        if number == DIRECTORY:
            return not mode & os.W_OK
        return number in self.fds.entries

    def exists(self, path: str) -> bool:
        try:
            self.stat(path)
        except OSError:
            return False
        return True

    def readlink(self, path: str) -> str:
        try:
            return self._plain.readlink(path)
        except OwnDescriptor as own:
            number = own.number
        if number == DIRECTORY:
            raise OSError(errno.EINVAL, "Invalid argument", path)
        return self._stream(number, path).path() or f"pipe:[{number}]"

    def realpath(self, path: str) -> str:
        if named_by(path) is not None:
            return path
        try:
            return self._plain.realpath(path)
        except OwnDescriptor as own:
            return "/dev/fd" if own.number == DIRECTORY else f"/dev/fd/{own.number}"

    def root_at(self, path: str) -> Root | None:
        try:
            return self._plain.root_at(path)
        except OwnDescriptor:
            return None

    def is_virtual(self) -> bool:
        return self._plain.is_virtual()

    def host_path(self, path: str) -> str | None:
        return self._plain.host_path(path)

    def temporary_directory(self) -> str:
        return self._plain.temporary_directory()

    # --- changes ---------------------------------------------------------------------------------------------------

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

    def chmod(self, path: str, mode: int) -> None:
        self.inner.chmod(path, mode)

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        self.inner.utime(path, times, follow=follow)

    def truncate(self, path: str, size: int) -> None:
        self.inner.truncate(path, size)


def _descriptor_stat(mode: int, number: int) -> Stat:
    now = time_ns()  # as of a pipe of the kernel that was just created
    seconds = now // 10**9
    times: dict[str, float] = {}
    for kind in "amc":
        times[f"st_{kind}time"] = now / 1e9
        times[f"st_{kind}time_ns"] = now
    return os.stat_result((mode, number, 0, 1, 0, 0, 0, seconds, seconds, seconds), times)
