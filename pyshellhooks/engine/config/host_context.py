"""The host context of an engine: its directory, environment and worktree, read once when it is made."""

from __future__ import annotations

import errno
import os
import stat as modes
from collections.abc import Callable, Mapping
from posixpath import join, normpath
from typing import TYPE_CHECKING

from ... import host
from ...fs.identity import environment as inherited
from ...fs.identity import home_directory, script_environment
from ...hooks.dialect import HostContext
from ...jsontext.compact import JSON
from ...text import remembered
from ...windows_paths import script_path, script_path_or_relative

if TYPE_CHECKING:
    from ...fs.base import FileSystem

Exists = Callable[[str], bool]


def existence(fs: FileSystem | None) -> Exists:
    """Return a function that tests whether a path exists, on the given file system or the disk."""
    if fs is None:
        from os.path import exists

        return exists

    def exists_there(path: str) -> bool:
        try:
            fs.stat(path)
        except OSError as error:
            return error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL, errno.EACCES, errno.ELOOP)
        return True

    return exists_there


def reading(fs: FileSystem | None) -> Callable[..., bytes]:
    """Return a function that reads a regular file as hooks see it. It raises for a FIFO or a device: they may block."""

    def read(path: str, most: int = -1) -> bytes:
        from ...fs.base import READ
        from ...fs.host import HostFS

        there = HostFS() if fs is None else fs
        kind = there.stat(path).st_mode
        if not modes.S_ISREG(kind):
            problem = errno.EISDIR if modes.S_ISDIR(kind) else errno.EINVAL
            raise OSError(problem, os.strerror(problem), path)
        if 0 <= most < there.stat(path).st_size:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        parts: list[bytes] = []
        stream = there.open(path, READ)
        try:
            while data := stream.read(1 << 20):
                parts.append(data)
        finally:
            stream.close()
        return b"".join(parts)

    return read


def listing(fs: FileSystem | None) -> Callable[[str], list[str]]:
    """Return a function that lists a directory as hooks see it; for one that can't be listed it returns []."""

    def names(path: str) -> list[str]:
        try:
            return sorted(os.listdir(path) if fs is None else (entry.name for entry in fs.scandir(path)))
        except (OSError, ValueError):  # a name with a null character
            return []

    return names


def working_directory(cwd: str | None, fs: FileSystem | None) -> str:
    """Return the directory in which hooks run: ``cwd``, else the process's, else ``/`` if ``fs`` lacks that.

    On the disk it is the real path for all spellings (relative, ``..``, links, a slash at the end), like an agent's own
    working directory: which config is read must not depend on the spelling of a path.
    """
    if cwd is not None:
        if fs is None:
            return real_directory(cwd)
        if host.current().windows:
            with_drive = script_path(cwd, existence(fs))
            if with_drive:
                return with_drive
        return normpath(join("/", cwd))
    here = host.current().getcwd()
    if fs is None or existence(fs)(here):
        return here
    return "/"


def joined(directory: str, path: str) -> str:
    """Return a path of the disk, from a directory if it is relative; on Windows ``/c/x`` and ``/c:/x`` have a drive."""
    if host.current().windows:
        path = script_path(path, os.path.isdir) or path
    return os.path.join(directory, path)


def real_directory(path: str) -> str:
    """Return the real path of a directory of the disk, with ``/`` also on Windows.

    If the directory is missing, its path is only made absolute. On Windows ``/w`` has no drive: it is a directory of a
    virtual file system of the host, and keeps its name.
    """
    windows = host.current().windows
    if windows:
        path = script_path(path, os.path.isdir) or path
        if path[:1] == "/" and path[:2] != "//":
            return normpath(path)
    absolute = os.path.abspath(path)
    try:
        real = os.path.realpath(path)
    except ValueError:  # a NUL, or half of a surrogate pair: no file has such a name
        real = absolute
    found = real
    # A mapped drive is another name of a share, and programs there know it by its letter.
    if real.startswith("\\\\") and not absolute.startswith("\\\\"):
        found = absolute
    if not windows:
        return found
    return script_path_or_relative(found, os.path.isdir)


def existing_directory(here: str, fs: FileSystem | None) -> str | None:
    """Return the directory of a discovery if it exists on the file system of the hooks; else None."""
    if fs is None or existence(fs)(here):
        return here
    return None


def with_absolute_cwd(fields: Mapping[str, JSON], place: HostContext) -> Mapping[str, JSON]:
    """Return an event's fields with an absolute, normalized ``cwd``; a relative one starts from the engine's."""
    cwd = fields.get("cwd")
    if not isinstance(cwd, str) or not cwd:
        return fields
    if cwd[0] == "\\" or cwd[1:2] == ":":  # absolute on Windows already
        return fields
    is_flat = "/." not in cwd and "//" not in cwd
    if is_flat and cwd[0] == "/" and cwd[-1] != "/":  # the usual case
        return fields
    return {**fields, "cwd": place.flat(join(place.cwd, cwd))}


def environment(env: Mapping[str, str] | None, fs: FileSystem | None = None) -> dict[str, str]:
    """Return the variables that hooks inherit: ``env``, else the process's, or none on a virtual file system."""
    return inherited(fs) if env is None else script_environment(env, fs)


def worktree_root(cwd: str, exists: Exists) -> str:
    """Return the root of the git worktree around a directory, or ``""``. A linked worktree has a ``.git`` file."""
    path = cwd.rstrip("/") or "/"
    while True:
        mark = "/.git" if path == "/" else f"{path}/.git"
        if exists(mark):
            return path
        parent = path.rpartition("/")[0]
        if not parent:
            is_at_root = path != "/" and exists("/.git")
            return "/" if is_at_root else ""
        if parent.endswith(":"):  # a drive of Windows: its root never counts as a worktree
            return ""
        path = parent


def _project_of(cwd: str, fs: FileSystem | None, exists: Exists) -> str:
    """Return the root of the worktree around a directory, also through links; else the directory itself."""
    real = real_directory(cwd) if fs is None and cwd else cwd
    return worktree_root(real, exists) or cwd


def read_host_context(
    cwd: str,
    env: Mapping[str, str],
    fs: FileSystem | None = None,
    *,
    settings: Mapping[str, JSON] | None = None,
) -> HostContext:
    """Return the host context for discovery and jobs, read from the file system of the hooks."""
    exists = existence(fs)
    worktree = worktree_root(cwd, exists)
    return HostContext(
        cwd,
        env=env,
        home=home_directory(env),
        worktree=worktree,
        windows=host.current().windows,
        project_dir=worktree or cwd,
        settings=settings,
        exists=exists,
        read=reading(fs),
        names=listing(fs),
        flat=real_directory if fs is None else normpath,
        # As the engine's own, the project of another directory is found once: the file systems may be slow.
        worktree_of=remembered(256)(lambda directory: _project_of(directory, fs, exists)),
    )
