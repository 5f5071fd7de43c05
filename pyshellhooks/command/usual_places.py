"""Paths of in-process programs: ``/usr/bin/jq`` even if no file exists there (docs/shell.md, "What a name means")."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..fs.base import FileSystem

SHELL_NAMES = frozenset({"sh", "bash", "dash"})  # the names of the embedded shell
_PLACES = ("/bin", "/usr/bin")


def program_meant(fs: FileSystem, name: str) -> str:
    """Return ``jq`` for ``/usr/bin/jq`` if no file exists there, and "" for any other name.

    ``command -v jq`` prints this path if PATH has no jq. The printed path can be run, on Windows and in a virtual file
    system too.
    """
    directory, _, base = name.rpartition("/")
    if directory not in _PLACES:
        return ""
    # Windows has no such directories: the path always means the program.
    return base if fs.has_drives() or not fs.exists(name) else ""


def means_a_program(fs: FileSystem, name: str, programs: Container[str]) -> bool:
    """Return whether a missing path would run one of ``programs`` (names) or the embedded shell.

    For ``[ -x "$(command -v jq)" ] || exit 0``: if jq would run, False would turn the guard off.
    """
    meant = program_meant(fs, name)
    return bool(meant) and (meant in programs or meant in SHELL_NAMES)
