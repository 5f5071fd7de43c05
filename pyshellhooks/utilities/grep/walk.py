"""Files to search: operands, recursion, ``--include`` and ``--exclude``."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator

from ...command import Call
from ...patterns.glob import Glob, compile_glob
from ...text import decode
from ..support.lines import read_all
from .settings import Settings


class FileFilter:
    """``--include``, ``--exclude``, ``--exclude-from`` and ``--exclude-dir``: the last match decides."""

    __slots__ = ("_directories", "_files")

    def __init__(self, call: Call) -> None:
        self._files: list[tuple[bool, Glob]] = []
        self._directories: list[Glob] = []
        for dest, value in call.opts.given:
            if value is None:
                continue
            if dest in ("include", "exclude"):
                self._files.append((dest == "include", compile_glob(value, extglob=False)))
            elif dest == "exclude_from":
                self._files += [(False, compile_glob(line, extglob=False)) for line in _lines(call, value)]
            elif dest == "exclude_dir":
                self._directories.append(compile_glob(value.rstrip("/") or value[:1], extglob=False))

    def skips_file(self, name: str, *, operand: bool) -> bool:
        """Return whether a file is excluded. In a tree, a pattern must match the whole last component of a name."""
        for included, glob in reversed(self._files):
            if _matches(glob, name, operand):
                return not included
        # A file that no pattern matches is included, unless the first option was --include.
        return bool(self._files) and self._files[0][0]

    def skips_operand(self, call: Call, name: str) -> bool:
        """Return whether an operand is excluded. A missing operand is not excluded: it is an error."""
        if _is_directory(call, name):
            return self.skips_directory(name, operand=True)
        if name == "":
            return False
        if not self.skips_file(name, operand=True):
            return False
        return call.fs.exists(call.path(name))

    def skips_directory(self, name: str, *, operand: bool) -> bool:
        """Return whether a directory is excluded."""
        return any(_matches(glob, name, operand) for glob in self._directories)


def _matches(glob: Glob, name: str, operand: bool) -> bool:
    """Return whether a name matches; an operand also matches with any of its ends after a slash."""
    if not operand:
        return glob.matches(name.rpartition("/")[2])
    while not glob.matches(name):
        if "/" not in name:
            return False
        name = name.partition("/")[2]
    return True


def _lines(call: Call, name: str) -> list[str]:
    stream = call.open_input(name)
    try:
        text = decode(read_all(call, stream))
    finally:
        stream.release()
    return [line for line in text.split("\n") if line]


def files(call: Call, settings: Settings, operands: list[str]) -> Iterator[tuple[str, OSError | None]]:
    """Yield the files to search, with the error of a directory that cannot be read. Entries come in order of names."""
    wanted = FileFilter(call)
    recurse = settings.directories == "recurse"
    if not operands:
        if recurse:
            yield from _descend(call, settings, wanted, "", set())
        else:
            yield "-", None
        return
    for name in operands:
        if name == "-":
            yield name, None
        elif recurse and _is_directory(call, name):
            if not wanted.skips_directory(name, operand=True):
                yield from _descend(call, settings, wanted, re.sub("//+$", "/", name), set())
        elif settings.directories == "skip" and _is_directory(call, name):
            continue
        elif not wanted.skips_operand(call, name):
            yield name, None


def _is_directory(call: Call, name: str) -> bool:
    try:
        return stat.S_ISDIR(call.fs.stat(call.path(name)).st_mode)
    except OSError:
        return False


def _descend(
    call: Call, settings: Settings, wanted: FileFilter, directory: str, above: set[tuple[int, int]]
) -> Iterator[tuple[str, OSError | None]]:
    call.check()
    prefix = directory
    if directory and not directory.endswith("/"):
        prefix += "/"
    try:
        path = call.path(directory or ".")
        status = call.fs.stat(path)
        entries = sorted(call.fs.scandir(path), key=lambda entry: entry.name)
    except OSError as error:
        yield directory or ".", error
        return
    identity = (status.st_dev, status.st_ino)
    # A file system without inodes reports 0 for each of them.
    is_loop = status.st_ino != 0 and identity in above
    if is_loop and settings.follow:
        if not settings.silent_errors:
            call.error(f"{directory}: warning: recursive directory loop")
        return
    for entry in entries:
        name = prefix + entry.name
        kind = entry.kind
        if kind == "l":
            if not settings.follow:
                continue
            kind = "d" if _is_directory(call, name) else "f"
        if kind == "d":
            if not wanted.skips_directory(name, operand=False):
                yield from _descend(call, settings, wanted, name, above | {identity})
            continue
        # In a tree, FIFOs and devices are read only with -D read: they could wait forever.
        if kind != "f" and settings.devices != "read":
            continue
        if not wanted.skips_file(name, operand=False):
            yield name, None
