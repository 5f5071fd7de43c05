"""The real operating system. The only room that knows which one it is."""

from __future__ import annotations

import sys

from .base import Host, Process

__all__ = ["Host", "Process", "current"]

_current: Host | None = None


def current() -> Host:
    """Return the host for this operating system; made once, when first asked for."""
    global _current
    if _current is None:
        if sys.platform == "win32":
            from .windows import WindowsHost

            _current = WindowsHost()
        else:
            from .posix import PosixHost

            _current = PosixHost()
    return _current
