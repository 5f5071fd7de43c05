"""``WindowsFS``: the disk on Windows, with a shell's paths."""

from __future__ import annotations

import errno
import os
import stat as modes
from collections.abc import Iterator

from ..host.windows_text import drive_of, native_path, slashed, volume_root
from .base import TIMES, Entry, Root, Stat
from .host import HostFS, kind_of

#: The bit of a reparse tag that marks the name of another file (Windows SDK, IsReparseTagNameSurrogate).
_SURROGATE = 0x2000_0000
_LONG = 248  # beyond this many characters only \\?\ paths are sure to work


def is_junction(facts: Stat) -> bool:
    """Return whether the status (without following links) of a directory is that of a junction or a mounted volume.

    Python reports only symbolic links as links (``os.path.isjunction`` exists from 3.12 on). A recursive removal that
    took a junction for a directory would empty its target.
    """
    return modes.S_ISDIR(facts.st_mode) and bool(getattr(facts, "st_reparse_tag", 0) & _SURROGATE)


def _as_link(facts: Stat) -> Stat:
    """Return a junction's status as that of a symbolic link, so that every utility treats it as one."""
    mode = modes.S_IFLNK | modes.S_IMODE(facts.st_mode)
    return os.stat_result((mode, *facts[1:10]), {name: getattr(facts, name) for name in TIMES})


def _kind(entry: os.DirEntry[str] | os.DirEntry[bytes]) -> str:
    kind = kind_of(entry)
    try:
        return "l" if kind == "d" and is_junction(entry.stat(follow_symlinks=False)) else kind
    except OSError:
        return kind


class WindowsFS(HostFS):
    """Files on Windows: ``C:/x``, ``//server/share/x``, ``/c/x`` if that drive exists; ``/x`` is on the current drive.

    Backslashes in paths are accepted as separators and never returned. ``/dev/null`` is ``NUL``; ``/tmp`` is the
    directory for temporary files unless the drive has a directory of that name.
    """

    __slots__ = ()

    def is_absolute(self, path: str) -> bool:
        return path[:1] in ("/", "\\") or bool(drive_of(path)) and path[2:3] in ("/", "\\")

    def absolute(self, cwd: str, path: str) -> str:
        path = slashed(path)
        drive = drive_of(path)
        if drive and path[2:3] != "/":  # C:x is relative to the drive's own directory: the cwd or the root
            rest = path[2:]
            if rest and drive.upper() == drive_of(cwd).upper():
                return super().absolute(cwd, rest)
            return f"{drive.upper()}/{rest}"
        if drive:
            return drive.upper() + path[2:]
        if path.startswith("/"):
            return self._rooted(path, cwd)
        return super().absolute(cwd, path)

    def _rooted(self, path: str, cwd: str = "") -> str:
        """Return a path that begins with a slash with its drive."""
        if path == "/dev" or path.startswith(("//", "/dev/")):
            return path
        native = native_path(path)
        if drive_of(native) and os.path.isdir(native[:2] + "\\"):
            return slashed(native)
        drive = drive_of(cwd) or drive_of(os.getcwd())
        if (path == "/tmp" or path.startswith("/tmp/")) and not os.path.isdir(f"{drive}\\tmp"):
            return self.temporary_directory() + path[4:]
        return drive + path

    def _native(self, path: str) -> str:
        if "\0" in path:
            raise OSError(errno.EINVAL, "Invalid argument", path)
        path = slashed(path)
        if path == "/dev/null":
            return os.devnull
        if path == "/dev/tty":
            raise OSError(errno.ENXIO, "No such device or address", path)
        if path.startswith("/"):
            path = self._rooted(path)
        native = path.replace("/", "\\")
        if len(native) >= _LONG and drive_of(native):
            return "\\\\?\\" + os.path.normpath(native)
        return native

    def _shell(self, path: str | bytes) -> str:
        name = path if isinstance(path, str) else os.fsdecode(path)
        if name.startswith("\\\\?\\"):
            name = "\\" + name[7:] if name.startswith("\\\\?\\UNC\\") else name[4:]
        return slashed(name)

    def _check(self, path: str, *, follow: bool = True, looks: bool = False) -> tuple[None, None]:
        return None, None  # Windows has no procfs

    def _open(
        self, native: str | bytes, path: str, flags: int, mode: int, place: object = None, facts: object = None
    ) -> int:
        try:
            return os.open(native, flags | os.O_BINARY | os.O_NOINHERIT, mode)  # type: ignore[attr-defined, unused-ignore]
        except PermissionError:
            raise self._denied(path, errno.EISDIR) from None

    def _denied(self, path: str, otherwise: int) -> OSError:
        """Return POSIX's error for a directory (``otherwise``) instead of "access denied" of Windows."""
        try:
            if modes.S_ISDIR(self.stat(path).st_mode):
                return OSError(otherwise, os.strerror(otherwise), path)
        except OSError:
            pass
        return OSError(errno.EACCES, "Permission denied", path)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        status = os.stat(self._native(path), follow_symlinks=follow)
        return status if follow or not is_junction(status) else _as_link(status)

    def scandir(self, path: str) -> Iterator[Entry]:
        if not modes.S_ISDIR(self.stat(path).st_mode):
            raise OSError(errno.ENOTDIR, "Not a directory", path)
        return super().scandir(path)

    def _entries(self, native: str | bytes) -> Iterator[Entry]:
        with os.scandir(native) as entries:
            for entry in entries:
                yield Entry(self._shell(entry.name), _kind(entry))

    def unlink(self, path: str) -> None:
        native = self._native(path)
        with self._effect():
            if is_junction(os.lstat(native)):
                os.rmdir(native)  # the junction itself; its target stays
                return
            try:
                os.unlink(native)
            except PermissionError as error:
                if modes.S_ISDIR(os.lstat(native).st_mode):
                    raise OSError(errno.EISDIR, "Is a directory", path) from None
                if os.lstat(native).st_mode & modes.S_IWRITE:
                    raise OSError(error.errno, error.strerror, path) from None
                # In POSIX the directory's permission counts, not the file's.
                os.chmod(native, modes.S_IREAD | modes.S_IWRITE)
                os.unlink(native)

    def rename(self, old: str, new: str) -> None:
        try:
            super().rename(old, new)
        except PermissionError:
            raise self._denied(new, errno.EISDIR) from None

    def symlink(self, target: str, path: str) -> None:
        native = self._native(path)
        place = path.rpartition("/")[0] or "/"
        directory = os.path.isdir(self._native(self.absolute(place, target)))
        with self._effect():
            os.symlink(target.replace("/", "\\"), native, target_is_directory=directory)

    def link(self, target: str, path: str) -> None:
        self._act(os.link, self._native(target), self._native(path))

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        # Python can't set the times of a link itself on Windows; those of its target must stay.
        if not follow and modes.S_ISLNK(self.stat(path, follow=False).st_mode):
            raise OSError(errno.ENOSYS, "Function not implemented", path)
        super().utime(path, times)

    def access(self, path: str, mode: int) -> bool:
        return os.access(self._native(path), mode)

    def root_at(self, path: str) -> Root | None:
        native = self._native(path)
        volume = volume_root(native) or volume_root(os.path.realpath(native))
        return Root(volume, "volume") if volume else None

    def host_path(self, path: str) -> str | None:
        native = self._native(path)
        return native if native == os.devnull else slashed(native)
