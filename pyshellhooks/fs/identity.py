"""Who a script is and which variables it inherits, by the files that it sees."""

from __future__ import annotations

from ..host import current
from ..host.identity import NOBODY, Identity
from .base import FileSystem


def identity(fs: FileSystem) -> Identity:
    """Return this process's identity for scripts on the host's disk, and nobody's in particular for all others."""
    return NOBODY if fs.is_virtual() else current()


def time_zone(fs: FileSystem, given: str | None) -> str | None:
    """Return the TZ that counts: without one it is UTC for scripts on no disk of the host, else None, the machine's."""
    return "UTC" if given is None and fs.is_virtual() else given


def environment(fs: FileSystem | None = None) -> dict[str, str]:
    """Return this process's variables for scripts on the host's disk (None), and none for all others."""
    host = current()
    return {} if fs is not None and fs.is_virtual() else host.shell_env(host.environ())
