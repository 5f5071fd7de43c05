"""The file system of a sandbox: memory, with mounted directories of the host."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from errno import ENOTDIR

from ..fs.base import FileSystem
from ..fs.host import HostFS
from ..fs.memory import MemoryFS
from ..fs.mount import MountFS
from ..fs.overlay import OverlayFS
from ..fs.readonly import ReadOnly
from ..fs.rooted import Rooted
from ..host import current
from ..windows_paths import script_path
from .arguments import path_of
from .shell import HOME

Places = Mapping[str, str | os.PathLike[str]]
"""Where in the sandbox a directory of the host is seen: ``{"/work": "project"}``."""

_MOUNTS: dict[str, Callable[[FileSystem], FileSystem]] = {
    "overlay": lambda fs: OverlayFS(fs, devices=False),
    "read_only": ReadOnly,
    "read_write": lambda fs: fs,
}


def sandbox_files(files: Mapping[str, bytes | str] | None, **places: Places | None) -> FileSystem:
    """Return the file system of a sandbox.

    Raises ``OSError`` for a path that is not a directory, ``ValueError`` for an invalid mount point.
    """
    memory = MemoryFS({f"{HOME}/": b"", **(files or {})})
    mounts: dict[str, FileSystem] = {}
    for kind, values in places.items():
        if values is not None and not isinstance(values, Mapping):
            raise TypeError(
                f'{kind} must map mount points to directories, such as {kind}={{"/work": "project"}}, got {values!r:.60}'
            )
        for point, directory in (values or {}).items():
            if not point.startswith("/") or not point.strip("/"):
                raise ValueError(f"a mount point must be an absolute path below /, got {point!r}")
            name = point.rstrip("/")
            if name in mounts:
                raise ValueError(f"duplicate mount point {name}; choose another one, such as /docs")
            mounts[name] = _MOUNTS[kind](_rooted(directory))
    return MountFS(memory, mounts) if mounts else memory


def _rooted(directory: str | os.PathLike[str]) -> FileSystem:
    """Return a directory of the host as a separate file system."""
    path = path_of(directory)
    if current().windows:
        path = script_path(path, os.path.isdir) or path
    path = os.path.abspath(path)
    if not os.path.isdir(path):
        os.stat(path)  # raises the precise error if it is missing
        raise OSError(ENOTDIR, "Not a directory", path)
    return Rooted(HostFS(), path.replace("\\", "/") if current().windows else path)
