"""``-ls``: a listing of a file in the format of ``ls -dils`` (GNU findutils 4.9)."""

from __future__ import annotations

import os
import stat

from ...text import encode
from ...times.moments import moment, strftime
from ..support.modes import mode_string
from ..support.owners import Owners
from .files import File
from .state import State

_HALF_YEAR = 6 * 30 * 24 * 60 * 60 * 10**9
_HOUR = 60 * 60 * 10**9
_ESCAPES = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", " ": "\\ "}


class Listing:
    """The lines of one -ls; a column grows with its widest value so far."""

    __slots__ = ("_owners", "_state", "_widths")

    def __init__(self, state: State) -> None:
        self._state = state
        self._owners = Owners(state.call.fs)
        self._widths = {"inode": 9, "blocks": 6, "links": 3, "user": 8, "group": 8, "size": 8}

    def _cell(self, column: str, text: str, left: bool = False) -> str:
        width = self._widths[column] = max(self._widths[column], len(text))
        if left:
            return text.ljust(width)
        return text.rjust(width)

    def line(self, file: File) -> bytes:
        """Return the line for a file."""
        found = file.found
        if "POSIXLY_CORRECT" in self._state.call.env:
            blocks = file.blocks()
        else:
            blocks = (file.blocks() + 1) // 2
        size = str(found.st_size)
        if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
            size = _device(getattr(found, "st_rdev", None) or 0)
        cells = [
            self._cell("inode", str(found.st_ino)),
            self._cell("blocks", str(blocks)),
            mode_string(found.st_mode),
            self._cell("links", str(found.st_nlink)),
            self._cell("user", self._owners.user(found.st_uid, file.place), left=True),
            self._cell("group", self._owners.group(found.st_gid, file.place), left=True),
            self._cell("size", size),
            self._date(found.st_mtime_ns),
            _escaped(file.path),
        ]
        link = file.link()
        if link is not None:
            cells += ["->", _escaped(link)]
        return encode(" ".join(cells)) + b"\n"

    def _date(self, stamp: int) -> str:
        recent = self._state.now - _HALF_YEAR < stamp <= self._state.now + _HOUR
        form = "%b %e %H:%M" if recent else "%b %e  %Y"  # POSIX XCU ls, the two formats of -l
        return strftime(form, moment(stamp, self._state.call.zone))


def _device(number: int) -> str:
    if hasattr(os, "major"):
        major, minor = os.major(number), os.minor(number)
    else:  # Windows
        major, minor = 0, number
    return f"{major}, {minor:3d}"


def _escaped(name: str) -> str:
    return "".join(_ESCAPES.get(char) or _visible(char) for char in name)


def _visible(char: str) -> str:
    if char in '\\"':
        return "\\" + char
    if char.isprintable() and char.isascii():
        return char
    return "".join(f"\\{byte:03o}" for byte in encode(char))
