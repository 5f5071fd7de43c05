"""Base classes of file systems over other ones: they resolve a path and delegate to a lower file system."""

from __future__ import annotations

import errno
import os
import stat
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import TypeVar

from ..errors import message_of
from ..streams.base import Stream
from .base import CREATE, EXCLUSIVE, TOP, Entry, FileSystem, Root, Stat, one_more_link
from .proc_fd import OwnDescriptor, backwards, further, must_not_be_own

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)

T = TypeVar("T")

LinkOf = Callable[[str, bool], "str | None"]


def resolve(path: str, link_of: LinkOf, follow: bool) -> str:
    """Resolve ``.``, ``..`` and symbolic links of an absolute path; ``..`` of ``/`` is ``/``.

    ``link_of(path, last)`` returns the target of a link at a resolved path, None for any other file. It raises
    ``OSError`` if a part before the last one is missing or not a directory. A last ``/`` stays.
    """
    if "\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
    pending = backwards(path)
    slash = path.endswith("/") and bool(pending)
    done: list[str] = []
    links = 0
    while pending:
        part = pending.pop()
        if part == ".":
            continue
        if part == "..":
            del done[-1:]
            continue
        done.append(part)
        if len(done) < 3:
            must_not_be_own(path, done, pending)
        is_last = not pending
        if is_last and not follow and not slash:
            break
        try:
            target = link_of("/" + "/".join(done), not pending)
        except OwnDescriptor as own:
            raise further(own, path, pending) from None
        if target is None:
            continue
        links = one_more_link(links, path, "/" + "/".join(done))
        done.pop()
        if target.startswith("/"):
            done.clear()
        pending += backwards(target)
    resolved = "/" + "/".join(done)
    return resolved + "/" if slash and done else resolved


def renamed(error: OSError, path: str) -> OSError:
    """Return the error with the caller's path instead of the lower one."""
    if isinstance(error, OwnDescriptor):
        return error
    return OSError(error.errno, message_of(error), path)


class NamedStream(Stream):
    """A stream of a lower file system with the path of the upper one."""

    __slots__ = ("_inner", "_name")

    def __init__(self, inner: Stream, name: str) -> None:
        self.references = 0
        self._inner = inner.retain()
        self._name = name

    def read(self, size: int = 65536, /) -> bytes:
        return self._inner.read(size)

    def write(self, data: bytes, /) -> None:
        self._inner.write(data)

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        return self._inner.readline(delimiter, limit)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._inner.seek(offset, whence)

    def close(self) -> None:
        inner, self._inner = self._inner, _CLOSED
        inner.release()

    def fileno(self) -> int | None:
        return self._inner.fileno()

    def isatty(self) -> bool:
        return self._inner.isatty()

    def path(self) -> str | None:
        return self._name


class _Closed(Stream):
    """The inner stream after ``close``: every operation is EBADF, and further releases do nothing."""

    __slots__ = ()

    def release(self) -> None:
        pass


_CLOSED = _Closed()


class Layer(FileSystem):
    """A file system whose files are in other ones; a subclass implements ``place``."""

    __slots__ = ()

    @abstractmethod
    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        """Return the lower file system of a path, and the path in it; ``follow``: whether to resolve a last link."""

    def _call_at(self, path: str, follow: bool, act: Callable[[FileSystem, str], T]) -> T:
        """Call ``act`` with the place of a path. An ``OSError`` gets the caller's path."""
        fs, inner = self.place(path, follow)
        try:
            return act(fs, inner)
        except OSError as error:
            raise renamed(error, path) from None

    def _call_at_both(self, old: str, new: str, blamed: str, act: Callable[[FileSystem, str, str], None]) -> None:
        """Call ``act`` with the places of two paths. An ``OSError`` gets the path ``blamed``; EXDEV if they differ."""
        fs, inner = self.place(old, False)
        other, goal = self.place(new, False)
        if fs is not other:
            # A name can't refer to a file of another mount.
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), blamed)
        try:
            act(fs, inner, goal)
        except OSError as error:
            raise renamed(error, blamed) from None

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        def opened(fs: FileSystem, inner: str) -> Stream:
            stream = fs.open(inner, flags, mode)
            return stream if inner == path else NamedStream(stream, path)

        exclusive = flags & CREATE and flags & EXCLUSIVE
        return self._call_at(path, not (exclusive or flags & _NO_FOLLOW), opened)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        return self._call_at(path, follow, lambda fs, inner: fs.stat(inner, follow=follow))

    def scandir(self, path: str) -> Iterator[Entry]:
        return self._call_at(path, True, lambda fs, inner: fs.scandir(inner))

    def access(self, path: str, mode: int) -> bool:
        try:
            fs, inner = self.place(path, True)
        except OwnDescriptor:
            raise
        except OSError:
            return False
        return fs.access(inner, mode)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self._call_at(path, False, lambda fs, inner: fs.mkdir(inner, mode))

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        self._call_at(path, False, lambda fs, inner: fs.mkfifo(inner, mode))

    def unlink(self, path: str) -> None:
        self._call_at(path, False, lambda fs, inner: fs.unlink(inner))

    def _is_fixed(self, path: str) -> bool:
        """Return whether a path is part of the tree's structure, such as a mount point: scripts can't remove it."""
        return False

    def _must_not_be_fixed(self, path: str) -> None:
        """Raise EBUSY for a root or a mount point, as the kernel does."""
        if self._is_fixed(path):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), path)

    def rmdir(self, path: str) -> None:
        self._must_not_be_fixed(path)
        if path.rstrip("/").endswith("/."):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
        self._call_at(path, False, lambda fs, inner: fs.rmdir(inner))

    def rename(self, old: str, new: str) -> None:
        self._must_not_be_fixed(old)
        self._must_not_be_fixed(new)
        self._call_at_both(old, new, old, lambda fs, inner, goal: fs.rename(inner, goal))

    def link(self, target: str, path: str) -> None:
        self._call_at_both(target, path, path, lambda fs, inner, goal: fs.link(inner, goal))

    def symlink(self, target: str, path: str) -> None:
        self._call_at(path, False, lambda fs, inner: fs.symlink(target, inner))

    def readlink(self, path: str) -> str:
        return self._call_at(path, False, lambda fs, inner: fs.readlink(inner))

    def chmod(self, path: str, mode: int) -> None:
        self._call_at(path, True, lambda fs, inner: fs.chmod(inner, mode))

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        self._call_at(path, follow, lambda fs, inner: fs.utime(inner, times, follow=follow))

    def truncate(self, path: str, size: int) -> None:
        self._call_at(path, True, lambda fs, inner: fs.truncate(inner, size))

    def realpath(self, path: str) -> str:
        def link_of(at: str, last: bool) -> str | None:
            try:
                fs, inner = self.place(at, False)
                return fs.readlink(inner)
            except OSError:
                return None

        return resolve(path, link_of, True).rstrip("/") or "/"

    def root_at(self, path: str) -> Root | None:
        fs, inner = self.place(path, True)
        below = fs.root_at(str(inner))  # as a plain str it follows more links, so a caller only refuses more
        if below is not None and below.kind == "volume":
            return below
        top, start = self.place("/", True)
        if fs is top and str(inner).rstrip("/") == str(start).rstrip("/"):
            return TOP
        if below is None:
            return None
        return Root(self.realpath(path), below.kind)

    def is_virtual(self) -> bool:
        return self.place("/", True)[0].is_virtual()

    def host_path(self, path: str) -> str | None:
        try:
            fs, inner = self.place(path, True)
        except OSError:
            return None
        return fs.host_path(inner)


class PassThroughFS(Layer):
    """One file system with unchanged paths; a subclass overrides some methods."""

    __slots__ = ("inner",)

    def __init__(self, inner: FileSystem) -> None:
        self.inner = inner

    def is_absolute(self, path: str) -> bool:
        return self.inner.is_absolute(path)

    def absolute(self, cwd: str, path: str) -> str:
        return self.inner.absolute(cwd, path)

    def temporary_directory(self) -> str:
        return self.inner.temporary_directory()

    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        return self.inner, path

    def realpath(self, path: str) -> str:
        return self.inner.realpath(path)

    def root_at(self, path: str) -> Root | None:
        return self.inner.root_at(path)


def link_at(fs: FileSystem, inner: str, path: str, last: bool) -> str | None:
    """Return the target of a link, or None for any other file. A part that is not ``last`` must be a directory."""
    try:
        mode = fs.stat(str(inner), follow=False).st_mode  # a plain str is faster, and the result decides nothing yet
    except OSError as error:
        if last and error.errno == errno.ENOENT:
            return None
        raise renamed(error, path) from None
    if stat.S_ISLNK(mode):
        return fs.readlink(inner)
    if not last and not stat.S_ISDIR(mode):
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    return None
