"""Locks of what lives as long as an engine, in a host that forks.

Another thread may hold one at that moment, and in the child there is no such thread: nobody would ever let it go. So the
child begins with new ones. What a lock keeps whole is at most one entry short then.
"""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Locked(Protocol):
    """What has locks, and can make them anew."""

    def renew_locks(self) -> None:
        """Take new locks; nobody else is there."""


_locked: WeakSet[Locked] = WeakSet()


def renewed_after_fork(owner: Locked) -> None:
    """Have an object's locks made anew in a forked child."""
    _locked.add(owner)


def _renew() -> None:
    for owner in tuple(_locked):
        owner.renew_locks()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
