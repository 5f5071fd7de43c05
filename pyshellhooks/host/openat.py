"""Race-free path resolution with ``O_PATH`` descriptors (Linux, and other systems with ``O_PATH`` and ``/proc``).

Between the check of a path and its use, a background job or another script can replace a directory by a link. So after
all links are resolved, ``openat`` opens the directories again one by one, without following a link, and returns a name
below the last open one.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import cache

_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_PATH_ONLY: int = getattr(os, "O_PATH", 0) | _NO_FOLLOW | getattr(os, "O_CLOEXEC", 0)
_DIRECTORY: int = _PATH_ONLY | getattr(os, "O_DIRECTORY", 0)


@cache
def can_hold() -> bool:
    """Return whether this system supports it."""
    return hasattr(os, "O_PATH") and os.open in os.supports_dir_fd and os.path.isdir("/proc/self/fd")


class FdPath(bytes):
    """A path for system calls through ``/proc/self/fd``. It keeps the directory, or the file itself, open."""

    fd: int
    itself: bool  # the name leads to the file itself and must be followed; otherwise to an entry of a directory

    def __del__(self) -> None:
        os.close(self.fd)


def fd_path_of_entry(root: bytes, path: bytes) -> FdPath:
    """Return a name for an existing or new entry at a path below ``root``. Do not follow it: it may be a link.

    Raises ``OSError``, as open(2) does.
    """
    parts = [part for part in path.split(b"/") if part]
    fd = _down(root, parts[:-1])
    if not parts:
        return _named(fd, b"/.", False)
    return _named(fd, b"/" + parts[-1] + b"/" * path.endswith(b"/"), False)


def fd_path_of_file(root: bytes, path: bytes) -> FdPath:
    """Return a name for the file itself at a path below ``root``; follow it. Raises ``OSError``: ELOOP for a link."""
    parts = [part for part in path.split(b"/") if part]
    above = _down(root, parts[:-1])
    if not parts:
        return _named(above, b"", True)
    flags = _DIRECTORY if path.endswith(b"/") else _PATH_ONLY
    try:
        return _no_link(os.open(parts[-1], flags, dir_fd=above))
    finally:
        os.close(above)


def fd_path_of_target(path: bytes, *, follow: bool) -> FdPath:
    """Return a name for the file that a path leads to now. Raises ``OSError``: ELOOP for a link without ``follow``."""
    flags = _PATH_ONLY & ~_NO_FOLLOW if follow else _PATH_ONLY
    return _no_link(os.open(path, flags))


def _no_link(fd: int) -> FdPath:
    fd_path = _named(fd, b"", True)
    if stat.S_ISLNK(os.fstat(fd).st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return fd_path


def _named(fd: int, rest: bytes, itself: bool) -> FdPath:
    name = FdPath(b"/proc/self/fd/%d%s" % (fd, rest))
    name.fd = fd
    name.itself = itself
    return name


def _down(root: bytes, parts: list[bytes]) -> int:
    """Open a directory below ``root``, one part after the other, without following links."""
    fd = os.open(root or b"/", _DIRECTORY & ~_NO_FOLLOW)
    for part in parts:
        try:
            below = os.open(part, _DIRECTORY, dir_fd=fd)
        finally:
            os.close(fd)
        fd = below
    return fd
