"""Bounds of time that hold on a busy machine as well.

A deadline is a promise about a machine that has time. Where twenty programs want two cores, everything takes ten times as
long, ours too; a failure then says nothing (CONTRIBUTING.md). A virtual machine is also stopped for a while now and
then, and nothing inside it tells.
"""

from __future__ import annotations

import os
from pathlib import Path

PAUSE = 1.0  # seconds for which a virtual machine may stand still


def patient(seconds: float) -> float:
    """Return a bound for this machine as it is now: stretched by how many programs want each of its cores, and a pause more.

    What the bound is to catch has to take two seconds longer than it should.
    """
    return seconds * max(1.0, _busy() / (os.cpu_count() or 1)) + PAUSE


def _busy() -> float:
    """Say how many programs want to run: over the last minute or right now, whichever is more."""
    try:
        minute, _, _, now, _ = Path("/proc/loadavg").read_text(encoding="ascii").split()
        return max(float(minute), float(now.partition("/")[0]))
    except OSError:  # Windows and macOS have no such file
        return os.getloadavg()[0] if hasattr(os, "getloadavg") else 2.0 * (os.cpu_count() or 1)
