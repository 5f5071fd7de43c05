"""Locks of long-lived objects, such as an engine's, in a host that forks.

Another thread may hold a lock during the fork. The child does not have that thread, so the lock would never be
released. So the child gets new locks. The data of a lock then lacks at most one entry.
"""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Locked(Protocol):
    """An object that can replace its locks."""

    def renew_locks(self) -> None:
        """Create new locks. Called while there is only one thread."""


_locked: WeakSet[Locked] = WeakSet()


def renewed_after_fork(owner: Locked) -> None:
    """Register an object for ``renew_locks`` in a forked child. Only a weak reference is kept."""
    _locked.add(owner)


def _renew() -> None:
    for owner in tuple(_locked):
        owner.renew_locks()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
