"""``FileSystem``: the interface of a file system.

Paths are absolute, ``/``-separated str (``C:/x`` on Windows). ``absolute`` makes them so; no other method uses a
working directory. All errors are ``OSError`` with ``errno`` set.
"""

from __future__ import annotations

import errno
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import UntrackedFilesError
from ..streams.base import Stream
from ..text import encode
from ..windows_paths import script_path, with_slashes

if TYPE_CHECKING:
    from .change import Change, Original

Stat = os.stat_result  # virtual file systems construct it

# The fields of a status that are not in its sequence, or only rounded.
TIMES = ("st_atime", "st_mtime", "st_ctime", "st_atime_ns", "st_mtime_ns", "st_ctime_ns")
READ, WRITE, READ_WRITE = os.O_RDONLY, os.O_WRONLY, os.O_RDWR
CREATE, TRUNCATE, APPEND, EXCLUSIVE = os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_EXCL


Saved = dict[str, Any]
"""What ``FileSystem.save`` gives: ``kind``, and what that kind keeps; texts, numbers, bytes, lists and dicts only."""

HINT = "mount the directory as an overlay (Shell.sandbox(overlay={...}), OverlayFS), which keeps writes in memory"


class ResolvedPath(str):
    """An absolute path whose links an upper file system has resolved: below ``root`` it has none.

    If a part has become a link since then, it is not followed: it could lead out of the tree that the upper file system
    has checked.
    """

    __slots__ = ("root",)

    root: str

    def __new__(cls, path: str, root: str = "") -> ResolvedPath:
        settled = super().__new__(cls, path)
        settled.root = root
        return settled


LINKS_MAX = 40  # symbolic links in one path, as in Linux


def one_more_link(links: int, path: str, at: str) -> int:
    """Count a link that is at the resolved path ``at``. Raises ``OSError`` (ELOOP) if it must not be followed."""
    is_new_link = isinstance(path, ResolvedPath) and len(at) > len(path.root)
    if links == LINKS_MAX or is_new_link:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    return links + 1


def failure(code: int, path: str) -> OSError:
    """Return an ``OSError`` with the system's text for an errno."""
    return OSError(code, os.strerror(code), path)


def without_slash(path: str) -> str:
    """Return a path without slashes at its end; a ``ResolvedPath`` path stays one."""
    bare = path.rstrip("/") or "/"
    return ResolvedPath(bare, path.root) if isinstance(path, ResolvedPath) else bare


def parent_of(path: str) -> str:
    """Return the directory of a path that does not end with a slash, lexically."""
    return path.rpartition("/")[0] or "/"


class Root(NamedTuple):
    """The root of a tree. ``kind``: ``top`` is ``/``, ``mount`` a mount point, ``volume`` a drive or share."""

    name: str
    kind: str


TOP = Root("/", "top")


class Entry:
    """One name in a directory. ``kind`` is ``f`` file, ``d`` directory, ``l`` symbolic link, ``o`` other."""

    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind


class FileSystem(ABC):
    """A tree of files with absolute paths (str). All methods raise ``OSError``; see the module for paths."""

    __slots__ = ()

    def is_absolute(self, path: str) -> bool:
        """Return whether a path is absolute."""
        return path.startswith("/")

    def has_drives(self) -> bool:
        """Return whether paths may begin with a drive (``C:/x``)."""
        return self.is_absolute("C:/")

    def in_one_form(self, path: str) -> str:
        """Return a path as scripts see it on Windows, in whatever spelling it is written; elsewhere the path itself."""
        if not self.has_drives() or path[2:] == ":":  # /C: is a link to C:/
            return path
        return script_path(path, self.exists) or with_slashes(path)

    def absolute(self, cwd: str, path: str) -> str:
        """Join a path to a working directory, lexically: ``..`` stays, since it must be resolved after links."""
        if self.is_absolute(path):
            return path
        if not path:
            raise OSError(errno.ENOENT, "No such file or directory", path)
        return f"{cwd}{path}" if cwd.endswith("/") else f"{cwd}/{path}"

    @abstractmethod
    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        """Open a file; ``flags`` and ``mode`` as in os.open. A wait for a device or FIFO can be cancelled."""

    @abstractmethod
    def stat(self, path: str, *, follow: bool = True) -> Stat:
        """Return the status of a file, or of the link itself if ``follow`` is false."""

    @abstractmethod
    def scandir(self, path: str) -> Iterator[Entry]:
        """Yield the entries of a directory without ``.`` and ``..``, in no particular order."""

    @abstractmethod
    def access(self, path: str, mode: int) -> bool:
        """Return whether the user has the access ``os.R_OK | os.W_OK | os.X_OK`` or ``os.F_OK``."""

    @abstractmethod
    def mkdir(self, path: str, mode: int = 0o777) -> None: ...

    @abstractmethod
    def unlink(self, path: str) -> None: ...

    @abstractmethod
    def rmdir(self, path: str) -> None: ...

    @abstractmethod
    def rename(self, old: str, new: str) -> None:
        """Rename a file or directory. A file at ``new`` is replaced, on every system."""

    @abstractmethod
    def link(self, target: str, path: str) -> None: ...

    @abstractmethod
    def symlink(self, target: str, path: str) -> None: ...

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        """Create a FIFO. This default, for file systems without FIFOs, raises EOPNOTSUPP after the usual checks."""
        bare = without_slash(path)
        try:
            self.stat(bare, follow=False)
        except FileNotFoundError:
            self.stat(parent_of(bare))
            raise OSError(errno.EOPNOTSUPP, "Operation not supported", path) from None
        raise OSError(errno.EEXIST, "File exists", path)

    @abstractmethod
    def readlink(self, path: str) -> str: ...

    @abstractmethod
    def chmod(self, path: str, mode: int) -> None: ...

    @abstractmethod
    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        """Set access and modification time in nanoseconds (None: now), of the link itself if ``follow`` is false."""

    @abstractmethod
    def truncate(self, path: str, size: int) -> None: ...

    @abstractmethod
    def realpath(self, path: str) -> str:
        """Return the path with every link and ``..`` resolved; missing last parts stay as they are."""

    def root_at(self, path: str) -> Root | None:
        """Return the root that a path leads to, through links and ``..``, or None for any other file."""
        status = self.stat(path)
        if status.st_ino:
            is_top = os.path.samestat(status, self.stat("/"))
        else:  # without inode numbers all files would be the same
            is_top = self.realpath(path) == "/"
        return TOP if is_top else None

    @abstractmethod
    def host_path(self, path: str) -> str | None:
        """Return the path under which a native program sees the file, or None if it can't see it."""

    def is_virtual(self) -> bool:
        """Return whether the root is not on a disk: a script there starts without the host's variables and user."""
        return self.host_path("/") is None

    def exists(self, path: str) -> bool:
        """Return whether a path leads to a file."""
        try:
            self.stat(path)
        except OSError:
            return False
        return True

    def temporary_directory(self) -> str:
        """Return the directory for temporary files if TMPDIR is not set."""
        return "/tmp"

    # --- for the host of scripts, not for scripts: no gate, no limits ------------------------------------------------

    def read_bytes(self, path: str) -> bytes:
        """Return the content of a regular file. Raises ``OSError``, and ``ValueError`` for a relative path."""
        stream = self._open_regular(path, READ)
        try:
            chunks = []
            while chunk := stream.read(1 << 20):
                chunks.append(chunk)
            return b"".join(chunks)
        finally:
            stream.release()

    def read_text(self, path: str) -> str:
        """Return the content of a regular file in UTF-8. Raises like ``read_bytes``, and ``UnicodeDecodeError``."""
        return self.read_bytes(path).decode()

    def write_bytes(self, path: str, data: bytes) -> None:
        """Create or replace a regular file; its directory must exist. Raises like ``read_bytes``."""
        stream = self._open_regular(path, WRITE | CREATE | TRUNCATE)
        try:
            stream.write(data)
        finally:
            stream.release()

    def write_text(self, path: str, text: str) -> None:
        """Create or replace a regular file with a text in UTF-8. Raises like ``write_bytes``, and ``TypeError``."""
        if not isinstance(text, str):
            raise TypeError(f"write_text takes a str, not {type(text).__name__}; write_bytes takes bytes")
        self.write_bytes(path, encode(text))

    def listdir(self, path: str) -> list[str]:
        """Return the names in a directory, sorted. Raises like ``read_bytes``."""
        return sorted(entry.name for entry in self.scandir(self._checked(path)))

    def makedirs(self, path: str) -> None:
        """Create a directory and its parents, unless they exist. Raises like ``read_bytes``."""
        bare = self._checked(path).rstrip("/")
        try:
            self.mkdir(bare or "/")
        except FileNotFoundError:
            self.makedirs(parent_of(bare))
            self.mkdir(bare)
        except FileExistsError:
            if not stat.S_ISDIR(self.stat(bare or "/").st_mode):
                raise

    def _checked(self, path: str) -> str:
        if not isinstance(path, str) or not self.is_absolute(path):
            raise ValueError(f"the path of a file must be absolute, got {path!r}")
        return path

    def _open_regular(self, path: str, flags: int) -> Stream:
        """Open a regular file. Raises ``OSError`` (EINVAL) for a device or a FIFO, which could wait or never end."""
        try:
            mode = self.stat(self._checked(path)).st_mode
        except FileNotFoundError:
            mode = stat.S_IFREG
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError(errno.EINVAL, "Not a regular file", path)
        return self.open(path, flags, 0o644).retain()

    # --- changes -----------------------------------------------------------------------------------------------------

    def changes(self) -> list[Change]:
        """Return the changes since the start, sorted by path. Raises ``UntrackedFilesError`` without a record."""
        raise UntrackedFilesError(f"{type(self).__name__} does not record changes; {HINT}")

    def original(self, path: str) -> Original | None:
        """Return the file that was at a path at the start; None if there was no file or it is not recorded."""
        return None

    def save(self) -> Saved:
        """Return the current state of all files. Raises ``UntrackedFilesError`` if this file system can't."""
        raise UntrackedFilesError(f"{type(self).__name__} does not support snapshots; {HINT}")

    def load(self, saved: Saved) -> Callable[[], None]:
        """Return a function that restores saved files. Raises ``ValueError`` if they are of another file system."""
        raise UntrackedFilesError(f"{type(self).__name__} does not support snapshots; {HINT}")
