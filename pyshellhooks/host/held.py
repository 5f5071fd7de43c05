"""Names that lead where they were seen to lead, whatever is renamed meanwhile (Linux, and where else there are ``O_PATH`` and ``/proc``).

A path is looked at and then used, and in between a script's own background job, or another script on the same directory, can
put a link in the place of a directory. So whoever has followed all links goes down once more, from one open directory to the
next and through no link, and uses what is in the last one.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import cache

_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_HELD: int = getattr(os, "O_PATH", 0) | _NO_FOLLOW | getattr(os, "O_CLOEXEC", 0)
_DIRECTORY: int = _HELD | getattr(os, "O_DIRECTORY", 0)


@cache
def can_hold() -> bool:
    """Say whether this system has what it takes."""
    return hasattr(os, "O_PATH") and os.open in os.supports_dir_fd and os.path.isdir("/proc/self/fd")


class Held(bytes):
    """A name for the system's calls. It holds a directory, or the thing itself, open for as long as it is there."""

    fd: int
    itself: bool  # to be followed: it leads to the thing, and else to what has a name in the directory

    def __del__(self) -> None:
        os.close(self.fd)


def held(root: bytes, path: bytes) -> Held:
    """Return a name for what is, or will be, at a path below ``root``. The last part may be a link: use it without following."""
    parts = [part for part in path.split(b"/") if part]
    fd = _down(root, parts[:-1])
    return _named(fd, b"/" + parts[-1] + b"/" * path.endswith(b"/") if parts else b"/.", False)


def held_itself(root: bytes, path: bytes) -> Held:
    """Return a name for the very thing at a path below ``root``, to be followed; a link there is ELOOP."""
    parts = [part for part in path.split(b"/") if part]
    above = _down(root, parts[:-1])
    if not parts:
        return _named(above, b"", True)
    try:
        return _no_link(os.open(parts[-1], _DIRECTORY if path.endswith(b"/") else _HELD, dir_fd=above))
    finally:
        os.close(above)


def held_now(path: bytes, *, follow: bool) -> Held:
    """Return a name for the very thing that a path leads to now; without ``follow`` a link there is ELOOP."""
    return _no_link(os.open(path, _HELD & ~_NO_FOLLOW if follow else _HELD))


def _no_link(fd: int) -> Held:
    found = _named(fd, b"", True)
    if stat.S_ISLNK(os.fstat(fd).st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return found


def _named(fd: int, rest: bytes, itself: bool) -> Held:
    name = Held(b"/proc/self/fd/%d%s" % (fd, rest))
    name.fd = fd
    name.itself = itself
    return name


def _down(root: bytes, parts: list[bytes]) -> int:
    """Open a directory below another, one part after the other."""
    fd = os.open(root or b"/", _DIRECTORY & ~_NO_FOLLOW)
    for part in parts:
        try:
            below = os.open(part, _DIRECTORY, dir_fd=fd)
        finally:
            os.close(fd)
        fd = below
    return fd
