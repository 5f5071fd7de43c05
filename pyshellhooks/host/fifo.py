"""Opening of FIFOs that waits for the other end and can be cancelled (POSIX)."""

from __future__ import annotations

import errno
import os
import sys
import threading
from contextlib import nullcontext, suppress

from ..cancel import CancelScope, about_to_block
from ..errors import Stop
from . import threads

assert sys.platform != "win32"

_ACCESS = os.O_RDONLY | os.O_WRONLY | os.O_RDWR
_FIRST_PAUSE = 0.001  # seconds between two attempts to find a reader
_LONGEST_PAUSE = 0.02


def open_waiting(path: str | bytes, flags: int, scope: CancelScope | None) -> int:
    """Open a FIFO like open(2), which waits for the other end. Raises ``Stop`` when the scope is cancelled."""
    if flags & _ACCESS == os.O_WRONLY:
        return _open_to_write(path, flags, scope)
    return _open_to_read(path, flags, scope)


def _open_to_write(path: str | bytes, flags: int, scope: CancelScope | None) -> int:
    """Try a non-blocking open(2) until there is a reader; between attempts a cancel leaves no trace.

    A reader that waits in its open(2) counts (POSIX XSH open, ENXIO).
    """
    anchor = _anchor(path)
    try:
        name = path if anchor < 0 else f"/proc/self/fd/{anchor}"  # the FIFO itself, even if it was renamed
        key = _key(path if anchor < 0 else anchor)
        woken = threading.Event()
        about_to_block()
        with scope.on_cancel(woken.set) if scope is not None else nullcontext():
            pause = _FIRST_PAUSE
            while True:
                if scope is not None:
                    scope.check()
                fd = -1
                with _changed:
                    fifo = _fifos.get(key)
                    # A cancel of a waiting reader holds both ends open: the reader that is found then may be ours.
                    is_held = fifo is not None and fifo.open_count > 0
                    if not is_held:
                        fd = _try_to_write(name, flags)
                if fd >= 0:
                    return fd
                woken.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
    finally:
        if anchor >= 0:
            os.close(anchor)


def _try_to_write(name: str | bytes, flags: int) -> int:
    """Return a descriptor, or -1 if the FIFO has no reader."""
    try:
        fd = os.open(name, flags | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return -1
    os.set_blocking(fd, True)
    return fd


def _anchor(path: str | bytes) -> int:
    """Return an ``O_PATH`` descriptor of the FIFO (Linux), since its name may be gone later; -1 if that fails."""
    if hasattr(os, "O_PATH"):
        with suppress(OSError):
            return os.open(path, os.O_PATH | os.O_CLOEXEC)
    return -1


def _key(path: str | bytes | int) -> tuple[int, int]:
    try:
        state = os.stat(path)
    except OSError:
        return (0, 0)
    return (state.st_dev, state.st_ino)


def _open_to_read(path: str | bytes, flags: int, scope: CancelScope | None) -> int:
    """Open a FIFO for reading in a pooled thread, which waits in open(2).

    There is no way to poll for a writer. To cancel the wait, both ends are opened and held until the thread returns.
    """
    attempt = _Attempt(path, flags)
    about_to_block()
    try:
        threads.start(attempt.run)
    except Stop:
        attempt.finish(-1)
        raise
    if scope is None:
        attempt.ready.wait()
        return attempt.result()
    with scope.on_cancel(attempt.ready.set):
        attempt.ready.wait()
    if scope.stop is not None:
        attempt.cancel_open()
        scope.check()
    return attempt.result()


class _Fifo:
    """State of all waits for a writer at one FIFO. Cancelling one opens both ends, which wakes the others, too."""

    __slots__ = ("open_count", "opened", "waits")

    def __init__(self) -> None:
        self.waits = 0  # running attempts
        self.opened = 0  # the number of times that a cancel opened both ends
        self.open_count = 0  # the number of those that are open now


_changed = threading.Condition()
_fifos: dict[tuple[int, int], _Fifo] = {}  # by device and inode


class _Attempt:
    def __init__(self, path: str | bytes, flags: int) -> None:
        self._path = path
        self._flags = flags
        self._fd = -1
        self._error: OSError | None = None
        self._wanted = True
        self._returned = False
        self._holds = False
        self._mine: list[int] = []  # descriptors that are closed when the thread returns
        self.ready = threading.Event()
        anchor = _anchor(path)
        if anchor >= 0:
            self._mine.append(anchor)
        self._key = _key(anchor if anchor >= 0 else path)
        with _changed:
            self._fifo = _fifos.setdefault(self._key, _Fifo())
            self._fifo.waits += 1

    def run(self) -> None:
        """Wait in open(2); the task of a pooled thread."""
        fd = -1
        try:
            fd = self._open()
        except OSError as error:
            self._error = error
        self.finish(fd)

    def finish(self, fd: int) -> None:
        """Store the descriptor of open(2) and close the others."""
        with _changed:
            self._returned = True
            if self._wanted:
                self._fd = fd
            elif fd >= 0:
                self._mine.append(fd)
            while self._mine:
                os.close(self._mine.pop())
            fifo = self._fifo
            fifo.open_count -= self._holds
            fifo.waits -= 1
            if not fifo.waits:
                del _fifos[self._key]
            _changed.notify_all()
        self.ready.set()

    def _open(self) -> int:
        fifo = self._fifo
        while True:
            with _changed:
                while fifo.open_count and self._wanted:
                    _changed.wait()
                opened = fifo.opened
            fd = os.open(self._path, self._flags)
            with _changed:
                if fifo.opened == opened or not self._wanted:
                    return fd
            os.close(fd)  # maybe there is no writer, only the cancel of another wait

    def result(self) -> int:
        """Return the descriptor, or raise the ``OSError`` of open(2)."""
        if self._error is not None:
            raise self._error
        return self._fd

    def cancel_open(self) -> None:
        """Make the thread return, whether it is in open(2) or before it, and close its descriptor."""
        with _changed:
            self._wanted = False
            _changed.notify_all()
            if self._returned:
                if self._fd >= 0:
                    os.close(self._fd)
                return
            names: list[str | bytes] = [f"/proc/self/fd/{fd}" for fd in self._mine]
            for name in [*names, self._path]:
                # O_RDWR is the other end for readers and writers: a waiting open(2) returns.
                with suppress(OSError):
                    self._mine.append(os.open(name, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
                    self._holds = True
                    self._fifo.opened += 1
                    self._fifo.open_count += 1
                    return
