"""The file systems that hooks see when it is not simply the host's."""

from __future__ import annotations

from collections.abc import Mapping

from ..fs.base import FileSystem
from ..fs.host import HostFS
from ..fs.mount import MountFS
from ..fs.rooted import Rooted


def file_systems(mounts: Mapping[str, FileSystem | str]) -> dict[str, FileSystem]:
    """Take host directories for file systems that are rooted there."""
    return {point: Rooted(HostFS(), fs) if isinstance(fs, str) else fs for point, fs in mounts.items()}


def mounted(fs: FileSystem | None, mounts: Mapping[str, FileSystem | str]) -> FileSystem:
    """Show file systems at some directories of another one; default: the host's."""
    return MountFS(fs if fs is not None else HostFS(), file_systems(mounts))


def make_files(mounts: Mapping[str, FileSystem | str], fs: FileSystem | None = None) -> FileSystem:
    """Make the file system of one session, with what the host mounts in it.

    The ``/workspace`` of the engine's own file system, if it has one, is the workspace of every session.
    """
    from ..fs.session import WORKSPACE, session_file_system

    shown = file_systems(mounts)
    if fs is not None and WORKSPACE not in shown and fs.exists(WORKSPACE):
        shown[WORKSPACE] = Rooted(fs, WORKSPACE)
    return session_file_system(shown)
