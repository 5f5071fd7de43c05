"""``HostFS``: the files of the host's disk."""

from __future__ import annotations

import errno
import os
import stat as modes
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from .. import host
from ..cancel import CancelScope, Gate, working_scope
from ..host.openat import FdPath, can_hold, fd_path_of_entry, fd_path_of_file, fd_path_of_target
from ..host.streams import HostStream
from ..streams.base import Stream
from ..text import decode, encode
from . import proc
from .base import Entry, FileSystem, ResolvedPath, Stat
from .proc_fd import OwnDescriptor
from .race_free import PinnedPath, RaceFreeFS

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Without O_NOCTTY a terminal that a script opens could become the host's controlling terminal.
_OPEN_ALWAYS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
_LAST_IS_NOT_FOLLOWED: int = os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)

# The usual umask of a host. A mode with one of these bits is from a script that changed its umask (rule 2).
_USUALLY_MASKED = 0o022

Native = str | bytes


class HostFS(FileSystem):
    """The files of the system, except this process's own part of ``/proc`` and its descriptors (``proc.py``).

    ``bind`` returns a copy for one run, whose streams wait under its scope and whose effects pass its gate. On Windows
    ``HostFS()`` creates a ``WindowsFS``.
    """

    __slots__ = ("_gate", "_processes", "_scope", "_terminal")

    def __new__(cls) -> HostFS:
        if cls is HostFS and host.current().windows:
            from .windows import WindowsFS

            cls = WindowsFS
        return object.__new__(cls)

    def __init__(self) -> None:
        self._scope: CancelScope | None = None
        self._gate: Gate | None = None
        self._processes = self._terminal = False

    def bind(self, scope: CancelScope, gate: Gate, *, processes: bool = False, terminal: bool = False) -> HostFS:
        """Return a copy for one run.

        ``processes``: whether the run sees other processes in ``/proc``. ``terminal``: whether it may open this
        process's terminal.
        """
        bound: HostFS = object.__new__(type(self))
        bound._scope = scope
        bound._gate = gate
        bound._processes = processes
        bound._terminal = terminal
        return bound

    def race_free_view(self) -> FileSystem:
        """Return a race-free view for a script: the file that was checked is the file that is used."""
        return RaceFreeFS(self) if can_hold() else self

    def _check(self, path: str, *, follow: bool = True, looks: bool = False) -> tuple[proc.Place | None, Stat | None]:
        """Raise ``OSError`` for a path that scripts must not see; return like ``proc.check``.

        ``looks``: the caller only tests existence, which is allowed for this process's own directory.
        """
        if isinstance(path, PinnedPath):
            place, facts = path.place, None
        else:
            place, facts = proc.check(path, follow, self._processes)
        if not looks:
            self._must_not_be_own(place, path)
        return place, facts

    def _must_not_be_own(self, place: proc.Place | None, path: str) -> None:
        if place is not None and place.own:
            raise OSError(errno.EACCES, "Permission denied", path)

    def _native(self, path: str) -> Native:
        if "\0" in path:
            raise OSError(errno.EINVAL, "Invalid argument", path)
        if isinstance(path, PinnedPath):
            return path.fd_path
        if isinstance(path, ResolvedPath) and _opens_by_descriptor(path):
            return fd_path_of_entry(encode(path.root), encode(path[len(path.root) :]))
        return path if path.isascii() else encode(path)

    def _no_follow_path(self, path: str) -> Native:
        """Return a native path to the file itself, for system calls that would follow a last link."""
        if isinstance(path, PinnedPath):
            if path.fd_path.itself:
                return path.fd_path
            return fd_path_of_target(path.fd_path, follow=False)
        if isinstance(path, ResolvedPath) and "\0" not in path and _opens_by_descriptor(path):
            return fd_path_of_file(encode(path.root), encode(path[len(path.root) :]))
        return self._native(path)

    def _shell(self, path: Native) -> str:
        return decode(path) if isinstance(path, bytes) else path

    def _changeable_path(self, path: str, *, follow: bool = False) -> Native:
        """Return the native path of a file to change, or of a last link without ``follow``. Raises ``OSError``."""
        native = self._no_follow_path(path) if follow else self._native(path)
        self._must_not_change(self._check(path, follow=follow)[0], path)
        return native

    def _must_not_change(self, place: proc.Place | None, path: str) -> None:
        """Raise EACCES for a change in a procfs by a run without processes: root could chmod /proc itself."""
        if place is not None and not self._processes:
            raise OSError(errno.EACCES, "Permission denied", path)

    def _effect(self) -> AbstractContextManager[None]:
        return self._gate if self._gate is not None else nullcontext()

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        native = self._native(path)
        if isinstance(native, FdPath) and not native.itself:
            flags |= os.O_NOFOLLOW
        place, facts = self._check(path, follow=not flags & _LAST_IS_NOT_FOLLOWED)
        if isinstance(native, FdPath):
            facts = None  # they may be of another file that has the name now
        if flags & _WRITES:
            self._must_not_change(place, path)
            with self._effect():
                fd = self._open(native, path, flags, mode, place, facts)
        else:
            fd = self._open(native, path, flags, mode, place, facts)
        if fd < 0:
            from ..host.fifo import open_waiting

            if isinstance(native, FdPath):
                native, flags = self._no_follow_path(path), flags & ~os.O_NOFOLLOW
            fd = open_waiting(native, flags & ~(os.O_CREAT | os.O_EXCL) | _OPEN_ALWAYS, working_scope(self._scope))
        return HostStream(fd, self._scope, self._gate, name=str(path))

    def _open(
        self, native: Native, path: str, flags: int, mode: int, place: proc.Place | None, facts: Stat | None
    ) -> int:
        """Open without waiting. Return the descriptor, or -1 for a FIFO that needs a wait for its other end.

        A FIFO must not be opened as a test: a process that waits at its other end would be woken.
        """
        try:
            if not flags & (os.O_RDWR | os.O_EXCL) and _is_fifo(native, facts, missing=bool(flags & os.O_CREAT)):
                return -1
            fd = self._open_or_create(native, flags | _OPEN_ALWAYS | _NONBLOCK, mode)
        except OSError as error:
            # open(2) fails so for a writer of a FIFO without a reader, if it must not wait.
            if error.errno == errno.ENXIO and modes.S_ISFIFO(os.stat(native).st_mode):
                return -1
            raise
        facts = os.fstat(fd)
        kind = facts.st_mode
        if proc.is_closed(facts.st_dev, place):
            os.close(fd)
            raise OSError(errno.EACCES, "Permission denied", path)
        if modes.S_ISREG(kind):
            return fd
        if modes.S_ISDIR(kind):
            os.close(fd)
            raise OSError(errno.EISDIR, "Is a directory", path)  # open(2) would succeed; all file systems fail alike
        if modes.S_ISCHR(kind) and not self._terminal and host.current().is_own_terminal(facts.st_rdev):
            os.close(fd)  # a script has no terminal, like the native programs that it starts
            raise OSError(errno.ENXIO, "No such device or address", path)
        os.set_blocking(fd, True)  # children share the description, and most can't handle non-blocking ones
        return fd

    def _open_or_create(self, native: Native, flags: int, mode: int) -> int:
        """Open a file. A new one gets exactly ``mode``, even if this process's umask is stricter than the script's."""
        may_need_chmod = flags & os.O_CREAT and mode & _USUALLY_MASKED
        if not may_need_chmod or not hasattr(os, "fchmod"):
            return os.open(native, flags, mode)
        try:
            fd = os.open(native, flags | os.O_EXCL, mode)  # shows whether the file is new: an old one keeps its mode
        except FileExistsError:
            if flags & os.O_EXCL:
                raise
            return os.open(native, flags, mode)
        os.fchmod(fd, mode)
        return fd

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        follow = follow or path.endswith("/")  # with a last slash, a link is followed
        native = self._no_follow_path(path) if follow else self._native(path)
        place, facts = self._check(path, follow=follow, looks=True)
        if facts is not None and not isinstance(native, FdPath):
            return facts
        # /proc/self is shown as a directory, not as a link: its target is the host's process id.
        return os.stat(native, follow_symlinks=follow or (place is not None and place.own))

    def scandir(self, path: str) -> Iterator[Entry]:
        native = self._no_follow_path(path)
        place = self._check(path)[0]
        entries = self._entries(native)
        if place is None:
            return entries
        shown: list[Entry] = []
        for entry in entries:
            if not self._processes and not place.shows(entry.name):
                continue
            kind = "d" if entry.name in proc.SELF else entry.kind  # as ``stat`` shows them
            shown.append(Entry(entry.name, kind))
        return iter(shown)

    def _entries(self, native: Native) -> Iterator[Entry]:
        with os.scandir(native) as entries:
            for entry in entries:
                yield Entry(self._shell(entry.name), kind_of(entry))

    def access(self, path: str, mode: int) -> bool:
        try:
            native = self._no_follow_path(path)
            place = self._check(path, looks=True)[0]
        except OwnDescriptor:
            raise
        except OSError:
            return False
        wants_change = mode & os.W_OK and place is not None
        if wants_change and not self._processes:
            return False
        return os.access(native, mode, effective_ids=os.access in os.supports_effective_ids)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self._make(os.mkdir, path, mode)

    def mkfifo(self, path: str, mode: int = 0o666) -> None:
        if not hasattr(os, "mkfifo"):
            super().mkfifo(path, mode)
            return
        self._make(os.mkfifo, path, mode)

    def _make(self, make: Callable[..., None], path: str, mode: int) -> None:
        native = self._changeable_path(path)
        self._act(make, native, mode)
        # The system has applied this process's umask to the mode, and the script has a umask of its own.
        if mode & _USUALLY_MASKED and hasattr(os, "fchmod"):
            self._act(os.chmod, self._no_follow_path(path), mode)

    def unlink(self, path: str) -> None:
        self._act(os.unlink, self._changeable_path(path))

    def rmdir(self, path: str) -> None:
        self._act(os.rmdir, self._changeable_path(path))

    def rename(self, old: str, new: str) -> None:
        # On Windows os.rename would not replace a file.
        self._act(os.replace, self._changeable_path(old), self._changeable_path(new))

    def link(self, target: str, path: str) -> None:
        # link(2) adds a name to a symbolic link itself, as ln -P does.
        with self._effect():
            os.link(self._changeable_path(target), self._changeable_path(path), follow_symlinks=False)

    def symlink(self, target: str, path: str) -> None:
        self._act(os.symlink, self._native(target), self._changeable_path(path))

    def readlink(self, path: str) -> str:
        native = self._native(path)
        self._check(path, follow=False)
        return self._shell(os.readlink(native) if isinstance(native, str) else os.readlink(native))

    def chmod(self, path: str, mode: int) -> None:
        self._act(os.chmod, self._changeable_path(path, follow=True), mode)

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        native = self._changeable_path(path, follow=follow)
        with self._effect():
            if times is None:
                os.utime(native, follow_symlinks=follow)
            else:
                os.utime(native, ns=times, follow_symlinks=follow)

    def truncate(self, path: str, size: int) -> None:
        self._act(os.truncate, self._changeable_path(path, follow=True), size)

    def exists_for_script(self, path: str) -> bool:
        """Return whether a path exists. Raises ``OSError`` for a closed place, even if the last parts are missing."""
        native = self._native(path)
        try:
            self._check(path)
            if not os.path.exists(native):
                # Of the parts behind a missing one only ``..`` is known, and that may lead to any other place.
                self._must_not_be_own(proc.walk(path, True, self._processes, beyond=True), path)
        except FileNotFoundError:
            return False
        return True

    def realpath(self, path: str) -> str:
        if not self.exists_for_script(path):
            return os.path.normpath(path)
        native = self._native(path)
        return self._shell(os.path.realpath(native) if isinstance(native, str) else os.path.realpath(native))

    def is_virtual(self) -> bool:
        return False

    def host_path(self, path: str) -> str | None:
        return path

    def temporary_directory(self) -> str:
        return host.current().temporary_directory()

    def _act(self, act: Callable[..., None], *args: object) -> None:
        with self._effect():
            act(*args)


def _opens_by_descriptor(path: ResolvedPath) -> bool:
    """Return whether a ``ResolvedPath`` path is opened with ``openat``; not in a procfs, whose links ``proc`` checks."""
    return can_hold() and not proc.is_inside(path)


def _is_fifo(native: Native, facts: Stat | None, missing: bool) -> bool:
    try:
        return modes.S_ISFIFO((facts or os.stat(native)).st_mode)
    except FileNotFoundError:
        if missing:
            return False
        raise


def kind_of(entry: os.DirEntry[str] | os.DirEntry[bytes]) -> str:
    """Return the ``Entry.kind`` of a directory entry."""
    try:
        if entry.is_symlink():
            return "l"
        if entry.is_file(follow_symlinks=False):
            return "f"
        return "d" if entry.is_dir(follow_symlinks=False) else "o"
    except OSError:
        return "o"
