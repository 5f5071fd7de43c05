"""What a test may ask of the process that it runs in: the pool's threads, the open descriptors."""

from __future__ import annotations

import faulthandler
import os
import time

from pyshellhooks.host import threads


def busy() -> int:
    """Count the pool's threads that are at work."""
    stats = threads.pool.stats()
    return stats["alive"] - stats["idle"]


def settled(most: int = 0, seconds: float = 3.0) -> bool:
    """Wait for the pool to have no more than ``most`` threads at work; shows where they stand if it does not come to that."""
    until = time.monotonic() + seconds
    while busy() > most:
        if time.monotonic() > until:
            faulthandler.dump_traceback()
            return False
        time.sleep(0.005)
    return True


def descriptors() -> list[str]:
    """Return what our descriptors are open on, but for those that waits keep for the next one (host.alarm's bells)."""
    found = []
    for number in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            found.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:  # of the listing itself
            continue
    return [name for name in found if "eventfd" not in name]
