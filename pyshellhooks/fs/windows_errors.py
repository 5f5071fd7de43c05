"""The errors of Linux for paths that Windows looks up in another way."""

from __future__ import annotations

import errno
import functools
import os
import stat as modes
from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from .base import failure

if TYPE_CHECKING:
    from .windows import WindowsFS

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
FSType = TypeVar("FSType", bound="WindowsFS")

NAME_MAX = 255  # units of UTF-16 (NTFS)
#: No name has one of these (Windows, "Naming Files, Paths, and Namespaces"); a colon names a stream of a file.
_FORBIDDEN = frozenset('<>"|?*') | frozenset(map(chr, range(1, 32)))


def has_forbidden_character(path: str) -> bool:
    """Return whether no file on Windows can have this path."""
    return not _FORBIDDEN.isdisjoint(path)


def with_posix_errors(
    method: Callable[Concatenate[FSType, str, Arguments], Result],
) -> Callable[Concatenate[FSType, str, Arguments], Result]:
    """Decorate a method whose first argument is a path, so that it fails where Linux fails, with the same error.

    Windows removes ``.`` and ``..`` from a path without a look at the part before them: ``rm file/.`` would remove the file.
    """

    @functools.wraps(method)
    def call(fs: FSType, path: str, /, *args: Arguments.args, **options: Arguments.kwargs) -> Result:
        try:
            if "/." in path:
                _must_lead_through_directories(fs, path)
            return method(fs, path, *args, **options)
        except OSError as error:
            number = posix_errno(fs, path, error.errno or 0)
            if number in (0, error.errno):
                raise
            raise failure(number, path) from None

    return call


def _must_lead_through_directories(fs: WindowsFS, path: str) -> None:
    """Raise ENOENT or ENOTDIR if a part before ``.`` or ``..`` is not a directory."""
    parts = path.split("/")
    for number, part in enumerate(parts):
        before = "/".join(parts[:number])
        if part in (".", "..") and "/" in before:
            mode = fs.mode_of(before)
            if mode is None:
                raise failure(errno.ENOENT, path)
            if not modes.S_ISDIR(mode):
                raise failure(errno.ENOTDIR, path)


def posix_errno(fs: WindowsFS, path: str, number: int) -> int:
    """Return the number of Linux for an error.

    Windows has others for a path through a file, a slash after the name of a file, and a name that no file can have.
    """
    is_about_the_name = has_forbidden_character(path) or path.endswith("/")
    if number != errno.ENOENT and not (number == errno.EINVAL and is_about_the_name):
        return number
    at = path.rstrip("/")
    mode = fs.mode_of(at)
    if mode is not None:
        return number if modes.S_ISDIR(mode) else errno.ENOTDIR
    missing = ""
    while mode is None and "/" in at:
        at, _, missing = at.rpartition("/")
        mode = fs.mode_of(at or "/")
    if mode is not None and not modes.S_ISDIR(mode):
        return errno.ENOTDIR
    return errno.ENAMETOOLONG if len(missing) > NAME_MAX else errno.ENOENT


def must_have_directory(fs: WindowsFS, path: str) -> None:
    """Raise ENOENT or ENOTDIR if the directory of a path's last part does not exist."""
    _must_lead_through_directories(fs, path)
    directory = path.rstrip("/").rpartition("/")[0] or "/"
    mode = fs.mode_of(directory)
    if mode is None:
        raise failure(posix_errno(fs, directory, errno.ENOENT), path)
    if not modes.S_ISDIR(mode):
        raise failure(errno.ENOTDIR, path)


def check_rename(fs: WindowsFS, old: str, new: str) -> None:
    """Raise the error of rename(2) of Linux.

    Windows puts a directory in the place of a file, which is lost, even if the directory then can't be moved into itself.
    """
    for path in (old, new):
        must_have_directory(fs, path)
    if {os.path.basename(old), os.path.basename(new)} & {".", ".."}:
        raise failure(errno.EBUSY, old)
    source, target = fs.mode_of(old, follow=False), fs.mode_of(new, follow=False)
    if source is None:
        raise failure(posix_errno(fs, old, errno.ENOENT), old)
    if modes.S_ISDIR(source):
        _check_directory_rename(fs, old, new, target)
    elif old.endswith("/") or new.endswith("/"):
        raise failure(errno.ENOTDIR, new)
    elif target is not None and modes.S_ISDIR(target):
        raise failure(errno.EISDIR, new)


def _check_directory_rename(fs: WindowsFS, old: str, new: str, target: int | None) -> None:
    here, there = _comparable(fs, old), _comparable(fs, new)
    if there.startswith(here + "/"):
        raise failure(errno.EINVAL, new)
    if here.startswith(there + "/"):
        raise failure(errno.ENOTEMPTY, new)
    if target is not None and not modes.S_ISDIR(target):
        raise failure(errno.ENOTDIR, new)


def check_link(fs: WindowsFS, target: str, path: str) -> None:
    """Raise the error of link(2) of Linux for a file that is missing or is a directory, or for a missing place."""
    must_have_directory(fs, target)
    must_have_directory(fs, path)
    mode = fs.mode_of(target, follow=False)
    if mode is None:
        raise failure(posix_errno(fs, target, errno.ENOENT), target)
    if not modes.S_ISDIR(mode):
        if target.endswith("/"):
            raise failure(errno.ENOTDIR, target)
        return
    if fs.mode_of(path, follow=False) is None:
        raise failure(errno.EPERM, target)


def is_same_directory(fs: WindowsFS, old: str, new: str) -> bool:
    """Return whether two paths name one directory, as in ``mv Foo foo``."""
    return _comparable(fs, old) == _comparable(fs, new)


def _comparable(fs: WindowsFS, path: str) -> str:
    return fs.realpath(path).rstrip("/").lower()
