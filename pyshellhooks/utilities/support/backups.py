"""Backups that cp, mv and ln make of the files they replace (GNU coreutils 9.1, Backup options)."""

from __future__ import annotations

import os

from ...command import Call, Flag
from ...fs.base import Stat
from ...text import parse_digits
from ..basename import base_of
from .quoting import choose

_KINDS = (("none", "off"), ("simple", "never"), ("existing", "nil"), ("numbered", "t"))

FLAGS = (
    Flag("-b", dest="backup", help="like --backup but does not accept an argument"),
    Flag(
        "--backup", value="CONTROL", optional=True, help="back up what is replaced: none, simple, existing or numbered"
    ),
    Flag("-S", "--suffix", value="SUFFIX", help="override the usual backup suffix"),
)


class Backup:
    """The backup options of a call. ``on`` is False if it makes no backups."""

    __slots__ = ("_call", "_kind", "_suffix", "on")

    def __init__(self, call: Call) -> None:
        opts, env = call.opts, call.env
        self._call = call
        self.on = "backup" in opts or "suffix" in opts
        self._kind = ""
        self._suffix = "~"
        if not self.on:
            return
        # The option wins over the variable; an empty value of either counts as unset.
        control, inherited = opts.value("backup"), env.get("VERSION_CONTROL", "")
        if control:
            self._kind = choose(env, "backup type", control, _KINDS)
        elif inherited:
            self._kind = choose(env, "$VERSION_CONTROL", inherited, _KINDS)
        else:
            self._kind = "existing"
        self.on = self._kind != "none"
        suffix = opts.value("suffix") if "suffix" in opts else env.get("SIMPLE_BACKUP_SUFFIX", "")
        # A suffix with a slash would put the backup into another directory; GNU ignores it.
        if suffix and "/" not in suffix:
            self._suffix = suffix

    @property
    def numbered(self) -> bool:
        """Return whether each backup gets a number, so that no backup replaces another."""
        return self._kind in ("numbered", "t")

    def sets_aside(self, source: str) -> bool:
        """Return whether the destination of a source is backed up. It is not for ``.`` and ``..``."""
        return self.on and source.rstrip("/").rpartition("/")[2] not in (".", "..")

    def is_of(self, source: str, file_status: Stat, path: str) -> bool:
        """Return whether the simple backup of a file would overwrite the source: ``a~`` for ``a``."""
        if self.numbered or base_of(source) != path.rpartition("/")[2] + self._suffix:
            return False
        try:
            return os.path.samestat(file_status, self._call.fs.stat(path + self._suffix))
        except OSError:
            return False

    def ending(self, path: str) -> str:
        """Return the suffix of the backup of an existing file: ``~`` or ``.~2~``."""
        if self._kind == "simple":
            return self._suffix
        folder, _, name = path.rpartition("/")
        start = f"{name}.~"
        highest = 0
        for entry in self._call.fs.scandir(folder or "/"):
            if not entry.name.startswith(start) or not entry.name.endswith("~"):
                continue
            number = entry.name[len(start) : -1]
            if number.isascii() and number.isdigit():
                highest = max(highest, parse_digits(number))
        if not highest and self._kind == "existing":
            return self._suffix
        return f".~{highest + 1}~"
