"""Open a FIFO and wait for its other end, cancellably (POSIX)."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

from ..cancel import CancelScope, about_to_block
from . import threads

assert sys.platform != "win32"


def open_waiting(path: str | bytes, flags: int, scope: CancelScope | None) -> int:
    """Open as open(2) does: both ends meet before either call returns; ``Stop`` when cancelled.

    No descriptor can be polled for "the other end is there", so a pooled thread waits in open(2). To call it off, both
    ends are opened and held until that thread has come back.
    """
    attempt = _Attempt(path, flags)
    about_to_block()
    threads.start(attempt.run)
    if scope is None:
        attempt.ready.wait()
        return attempt.take()
    with scope.on_cancel(attempt.ready.set):
        attempt.ready.wait()
    if scope.stop is not None:
        attempt.call_off()
        scope.check()
    return attempt.take()


class _Attempt:
    def __init__(self, path: str | bytes, flags: int) -> None:
        self._path = path
        self._flags = flags
        self._lock = threading.Lock()
        self._fd = -1
        self._error: OSError | None = None
        self._wanted = True
        self._returned = False
        self._held: list[int] = []
        self._anchor()
        self.ready = threading.Event()

    def _anchor(self) -> None:
        """Keep hold of the FIFO itself (Linux): its name may be gone when the wait is called off."""
        if hasattr(os, "O_PATH"):
            with suppress(OSError):
                self._held.append(os.open(self._path, os.O_PATH | os.O_CLOEXEC))

    def run(self) -> None:
        """Wait in open(2); the task of a pooled thread."""
        try:
            fd = os.open(self._path, self._flags)
        except OSError as error:
            self._error = error
            fd = -1
        with self._lock:
            self._returned = True
            if self._wanted:
                self._fd = fd
            elif fd >= 0:
                self._held.append(fd)
            while self._held:
                os.close(self._held.pop())
        self.ready.set()

    def take(self) -> int:
        """Give the descriptor, or raise what open(2) said."""
        if self._error is not None:
            raise self._error
        return self._fd

    def call_off(self) -> None:
        """Make the thread return, be it in open(2) or still before it, and want nothing of it."""
        with self._lock:
            self._wanted = False
            if self._returned:
                if self._fd >= 0:
                    os.close(self._fd)
                return
            names: list[str | bytes] = [f"/proc/self/fd/{fd}" for fd in self._held]
            for name in [*names, self._path]:
                # Open for both, it is the other end of either: whoever opens the FIFO now does not wait.
                with suppress(OSError):
                    self._held.append(os.open(name, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
                    return
