"""Background jobs of a shell."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..cancel import about_to_block

if TYPE_CHECKING:
    from typing import Protocol

    from .context import ExecutionContext as Ctx

    class JobTask(Protocol):
        """The part of ``interp.process.ProcessTask`` that a job uses. ``signaled``: the signal that ended it, or 0."""

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
        self.consumes = False  # a ``>( )``: it still gets all data that the script has written before its end
        self.is_coprocess = False  # it may read until the script closes its input, at the script's end at the latest
        self.status: int | None = None
        self.reported = False  # it was waited for: ``jobs`` no longer prints it
        self._done = threading.Event()
        self.underway = threading.Event()  # it has ended or blocks, usually in a wait for a child

    def finish(self, status: int) -> None:
        """Record the end with its status."""
        self.status = status
        self._done.set()
        self.underway.set()

    @property
    def signaled(self) -> int:
        """The signal that ended it, or 0."""
        return self.task.signaled

    def wait(self, ctx: Ctx, interruptible: bool = True) -> int:
        """Wait for the end and return the status, or 128 + n after a trapped signal of the shell (POSIX wait).

        Raises ``Stop``.
        """
        if self.status is None:
            about_to_block()
            with ctx.task.scope.on_cancel(self._done.set):
                while self.status is None:
                    self._done.wait(0.05)
                    ctx.task.check()
                    if interruptible and ctx.task.pending:
                        return 128 + ctx.task.pending[0]
        ctx.task.check()  # a job that ``Stop`` ended has no status of its own
        return self.status

    def rest(self, seconds: float = 0.01) -> None:
        """Wait for the end, at most this long."""
        self._done.wait(seconds)

    def signal(self, number: int, group: bool = False) -> None:
        """Deliver a signal, which runs the job's trap or ends it; with ``group`` also to the children it waits for."""
        if self.status is None:
            self.task.deliver(number, group)


class JobTable:
    """The jobs that one shell environment started and has not waited for."""

    __slots__ = ("jobs",)

    def __init__(self) -> None:
        self.jobs: dict[int, Job] = {}

    def forget(self) -> None:
        """Forget the jobs at the end of the environment: they continue until the end of the run."""
        self.jobs = {}
