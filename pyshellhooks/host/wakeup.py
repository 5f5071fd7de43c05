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


class WakeEvent:
    """A descriptor that becomes readable when it is set. Never closed: a late ``set`` could write to a reused number."""

    __slots__ = ("fd", "_write_fd")

    def __init__(self) -> None:
        if _EVENTFD:
            self.fd = self._write_fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        else:
            self.fd, self._write_fd = os.pipe()
            os.set_blocking(self.fd, False)
            os.set_blocking(self._write_fd, False)

    def set(self) -> None:
        """Make the descriptor readable; safe in any thread."""
        try:
            os.write(self._write_fd, b"\1\0\0\0\0\0\0\0")
        except BlockingIOError:
            pass

    def clear(self) -> None:
        """Make the descriptor not readable again."""
        try:
            os.read(self.fd, 4096)
        except BlockingIOError:
            pass


class WakeEventPool:
    """A pool of unused events."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[WakeEvent] = []

    def take(self) -> WakeEvent:
        """Return an event for one wait."""
        with self._lock:
            if self._events:
                return self._events.pop()
        return WakeEvent()

    def put_back(self, event: WakeEvent) -> None:
        """Return an event to the pool."""
        event.clear()
        with self._lock:
            self._events.append(event)

    def forget(self) -> None:
        """Drop all events in a forked process: they share their descriptors with the parent's."""
        self.__init__()  # type: ignore[misc]


wake_events = WakeEventPool()


class CancellableWait:
    """A wait that ends early when its scope is cancelled.

    ::

        with Alarm(scope) as alarm:
            alarm.wait(fd, write=False, timeout=1.0)
    """

    __slots__ = ("_event", "_entered", "_scope")

    def __init__(self, scope: CancelScope | None) -> None:
        self._scope = scope

    def __enter__(self) -> CancellableWait:
        self._event = wake_events.take()
        if self._scope is not None:
            self._entered = self._scope.on_cancel(self._event.set)
            self._entered.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._scope is not None:
            self._entered.__exit__(None, None, None)
        wake_events.put_back(self._event)

    def wait(self, fd: int, *, write: bool = False, timeout: float | None = None) -> bool:
        """Wait until ``fd`` is ready, the event is set, or ``timeout`` seconds pass. Return whether ``fd`` is ready.

        After a cancel the event is ignored, so that a wait during the grace lasts its full time.
        """
        scope = self._scope
        is_cancelled = scope is not None and scope.stop is not None
        event = -1 if is_cancelled else self._event.fd
        ready = _wait(fd, write, event, timeout)
        if event in ready and (scope is None or scope.stop is None):
            self._event.clear()
        return fd in ready


def _wait(fd: int, write: bool, event: int, timeout: float | None) -> list[int]:
    if sys.platform == "darwin" and fd < 1024 and event < 1024:  # poll of macOS does not support terminals and devices
        readers = [event] if event >= 0 else []
        writers = [fd] if write else []
        if not write:
            readers.insert(0, fd)
        ready = select.select(readers, writers, [], timeout)
        return [*ready[0], *ready[1]]
    poll = select.poll()
    if event >= 0:
        poll.register(event, select.POLLIN)
    poll.register(fd, select.POLLOUT if write else select.POLLIN)
    milliseconds = None if timeout is None else max(0.0, timeout * 1000)
    return [number for number, _ in poll.poll(milliseconds)]


def wait_ready(fd: int, write: bool, scope: CancelScope | None) -> None:
    """Wait until a descriptor can be read or written. Raises ``Stop`` when the scope is cancelled."""
    if _wait(fd, write, -1, 0):
        return
    about_to_block()
    with CancellableWait(scope) as waiter:
        while True:
            if scope is not None and scope.stop is not None:
                scope.check()
            if waiter.wait(fd, write=write, timeout=SLICE):
                return
