"""File systems of hooks, other than the host's: with mounts, or one for each session."""

from __future__ import annotations

from collections.abc import Mapping

from ...fs.base import FileSystem
from ...fs.host import HostFS
from ...fs.mount import MountFS
from ...fs.rooted import Rooted


def file_systems(mounts: Mapping[str, FileSystem | str]) -> dict[str, FileSystem]:
    """Return the mounts, with each host directory replaced by a file system rooted there."""
    shown: dict[str, FileSystem] = {}
    for point, fs in mounts.items():
        if isinstance(fs, str):
            shown[point] = Rooted(HostFS(), fs)
        else:
            shown[point] = fs
    return shown


def mounted(fs: FileSystem | None, mounts: Mapping[str, FileSystem | str]) -> FileSystem:
    """Return a file system, by default the host's, with others mounted in it."""
    return MountFS(fs if fs is not None else HostFS(), file_systems(mounts))


def make_files(mounts: Mapping[str, FileSystem | str], fs: FileSystem | None = None) -> FileSystem:
    """Make the file system of one session, with the host's mounts.

    The ``/workspace`` of the engine's own file system, if it has one, is the workspace of every session.
    """
    from ...fs.session import WORKSPACE, session_file_system

    shown = file_systems(mounts)
    if fs is not None and WORKSPACE not in shown and fs.exists(WORKSPACE):
        shown[WORKSPACE] = Rooted(fs, WORKSPACE)
    return session_file_system(shown)
