"""A visited file, which an expression tests, and the settings of a run."""

from __future__ import annotations

import errno
import stat

from ...command import Call
from ...command.call import reason
from ...fs.base import Stat
from ..support.quoting import quote

_LETTERS = {
    stat.S_IFREG: "f",
    stat.S_IFDIR: "d",
    stat.S_IFLNK: "l",
    stat.S_IFIFO: "p",
    stat.S_IFSOCK: "s",
    stat.S_IFBLK: "b",
    stat.S_IFCHR: "c",
}


def letter_of(mode: int) -> str:
    """Return the letter of a mode's file type for -type."""
    return _LETTERS.get(stat.S_IFMT(mode), "U")


class Settings:
    """Settings for the whole run. ``follow`` is ``P``, ``L`` or ``H``."""

    __slots__ = ("call", "depth_first", "follow", "ignore_race", "max_depth", "min_depth", "one_device", "status")

    def __init__(self, call: Call, follow: str) -> None:
        self.call = call
        self.follow = follow
        self.depth_first = False
        self.ignore_race = False
        self.max_depth: int | None = None
        self.min_depth = 0
        self.one_device = False
        self.status = 0

    def fail(self, message: str) -> None:
        """Report an error and set the exit status to 1."""
        self.call.error(message)
        self.status = 1

    def fail_file(self, name: str, error: OSError) -> None:
        """Report the error of a file and set the exit status to 1."""
        self.fail(f"{quote(name, self.call.env)}: {reason(error)}")

    def status_of(self, path: str, *, operand: bool) -> Stat:
        """Return the status of a file, or of a link's target if links are followed; a broken link is not followed."""
        fs = self.call.fs
        if self.follow == "P" or (self.follow == "H" and not operand):
            return fs.stat(path, follow=False)
        try:
            return fs.stat(path)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR):
                raise
            return fs.stat(path, follow=False)


class File:
    """One file: ``path`` as it is printed, ``place`` the absolute path, ``start`` the operand under which it was found.

    ``kind`` comes from the directory entry if possible; ``found`` calls ``stat`` at its first use.
    """

    __slots__ = ("_found", "_kind", "depth", "identity", "path", "place", "pruned", "settings", "start")

    def __init__(self, settings: Settings, path: str, place: str, start: str, depth: int, kind: str = "") -> None:
        self.settings = settings
        self.path = path
        self.place = place
        self.start = start
        self.depth = depth
        self.pruned = False
        self.identity: tuple[int, int] | None = None
        self._kind = ""
        if kind in ("f", "d") or (kind == "l" and settings.follow != "L"):
            self._kind = kind  # known without a stat
        self._found: Stat | None = None

    @property
    def found(self) -> Stat:
        if self._found is None:
            self._found = self.settings.status_of(self.place, operand=self.depth == 0)
        return self._found

    @property
    def kind(self) -> str:
        if not self._kind:
            self._kind = letter_of(self.found.st_mode)
        return self._kind

    @property
    def name(self) -> str:
        """The last component, with one of the slashes that follow it in the operand."""
        bare = self.path.rstrip("/")
        return bare[bare.rfind("/") + 1 :] + self.path[len(bare) : len(bare) + 1]

    @property
    def bare_name(self) -> str:
        """The last component; ``/`` for the root."""
        return self.name.rstrip("/") or self.path[:1]

    @property
    def relative(self) -> str:
        """The path without the operand."""
        if not self.depth:
            return ""
        return self.path[len(self.start) :].lstrip("/")

    def link(self) -> str | None:
        """Return the target of a symbolic link, or None for another file."""
        if self.kind != "l":
            return None
        return self.settings.call.fs.readlink(self.place)

    def other(self) -> str:
        """Return the kind for -xtype: of a link's target, or of the link itself if links are followed."""
        fs = self.settings.call.fs
        is_operand = self.depth == 0
        if self.settings.follow == "L" or (self.settings.follow == "H" and is_operand):
            return letter_of(fs.stat(self.place, follow=False).st_mode)
        if self.kind != "l":
            return self.kind
        return letter_of(fs.stat(self.place).st_mode)

    def blocks(self) -> int:
        """Return the allocated size in units of 512 bytes."""
        return blocks_of(self.found)

    def is_empty(self) -> bool:
        """Return whether it is an empty directory or an empty regular file."""
        if self.kind == "d":
            return next(iter(self.settings.call.fs.scandir(self.place)), None) is None  # not the whole listing
        return self.kind == "f" and self.found.st_size == 0


def blocks_of(file_status: Stat) -> int:
    """Return the allocated size of a file in units of 512 bytes; without ``st_blocks``, its size in whole kilobytes."""
    blocks: int | None = getattr(file_status, "st_blocks", None)
    if blocks is not None:
        return blocks
    return (file_status.st_size + 1023) // 1024 * 2
