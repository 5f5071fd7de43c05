"""Bounds of time that hold on a busy machine as well.

A deadline is a promise about a machine that has time. Where twenty programs want two cores, everything takes ten times as
long, ours too; a test that fails then says nothing (CONTRIBUTING.md).
"""

from __future__ import annotations

import os
from pathlib import Path


def patient(seconds: float) -> float:
    """Return a bound for this machine as it is now: stretched by how many programs want each of its cores."""
    return seconds * max(1.0, busy() / (os.cpu_count() or 1))


def busy() -> float:
    """Say how many programs want to run: over the last minute or right now, whichever is more."""
    try:
        minute, _, _, now, _ = Path("/proc/loadavg").read_text(encoding="ascii").split()
        return max(float(minute), float(now.partition("/")[0]))
    except OSError:  # Windows and macOS have no such file
        return os.getloadavg()[0] if hasattr(os, "getloadavg") else 2.0 * (os.cpu_count() or 1)
