"""What a shell knows about its background jobs."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..cancel import about_to_block

if TYPE_CHECKING:
    from typing import Protocol

    from .context import ExecutionContext as Ctx

    class JobTask(Protocol):
        """What runs a job (``interp.process.ProcessTask``): it takes signals, and knows the one that ended it, or 0."""

        signaled: int

        def deliver(self, number: int, group: bool) -> None: ...

        def watch(self) -> None: ...


class Job:
    """One background job: its virtual pid, and its status once it has ended."""

    __slots__ = ("_done", "consumes", "is_coprocess", "line", "pid", "reported", "status", "task", "text", "underway")

    def __init__(self, pid: int, text: str, task: JobTask) -> None:
        self.pid = pid
        self.text = text  # "" for a process substitution
        self.line = 0  # in the script, from 1; 0 if it is not known
        self.task = task
        self.consumes = False  # it is a ``>( )``: what the script has written to it is not lost when the script ends
        self.is_coprocess = False  # it may read until the script closes its input, at the script's end at the latest
        self.status: int | None = None
        self.reported = False  # waited for: ``jobs`` shows it no more
        self._done = threading.Event()
        self.underway = threading.Event()  # it has ended, or waits for something: a child that it started, mostly

    def finish(self, status: int) -> None:
        """Record the end."""
        self.status = status
        self._done.set()
        self.underway.set()

    @property
    def signaled(self) -> int:
        """The signal that ended it, or 0."""
        return self.task.signaled

    def wait(self, ctx: Ctx, interruptible: bool = True) -> int:
        """Wait for the end and give the status; a trapped signal ends the ``wait`` of a shell (POSIX wait)."""
        if self.status is None:
            about_to_block()
            with ctx.task.scope.on_cancel(self._done.set):
                while self.status is None:
                    self._done.wait(0.05)
                    ctx.task.check()
                    if interruptible and ctx.task.pending:
                        return 128 + ctx.task.pending[0]
        ctx.task.check()  # a job that was stopped has no status of its own
        return self.status

    def rest(self, seconds: float = 0.01) -> None:
        """Wait for the end, but not long."""
        self._done.wait(seconds)

    def signal(self, number: int, group: bool = False) -> None:
        """Deliver a signal: to its trap, or to its death; with ``group`` to all that it waits for, too."""
        if self.status is None:
            self.task.deliver(number, group)


class JobTable:
    """The jobs that one shell environment started and has not waited for."""

    __slots__ = ("jobs",)

    def __init__(self) -> None:
        self.jobs: dict[int, Job] = {}

    def leave(self) -> None:
        """The environment ends: its jobs go on (they end with the run)."""
        self.jobs = {}
