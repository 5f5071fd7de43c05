"""The paths of programs that run in-process: ``/usr/bin/jq`` where no file lies there (docs/shell.md, "What a name means")."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..fs.base import FileSystem

SHELL_NAMES = frozenset({"sh", "bash", "dash"})  # what the embedded shell is by name
_PLACES = ("/bin", "/usr/bin")


def program_meant(fs: FileSystem, name: str) -> str:
    """Return ``jq`` for ``/usr/bin/jq`` where nothing lies there, and "" for every other name.

    ``command -v jq`` names this path where PATH has none. What it names can be run: on Windows, in a virtual file system.
    """
    directory, _, base = name.rpartition("/")
    return base if directory in _PLACES and not fs.exists(name) else ""


def means_a_program(fs: FileSystem, name: str, programs: Container[str]) -> bool:
    """Say whether a path where nothing lies would run one of ``programs`` (names) or the embedded shell.

    ``[ -x "$(command -v jq)" ] || exit 0`` asks this. Where jq would run, "no" would turn the guard off.
    """
    meant = program_meant(fs, name)
    return bool(meant) and (meant in programs or meant in SHELL_NAMES)
