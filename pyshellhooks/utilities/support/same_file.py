"""Whether a copy, a link or a move would destroy its own source (GNU coreutils 9.1, cp and mv).

Two names may be one file: two spellings, hard links, or a symbolic link and what it leads to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from enum import Enum

from ...fs.base import FileSystem, Stat


class Verdict(Enum):
    """``SAME``: it must be refused. ``DONE``: there is nothing to do. ``FINE``: go on."""

    SAME = 0
    DONE = 1
    FINE = 2


def one_name(fs: FileSystem, path: str, other: str) -> bool:
    """Say whether two spellings are one name in one directory."""
    (above, _, name), (below, _, called) = path.rstrip("/").rpartition("/"), other.rstrip("/").rpartition("/")
    return name == called and fs.realpath(above or "/") == fs.realpath(below or "/")


def replace_by_link(fs: FileSystem, make: Callable[[str], None], path: str) -> None:
    """Make a link beside a name and rename it: what had the name is lost only for a link that is there."""
    beside = f"{path.rpartition('/')[0]}/Cu{os.urandom(6).hex()}"
    make(beside)
    try:
        fs.rename(beside, path)
    finally:
        # One that failed, or two names of one file, which a rename leaves both.
        with suppress(FileNotFoundError):
            fs.unlink(beside)


def _is_link(found: Stat) -> bool:
    return stat.S_ISLNK(found.st_mode)


class Sameness:
    """How a call replaces files, and with that which pairs of names it must refuse.

    ``follow``: links given as sources are followed. ``backup``: what is replaced is set aside. ``clears``: it is removed before.
    """

    __slots__ = ("backup", "clears", "follow", "fs", "hard_links", "moving", "symbolic_links")

    def __init__(
        self,
        fs: FileSystem,
        *,
        follow: bool,
        backup: bool,
        moving: bool = False,
        clears: bool = False,
        hard_links: bool = False,
        symbolic_links: bool = False,
    ) -> None:
        self.fs = fs
        self.follow = follow
        self.backup = backup
        self.moving = moving
        self.clears = clears
        self.hard_links = hard_links
        self.symbolic_links = symbolic_links

    def judge(self, path: str, found: Stat, there: str, old: Stat) -> Verdict:
        """Judge a source and what has the goal's name, as they were looked at: ``old`` through a link where that is written through."""
        same = os.path.samestat(found, old)
        if same and self.hard_links:
            return Verdict.DONE
        if not self.follow:
            if _is_link(found) and _is_link(old):
                return self._two_links(path, there, same)
            return self._judge_names(path, found, there, old)
        if not same:
            return Verdict.FINE
        try:
            source, goal = self.fs.stat(path, follow=False), self.fs.stat(there, follow=False)
        except OSError:
            return Verdict.FINE
        if self.clears and _is_link(source) and _is_link(goal):
            return Verdict.FINE
        return self._judge_names(path, source, there, goal)

    def _two_links(self, path: str, there: str, same: bool) -> Verdict:
        """Judge two symbolic links that are not followed."""
        if one_name(self.fs, path, there):
            return Verdict.SAME
        if not same or self.backup:
            return Verdict.FINE
        # A rename of one hard link over the other leaves both.
        return Verdict.SAME if self.moving else Verdict.DONE

    def _judge_names(self, path: str, source: Stat, there: str, goal: Stat) -> Verdict:
        """Judge two names by what they are themselves."""
        same = os.path.samestat(source, goal)
        if self.backup:
            return self._set_aside(path, source, there, goal)
        if self.moving or self.clears:
            if _is_link(goal):
                return Verdict.FINE
            if same and goal.st_nlink > 1 and not one_name(self.fs, path, there):
                return Verdict.SAME if self.moving else Verdict.FINE
        if not same and not _is_link(source) and not _is_link(goal):
            return Verdict.FINE
        if self.symbolic_links and _is_link(goal):
            return Verdict.FINE
        return self._through_links(path, source, there, goal)

    def _set_aside(self, path: str, source: Stat, there: str, goal: Stat) -> Verdict:
        """Judge what gets a backup: only the source itself must not be moved away, nor the file that it leads to."""
        if os.path.samestat(source, goal):
            return Verdict.SAME if one_name(self.fs, path, there) else Verdict.FINE
        dangles = self.follow and not self.moving and _is_link(source) and not _is_link(goal)
        return Verdict.SAME if dangles else Verdict.FINE

    def _through_links(self, path: str, source: Stat, there: str, goal: Stat) -> Verdict:
        """Judge where the links lead: one that takes the place of its own file loses it, unless that has another name."""
        try:
            if self.moving and _is_link(source) and goal.st_nlink > 1:
                return Verdict.SAME if one_name(self.fs, self.fs.realpath(path), there) else Verdict.FINE
            if self.follow:
                return Verdict.SAME
            if not os.path.samestat(self.fs.stat(path), self.fs.stat(there)):
                return Verdict.FINE
        except OSError:  # a link to nothing, or a circle
            return Verdict.FINE
        if self.hard_links:
            return Verdict.FINE if _is_link(goal) else Verdict.DONE
        return Verdict.SAME
