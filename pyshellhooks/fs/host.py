"""The real disk."""

from __future__ import annotations

import errno
import os
import stat as modes
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from .. import host
from ..cancel import CancelScope, Gate, working_scope
from ..host.held import Held, can_hold, held, held_itself, held_now
from ..host.streams import HostStream
from ..streams.base import Stream
from ..text import decode, encode
from . import proc
from .base import Entry, FileSystem, Settled, Stat
from .own import OwnDescriptor
from .unswapped import HeldPath, Unswapped

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OPEN_ALWAYS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
_LAST_IS_NOT_FOLLOWED: int = os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)

# What hosts run with masked; a mode that has one of these comes from a script that changed its mask (rule 2).
_USUALLY_MASKED = 0o022

Native = str | bytes


class HostFS(FileSystem):
    """Files as the system has them, but for this process's own part of ``/proc`` and its descriptors (``proc.py``).

    ``bind`` gives a copy for one run, whose streams wait under its scope and whose effects pass its gate; ``processes``
    says whether it sees other processes in ``/proc``, ``terminal`` whether this process's terminal is the run's. On Windows
    ``HostFS()`` makes a ``WindowsFS``.
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
        """Return a copy that belongs to one run."""
        bound: HostFS = object.__new__(type(self))
        bound._scope = scope
        bound._gate = gate
        bound._processes = processes
        bound._terminal = terminal
        return bound

    def unswapped(self) -> FileSystem:
        """Return it for a script that must not race itself: what was judged is what is used."""
        return Unswapped(self) if can_hold() else self

    def _check(self, path: str, *, follow: bool = True, looks: bool = False) -> tuple[proc.Place | None, Stat | None]:
        """Refuse what is closed; answers as ``proc.check`` does. ``looks``: only whether it is there is of interest."""
        found = (path.place, None) if isinstance(path, HeldPath) else proc.check(path, follow, self._processes)
        if not looks:
            self._must_not_be_own(found[0], path)
        return found

    def _must_not_be_own(self, place: proc.Place | None, path: str) -> None:
        if place is not None and place.own:
            raise OSError(errno.EACCES, "Permission denied", path)

    def _native(self, path: str) -> Native:
        if "\0" in path:
            raise OSError(errno.EINVAL, "Invalid argument", path)
        if isinstance(path, HeldPath):
            return path.held
        if isinstance(path, Settled) and _is_held(path):
            return held(encode(path.root), encode(path[len(path.root) :]))
        return path if path.isascii() else encode(path)

    def _itself(self, path: str) -> Native:
        """Return a native path that leads to the thing itself, where its last link is followed otherwise."""
        if isinstance(path, HeldPath):
            return path.held if path.held.itself else held_now(path.held, follow=False)
        if "\0" not in path and isinstance(path, Settled) and _is_held(path):
            return held_itself(encode(path.root), encode(path[len(path.root) :]))
        return self._native(path)

    def _shell(self, path: Native) -> str:
        return decode(path) if isinstance(path, bytes) else path

    def _free(self, path: str, *, follow: bool = False) -> Native:
        """Return the native path of what is to be changed; without ``follow`` the last link is meant."""
        native = self._itself(path) if follow else self._native(path)
        self._must_not_change(self._check(path, follow=follow)[0], path)
        return native

    def _must_not_change(self, place: proc.Place | None, path: str) -> None:
        """Refuse to change anything in a procfs for who may start no process: root may set the mode of /proc itself."""
        if place is not None and not self._processes:
            raise OSError(errno.EACCES, "Permission denied", path)

    def _effect(self) -> AbstractContextManager[None]:
        return self._gate if self._gate is not None else nullcontext()

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        native = self._native(path)
        if isinstance(native, Held) and not native.itself:
            flags |= os.O_NOFOLLOW
        place, facts = self._check(path, follow=not flags & _LAST_IS_NOT_FOLLOWED)
        if isinstance(native, Held):
            facts = None  # of what has the name now
        if flags & _WRITES:
            self._must_not_change(place, path)
            with self._effect():
                fd = self._open(native, path, flags, mode, place, facts)
        else:
            fd = self._open(native, path, flags, mode, place, facts)
        if fd < 0:
            from ..host.fifo import open_waiting

            if isinstance(native, Held):
                native, flags = self._itself(path), flags & ~os.O_NOFOLLOW
            fd = open_waiting(native, flags & ~(os.O_CREAT | os.O_EXCL) | _OPEN_ALWAYS, working_scope(self._scope))
        return HostStream(fd, self._scope, self._gate, name=str(path))

    def _open(
        self, native: Native, path: str, flags: int, mode: int, place: proc.Place | None, facts: Stat | None
    ) -> int:
        """Open without ever waiting; -1: a FIFO whose other end must be waited for.

        A FIFO must not be opened just to see what it is: who waits at its other end would meet that for a moment.
        """
        try:
            if not flags & (os.O_RDWR | os.O_EXCL) and _is_fifo(native, facts, missing=bool(flags & os.O_CREAT)):
                return -1
            fd = self._open_or_create(native, flags | _OPEN_ALWAYS | _NONBLOCK, mode)
        except OSError as error:
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
            raise OSError(errno.EISDIR, "Is a directory", path)
        if modes.S_ISCHR(kind) and not self._terminal and host.current().is_own_terminal(facts.st_rdev):
            os.close(fd)  # a script has none, as the native programs that it starts have none
            raise OSError(errno.ENXIO, "No such device or address", path)
        os.set_blocking(fd, True)  # children share the description, and most cannot cope
        return fd

    def _open_or_create(self, native: Native, flags: int, mode: int) -> int:
        """Open; a new file gets the mode asked for even where this process's own mask is stricter than the script's."""
        if not (flags & os.O_CREAT and mode & _USUALLY_MASKED and hasattr(os, "fchmod")):
            return os.open(native, flags, mode)
        try:
            fd = os.open(native, flags | os.O_EXCL, mode)
        except FileExistsError:
            if flags & os.O_EXCL:
                raise
            return os.open(native, flags, mode)
        os.fchmod(fd, mode)
        return fd

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        follow = follow or path.endswith("/")  # a slash means what a link leads to
        native = self._itself(path) if follow else self._native(path)
        place, facts = self._check(path, follow=follow, looks=True)
        if facts is not None and not isinstance(native, Held):
            return facts
        # /proc/self is a directory and no link here: its number is nobody's business.
        return os.stat(native, follow_symlinks=follow or (place is not None and place.own))

    def scandir(self, path: str) -> Iterator[Entry]:
        native = self._itself(path)
        place = self._check(path)[0]
        entries = self._entries(native)
        if place is None:
            return entries
        return iter(
            [
                Entry(entry.name, "d" if entry.name in proc.SELF else entry.kind)
                for entry in entries
                if self._processes or place.shows(entry.name)
            ]
        )

    def _entries(self, native: Native) -> Iterator[Entry]:
        with os.scandir(native) as entries:
            for entry in entries:
                yield Entry(self._shell(entry.name), kind_of(entry))

    def access(self, path: str, mode: int) -> bool:
        try:
            native = self._itself(path)
            place = self._check(path, looks=True)[0]
        except OwnDescriptor:
            raise
        except OSError:
            return False
        if place is not None and mode & os.W_OK and not self._processes:
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
        native = self._free(path)
        self._act(make, native, mode)
        if mode & _USUALLY_MASKED and hasattr(os, "fchmod"):
            self._act(os.chmod, self._itself(path), mode)

    def unlink(self, path: str) -> None:
        self._act(os.unlink, self._free(path))

    def rmdir(self, path: str) -> None:
        self._act(os.rmdir, self._free(path))

    def rename(self, old: str, new: str) -> None:
        self._act(os.replace, self._free(old), self._free(new))

    def link(self, target: str, path: str) -> None:
        # link(2) makes a second name of a symbolic link itself, as ln -P does.
        with self._effect():
            os.link(self._free(target), self._free(path), follow_symlinks=False)

    def symlink(self, target: str, path: str) -> None:
        self._act(os.symlink, self._native(target), self._free(path))

    def readlink(self, path: str) -> str:
        native = self._native(path)
        self._check(path, follow=False)
        return self._shell(os.readlink(native) if isinstance(native, str) else os.readlink(native))

    def chmod(self, path: str, mode: int) -> None:
        self._act(os.chmod, self._free(path, follow=True), mode)

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        native = self._free(path, follow=follow)
        with self._effect():
            if times is None:
                os.utime(native, follow_symlinks=follow)
            else:
                os.utime(native, ns=times, follow_symlinks=follow)

    def truncate(self, path: str, size: int) -> None:
        self._act(os.truncate, self._free(path, follow=True), size)

    def sees(self, path: str) -> bool:
        """Say whether there is anything that links may lead to. ``OSError`` where that is closed, be the last parts missing."""
        native = self._native(path)
        try:
            self._check(path)
            if not os.path.exists(
                native
            ):  # of what is behind a missing part only ``..`` is known, and that may lead anywhere
                self._must_not_be_own(proc.walk(path, True, self._processes, beyond=True), path)
        except FileNotFoundError:
            return False
        return True

    def realpath(self, path: str) -> str:
        if not self.sees(path):
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


def _is_held(path: Settled) -> bool:
    """Say whether a path that may lead through no link is walked anew; a procfs has links of its own, and ``proc`` judges it."""
    return can_hold() and not proc.is_inside(path)


def _is_fifo(native: Native, facts: Stat | None, missing: bool) -> bool:
    try:
        return modes.S_ISFIFO((facts or os.stat(native)).st_mode)
    except FileNotFoundError:
        if missing:
            return False
        raise


def kind_of(entry: os.DirEntry[str] | os.DirEntry[bytes]) -> str:
    """Return the letter of an entry's kind (``Entry``)."""
    try:
        if entry.is_symlink():
            return "l"
        if entry.is_file(follow_symlinks=False):
            return "f"
        return "d" if entry.is_dir(follow_symlinks=False) else "o"
    except OSError:
        return "o"
