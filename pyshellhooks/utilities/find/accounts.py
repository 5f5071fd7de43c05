"""Owners by name, where the machine has a list of them."""

from __future__ import annotations


def user_number(name: str) -> int | None:
    """Give the number of a user, None if there is none of that name."""
    try:
        from pwd import getpwnam

        return getpwnam(name).pw_uid
    except (ImportError, KeyError):
        return None


def group_number(name: str) -> int | None:
    """Give the number of a group, None if there is none of that name."""
    try:
        from grp import getgrnam

        return getgrnam(name).gr_gid
    except (ImportError, KeyError):
        return None


def has_user(number: int) -> bool:
    """Say whether a number has a name; where nothing has, all do."""
    try:
        from pwd import getpwuid

        getpwuid(number)
    except ImportError:
        return True
    except (KeyError, OverflowError):
        return False
    return True


def has_group(number: int) -> bool:
    """Say whether a group's number has a name; where nothing has, all do."""
    try:
        from grp import getgrgid

        getgrgid(number)
    except ImportError:
        return True
    except (KeyError, OverflowError):
        return False
    return True
