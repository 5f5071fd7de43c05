"""User and group names: the host's, or on a virtual file system those of its only user and group."""

from __future__ import annotations

from ...fs.base import FileSystem
from ...host.identity import NOBODY


def user_number(fs: FileSystem, name: str) -> int | None:
    """Return the id of a user, or None for an unknown name."""
    if fs.is_virtual():
        found = NOBODY.account(name)
        if found is not None:
            return found[1]
        return None
    try:
        from pwd import getpwnam

        return getpwnam(name).pw_uid
    except (ImportError, KeyError):
        return None


def group_number(fs: FileSystem, name: str) -> int | None:
    """Return the id of a group, or None for an unknown name."""
    if fs.is_virtual():
        found = NOBODY.account(name)
        if found is not None:
            return found[2]
        return None
    try:
        from grp import getgrnam

        return getgrnam(name).gr_gid
    except (ImportError, KeyError):
        return None


def has_user(fs: FileSystem, number: int) -> bool:
    """Return whether a user id has a name; always true on a host without user names (Windows)."""
    if fs.is_virtual():
        return NOBODY.account(number) is not None
    try:
        from pwd import getpwuid

        getpwuid(number)
    except ImportError:
        return True
    except (KeyError, OverflowError):
        return False
    return True


def has_group(fs: FileSystem, number: int) -> bool:
    """Return whether a group id has a name; always true on a host without group names (Windows)."""
    if fs.is_virtual():
        return NOBODY.group_name(number) is not None
    try:
        from grp import getgrgid

        getgrgid(number)
    except ImportError:
        return True
    except (KeyError, OverflowError):
        return False
    return True
