"""The file system of one conversation: in memory, its workspace at ``/`` and at ``/workspace`` (everruns 8).

``/workspace/x`` and ``/x`` are one file, except ``/tmp``, ``/home`` and ``/dev``: those are the machine's, always in
memory, and not part of the workspace. A file system mounted at ``/workspace`` is the workspace under both names.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping

from ..streams.base import Stream
from .base import TIMES, Entry, FileSystem, Root, Stat
from .layer import Layer, link_at, resolve
from .memory import MemoryFS
from .mount import MountFS
from .rooted import Rooted

WORKSPACE = "/workspace"
HOME = "/home/agent"
_MACHINE = ("dev", "home", "tmp")


class SessionFS(Layer):
    """A file system whose files all have the mode 0755: chmod has no effect, and symbolic links can't be created.

    Mounted file systems keep their own modes and links below; such a link stays inside. No native program sees these
    files (``host_path`` is None), so hooks can't start programs: they run only in the embedded shell.
    """

    __slots__ = ("_machine", "_prefix", "_workspace")

    def __init__(self, mounts: Mapping[str, FileSystem] | None = None) -> None:
        workspace: dict[str, FileSystem] = {}
        machine: dict[str, FileSystem] = {}
        for point, fs in (mounts or {}).items():
            path = resolve(f"/{point}", lambda at, last: None, True).rstrip("/") or "/"
            inner, in_workspace = _split(path)
            tree = workspace if in_workspace else machine
            tree[inner] = fs
        memory = MemoryFS({HOME + "/": b"", WORKSPACE + "/": b""})
        self._machine: FileSystem = MountFS(memory, machine) if machine else memory
        self._workspace: FileSystem = memory
        self._prefix = WORKSPACE
        if workspace:
            root = workspace.pop("/", None) or Rooted(memory, WORKSPACE)
            self._workspace = MountFS(root, workspace) if workspace else root
            self._prefix = ""

    def _route(self, path: str) -> tuple[FileSystem, str]:
        inner, in_workspace = _split(path)
        if in_workspace:
            return self._workspace, self._prefix + inner
        return self._machine, inner

    def _link_of(self, path: str, last: bool) -> str | None:
        fs, inner = self._route(path)
        return link_at(fs, inner, path, last)

    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        """Return the file system and the path in it."""
        return self._route(resolve(path, self._link_of, follow))

    def _is_fixed(self, path: str) -> bool:
        at = resolve(path, self._link_of, False).rstrip("/")
        return at in ("", WORKSPACE) or at[1:] in _MACHINE

    # -- modes and links ----------------------------------------------------------------------------------------------

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        return super().open(path, flags, mode | 0o600)  # a script's umask must not take its own access away

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        if self._is_fixed(path):
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        super().mkdir(path, mode | 0o700)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        status = super().stat(path, follow=follow)
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            return status
        return os.stat_result((stat.S_IFMT(status.st_mode) | 0o755, *status[1:]), _more(status))

    def access(self, path: str, mode: int) -> bool:
        return super().access(path, mode & ~os.X_OK)  # all files are executable

    def chmod(self, path: str, mode: int) -> None:
        self.stat(path)

    def symlink(self, target: str, path: str) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), path)

    # -- the tree -----------------------------------------------------------------------------------------------------

    def scandir(self, path: str) -> Iterator[Entry]:
        entries = super().scandir(path)
        if self.realpath(path) != "/":
            return entries
        own = (WORKSPACE[1:], *_MACHINE)
        others = [entry for entry in entries if entry.name not in own]
        return iter([*others, *(Entry(name, "d") for name in own)])

    def root_at(self, path: str) -> Root | None:
        root = super().root_at(path)
        if root is not None and root.kind == "top":
            # The workspace is a mount, at / too. Modes never change, so chmod -R there is harmless.
            return Root(root.name, "mount")
        return root

    def host_path(self, path: str) -> str | None:
        return None

    def workspace_names(self) -> list[str]:
        """Return the top-level names of a workspace in memory, which end with the session; [] for a mounted one."""
        if not self._prefix:
            return []
        return sorted(entry.name for entry in self._workspace.scandir(self._prefix))


def _split(path: str) -> tuple[str, bool]:
    """Return a resolved path within its tree, and whether that tree is the workspace."""
    first = path[1:].partition("/")[0]
    if first == WORKSPACE[1:]:
        return path[len(WORKSPACE) :] or "/", True
    return path, first not in _MACHINE


def _more(status: Stat) -> dict[str, float]:
    """Return the times of a status, which its sequence does not contain."""
    return {name: getattr(status, name) for name in TIMES}


def session_file_system(mounts: Mapping[str, FileSystem]) -> FileSystem:
    """Return the file system of a session with the host's mounts."""
    return SessionFS(mounts)
