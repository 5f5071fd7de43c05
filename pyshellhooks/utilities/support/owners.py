"""Names of users and groups of files on the host's disk."""

from __future__ import annotations

from functools import lru_cache

from ...fs.base import FileSystem
from ...host import current
from ...host.identity import NOBODY


@lru_cache(maxsize=256)
def _user(number: int) -> str:
    account = current().account(number)
    return str(number) if account is None else account[0]


@lru_cache(maxsize=256)
def _group(number: int) -> str:
    return current().group_name(number) or str(number)


class Owners:
    """Names for numbers. A number without a name, or every number with ``numeric``, is its own name."""

    __slots__ = ("_fs", "_numeric", "_virtual")

    def __init__(self, fs: FileSystem, *, numeric: bool = False) -> None:
        self._fs = fs
        self._numeric = numeric
        self._virtual = not numeric and fs.is_virtual()  # its users are not in the host's user database

    def user(self, number: int, path: str) -> str:
        """Return the name of a file's owner."""
        if self._virtual:
            account = NOBODY.account(number)
            return account[0] if account is not None else str(number)
        if self._has_no_names(path):
            return str(number)
        return _user(number)

    def group(self, number: int, path: str) -> str:
        """Return the name of a file's group."""
        if self._virtual:
            return NOBODY.group_name(number) or str(number)
        if self._has_no_names(path):
            return str(number)
        return _group(number)

    def _has_no_names(self, path: str) -> bool:
        # A file that is not on the host's disk may have owners of another machine.
        return self._numeric or self._fs.host_path(path) is None
