"""What the file systems that stand on others share: paths are placed, then passed on."""

from __future__ import annotations

import errno
import os
import stat
from abc import abstractmethod
from collections.abc import Callable, Iterator

from ..streams.base import Stream
from .base import CREATE, EXCLUSIVE, Entry, FileSystem, Stat
from .own import TOPS, OwnDescriptor, further, must_not_be_own

_LINKS_MAX = 40
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)

LinkOf = Callable[[str, bool], "str | None"]


def resolve(path: str, link_of: LinkOf, follow: bool) -> str:
    """Resolve ``.``, ``..`` and symbolic links of an absolute path, none of which leads above ``/``.

    ``link_of(path, last)`` gives the target of a link at a resolved path, None for anything else; it raises where the
    path cannot go on, and lets the last part be missing. A last ``/`` stays.
    """
    if "\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
    pending = [part for part in path.split("/") if part]
    slash = path.endswith("/") and bool(pending)
    pending.reverse()
    done: list[str] = []
    links = 0
    while pending:
        part = pending.pop()
        if part == ".":
            continue
        if part == "..":
            if done:
                done.pop()
            continue
        done.append(part)
        if len(done) < 3 and done[0] in TOPS:
            must_not_be_own(path, done, pending)
        if not pending and not follow and not slash:
            break
        try:
            target = link_of("/" + "/".join(done), not pending)
        except OwnDescriptor as own:
            raise further(own, path, pending) from None
        if target is None:
            continue
        links += 1
        if links > _LINKS_MAX:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        done.pop()
        if target.startswith("/"):
            done.clear()
        pending.extend(piece for piece in reversed(target.split("/")) if piece)
    found = "/" + "/".join(done)
    return found + "/" if slash and done else found


def renamed(error: OSError, path: str) -> OSError:
    """Return the error with the path that was asked for, not the one below."""
    if isinstance(error, OwnDescriptor):
        return error
    return OSError(error.errno, error.strerror, path)


class NamedStream(Stream):
    """A stream of the file system below, under the name it has here."""

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
    """What is left of a stream after its end: EBADF, however often it is let go."""

    __slots__ = ()

    def release(self) -> None:
        pass


_CLOSED = _Closed()


class Layer(FileSystem):
    """A file system whose files are others': a subclass says where a path leads."""

    __slots__ = ()

    @abstractmethod
    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        """Return the file system and the path in it; without ``follow`` a last link is not resolved."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        exclusive = flags & CREATE and flags & EXCLUSIVE
        fs, inner = self.place(path, not (exclusive or flags & _NO_FOLLOW))
        try:
            stream = fs.open(inner, flags, mode)
        except OSError as error:
            raise renamed(error, path) from None
        return stream if inner == path else NamedStream(stream, path)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        fs, inner = self.place(path, follow)
        try:
            return fs.stat(inner, follow=follow)
        except OSError as error:
            raise renamed(error, path) from None

    def scandir(self, path: str) -> Iterator[Entry]:
        fs, inner = self.place(path, True)
        try:
            return fs.scandir(inner)
        except OSError as error:
            raise renamed(error, path) from None

    def access(self, path: str, mode: int) -> bool:
        try:
            fs, inner = self.place(path, True)
        except OwnDescriptor:
            raise
        except OSError:
            return False
        return fs.access(inner, mode)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        fs, inner = self.place(path, False)
        try:
            fs.mkdir(inner, mode)
        except OSError as error:
            raise renamed(error, path) from None

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        fs, inner = self.place(path, False)
        try:
            fs.mkfifo(inner, mode)
        except OSError as error:
            raise renamed(error, path) from None

    def unlink(self, path: str) -> None:
        fs, inner = self.place(path, False)
        try:
            fs.unlink(inner)
        except OSError as error:
            raise renamed(error, path) from None

    def rmdir(self, path: str) -> None:
        if path.rstrip("/").endswith("/."):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
        fs, inner = self.place(path, False)
        try:
            fs.rmdir(inner)
        except OSError as error:
            raise renamed(error, path) from None

    def rename(self, old: str, new: str) -> None:
        fs, inner = self.place(old, False)
        other, goal = self.place(new, False)
        if fs is not other:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), old)
        try:
            fs.rename(inner, goal)
        except OSError as error:
            raise renamed(error, old) from None

    def link(self, target: str, path: str) -> None:
        fs, inner = self.place(target, False)
        other, goal = self.place(path, False)
        if fs is not other:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
        try:
            fs.link(inner, goal)
        except OSError as error:
            raise renamed(error, path) from None

    def symlink(self, target: str, path: str) -> None:
        fs, inner = self.place(path, False)
        try:
            fs.symlink(target, inner)
        except OSError as error:
            raise renamed(error, path) from None

    def readlink(self, path: str) -> str:
        fs, inner = self.place(path, False)
        try:
            return fs.readlink(inner)
        except OSError as error:
            raise renamed(error, path) from None

    def chmod(self, path: str, mode: int) -> None:
        fs, inner = self.place(path, True)
        try:
            fs.chmod(inner, mode)
        except OSError as error:
            raise renamed(error, path) from None

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        fs, inner = self.place(path, follow)
        try:
            fs.utime(inner, times, follow=follow)
        except OSError as error:
            raise renamed(error, path) from None

    def truncate(self, path: str, size: int) -> None:
        fs, inner = self.place(path, True)
        try:
            fs.truncate(inner, size)
        except OSError as error:
            raise renamed(error, path) from None

    def realpath(self, path: str) -> str:
        def link_of(at: str, last: bool) -> str | None:
            try:
                fs, inner = self.place(at, False)
                return fs.readlink(inner)
            except OSError:
                return None

        return resolve(path, link_of, True).rstrip("/") or "/"

    def is_virtual(self) -> bool:
        return self.place("/", True)[0].is_virtual()

    def host_path(self, path: str) -> str | None:
        try:
            fs, inner = self.place(path, True)
        except OSError:
            return None
        return fs.host_path(inner)


def link_at(fs: FileSystem, inner: str, path: str, last: bool) -> str | None:
    """Return the target of a link, None if it is none; what is not last must be a directory."""
    try:
        mode = fs.stat(inner, follow=False).st_mode
    except OSError as error:
        if last and error.errno == errno.ENOENT:
            return None
        raise renamed(error, path) from None
    if stat.S_ISLNK(mode):
        return fs.readlink(inner)
    if not last and not stat.S_ISDIR(mode):
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    return None
