"""How paths name the descriptors of the process that they are looked up in: ``/dev/fd/N``, ``/proc/self/fd/N`` and their kin.

To a kernel that process is the host. A script means its own, which the interpreter keeps: so no file system opens these
names. All of them raise ``OwnDescriptor``, whatever links lead there, and the interpreter serves it (rule 6).
"""

from __future__ import annotations

import errno
from collections.abc import Sequence

DIRECTORY = -1  # in place of a number: the directory of the descriptors
TOPS = ("dev", "proc")

_STANDARD = {"stdin": 0, "stdout": 1, "stderr": 2}


class OwnDescriptor(PermissionError):
    """A path that leads to a descriptor of the process itself: to ``number``, or to their directory (``DIRECTORY``)."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__(errno.EACCES, "Permission denied", path)
        self.number = number


def number_of(name: str) -> int | None:
    """Read the number that a name in the directory of descriptors is, or None."""
    if name.isdecimal() and name.isascii() and len(name) < 10 and (name[0] != "0" or name == "0"):
        return int(name)
    return None


def named(parts: Sequence[str]) -> int | None:
    """Return the descriptor that the parts of a path without links name, ``DIRECTORY`` for their directory, or None."""
    if parts[0] == "dev" and len(parts) > 1:
        if len(parts) == 2 and parts[1] in _STANDARD:
            return _STANDARD[parts[1]]
        if parts[1] != "fd":
            return None
        rest = parts[2:]
    elif parts[0] == "proc" and len(parts) > 2 and parts[1] in ("self", "thread-self") and parts[2] == "fd":
        rest = parts[3:]
    else:
        return None
    if not rest:
        return DIRECTORY
    return number_of(rest[0]) if len(rest) == 1 else None


def named_by(path: str) -> int | None:
    """Return the descriptor that a text names without any link on the way, as ``named`` does."""
    if not path.startswith(("/dev/", "/proc/", "//")):
        return None
    parts = [part for part in path.split("/") if part and part != "."]
    return named(parts) if parts else None


def must_not_be_own(path: str, done: Sequence[str], pending: Sequence[str]) -> None:
    """Raise ``OwnDescriptor`` if a path that is being walked leads to one: ``done`` from the root, then ``pending`` reversed."""
    number = named([*done, *(part for part in reversed(pending) if part != ".")])
    if number is not None:
        raise OwnDescriptor(path, number)


def further(own: OwnDescriptor, path: str, pending: Sequence[str]) -> OSError:
    """Say where a path leads whose beginning led to ``own`` in the file system below: ``pending``, reversed, comes after."""
    names = [part for part in reversed(pending) if part != "."]
    if not names:
        return OwnDescriptor(path, own.number)
    number = number_of(names[0]) if own.number == DIRECTORY and len(names) == 1 else None
    return OSError(errno.ENOENT, "No such file or directory", path) if number is None else OwnDescriptor(path, number)
