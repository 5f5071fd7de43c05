"""Open a FIFO and wait for its other end, cancellably (POSIX)."""

from __future__ import annotations

import os
import sys
import threading

from ..cancel import CancelScope, about_to_block
from . import threads

assert sys.platform != "win32"


def open_waiting(path: str | bytes, flags: int, scope: CancelScope | None) -> int:
    """Open as open(2) does: both ends meet before either call returns; ``Stop`` when cancelled.

    No descriptor can be polled for "the other end is there", so a pooled thread waits in open(2). To call it off, the
    other end is opened and closed for a moment.
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
        self.ready = threading.Event()
        self._returned = threading.Event()

    def run(self) -> None:
        """Wait in open(2); the task of a pooled thread."""
        try:
            fd = os.open(self._path, self._flags)
        except OSError as error:
            self._error = error
        else:
            with self._lock:
                if self._wanted:
                    self._fd = fd
                else:
                    os.close(fd)
        self._returned.set()
        self.ready.set()

    def take(self) -> int:
        """Give the descriptor, or raise what open(2) said."""
        if self._error is not None:
            raise self._error
        return self._fd

    def call_off(self) -> None:
        """Make the thread return and want nothing of it."""
        with self._lock:
            self._wanted = False
            if self._fd >= 0:
                os.close(self._fd)
                return
        other = os.O_RDONLY if self._flags & os.O_ACCMODE else os.O_WRONLY
        for _ in range(50):  # the thread may be just before its open(2)
            try:
                os.close(os.open(self._path, other | os.O_NONBLOCK | os.O_CLOEXEC))
            except OSError:  # nobody waits there yet, or any more
                pass
            if self._returned.wait(0.002):
                return
