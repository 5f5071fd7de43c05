"""Cancellation: scopes with a deadline and a grace, one watchdog thread, and the gate before every effect.

The names are anyio's, for threads: ``cancel_called`` is set by a cancel, ``cancelled_caught`` when the run has noticed
it. A cancelled scope has two stages: **soft** (``stop`` is set; in-process code ends at its next check, children get
TERM) and, ``grace`` seconds later, **hard** (children get KILL, the gate is closed).
"""

from __future__ import annotations

import threading
from _thread import RLock, allocate_lock, start_new_thread  # threading's are functions that call them
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from operator import attrgetter
from time import monotonic, sleep, thread_time

from .errors import Stop
from .limits import GRACE
from .text import on_long_work

Wake = Callable[[], None]

inf = float("inf")
_moment = attrgetter("when")
_MANY = 4096  # most timers that may be unsorted or dead
_IDLE_SECONDS = 60.0  # seconds without timers after which the watchdog's thread ends

# The reason with which a run cancels its remaining work after a normal end; it kills no process.
ENDED = "ended"


class Timer:
    """A callback at a time (``time.monotonic``)."""

    __slots__ = ("callback", "when")

    def __init__(self, when: float, callback: Wake | None) -> None:
        self.when = when
        self.callback = callback

    def cancel(self) -> None:
        """Drop the callback. Cheap: the watchdog removes dead timers later."""
        self.callback = None


class Watchdog:
    """One daemon thread for all timers of a kind.

    A new timer wakes the thread only if it is due before all known ones, so that the usual 30 s deadline costs an
    append without a lock: the thread sorts new timers when it wakes, and most are dead by then. Callbacks run on the
    watchdog's thread and must not block.

    No timer is lost, because each side writes before it reads: ``at`` appends the timer, then reads the wake-up time of
    the thread; the thread sets its wake-up time, then reads the new timers.
    """

    def __init__(self, name: str = "pyshellhooks-watchdog") -> None:
        self._name = name
        self._arrived: deque[Timer] = deque()
        self._sorted: list[Timer] = []  # the next one last; changed only under the lock
        self._bound = _MANY  # a longer ``_sorted`` is cleared of dead timers
        self._condition = threading.Condition(threading.Lock())
        self._thread: threading.Thread | None = None
        # The wake-up time of the thread: in the past while it is awake, infinity without a thread.
        self._sleeping_until = inf

    def at(self, when: float, callback: Wake) -> Timer:
        """Call ``callback`` at ``when`` (``time.monotonic`` seconds), and return the timer."""
        timer = Timer(when, callback)
        arrived = self._arrived
        arrived.append(timer)
        if when < self._sleeping_until or len(arrived) > _MANY:
            self._attend(when)
        return timer

    def _attend(self, when: float) -> None:
        with self._condition:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            elif when < self._sleeping_until:
                self._condition.notify()
            else:
                self._sort()

    def _sort(self) -> None:
        """Sort the new timers in, without dead ones. Called under the lock."""
        arrived, timers = self._arrived, self._sorted
        if not arrived:
            return
        while arrived:
            timer = arrived.popleft()
            if timer.callback is not None:
                timers.append(timer)
        if len(timers) > self._bound:
            timers[:] = [timer for timer in timers if timer.callback is not None]
            self._bound = max(_MANY, 2 * len(timers))
        timers.sort(key=_moment, reverse=True)  # mostly sorted already

    def _run(self) -> None:
        try:
            while (timer := self._next()) is not None:
                callback = timer.callback
                if callback is not None:
                    with suppress(BaseException):
                        callback()
        except BaseException:  # for example MemoryError
            self._sleeping_until = inf  # the next timer starts another thread
            raise

    def _next(self) -> Timer | None:
        """Wait for the next due timer and return it, or None after a minute without timers, which ends the thread."""
        condition, timers = self._condition, self._sorted
        with condition:
            while True:
                self._sort()
                while timers and timers[-1].callback is None:
                    timers.pop()
                now = monotonic()
                if timers and timers[-1].when <= now:
                    self._sleeping_until = now
                    return timers.pop()
                self._sleeping_until = until = timers[-1].when if timers else now + _IDLE_SECONDS
                if self._arrived:
                    continue
                # At most an hour, since a wait is limited to threading.TIMEOUT_MAX.
                if condition.wait(min(until - now, 3600.0)) or timers:
                    continue
                self._sleeping_until = inf
                if not self._arrived:
                    self._thread = None
                    return None

    def forget(self) -> None:
        """Reset the watchdog in a forked child, where the thread does not exist."""
        self.__init__(self._name)  # type: ignore[misc]


watchdog = Watchdog()  # of all deadlines of the process
# For callbacks that start threads. Each start waits until the new thread has had a turn, among busy threads for a
# second; the deadlines of ``watchdog`` must not be late by that.
starting_watchdog = Watchdog("pyshellhooks-starting-watchdog")


class CancelScope:
    """A cancel scope with a deadline and a grace.

    Running code reads only ``stop``: None, or the ``Stop`` to raise. A cancel of ``parent`` cancels this scope too.
    Deadlines are ``time.monotonic`` seconds; ``timeout`` and ``grace`` are seconds.
    """

    __slots__ = (
        "__weakref__",
        "_lock",
        "_parent_entry",
        "_timer",
        "_wakers",
        "cancelled_caught",
        "deadline",
        "grace",
        "hard",
        "parent",
        "stop",
    )

    def __init__(self, timeout: float | None = None, grace: float = GRACE, parent: CancelScope | None = None) -> None:
        self.parent = parent
        self.grace = grace
        self.stop: Stop | None = None
        self.hard: float | None = None  # the time after which no effect may happen; set by a cancel
        self.cancelled_caught = False
        self._wakers: list[Wake] = []
        self._lock = allocate_lock()
        self._timer: Timer | None = None
        self.deadline = None if timeout is None else monotonic() + timeout
        self._parent_entry: Wake | None = None
        if parent is not None:
            self._parent_entry = self._from_parent
            parent._add(self._parent_entry)
        if self.deadline is not None:
            self._timer = watchdog.at(self.deadline, self._expire)

    @property
    def cancel_called(self) -> str | None:
        """The reason of the cancel, or None."""
        return None if self.stop is None else self.stop.reason

    def _expire(self) -> None:
        self.cancel("deadline")

    def _from_parent(self) -> None:
        assert self.parent is not None
        stop = self.parent.stop
        if stop is None:
            self.cancel()
        else:
            self.cancel(stop.reason, stop.detail, stop.limit)

    def cancel(self, reason: str = "cancelled", detail: str = "", limit: str = "") -> None:
        """Cancel the scope and the scopes below it: their code ends at its next check. The first reason stays."""
        with self._lock:
            if self.stop is not None:
                return
            self.hard = monotonic() + self.grace
            self.stop = Stop(reason, detail, limit)
        for wake in list(self._wakers):
            wake()

    def cancel_from_handler(self, reason: str, detail: str) -> None:
        """Cancel from a signal handler, through another thread. The interrupted main thread may hold a lock that a
        waker needs (``threading.Event`` has one)."""
        try:
            start_new_thread(self.cancel, (reason, detail))
        except RuntimeError:  # no more threads can be started
            self.cancel(reason, detail)

    def check(self) -> None:
        """Raise ``Stop`` if the scope was cancelled, and set ``cancelled_caught``."""
        if self.stop is not None:
            self.cancelled_caught = True
            raise self.stop

    def remaining(self) -> float | None:
        """Return the seconds until the first deadline of the scope and its parents, or None (0: past or cancelled)."""
        if self.stop is not None:
            return 0.0
        deadline = self.deadline
        if deadline is None:
            return self.parent.remaining() if self.parent is not None else None
        left = max(0.0, deadline - monotonic())
        outer = self.parent.remaining() if self.parent is not None else None
        return left if outer is None else min(left, outer)

    def _add(self, wake: Wake) -> None:
        # No lock: ``cancel`` sets ``stop`` before it reads the wakers. At worst a waker is called twice.
        self._wakers.append(wake)
        if self.stop is not None:
            wake()

    def _remove(self, wake: Wake) -> None:
        try:
            self._wakers.remove(wake)
        except ValueError:
            pass  # never added, or removed by another thread

    @contextmanager
    def on_cancel(self, wake: Wake) -> Iterator[None]:
        """Call ``wake`` if the scope is cancelled during the block, on the cancelling thread. It must not block."""
        self._add(wake)
        try:
            yield
        finally:
            self._remove(wake)

    def sleep(self, seconds: float) -> None:
        """Sleep for ``seconds``. Raises ``Stop`` as soon as the scope is cancelled."""
        about_to_block()
        woken = threading.Event()
        with self.on_cancel(woken.set):
            until = monotonic() + seconds
            while (left := until - monotonic()) > 0:
                # A single wait is limited to threading.TIMEOUT_MAX.
                if woken.wait(min(left, 3600.0)):
                    self.check()

    def wait(self, ready: threading.Condition, predicate: Callable[[], bool]) -> None:
        """Wait until ``predicate()`` holds, under ``ready`` (held by the caller). Raises ``Stop`` when cancelled.

        It polls, so that a lost wake-up costs 50 ms and never the run.
        """
        while not predicate():
            self.check()
            ready.wait(0.05)

    def close(self) -> None:
        """Cancel the timer and detach from the parent. Always call it, best as a context manager."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._parent_entry is not None and self.parent is not None:
            self.parent._remove(self._parent_entry)
            self._parent_entry = None

    def __enter__(self) -> CancelScope:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class Gate:
    """The check that every effect of a run passes: ``with gate: act``, which raises ``Stop`` if the gate is closed.

    After ``revoke`` has returned True, no effect happens any more. Hold the gate only around acts that can't block
    (rule 5).
    """

    __slots__ = ("_lock", "closed")

    def __init__(self) -> None:
        self._lock = RLock()
        self.closed = False

    def __enter__(self) -> None:
        self._lock.acquire()
        if self.closed:
            self._lock.release()
            raise Stop("abandoned", "the run is over")

    def __exit__(self, *exc: object) -> None:
        self._lock.release()

    def settle(self, timeout: float) -> None:
        """Wait until the current effect is done, at most ``timeout`` seconds."""
        if self._lock.acquire(True, timeout):
            self._lock.release()

    def revoke(self, timeout: float = 0.5) -> bool:
        """Close the gate. Return False if an effect still runs after ``timeout`` seconds."""
        got = self._lock.acquire(False) or self._lock.acquire(True, timeout)
        self.closed = True
        if got:
            self._lock.release()
        return got


# The most busy threads that share the GIL well. Each holds it for up to 5 ms, and the host's threads and the deadlines
# wait for one turn of every busy thread: with a hundred of them for seconds.
CROWDED = 16
_TURN = 0.0005  # seconds of processor time that a thread of a crowd works between two rests
_SLOT = 1.25 * _TURN  # seconds of the run's time for each turn; the rest of a slot is for the host's threads


class Crowd:
    """The threads of a run beside its first one, and the schedule of their turns.

    Among more than ``CROWDED`` threads each works for one turn and rests until its next slot. So only few of many busy
    threads want the GIL at a time, and a thread that only waits takes no slot.
    """

    __slots__ = ("_breached", "_free_from", "_lock", "threads")

    def __init__(self) -> None:
        self.threads = 0
        self._breached = False
        self._lock = allocate_lock()
        self._free_from = 0.0  # the end of the last slot that was assigned

    def enter(self, most: int) -> int:
        """Add a thread, and return the number of threads. Raises ``Stop`` if there are already ``most``.

        After that it always raises: the run ends, and until each of its threads has seen that, none starts another.
        """
        with self._lock:
            self._breached = self._breached or self.threads >= most
            if self._breached:
                raise Stop("limit", f"more than {most} threads at once", "threads")
            self.threads += 1
            return self.threads

    def leave(self) -> None:
        """Remove a thread."""
        with self._lock:
            self.threads -= 1

    def take_turn(self) -> None:
        """Rest until this thread's next slot if its turn is over and there is a crowd."""
        if self.threads <= CROWDED or thread_time() - _parked.turn_began < _TURN:
            return
        now = monotonic()
        with self._lock:
            slot = max(now, self._free_from)
            self._free_from = slot + _SLOT
        if slot > now:
            sleep(slot - now)
        _parked.turn_began = thread_time()


class _Parked(threading.local):
    """The scopes and the blocking callbacks of this thread."""

    scope: CancelScope | None = None
    active: CancelScope | None = None
    stack: list[Wake] | None = None
    crowd: Crowd | None = None  # the run that started this thread
    turn_began = 0.0  # in seconds of this thread's processor time


_parked = _Parked()


@contextmanager
def working_under(scope: CancelScope | None) -> Iterator[None]:
    """Set the scope of this thread's work during the block: a job's own, below the scope of its streams."""
    before = set_working_scope(scope)
    previous = set_active_scope(scope)
    try:
        yield
    finally:
        _parked.scope = before
        _parked.active = previous


def set_working_scope(scope: CancelScope | None) -> CancelScope | None:
    """Set the scope of this thread's work, and return the previous one."""
    before = _parked.scope
    _parked.scope = scope
    return before


def set_active_scope(scope: CancelScope | None) -> CancelScope | None:
    """Set the scope that ``check_cancelled`` checks on this thread, and return the previous one."""
    before = _parked.active
    _parked.active = scope
    return before


@on_long_work
def check_cancelled(otherwise: CancelScope | None = None) -> None:
    """Raise ``Stop`` if the work of this thread was cancelled; for loops over text, which have no run.

    ``otherwise``: the scope for a thread without an active one.
    """
    scope = _parked.active or otherwise
    if scope is not None and scope.stop is not None:
        scope.check()
    if _parked.crowd is not None:
        _parked.crowd.take_turn()


@contextmanager
def in_crowd(crowd: Crowd) -> Iterator[None]:
    """Make this thread take turns in a run's crowd during the block."""
    _parked.crowd, before = crowd, _parked.crowd
    try:
        yield
    finally:
        _parked.crowd = before


def working_scope(within: CancelScope | None = None) -> CancelScope | None:
    """Return the scope of this thread's work if it is ``within`` or below it, otherwise ``within``."""
    scope = _parked.scope
    if within is None:
        return scope
    outer = scope
    while outer is not None:
        if outer is within:
            return scope
        outer = outer.parent
    return within


def blocking_callbacks() -> list[Wake]:
    """Return this thread's stack of callbacks, which are called before it blocks.

    A pipeline pushes "start the next stage" while it runs one (rule 7), and pops it again.
    """
    stack = _parked.stack
    if stack is None:
        stack = _parked.stack = []
    return stack


def about_to_block() -> None:
    """Call this thread's blocking callbacks. All code calls it before it blocks."""
    stack = _parked.stack
    if stack:
        for callback in tuple(stack):
            callback()
