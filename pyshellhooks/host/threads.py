"""A pool of daemon threads.

A task for an idle thread costs 10 us, a new thread 40 (measured). Not ``concurrent.futures``: Python joins its threads
at exit, and an abandoned run must not delay the host's exit.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from ..cancel import CancelScope, working_scope, working_under
from ..errors import Stop

Task = Callable[[], None]

# Tokens of tasks that still run and that no caller waits for. The caller that gives up adds the token, the end of the
# task discards it.
abandoned: set[object] = set()
IDLE_SECONDS = 30.0


class _Worker:
    __slots__ = ("ready", "task")

    def __init__(self, task: Task) -> None:
        self.task: Task | None = task
        self.ready = threading.Lock()
        self.ready.acquire()


class ThreadPool:
    """Idle threads, last in first out; a thread ends after ``IDLE_SECONDS`` without a task."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._alive = 0
        self._submitted = 0

    def submit(self, task: Task) -> None:
        """Run ``task`` on a daemon thread, at once, without a queue or an upper bound. Raises ``RuntimeError``."""
        with self._lock:
            self._submitted += 1
            worker = self._idle.pop() if self._idle else None
            if worker is None:
                self._alive += 1
        if worker is not None:
            worker.task = task
            worker.ready.release()
            return
        try:
            threading.Thread(target=self._work, args=(_Worker(task),), name="pyshellhooks", daemon=True).start()
        except RuntimeError:  # can't start new thread
            with self._lock:
                self._alive -= 1
            raise

    def stats(self) -> dict[str, int]:
        """Return the counts of threads alive and idle, and of tasks so far."""
        with self._lock:
            return {"alive": self._alive, "idle": len(self._idle), "submitted": self._submitted}

    def _work(self, worker: _Worker) -> None:
        while True:
            task = worker.task
            worker.task = None
            assert task is not None
            try:
                task()
            except BaseException:  # reported like an exception of an own thread
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
            task = None
            with self._lock:
                self._idle.append(worker)
            if not worker.ready.acquire(timeout=IDLE_SECONDS):
                with self._lock:
                    if worker in self._idle:
                        self._idle.remove(worker)
                        self._alive -= 1
                        return
                worker.ready.acquire()  # ``submit`` took it in the last moment and is about to set the task

    def forget(self) -> None:
        """Reset the pool in a forked process, where the threads do not exist."""
        self.__init__()  # type: ignore[misc]
        abandoned.clear()


def start(task: Task, scope: CancelScope | None = None) -> None:
    """Run ``task`` for a script. Raises ``Stop("limit")`` if the system can't start another thread (rule 1).

    ``scope``: the scope that ends the task while it waits; default: the scope of this thread's work.
    """
    under = scope if scope is not None else working_scope()

    def run() -> None:
        with working_under(under):
            task()

    try:
        pool.submit(run)
    except RuntimeError:
        raise Stop("limit", "the system can't start another thread") from None


pool = ThreadPool()
submit = pool.submit
