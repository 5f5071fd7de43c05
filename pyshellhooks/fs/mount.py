"""``MountFS``: several file systems under one root."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from ..errors import UntrackedFilesError
from .base import Entry, FileSystem, ResolvedPath, Root, Saved
from .change import Change, Original, of_kind
from .layer import Layer, link_at, resolve
from .memory import MemoryFS
from .readonly import ReadOnly


class MountFS(Layer):
    """``root``, with other file systems at some directories: ``MountFS(MemoryFS(), {"/workspace": fs})``.

    ``root`` and the values of ``mounts`` are ``FileSystem`` objects. Symbolic links and ``..`` cross mount points as in
    a kernel. A mount point need not exist in ``root``. Renames and hard links between file systems are EXDEV. Raises
    ``ValueError`` for a mount at ``/``.
    """

    __slots__ = ("_frame", "_implied", "_mounts", "root")

    def __init__(self, root: FileSystem, mounts: Mapping[str, FileSystem]) -> None:
        self.root = root
        self._mounts: dict[str, FileSystem] = {}
        self._implied: dict[str, set[str]] = {}  # directories above mount points, with the names shown in them
        frame = MemoryFS()
        for point, fs in mounts.items():
            absolute = point if point.startswith("/") else f"/{point}"
            path = resolve(absolute, lambda at, last: None, True).rstrip("/")
            if not path:
                raise ValueError("pass the file system for / as root")
            self._mounts[path] = fs
            while path:
                parent, _, name = path.rpartition("/")
                self._implied.setdefault(parent or "/", set()).add(name)
                path = parent
        for path in sorted(self._implied):
            if not frame.exists(path):
                frame.mkdir(path)
        self._frame = ReadOnly(frame)

    @property
    def mounts(self) -> Mapping[str, FileSystem]:
        """The mounted file systems by their mount points."""
        return MappingProxyType(self._mounts)

    def is_absolute(self, path: str) -> bool:
        return path.startswith("/") or self.root.is_absolute(path)

    def temporary_directory(self) -> str:
        return self.root.temporary_directory()

    def _route(self, path: str) -> tuple[FileSystem, str]:
        """Return the file system of a resolved path, and the path in it."""
        mounts = self._mounts
        at = path.rstrip("/") or "/"
        point = at  # the innermost mount wins
        while point:
            fs = mounts.get(point)
            if fs is not None:
                return fs, ResolvedPath(path[len(point) :] or "/")
            point = point.rpartition("/")[0]
        if at in self._implied and not self.root.exists(at):
            return self._frame, path
        return self.root, ResolvedPath(path)

    def _link_of(self, path: str, last: bool) -> str | None:
        if path in self._mounts:
            return None
        fs, inner = self._route(path)
        return link_at(fs, inner, path, last)

    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        if not path.startswith("/"):
            return self.root, path  # C:/x on Windows: outside of every mount
        return self._route(resolve(path, self._link_of, follow))

    def scandir(self, path: str) -> Iterator[Entry]:
        entries = super().scandir(path)
        if not self._implied:
            return entries
        shown = self._implied.get(self.realpath(path))
        if not shown:
            return entries
        others = [entry for entry in entries if entry.name not in shown]
        return iter([*others, *(Entry(name, "d") for name in shown)])

    def root_at(self, path: str) -> Root | None:
        root = super().root_at(path)
        if root is None or root.kind == "volume":
            return root
        at = self.realpath(path)
        mounted = self._mounts.get(at)
        if mounted is None:
            return root
        return Root(at, "top" if mounted.host_path("/") == "/" else "mount")

    def _resolved(self, path: str) -> str:
        """Return a path with all links but a last one resolved; a path with a drive is outside of every mount."""
        if not path.startswith("/"):
            return path
        return resolve(path, self._link_of, False).rstrip("/")

    def _is_fixed(self, path: str) -> bool:
        at = self._resolved(path)
        return at in self._mounts or at in self._implied

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        at = self._resolved(path)
        if path and not at:
            at = "/"
        if at in self._mounts or at in self._implied:
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        super().mkdir(path, mode)

    # --- changes -----------------------------------------------------------------------------------------------

    def changes(self) -> list[Change]:
        changes = [change for change in self.root.changes() if self._route(change.path)[0] is self.root]
        for point, fs in self._mounts.items():
            with _named(point):
                changes += [Change(change.kind, point + change.path) for change in fs.changes()]
        return sorted(changes, key=lambda change: change.path)

    def original(self, path: str) -> Original | None:
        fs, inner = self._route(path)
        return fs.original(inner)

    def save(self) -> Saved:
        mounts: dict[str, Saved] = {}
        for point, fs in self._mounts.items():
            with _named(point):
                mounts[point] = fs.save()
        return {"kind": "mounts", "root": self.root.save(), "mounts": mounts}

    def load(self, saved: Saved) -> Callable[[], None]:
        mounts = of_kind(saved, "mounts").get("mounts")
        if not isinstance(mounts, dict) or mounts.keys() != self._mounts.keys():
            points = ", ".join(mounts) if isinstance(mounts, dict) else ""
            raise ValueError(
                f"the snapshot has mounts at {points}, but this file system has them at {', '.join(self._mounts)}"
            )
        # Each ``load`` checks its part, so that nothing is restored if one of them is damaged.
        commits = [self.root.load(saved.get("root", {}))]
        commits += [fs.load(mounts[point]) for point, fs in self._mounts.items()]

        def commit() -> None:
            for restore in commits:
                restore()

        return commit


@contextmanager
def _named(point: str) -> Iterator[None]:
    """Add the mount point to the message of an ``UntrackedFilesError``."""
    try:
        yield
    except UntrackedFilesError as error:
        raise UntrackedFilesError(f"{point}: {error}") from None
