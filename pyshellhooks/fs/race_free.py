"""The host's disk without races, for a script that can't start processes: the checked file is the one that is used.

``proc`` checks names. Between the check and the use, a script's background job can swap a link: from ``/proc/version``
to ``/proc/self/environ``, or to a descriptor of the host. So the directory of a path, or the file itself, is opened
first, and the check uses the kernel's name of the open file.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from ..host.openat import FdPath, fd_path_of_entry, fd_path_of_target
from ..text import decode, encode
from . import proc
from .base import LINKS_MAX, FileSystem
from .layer import Layer, PassThroughFS, renamed

if TYPE_CHECKING:
    from .host import HostFS


class PinnedPath(str):
    """A path through an open directory, or to an open file; ``place`` is its place in a procfs, or None."""

    __slots__ = ("fd_path", "place")

    fd_path: FdPath
    place: proc.Place | None

    def __new__(cls, name: FdPath, place: proc.Place | None) -> PinnedPath:
        path = super().__new__(cls, decode(name))
        path.fd_path = name
        path.place = place
        return path


class RaceFreeFS(PassThroughFS):
    """``inner``, the disk for one run, with race-free paths."""

    __slots__ = ()

    inner: HostFS

    def host_path(self, path: str) -> str | None:
        return self.inner.host_path(path)

    def is_virtual(self) -> bool:
        return False

    def place(self, path: str, follow: bool) -> tuple[FileSystem, str]:
        if not path or "\0" in path:
            code = errno.EINVAL if path else errno.ENOENT
            raise OSError(code, os.strerror(code), path)
        proc.check(path, follow, False)  # by name first: it may name a descriptor
        try:
            if follow:
                return self.inner, self._followed(path)
            return self.inner, self._in_directory(path)
        except OSError as error:
            raise renamed(error, path) from None

    def _followed(self, path: str) -> PinnedPath:
        """Return a path to the open file, or through the open directory of a new file."""
        for _ in range(LINKS_MAX):
            try:
                fd_path = fd_path_of_target(encode(path), follow=True)
            except FileNotFoundError:
                entry = self._in_directory(path)
                try:
                    target = decode(os.readlink(entry.fd_path))
                except OSError:
                    return entry
                path = target if target.startswith("/") else f"{path.rpartition('/')[0]}/{target}"
            else:
                return PinnedPath(fd_path, proc.place_of(fd_path.fd, path))
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)

    def _in_directory(self, path: str) -> PinnedPath:
        """Return a path through the open directory; the last part may be a link and is not followed."""
        bare = path.rstrip("/")
        directory, _, name = bare.rpartition("/")
        fd_path = fd_path_of_entry(encode(directory or "/"), encode(name + path[len(bare) :]))
        place = proc.place_of(fd_path.fd, path)
        if place is not None:
            place = proc.place_in(fd_path.fd, name)
        return PinnedPath(fd_path, place)

    def realpath(self, path: str) -> str:
        self.inner.exists_for_script(path)
        return Layer.realpath(self, path)  # part by part, each opened
