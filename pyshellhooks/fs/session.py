"""The file system of one conversation: in memory, with the workspace at ``/`` and at ``/workspace`` (everruns.md 8)."""

from __future__ import annotations

from collections.abc import Mapping

from .base import FileSystem
from .memory import MemoryFS
from .mount import MountFS

WORKSPACE = "/workspace"


def session_file_system(mounts: Mapping[str, FileSystem]) -> FileSystem:
    """Make one. What is mounted at ``/workspace`` takes the place of the memory there."""
    base = MemoryFS()
    for directory in ("/tmp", "/home", "/home/agent"):
        if not base.exists(directory):
            base.mkdir(directory)
    return MountFS(base, {WORKSPACE: base, **mounts})
