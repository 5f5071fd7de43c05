"""Open a FIFO and wait for its other end, cancellably (POSIX)."""

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
_FIRST_PAUSE = 0.001  # seconds between two looks for a reader
_LONGEST_PAUSE = 0.02


def open_waiting(path: str | bytes, flags: int, scope: CancelScope | None) -> int:
    """Open as open(2) does: both ends meet before either call returns; ``Stop`` when cancelled."""
    if flags & _ACCESS == os.O_WRONLY:
        return _open_to_write(path, flags, scope)
    return _open_to_read(path, flags, scope)


def _open_to_write(path: str | bytes, flags: int, scope: CancelScope | None) -> int:
    """Try until a reader is there: that can be asked without waiting, and so be called off without a trace.

    A reader that waits in its open(2) counts (POSIX XSH open, ENXIO).
    """
    anchor = _anchor(path)
    try:
        name = path if anchor < 0 else f"/proc/self/fd/{anchor}"  # the FIFO itself, whatever its name names by now
        key = _key(path if anchor < 0 else anchor)
        woken = threading.Event()
        about_to_block()
        with scope.on_cancel(woken.set) if scope is not None else nullcontext():
            pause = _FIRST_PAUSE
            while True:
                if scope is not None:
                    scope.check()
                with _changed:
                    fifo = _fifos.get(key)
                    # While a wait for a writer is called off both ends are open, and nobody is there.
                    fd = _try_to_write(name, flags) if fifo is None or not fifo.held else -1
                if fd >= 0:
                    return fd
                woken.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
    finally:
        if anchor >= 0:
            os.close(anchor)


def _try_to_write(name: str | bytes, flags: int) -> int:
    """Return a descriptor, or -1 if there is no reader."""
    try:
        fd = os.open(name, flags | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return -1
    os.set_blocking(fd, True)
    return fd


def _anchor(path: str | bytes) -> int:
    """Keep hold of the FIFO itself (Linux): its name may be gone later; -1 where that cannot be done."""
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
    """Wait in open(2).

    No descriptor can be polled for "a writer is there", so a pooled thread waits. To call it off, both ends are opened
    and held until that thread has come back.
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
        return attempt.take()
    with scope.on_cancel(attempt.ready.set):
        attempt.ready.wait()
    if scope.stop is not None:
        attempt.call_off()
        scope.check()
    return attempt.take()


class _Fifo:
    """What all waits for a writer at one FIFO share: calling one off opens both ends, which lets the others in, too."""

    __slots__ = ("held", "opened", "waits")

    def __init__(self) -> None:
        self.waits = 0  # attempts under way
        self.opened = 0  # how often both ends were opened to call one off
        self.held = 0  # how many of those are open now


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
        self._mine: list[int] = []  # descriptors that go when the thread is back
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
        """Hand over what open(2) gave, and let go of the rest."""
        with _changed:
            self._returned = True
            if self._wanted:
                self._fd = fd
            elif fd >= 0:
                self._mine.append(fd)
            while self._mine:
                os.close(self._mine.pop())
            fifo = self._fifo
            fifo.held -= self._holds
            fifo.waits -= 1
            if not fifo.waits:
                del _fifos[self._key]
            _changed.notify_all()
        self.ready.set()

    def _open(self) -> int:
        fifo = self._fifo
        while True:
            with _changed:
                while fifo.held and self._wanted:
                    _changed.wait()
                opened = fifo.opened
            fd = os.open(self._path, self._flags)
            with _changed:
                if fifo.opened == opened or not self._wanted:
                    return fd
            os.close(fd)  # perhaps nobody is there but one who called off a wait of his own

    def take(self) -> int:
        """Return the descriptor, or raise what open(2) said."""
        if self._error is not None:
            raise self._error
        return self._fd

    def call_off(self) -> None:
        """Make the thread return, be it in open(2) or still before it, and want nothing of it."""
        with _changed:
            self._wanted = False
            _changed.notify_all()
            if self._returned:
                if self._fd >= 0:
                    os.close(self._fd)
                return
            names: list[str | bytes] = [f"/proc/self/fd/{fd}" for fd in self._mine]
            for name in [*names, self._path]:
                # Open for both, it is the other end of either: whoever opens the FIFO now does not wait.
                with suppress(OSError):
                    self._mine.append(os.open(name, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
                    self._holds = True
                    self._fifo.opened += 1
                    self._fifo.held += 1
                    return
