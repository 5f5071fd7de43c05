"""The file system of one run: every change passes the run's gate and counts against its limits."""

from __future__ import annotations

import stat
from collections.abc import Iterator

from ..cancel import CancelScope, Gate, check_cancelled
from ..errors import Stop
from ..limits import Limits
from ..streams.base import Stream
from .base import CREATE, TRUNCATE, Entry, FileSystem, Root, Stat

_PIECE = 65536  # bytes written under the gate at once (rule 5)


class GatedStream(Stream):
    """An open file of a run."""

    __slots__ = ("_closed", "_free", "_owner", "inner")

    def __init__(self, inner: Stream, owner: GatedFS, free: bool) -> None:
        self.references = 0
        self.inner = inner
        inner.references += 1
        self._owner = owner
        self._free = free  # a FIFO or device: writing may wait, so it must not hold the gate
        self._closed = False

    def read(self, size: int = 65536, /) -> bytes:
        # Check the scope in each read, so that no loop over a device or a growing file outlives the run.
        check_cancelled(self._owner.scope)
        return self.inner.read(size)

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        check_cancelled(self._owner.scope)
        return self.inner.readline(delimiter, limit)

    def write(self, data: bytes, /) -> None:
        owner = self._owner
        if owner.scope.stop is not None:
            owner.scope.check()
        if self._free:
            with owner.gate:
                owner.count(len(data))
            self.inner.write(data)
            return
        write = self.inner.write
        if len(data) <= _PIECE:
            with owner.gate:
                owner.count(len(data))
                write(data)
            return
        # The gate is released between the pieces: otherwise the end of the run would wait for a large write.
        for start in range(0, len(data), _PIECE):
            piece = data[start : start + _PIECE]
            with owner.gate:
                owner.count(len(piece))
                write(piece)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.inner.seek(offset, whence)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._owner.open_files -= 1
            self.inner.release()

    def fileno(self) -> int | None:
        return self.inner.fileno()

    def isatty(self) -> bool:
        return self.inner.isatty()

    def path(self) -> str | None:
        return self.inner.path()


class GatedFS(FileSystem):
    """``inner`` for one run: a closed gate blocks all further changes (rule 5).

    ``written`` is the number of bytes written to files, ``open_files`` that of open files; beyond ``limits`` the run
    ends. Reads only check whether the run is over, so that a walk through many names ends; removals do not, so that a
    cleanup works.
    """

    __slots__ = ("files", "gate", "inner", "limits", "open_files", "scope", "written")

    def __init__(self, inner: FileSystem, gate: Gate, scope: CancelScope, limits: Limits) -> None:
        self.inner = inner
        self.gate = gate
        self.scope = scope
        self.limits = limits
        self.written = 0
        self.open_files = 0
        self.files = 0

    def make(self) -> None:
        """Count a new file, directory or link. Raises ``Stop`` beyond the limit."""
        check_cancelled(self.scope)
        self.files += 1
        if self.files > self.limits.files:
            raise Stop("limit", f"more than {self.limits.files} files created", "files")

    def count(self, size: int) -> None:
        """Count bytes before they are written. Raises ``Stop`` beyond the limit."""
        self.written += size
        if self.written > self.limits.written:
            raise Stop("limit", f"more than {self.limits.written} bytes written to files", "written")

    def is_absolute(self, path: str) -> bool:
        return self.inner.is_absolute(path)

    def absolute(self, cwd: str, path: str) -> str:
        return self.inner.absolute(cwd, path)

    def temporary_directory(self) -> str:
        return self.inner.temporary_directory()

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        check_cancelled(self.scope)
        if self.open_files >= self.limits.open_files:
            raise Stop("limit", f"more than {self.limits.open_files} open files", "open_files")
        inner = self.inner
        free = False
        if flags & (CREATE | TRUNCATE | 3):
            try:
                free = stat.S_IFMT(inner.stat(path).st_mode) not in (stat.S_IFREG, stat.S_IFDIR)
            except OSError:
                free = False
                if flags & CREATE:
                    self.make()
            if free:
                # Opening a FIFO may wait for its other end: the gate is only tested, not held.
                with self.gate:
                    pass
                stream = inner.open(path, flags, mode)
            else:
                with self.gate:
                    stream = inner.open(path, flags, mode)
        else:
            stream = inner.open(path, flags, mode)
        self.open_files += 1
        return GatedStream(stream, self, free)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        check_cancelled(self.scope)
        return self.inner.stat(path, follow=follow)

    def scandir(self, path: str) -> Iterator[Entry]:
        check_cancelled(self.scope)
        return self.inner.scandir(path)

    def access(self, path: str, mode: int) -> bool:
        check_cancelled(self.scope)
        return self.inner.access(path, mode)

    def exists(self, path: str) -> bool:
        check_cancelled(self.scope)
        return self.inner.exists(path)

    def readlink(self, path: str) -> str:
        check_cancelled(self.scope)
        return self.inner.readlink(path)

    def realpath(self, path: str) -> str:
        check_cancelled(self.scope)
        return self.inner.realpath(path)

    def root_at(self, path: str) -> Root | None:
        check_cancelled(self.scope)
        return self.inner.root_at(path)

    def is_virtual(self) -> bool:
        return self.inner.is_virtual()

    def host_path(self, path: str) -> str | None:
        return self.inner.host_path(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self.make()
        with self.gate:
            self.inner.mkdir(path, mode)

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        self.make()
        with self.gate:
            self.inner.mkfifo(path, mode)

    def unlink(self, path: str) -> None:
        with self.gate:
            self.inner.unlink(path)

    def rmdir(self, path: str) -> None:
        with self.gate:
            self.inner.rmdir(path)

    def rename(self, old: str, new: str) -> None:
        with self.gate:
            self.inner.rename(old, new)

    def link(self, target: str, path: str) -> None:
        self.make()
        with self.gate:
            self.inner.link(target, path)

    def symlink(self, target: str, path: str) -> None:
        self.make()
        with self.gate:
            self.inner.symlink(target, path)

    def chmod(self, path: str, mode: int) -> None:
        with self.gate:
            self.inner.chmod(path, mode)

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        with self.gate:
            self.inner.utime(path, times, follow=follow)

    def truncate(self, path: str, size: int) -> None:
        with self.gate:
            self.inner.truncate(path, size)
