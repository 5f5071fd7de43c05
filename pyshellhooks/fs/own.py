"""How paths name the descriptors of the process that they are looked up in: ``/dev/fd/N``, ``/proc/self/fd/N`` and their kin.

To a kernel that process is the host. A script means its own, which the interpreter keeps: so no file system opens these
names. All of them raise ``OwnDescriptor``, whatever links lead there, and the interpreter serves it (rule 6).
"""

from __future__ import annotations

import errno
from collections.abc import Sequence

DIRECTORY = -1  # in place of a number: the directory of the descriptors
_TOPS = ("dev", "proc")

_STANDARD: dict[tuple[str, ...], int] = {("dev", "stdin"): 0, ("dev", "stdout"): 1, ("dev", "stderr"): 2}
_DIRECTORIES = (("dev", "fd"), ("proc", "self", "fd"), ("proc", "thread-self", "fd"))


class OwnDescriptor(PermissionError):
    """A path that leads to a descriptor of the process itself: to ``number``, or to their directory (``DIRECTORY``)."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__(errno.EACCES, "Permission denied", path)
        self.number = number


def backwards(path: str) -> list[str]:
    """Return the parts of a path, the last one first: who walks it pops them."""
    return [part for part in reversed(path.split("/")) if part]


def number_of(name: str) -> int | None:
    """Read the number that a name in the directory of descriptors is, or None."""
    if name.isdecimal() and name.isascii() and len(name) < 10 and (name[0] != "0" or name == "0"):
        return int(name)
    return None


def named(parts: Sequence[str]) -> int | None:
    """Return the descriptor that the parts of a path without links name, ``DIRECTORY`` for their directory, or None."""
    path = tuple(parts)
    if path in _DIRECTORIES:
        return DIRECTORY
    if path[:-1] in _DIRECTORIES:
        return number_of(path[-1])
    return _STANDARD.get(path)


def named_by(path: str) -> int | None:
    """Return the descriptor that a text names without any link on the way, as ``named`` does."""
    if not path.startswith(("/dev/", "/proc/", "//")):
        return None
    parts = [part for part in path.split("/") if part and part != "."]
    return named(parts) if parts else None


def must_not_be_own(path: str, done: Sequence[str], pending: Sequence[str]) -> None:
    """Raise ``OwnDescriptor`` if a path that is being walked leads to one: ``done`` from the root, then ``pending`` reversed."""
    if done[0] not in _TOPS:
        return
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
