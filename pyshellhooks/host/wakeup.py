"""Waits on descriptors that a cancel ends early (POSIX)."""

from __future__ import annotations

import os
import select
import sys
import threading

from ..cancel import CancelScope, about_to_block

# Seconds of one wait: a lost wake-up delays a run by this much at most.
SLICE = 1.0

_EVENTFD = sys.platform == "linux" and hasattr(os, "eventfd")


class Bell:
    """A descriptor that becomes readable when rung. Never closed, since a late ring could write to a reused number."""

    __slots__ = ("fd", "_ringer")

    def __init__(self) -> None:
        if _EVENTFD:
            self.fd = self._ringer = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        else:
            self.fd, self._ringer = os.pipe()
            os.set_blocking(self.fd, False)
            os.set_blocking(self._ringer, False)

    def ring(self) -> None:
        """Make the descriptor readable; safe in any thread."""
        try:
            os.write(self._ringer, b"\1\0\0\0\0\0\0\0")
        except BlockingIOError:
            pass

    def hush(self) -> None:
        """Make the descriptor not readable again."""
        try:
            os.read(self.fd, 4096)
        except BlockingIOError:
            pass


class BellRack:
    """A pool of unused bells."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bells: list[Bell] = []

    def take(self) -> Bell:
        """Return a bell for one wait."""
        with self._lock:
            if self._bells:
                return self._bells.pop()
        return Bell()

    def put_back(self, bell: Bell) -> None:
        """Return a bell to the rack."""
        bell.hush()
        with self._lock:
            self._bells.append(bell)

    def forget(self) -> None:
        """Drop all bells in a forked process: they share their descriptors with the parent's."""
        self.__init__()  # type: ignore[misc]


rack = BellRack()


class Alarm:
    """A wait that ends early when its scope is cancelled.

    ::

        with Alarm(scope) as alarm:
            alarm.wait(fd, write=False, timeout=1.0)
    """

    __slots__ = ("_bell", "_entered", "_scope")

    def __init__(self, scope: CancelScope | None) -> None:
        self._scope = scope

    def __enter__(self) -> Alarm:
        self._bell = rack.take()
        if self._scope is not None:
            self._entered = self._scope.on_cancel(self._bell.ring)
            self._entered.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._scope is not None:
            self._entered.__exit__(None, None, None)
        rack.put_back(self._bell)

    def wait(self, fd: int, *, write: bool = False, timeout: float | None = None) -> bool:
        """Wait until ``fd`` is ready, the bell rings, or ``timeout`` seconds pass. Return whether ``fd`` is ready.

        After a cancel the bell is ignored, so that a wait during the grace lasts its full time.
        """
        scope = self._scope
        bell = -1 if scope is not None and scope.stop is not None else self._bell.fd
        ready = _wait(fd, write, bell, timeout)
        if bell in ready and (scope is None or scope.stop is None):
            self._bell.hush()
        return fd in ready


def _wait(fd: int, write: bool, bell: int, timeout: float | None) -> list[int]:
    if sys.platform == "darwin" and fd < 1024 and bell < 1024:  # poll of macOS does not support terminals and devices
        readers = [f for f in (bell,) if f >= 0]
        ready = select.select(readers if write else [fd, *readers], [fd] if write else [], [], timeout)
        return [*ready[0], *ready[1]]
    poll = select.poll()
    if bell >= 0:
        poll.register(bell, select.POLLIN)
    poll.register(fd, select.POLLOUT if write else select.POLLIN)
    return [number for number, _ in poll.poll(None if timeout is None else max(0.0, timeout * 1000))]


def wait_ready(fd: int, write: bool, scope: CancelScope | None) -> None:
    """Wait until a descriptor can be read or written. Raises ``Stop`` when the scope is cancelled."""
    if _wait(fd, write, -1, 0):
        return
    about_to_block()
    with Alarm(scope) as alarm:
        while True:
            if scope is not None and scope.stop is not None:
                scope.check()
            if alarm.wait(fd, write=write, timeout=SLICE):
                return
