"""The port to files: what a file system must offer.

Paths are absolute, ``/``-separated str (``C:/x`` on Windows). ``absolute`` makes them so; nothing else looks at a
working directory. Errors are ``OSError`` with ``errno`` set, and nothing else.
"""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator

from ..streams.base import Stream

Stat = os.stat_result  # made by hand in the virtual file systems

READ, WRITE, READ_WRITE = os.O_RDONLY, os.O_WRONLY, os.O_RDWR
CREATE, TRUNCATE, APPEND, EXCLUSIVE = os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_EXCL


class Entry:
    """One name in a directory. ``kind`` is ``f`` file, ``d`` directory, ``l`` symbolic link, ``o`` other."""

    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind


class FileSystem(ABC):
    """Files, seen through absolute paths."""

    __slots__ = ()

    def is_absolute(self, path: str) -> bool:
        """Say whether a path needs no working directory."""
        return path.startswith("/")

    def absolute(self, cwd: str, path: str) -> str:
        """Join a path to a working directory. Lexical; keeps ``..`` for the system to resolve."""
        if self.is_absolute(path):
            return path
        if not path:
            raise OSError(errno.ENOENT, "No such file or directory", path)
        return f"{cwd}{path}" if cwd.endswith("/") else f"{cwd}/{path}"

    @abstractmethod
    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        """Open a file; flags as in os.open. Devices and FIFOs never block the caller without bound."""

    @abstractmethod
    def stat(self, path: str, *, follow: bool = True) -> Stat:
        """Return the status; of the link itself where ``follow`` is false."""

    @abstractmethod
    def scandir(self, path: str) -> Iterator[Entry]:
        """Return the entries without ``.`` and ``..``, in no particular order."""

    @abstractmethod
    def access(self, path: str, mode: int) -> bool:
        """Say whether the user may: ``os.R_OK | os.W_OK | os.X_OK`` or ``os.F_OK``."""

    @abstractmethod
    def mkdir(self, path: str, mode: int = 0o777) -> None: ...

    @abstractmethod
    def unlink(self, path: str) -> None: ...

    @abstractmethod
    def rmdir(self, path: str) -> None: ...

    @abstractmethod
    def rename(self, old: str, new: str) -> None:
        """Rename; replaces a file at ``new``, on every system."""

    @abstractmethod
    def link(self, target: str, path: str) -> None: ...

    @abstractmethod
    def symlink(self, target: str, path: str) -> None: ...

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        """Make a FIFO. Here for the file systems that can have none, with what they would say first."""
        bare = path.rstrip("/") or "/"
        try:
            self.stat(bare, follow=False)
        except FileNotFoundError:
            self.stat(bare.rpartition("/")[0] or "/")
            raise OSError(errno.EOPNOTSUPP, "Operation not supported", path) from None
        raise OSError(errno.EEXIST, "File exists", path)

    @abstractmethod
    def readlink(self, path: str) -> str: ...

    @abstractmethod
    def chmod(self, path: str, mode: int) -> None: ...

    @abstractmethod
    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        """Set access and modification time in nanoseconds, None is now; of a link itself where ``follow`` is false."""

    @abstractmethod
    def truncate(self, path: str, size: int) -> None: ...

    @abstractmethod
    def realpath(self, path: str) -> str:
        """Resolve every link and ``..``; missing last parts stay as they are."""

    @abstractmethod
    def host_path(self, path: str) -> str | None:
        """Return the path under which a native program sees the file, or None if it cannot."""

    def is_virtual(self) -> bool:
        """Say whether its root is on no disk: a script there starts without the host's variables and user."""
        return self.host_path("/") is None

    def exists(self, path: str) -> bool:
        """Say whether a path leads to anything."""
        try:
            self.stat(path)
        except OSError:
            return False
        return True

    def temporary_directory(self) -> str:
        """Return the directory for temporary files where TMPDIR names none."""
        return "/tmp"
