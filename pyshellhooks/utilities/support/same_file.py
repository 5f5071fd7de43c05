"""Checks whether a copy, a link or a move would destroy its own source (GNU coreutils 9.1, cp and mv).

Two names may be one file: two spellings, hard links, or a symbolic link and its target.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from enum import Enum

from ...fs.base import FileSystem, Stat
from ...text import folded_name


class Verdict(Enum):
    """``SAME``: refuse. ``DONE``: nothing to do. ``FINE``: replace the file."""

    SAME = 0
    DONE = 1
    FINE = 2


def one_name(fs: FileSystem, path: str, other: str) -> bool:
    """Return whether two spellings name the same entry of the same directory."""
    (above, name), (below, called) = _split(path), _split(other)
    return name == called and fs.realpath(above) == fs.realpath(below)


def differ_in_case(fs: FileSystem, path: str, found: Stat, other: str) -> bool:
    """Return whether two spellings name one file of one name, as ``Foo`` and ``foo`` do where case is ignored."""
    (above, name), (below, called) = _split(path), _split(other)
    has_other_links = found.st_nlink > 1 and not stat.S_ISDIR(found.st_mode)
    if has_other_links or name == called:
        return False
    if folded_name(name) != folded_name(called):
        return False
    return fs.realpath(above) == fs.realpath(below)


def _split(path: str) -> tuple[str, str]:
    """Return the directory of a path and the name in it, without trailing slashes."""
    above, _, name = path.rstrip("/").rpartition("/")
    return above or "/", name


def replace_by_link(fs: FileSystem, make: Callable[[str], None], path: str) -> None:
    """Create a link under a temporary name and rename it, so that the old file is lost only if the link exists."""
    beside = f"{path.rpartition('/')[0]}/Cu{os.urandom(6).hex()}"
    make(beside)
    try:
        fs.rename(beside, path)
    finally:
        # Left by a failed rename, and by a rename between two names of one file, which keeps both.
        with suppress(FileNotFoundError):
            fs.unlink(beside)


def _is_link(file_status: Stat) -> bool:
    return stat.S_ISLNK(file_status.st_mode)


class Sameness:
    """How a call replaces files, and therefore which pairs of names it must refuse.

    ``follow``: links given as sources are followed. ``backup``: the old file is backed up. ``clears``: it is removed
    before.
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

    def judge(self, path: str, file_status: Stat, there: str, old: Stat) -> Verdict:
        """Judge a source and an existing destination.

        ``old`` is a link's target if the copy is written through the link.
        """
        same = os.path.samestat(file_status, old)
        if same and self.hard_links:
            return Verdict.DONE
        if not self.follow:
            if _is_link(file_status) and _is_link(old):
                return self._two_links(path, there, same)
            return self._judge_names(path, file_status, there, old)
        if not same:
            return Verdict.FINE
        try:
            source, goal = self.fs.stat(path, follow=False), self.fs.stat(there, follow=False)
        except OSError:
            return Verdict.FINE
        both_links = _is_link(source) and _is_link(goal)
        if self.clears and both_links:
            return Verdict.FINE
        return self._judge_names(path, source, there, goal)

    def _two_links(self, path: str, there: str, same: bool) -> Verdict:
        """Judge two symbolic links that are not followed."""
        if one_name(self.fs, path, there):
            return Verdict.SAME
        if not same or self.backup:
            return Verdict.FINE
        # A rename of one hard link onto the other keeps both.
        return Verdict.SAME if self.moving else Verdict.DONE

    def _judge_names(self, path: str, source: Stat, there: str, goal: Stat) -> Verdict:
        """Judge two names without following links."""
        if self.backup:
            return self._set_aside(path, source, there, goal)
        same = os.path.samestat(source, goal)
        goal_is_link = _is_link(goal)
        if self.moving or self.clears:
            if goal_is_link:
                return Verdict.FINE
            if same and goal.st_nlink > 1 and not one_name(self.fs, path, there):
                # Removing one of two hard links keeps the file; a rename of one onto the other would do nothing.
                return Verdict.SAME if self.moving else Verdict.FINE
        any_link = _is_link(source) or goal_is_link
        if not same and not any_link:
            return Verdict.FINE
        if self.symbolic_links and goal_is_link:
            return Verdict.FINE
        return self._through_links(path, source, there, goal)

    def _set_aside(self, path: str, source: Stat, there: str, goal: Stat) -> Verdict:
        """Judge a destination that is backed up: the backup must not rename the source or the file it links to."""
        if os.path.samestat(source, goal):
            return Verdict.SAME if one_name(self.fs, path, there) else Verdict.FINE
        dangles = self.follow and not self.moving and _is_link(source) and not _is_link(goal)
        return Verdict.SAME if dangles else Verdict.FINE

    def _through_links(self, path: str, source: Stat, there: str, goal: Stat) -> Verdict:
        """Judge by the links' targets: a link that replaces its own target loses it, unless that has another name."""
        try:
            if self.moving and _is_link(source) and goal.st_nlink > 1:
                return Verdict.SAME if one_name(self.fs, self.fs.realpath(path), there) else Verdict.FINE
            if self.follow:
                return Verdict.SAME
            if not os.path.samestat(self.fs.stat(path), self.fs.stat(there)):
                return Verdict.FINE
        except OSError:  # a dangling link, or a loop
            return Verdict.FINE
        if self.hard_links:
            return Verdict.FINE if _is_link(goal) else Verdict.DONE
        return Verdict.SAME
