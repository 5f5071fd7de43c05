"""Paths that name descriptors of the current process: ``/dev/fd/N``, ``/proc/self/fd/N`` and similar ones.

For the kernel the current process is the host. A script means its own descriptors, which the interpreter keeps. So all
file systems raise ``OwnDescriptor`` for these paths, through any links, and the interpreter opens them (rule 6).
"""

from __future__ import annotations

import errno
from collections.abc import Sequence

DIRECTORY = -1  # in place of a number: the directory of the descriptors
_TOPS = ("dev", "proc")

_STANDARD: dict[tuple[str, ...], int] = {("dev", "stdin"): 0, ("dev", "stdout"): 1, ("dev", "stderr"): 2}
_DIRECTORIES = (("dev", "fd"), ("proc", "self", "fd"), ("proc", "thread-self", "fd"))


class OwnDescriptor(PermissionError):
    """Raised for a path to the process's own descriptor ``number``, or to the directory of them (``DIRECTORY``)."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__(errno.EACCES, "Permission denied", path)
        self.number = number


def backwards(path: str) -> list[str]:
    """Return the parts of a path, the last one first, as a stack for a walk."""
    return [part for part in reversed(path.split("/")) if part]


def number_of(name: str) -> int | None:
    """Return the descriptor of a name in a directory of descriptors, or None."""
    if not name.isdecimal() or not name.isascii():
        return None
    if len(name) >= 10 or (name[0] == "0" and name != "0"):  # Linux takes only a number's shortest form
        return None
    return int(name)


def named(parts: Sequence[str]) -> int | None:
    """Return the descriptor that the parts of a path without links name, ``DIRECTORY`` for their directory, or None."""
    path = tuple(parts)
    if path in _DIRECTORIES:
        return DIRECTORY
    if path[:-1] in _DIRECTORIES:
        return number_of(path[-1])
    return _STANDARD.get(path)


def named_by(path: str) -> int | None:
    """Return the descriptor that a path names without links, like ``named``."""
    if not path.startswith(("/dev/", "/proc/", "//")):
        return None
    parts = [part for part in path.split("/") if part and part != "."]
    return named(parts) if parts else None


def must_not_be_own(path: str, done: Sequence[str], pending: Sequence[str]) -> None:
    """Raise ``OwnDescriptor`` if a path leads to one: its parts are ``done``, then ``pending`` in reverse."""
    if done[0] not in _TOPS:
        return
    number = named([*done, *(part for part in reversed(pending) if part != ".")])
    if number is not None:
        raise OwnDescriptor(path, number)


def further(own: OwnDescriptor, path: str, pending: Sequence[str]) -> OSError:
    """Return the error of a path that begins with ``own`` of the lower file system and continues with ``pending``.

    ``pending`` is in reverse order.
    """
    names = [part for part in reversed(pending) if part != "."]
    if not names:
        return OwnDescriptor(path, own.number)
    if own.number == DIRECTORY and len(names) == 1:
        number = number_of(names[0])
        if number is not None:
            return OwnDescriptor(path, number)
    return OSError(errno.ENOENT, "No such file or directory", path)
