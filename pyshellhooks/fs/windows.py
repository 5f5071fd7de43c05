"""``WindowsFS``: the disk on Windows, with a shell's paths."""

from __future__ import annotations

import errno
import os
import stat as modes
from collections.abc import Iterator
from string import ascii_uppercase

from .. import host
from ..errors import message_of
from ..host.windows_text import drive_of, has_reserved_name, volume_root
from ..regexes import lazy_pattern
from ..streams.base import Stream
from ..windows_paths import script_path, slashed
from .base import CREATE, TIMES, TOP, Entry, Root, Stat
from .host import HostFS, kind_of
from .nodes import DEVICES
from .windows_errors import (
    NAME_MAX,
    check_link,
    check_rename,
    has_forbidden_character,
    is_same_directory,
    must_have_directory,
    with_posix_errors,
)

#: The bit of a reparse tag that marks the name of another file (Windows SDK, IsReparseTagNameSurrogate).
_SURROGATE = 0x2000_0000
#: Names in ``/`` beside the drives.
_AT_TOP = ("dev", "tmp")
_DRIVE_LINK = lazy_pattern(r"/([A-Za-z]):")
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


#: The status of a directory that exists for scripts only.
_DIRECTORY = os.stat_result((modes.S_IFDIR | 0o755, 0, 0, 2, 0, 0, 0, 0, 0, 0))


def _is_above_drives(path: str) -> bool:
    """Return whether an absolute path is ``/``, the root above the drives, or leads to it: ``C:/..``."""
    if path[:1] == "/":
        return set(path.split("/")) <= {"", ".", ".."}
    if ".." not in path or not drive_of(path):
        return False
    depth = 0
    for part in path[2:].split("/"):
        if part == "..":
            depth -= 1
        elif part not in ("", "."):
            depth += 1
    return depth < 0


def _drives() -> list[str]:
    """Return the drives that exist (``C:``)."""
    return [f"{letter}:" for letter in ascii_uppercase if os.path.isdir(f"{letter}:\\")]


def _kind(entry: os.DirEntry[str] | os.DirEntry[bytes]) -> str:
    kind = kind_of(entry)
    try:
        return "l" if kind == "d" and is_junction(entry.stat(follow_symlinks=False)) else kind
    except OSError:
        return kind


def _device(path: str) -> type[Stream] | None:
    """Return the device of Linux that a path names and that Windows lacks, such as ``/dev/urandom``."""
    name = path.removeprefix("/dev/")
    return DEVICES.get(name) if name not in (path, "null") else None


class WindowsFS(HostFS):
    """Files on Windows: ``C:/x``, ``//server/share/x``, ``/c/x`` if that drive exists; ``/x`` is on the current drive.

    Backslashes in paths are accepted as separators and never returned. ``/dev/null`` is ``NUL``; ``/tmp`` is the
    directory for temporary files unless the drive has a directory of that name. ``/dev/zero``, ``/dev/full`` and
    ``/dev/urandom`` are in this process.

    ``/`` is a directory above the drives, so that a loop that walks up ends there: ``C:/..`` is ``/`` (decisions paths on
    Windows). Its drives are symbolic links, ``/C:`` to ``C:/``: a walk through ``/`` enters no drive that it does not name.
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
        if _is_above_drives(path):
            return "/"
        link = _DRIVE_LINK.fullmatch(path)
        if link is not None:
            return path.upper()
        with_drive = script_path(path, os.path.isdir)
        if with_drive is not None:
            return with_drive
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
        if _is_above_drives(path):
            path = (drive_of(os.getcwd()) or "C:") + "/"
        elif _DRIVE_LINK.fullmatch(path):
            path = path[1:] + "/"
        elif has_reserved_name(path):
            raise OSError(errno.ENOENT, "No such file or directory", path)
        if path.startswith("/"):
            path = self._rooted(path)
        native = path.replace("/", "\\")
        if len(native) >= _LONG and drive_of(native):
            return "\\\\?\\" + os.path.normpath(native)
        return native

    def _must_be_possible(self, path: str) -> None:
        """Raise EINVAL for a new file with a name that Windows refuses, or of a device: no program could open it again."""
        name = path.rpartition("/")[2]
        if has_reserved_name(path) or has_forbidden_character(name):
            raise OSError(errno.EINVAL, "Invalid argument", path)
        if len(name) > NAME_MAX:
            raise OSError(errno.ENAMETOOLONG, "File name too long", path)

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        device = _device(path)
        if device is not None:
            return device()
        if flags & CREATE:
            self._must_be_possible(path)
            if path.endswith("/") and (flags & os.O_EXCL or self.mode_of(path.rstrip("/")) is None):
                raise OSError(errno.EISDIR, "Is a directory", path)
        return self._open_file(path, flags, mode)

    @with_posix_errors
    def _open_file(self, path: str, flags: int, mode: int) -> Stream:
        return super().open(path, flags, mode)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self._must_be_possible(path)
        self._mkdir(path, mode)

    @with_posix_errors
    def _mkdir(self, path: str, mode: int) -> None:
        super().mkdir(path, mode)

    @with_posix_errors
    def rmdir(self, path: str) -> None:
        if path.endswith("/."):
            raise OSError(errno.EINVAL, "Invalid argument", path)
        super().rmdir(path)

    @with_posix_errors
    def chmod(self, path: str, mode: int) -> None:
        super().chmod(path, mode)

    @with_posix_errors
    def truncate(self, path: str, size: int) -> None:
        try:
            super().truncate(path, size)
        except PermissionError:
            raise self._denied(path, errno.EISDIR) from None

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
            return host.current().open_file(os.fsdecode(native), flags, mode)
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

    @with_posix_errors
    def stat(self, path: str, *, follow: bool = True) -> Stat:
        return self._status(path, follow)

    def mode_of(self, path: str, *, follow: bool = True) -> int | None:
        """Return the mode of a file; None if Windows finds no file."""
        try:
            return self._status(path, follow).st_mode
        except OSError:
            return None

    def _status(self, path: str, follow: bool) -> Stat:
        if path == "/dev":
            return _DIRECTORY
        if not follow and _DRIVE_LINK.fullmatch(path):
            return _as_link(os.stat(self._native(path)))
        if _device(path) is not None:
            return os.stat_result((modes.S_IFCHR | 0o666, 0, 0, 1, 0, 0, 0, 0, 0, 0))
        status = os.stat(self._native(path), follow_symlinks=follow)
        return status if follow or not is_junction(status) else _as_link(status)

    @with_posix_errors
    def readlink(self, path: str) -> str:
        return path[1:] + "/" if _DRIVE_LINK.fullmatch(path) else super().readlink(path)

    @with_posix_errors
    def scandir(self, path: str) -> Iterator[Entry]:
        if _is_above_drives(path):
            return iter([*(Entry(drive, "l") for drive in _drives()), *(Entry(name, "d") for name in _AT_TOP)])
        if path == "/dev":
            return iter([Entry(name, "o") for name in DEVICES])
        if not modes.S_ISDIR(self.stat(path).st_mode):
            raise OSError(errno.ENOTDIR, "Not a directory", path)
        return super().scandir(path)

    def _entries(self, native: str | bytes) -> Iterator[Entry]:
        with os.scandir(native) as entries:
            for entry in entries:
                yield Entry(self._shell(entry.name), _kind(entry))

    @with_posix_errors
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
                    raise OSError(error.errno, message_of(error), path) from None
                # In POSIX the directory's permission counts, not the file's.
                os.chmod(native, modes.S_IREAD | modes.S_IWRITE)
                os.unlink(native)

    def rename(self, old: str, new: str) -> None:
        self._must_be_possible(new)
        check_rename(self, old, new)
        if self._is_directory_itself(new) and not is_same_directory(self, old, new):
            self._replace_directory(old, new)
            return
        try:
            super().rename(old, new)
        except PermissionError:
            if not self._replaced_open(old, new):
                raise self._denied(new, errno.EISDIR) from None

    def _is_directory_itself(self, path: str) -> bool:
        """Return whether a path names a directory, and no link to one."""
        mode = self.mode_of(path, follow=False)
        return mode is not None and modes.S_ISDIR(mode)

    def _replace_directory(self, old: str, new: str) -> None:
        """Rename a directory over an empty one, which Windows refuses. Raises ENOTEMPTY."""
        self.rmdir(new)
        try:
            super().rename(old, new)
        except OSError:
            self.mkdir(new)
            raise

    def _replaced_open(self, old: str, new: str) -> bool:
        """Replace a file that a stream of ours has open. Return whether that worked.

        Windows renames and removes such a file, but does not replace it.
        """
        source, target = self._native(old), self._native(new)
        aside = f"{target}.{os.urandom(6).hex()}"
        try:
            if not modes.S_ISREG(os.lstat(target).st_mode) or not modes.S_ISREG(os.lstat(source).st_mode):
                return False
            with self._effect():
                os.replace(target, aside)
                try:
                    os.replace(source, target)
                except OSError:
                    os.replace(aside, target)
                    return False
                os.unlink(aside)  # its name is gone when the stream is closed, at the latest
        except OSError:
            return False
        return True

    def symlink(self, target: str, path: str) -> None:
        self._must_be_possible(path)
        must_have_directory(self, path)
        native = self._native(path)
        place = path.rpartition("/")[0] or "/"
        directory = os.path.isdir(self._native(self.absolute(place, target)))
        with self._effect():
            os.symlink(target.replace("/", "\\"), native, target_is_directory=directory)

    def link(self, target: str, path: str) -> None:
        self._must_be_possible(path)
        check_link(self, target, path)
        self._act(os.link, self._native(target), self._native(path))

    @with_posix_errors
    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        # Python can't set the times of a link itself on Windows; those of its target must stay.
        if not follow and modes.S_ISLNK(self.stat(path, follow=False).st_mode):
            raise OSError(errno.ENOSYS, "Function not implemented", path)
        super().utime(path, times)

    def realpath(self, path: str) -> str:
        return "/" if _is_above_drives(slashed(path)) else super().realpath(path)

    def access(self, path: str, mode: int) -> bool:
        if _device(path):
            return not mode & os.X_OK
        if "/." in path and not self.exists(path):  # `file/.` exists for Windows
            return False
        return os.access(self._native(path), mode)

    def root_at(self, path: str) -> Root | None:
        if _is_above_drives(slashed(path)):
            return TOP
        native = self._native(path)
        volume = volume_root(native) or volume_root(os.path.realpath(native))
        return Root(volume, "volume") if volume else None

    def host_path(self, path: str) -> str | None:
        native = self._native(path)
        return native if native == os.devnull else slashed(native)
