"""The operating system: all code that differs between systems is in this room."""

from __future__ import annotations

import sys

from .base import Host, Process

__all__ = ["Host", "Process", "current"]

_current: Host | None = None


def current() -> Host:
    """Return the host of this operating system, created at the first call."""
    global _current
    if _current is None:
        if sys.platform == "win32":
            from .windows import WindowsHost

            _current = WindowsHost()
        else:
            from .posix import PosixHost

            _current = PosixHost()
    return _current
