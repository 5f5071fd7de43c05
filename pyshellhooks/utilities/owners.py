"""Names of users and groups, where the disk's owners have names."""

from __future__ import annotations

from functools import lru_cache

from ..fs.base import FileSystem


@lru_cache(maxsize=256)
def _user(number: int) -> str:
    try:
        from pwd import getpwuid

        return getpwuid(number).pw_name
    except (ImportError, KeyError):
        return str(number)


@lru_cache(maxsize=256)
def _group(number: int) -> str:
    try:
        from grp import getgrgid

        return getgrgid(number).gr_name
    except (ImportError, KeyError):
        return str(number)


class Owners:
    """Names for numbers; the numbers themselves for files that are on no disk, or where numbers are wanted."""

    __slots__ = ("_fs", "_numeric")

    def __init__(self, fs: FileSystem, *, numeric: bool = False) -> None:
        self._fs = fs
        self._numeric = numeric

    def user(self, number: int, path: str) -> str:
        """Name the owner of a file."""
        return str(number) if self._numeric or self._fs.host_path(path) is None else _user(number)

    def group(self, number: int, path: str) -> str:
        """Name the group of a file."""
        return str(number) if self._numeric or self._fs.host_path(path) is None else _group(number)
