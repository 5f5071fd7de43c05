"""A native child on POSIX."""

from __future__ import annotations

import os
import threading
from time import monotonic, sleep
from typing import TYPE_CHECKING

from ..cancel import ENDED, CancelScope, about_to_block
from ..errors import Stop
from .base import CONT, TERM, Process
from .signals import from_native, to_native
from .wakeup import SLICE, CancellableWait

if TYPE_CHECKING:
    from .posix import PosixHost
    from .process_table import ProcessState

_REAP_SECONDS = 0.4  # for a killed child to end; one in uninterruptible sleep may never end


class PosixProcess(Process):
    """A child that leads its own session and group, so that its pid is also their number.

    ``_lock`` guards the reaping: until then, even for a zombie, the system can't reuse the number.
    """

    __slots__ = ("_term_sent", "_host", "_lock", "_lost", "_status", "kin")

    def __init__(self, host: PosixHost, pid: int, name: str, cookie: str) -> None:
        self.pid = pid
        self.name = name
        self.cookie = cookie
        self.signaled = None
        self._host = host
        self._lock = threading.Lock()
        self._status: int | None = None
        self._lost = False
        self._term_sent = False
        self.kin: list[ProcessState] = []  # its descendants at the time of TERM

    def poll(self) -> int | None:
        with self._lock:
            if self._status is None and not self._lost:
                self._reap()
            if self._lost:
                raise Stop("lost", f"{self.name}: the status of process {self.pid} was lost (is SIGCHLD ignored?)")
            return self._status

    def _reap(self) -> None:
        try:
            pid, raw = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            self._lost = True
        else:
            if pid == 0:
                return
            code = os.waitstatus_to_exitcode(raw)
            if code < 0:
                self.signaled = from_native(-code)
                code = 128 + self.signaled
            self._status = code
        self._host.children.discard(self)

    def _owns_pid(self) -> bool:
        """Return whether the number is still this child's. Called under the lock."""
        if self._status is not None or self._lost:
            return False
        try:
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return False
        return True

    def signal(self, number: int, *, group: bool = True) -> None:
        native = to_native(number)
        with self._lock:
            if native is not None and self._owns_pid():
                send = os.killpg if group else os.kill
                try:
                    send(self.pid, native)
                except OSError:  # only zombies (EPERM on macOS), or no process that we may signal
                    pass

    def send_term(self) -> None:
        if not self._term_sent:
            self._term_sent = True
            if self.owns_pid():
                from .orphans import descendants

                self.kin = descendants(self.pid)
                self._host.remember_descendants(self.cookie, self.kin)
            self.signal(TERM)
            self.signal(CONT)  # a stopped child cannot end

    def wait(self, scope: CancelScope) -> int:
        if (status := self.poll()) is not None:
            return status
        about_to_block()
        with _Watch(self.pid) as watch, CancellableWait(scope) as waiter:
            while (status := self.poll()) is None:
                left = SLICE
                if scope.stop is not None:
                    if scope.stop.reason == ENDED:
                        scope.check()  # the run has ended normally: background children stay
                    self.send_term()
                    left = (scope.hard or 0.0) - monotonic()
                    if left <= 0:
                        break
                watch.wait(waiter, min(left, SLICE))
        if status is None:
            self.kill_tree()
            self._mark_reaped()
            scope.check()
            raise AssertionError("a cancelled scope raises")
        return status

    def _mark_reaped(self) -> None:
        if self.ended(monotonic() + _REAP_SECONDS):
            try:
                self.poll()
            except Stop:  # its status is lost, and no caller needs it
                pass

    def ended(self, until: float) -> bool:
        if self._exited():
            return True
        with _Watch(self.pid) as watch, CancellableWait(None) as waiter:
            while not self._exited():
                left = until - monotonic()
                if left <= 0:
                    return False
                watch.wait(waiter, min(left, SLICE))
        return True

    def _exited(self) -> bool:
        with self._lock:
            if self._status is not None or self._lost:
                return True
            try:
                return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
            except ChildProcessError:
                return True

    def kill_tree(self) -> None:
        self._host.sweep([self], None)

    def owns_pid(self) -> bool:
        """Return whether the number is still this child's: not reaped, not lost."""
        with self._lock:
            return self._owns_pid()


class _Watch:
    """Waits for a child's end on a pidfd, or polls at growing intervals without one."""

    __slots__ = ("_fd", "_interval")

    def __init__(self, pid: int) -> None:
        self._fd = -1
        self._interval = 0.0005
        if hasattr(os, "pidfd_open"):
            try:
                self._fd = os.pidfd_open(pid)
            except OSError:  # an old kernel, a sandbox, or the child has ended and its status is lost
                pass

    def __enter__(self) -> _Watch:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)

    def wait(self, waiter: CancellableWait, seconds: float) -> None:
        """Wait until the child may have ended, the scope is cancelled, or the time is over."""
        if self._fd >= 0:
            waiter.wait(self._fd, timeout=seconds)
        else:
            sleep(min(self._interval, seconds))
            self._interval = min(self._interval * 2, 0.01)
