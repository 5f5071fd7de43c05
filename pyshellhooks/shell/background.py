"""Background jobs that go on after their script, and their end (decisions background)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from ..cancel import ENDED, watchdog
from ..ended import Ended, Stopped
from ..errors import Stop
from ..forks import renewed_after_fork
from ..host.threads import submit
from ..interp.jobs import live
from ..interp.jobs.background import SETTLE_SECONDS, settle, unfinished
from ..interp.jobs.process import ProcessTask
from ..notice import Notice

if TYPE_CHECKING:
    from ..state.context import ExecutionContext
    from ..state.jobs import Job
    from .execution import Execution

MOST = 16  # runs whose jobs may go on at the same time; the jobs of one more end with its script
LONGEST = 600.0  # seconds for which jobs go on after a run without a deadline
LEAVE_SECONDS = 0.5  # for which ``close`` waits until threads have ended
_STEP_SECONDS = 0.05
_LONG = 60  # characters of a command in a notice


class Background:
    """The owner of the background jobs of ended scripts. Jobs end at the deadline of their run, or at ``close``.

    The script's result exists by then, so the output, the notices and the statuses of these jobs are dropped.
    """

    __slots__ = ("__weakref__", "_changed", "_closed", "_left")
    is_held = False  # only a watch notes it

    def __init__(self) -> None:
        self._closed = False
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``. A forked child has no jobs: their threads are the parent's."""
        self._changed = threading.Condition(threading.Lock())
        self._left: dict[Execution, Sequence[Job]] = {}

    def take_over(self, execution: Execution, ctx: ExecutionContext, jobs: Sequence[Job]) -> bool:
        """Take over a run's jobs, which go on without their script; return False if they cannot."""
        with self._changed:
            if self._closed or len(self._left) >= MOST:
                return False
            self._left[execution] = jobs
        work = _Work(execution, ctx)
        try:
            submit(lambda: self._watch(work))
        except RuntimeError:  # the process cannot start more threads
            self._forget(execution)
            return False
        return True

    def _watch(self, work: _Work) -> None:
        try:
            work.wait()
            work.end()
        finally:
            self._forget(work.execution)

    def _forget(self, execution: Execution) -> None:
        with self._changed:
            self._left.pop(execution, None)
            self._changed.notify_all()

    def wait(self, timeout: float) -> bool:
        """Wait at most ``timeout`` seconds until all jobs have ended; return whether they have."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._left, timeout)

    def close(self) -> list[Notice]:
        """End all jobs and refuse further ones. Returns a notice for each job that was cut off. Idempotent."""
        with self._changed:
            self._closed = True
            left = dict(self._left)
        notices = [_notice(job, "engine") for jobs in left.values() for job in unfinished(jobs)]
        for execution in left:
            execution.scope.cancel(ENDED)
        if left and not self.wait(LEAVE_SECONDS):
            for execution in left:
                execution.gate.revoke(0.01)
        return notices


class _Work:
    """The background jobs of one run after its script, under the run's own scope only."""

    __slots__ = ("_ctx", "_timer", "execution")

    def __init__(self, execution: Execution, ctx: ExecutionContext) -> None:
        self.execution = execution
        self._ctx = ctx
        scope = execution.scope
        left = scope.remaining()
        scope.close()  # the caller has the result, and its scope must not cancel the jobs
        scope.parent = scope.deadline = None
        # A timer, not a deadline: the script's native programs outlive it (ADR 2).
        until = monotonic() + (LONGEST if left is None else left)
        self._timer = watchdog.at(until, lambda: scope.cancel(ENDED))
        live.leave_running(execution.run)

    def wait(self) -> None:
        """Wait until all jobs have ended or the scope is cancelled."""
        run, scope = self.execution.run, self.execution.scope
        while scope.stop is None:
            job = next((job for job in list(run.jobs.values()) if job.status is None), None)
            if job is None:
                return
            job.rest(_STEP_SECONDS)

    def end(self) -> None:
        """Close the run, so that it can have no further effects."""
        self._timer.cancel()
        self.execution.close(self._ctx)
        live.leave(self.execution.run)


class OutputWatch:
    """The jobs of one run that still have its output open when its script has ended.

    Some agents read a hook's output to its end, so that such a job delays the end of the hook. ``waits``: whether the run
    waits for them too, until its deadline. ``is_held``: whether there was one. ``owner``: the owner of jobs that go on.
    """

    __slots__ = ("is_held", "owner", "waits")

    def __init__(self, owner: Background | None, *, waits: bool) -> None:
        self.owner = owner
        self.waits = waits
        self.is_held = False

    def ended(self, execution: Execution, ended: Ended) -> Ended:
        """Look for such jobs; return how the run ended: at its deadline, if it came while the run waited."""
        run, scope = execution.run, execution.scope
        settle(list(run.jobs.values()))
        held = [job for job in run.jobs.values() if job.status is None and job.text and _holds_output(job, execution)]
        self.is_held = bool(held)
        if not self.waits:
            return ended
        for job in held:
            while job.status is None and scope.stop is None:
                job.rest(_STEP_SECONDS)
        if held and scope.stop is not None:  # its end has ended the jobs too
            return Stopped(scope.stop.reason, scope.stop.detail)
        return ended


def _holds_output(job: Job, execution: Execution) -> bool:
    """Return whether a background job has the stdout or the stderr of its run open."""
    task = job.task
    if not isinstance(task, ProcessTask):
        return False
    streams = task.ctx.fds.entries.values()
    return any(stream is execution.stdout or stream is execution.stderr for stream in streams)


def hand_over(execution: Execution, ctx: ExecutionContext) -> bool:
    """Hand the jobs that still run over to the owner of background jobs; return whether they go on.

    If they cannot, the run gets a notice for each job, and the caller ends them.
    """
    run = execution.run
    settle(list(run.jobs.values()))
    jobs = unfinished(run.jobs.values())
    if not jobs:
        return False
    background = execution.background
    owner = background.owner if isinstance(background, OutputWatch) else background
    if owner is not None and _is_output_whole(execution) and owner.take_over(execution, ctx, jobs):
        execution.stdout.unread = execution.stderr.unread = True
        return True
    until = monotonic() + SETTLE_SECONDS
    for job in jobs:
        if job.is_coprocess:
            job.rest(max(0.0, until - monotonic()))
    for job in unfinished(jobs):
        notice = _notice(job, "script")
        if notice not in run.notices:
            run.notices.append(notice)
    return False


def _is_output_whole(execution: Execution) -> bool:
    """Collect the output that native programs have written until now; return whether the captures accepted it."""
    pipe_bridges = execution.run.open_pipe_bridges
    if pipe_bridges is None:
        return True
    try:
        for stream in (execution.stdout, execution.stderr):
            pipe_bridges.sync(stream)
    except (Stop, OSError):
        return False
    return True


def _notice(job: Job, ended: str) -> Notice:
    text = " ".join(job.text.split())
    text = text if len(text) <= _LONG else text[: _LONG - 3] + "..."
    place = f"line {job.line}: " if job.line else ""
    return Notice(
        f"{place}`{text}` was still running in the background when the {ended} ended, and was ended with it",
        "background-ended",
        hint="end the script with `wait`, or start it outside of the script",
    )
