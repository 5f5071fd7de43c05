"""Runs of the hooks of one event: the first on the caller's thread, the others in parallel."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..errors import Stop, message_of
from ..hooks.internal_failures import InternalFailure, Kind
from ..hooks.model import HookJob, HookRun
from ..host.threads import abandoned, submit
from ..limits import DEFAULT, Limits
from .executor import Executor, ShellExecutor

if TYPE_CHECKING:
    from ..fs.base import FileSystem
    from ..hooks.session import HookSession
    from ..shell.background import Background
    from .handlers import Handler


class HookRunner:
    """The runs of an engine's hooks: commands on its executor, hooks of other types on the host's handlers.

    Made once, with the engine: an ``Executor`` needs no method but ``run``. Thread-safe, if the executor is.
    ``limits`` decides the grace and the slack of each run, whatever the executor's own limits are; without it they are
    the executor's.
    """

    __slots__ = ("_bounding", "_close", "executor", "handlers", "limits", "shells")

    def __init__(
        self, executor: Executor, handlers: Mapping[str, Handler] | None = None, limits: Limits | None = None
    ) -> None:
        self.executor = executor
        self.handlers = dict(handlers or {})
        #: The executor if it runs hooks in the embedded shell; None for another one of the host.
        self.shells = executor if isinstance(executor, ShellExecutor) else None
        if limits is None and self.shells is not None:
            limits = self.shells.limits
        elif limits is None:
            limits = DEFAULT
        self.limits = limits
        # A host's subclass may override ``run`` without its ``timeout`` and ``grace``.
        self._bounding = self.shells if type(executor) is ShellExecutor else None
        self._close: Callable[[], None] | None = getattr(executor, "close", None)

    def run_hook(self, job: HookJob | HookRun, parent: CancelScope | None) -> HookRun:
        """Run one job under its own cancel scope. An exception of the executor becomes a HookRun.

        ``job`` may be the failed run of a hook without a job, which is returned.
        """
        if isinstance(job, HookRun):
            return job
        begun = monotonic()
        try:
            if parent is not None:
                parent.check()
            if self._bounding is not None and job.spec.kind == "command":
                run = self._bounding.run(job, parent, job.timeout, self.limits.grace)
            else:
                with CancelScope(timeout=job.timeout, grace=self.limits.grace, parent=parent) as scope:
                    run = self._run_under(job, scope)
        except Stop as stop:
            run = HookRun("stopped", None, reason=stop.reason, detail=stop.detail, limit=stop.limit)
        except Exception as error:
            return crashed(error, monotonic() - begun)
        run.seconds = monotonic() - begun
        run.allowed = job.timeout
        run.outer = parent is not None and parent.stop is not None
        if run.outer and run.harm is None:
            ended_early = run.reason == "deadline" and run.seconds < job.timeout
            if ended_early:
                run.harm = InternalFailure(Kind.FIRING, "the whole event had less time than this hook")
        return run

    def _run_under(self, job: HookJob, scope: CancelScope) -> HookRun:
        """Run one job under the scope with its deadline."""
        if job.spec.kind == "command":
            return self.executor.run(job, scope)
        from .handlers import run_handler

        return run_handler(self.handlers, job, scope)

    def run_hooks(self, jobs: Sequence[HookJob], parent: CancelScope | None) -> list[HookRun]:
        """Run all jobs at once, and return their runs in the order of the jobs.

        The first one runs on the caller's thread, so that the usual single hook needs no other. One that does not
        return in time is abandoned.
        """
        if len(jobs) == 1:
            return [self.run_hook(jobs[0], parent)]
        begun = monotonic()
        runs: list[HookRun | None] = [None] * len(jobs)

        def task(index: int, group: CancelScope | None) -> None:
            try:
                runs[index] = self.run_hook(jobs[index], group)
            except BaseException as error:  # an exception on a pool thread would be lost
                if index == 0:
                    raise
                runs[index] = crashed(error)

        run_lanes(task, [job.timeout for job in jobs], parent, self.limits)
        return [run if run is not None else _lost(begun) for run in runs]

    def lacks(self, kind: str) -> bool:
        """Return whether hooks of a type need a handler that the host has not given."""
        return kind != "command" and kind not in self.handlers

    def file_system(self, session: HookSession | None) -> FileSystem:
        """Return the file system on which hooks of a session run; the disk for a host's own executor."""
        if self.shells is not None:
            return self.shells.shell_for(session).fs
        from ..fs.host import HostFS

        return HostFS()

    @property
    def background(self) -> Background | None:
        """The owner of the processes that hooks have left running; None for a host's own executor."""
        if self.shells is None:
            return None
        return self.shells.background

    def close(self) -> None:
        """Close the executor, if it can be closed."""
        if self._close is not None:
            self._close()


def crashed(error: BaseException, seconds: float = 0.0) -> HookRun:
    """Return the run of a hook that failed with an exception: an internal error, or one of the host's executor."""
    detail = str(error)
    if isinstance(error, OSError) and error.errno is not None:
        detail = message_of(error)
        if error.filename:
            detail = f"{error.filename}: {detail}"
    name = type(error).__name__
    detail = f"{name}: {detail}" if detail else name
    return HookRun("not_started", None, detail=detail, harm=InternalFailure(Kind.CRASHED, detail), seconds=seconds)


Lane = Callable[[int, CancelScope | None], None]


def run_lanes(lane: Lane, bounds: Sequence[float], parent: CancelScope | None, limits: Limits = DEFAULT) -> set[int]:
    """Call ``lane(number, scope)`` for each bound at once, the first on the caller's thread.

    ``bounds`` are the seconds that each may take. Returns the numbers of those that did not return in time.
    """
    with CancelScope(grace=limits.grace, parent=parent) as group:
        try:
            return _run_parallel(lane, bounds, group, parent, limits)
        except BaseException:  # KeyboardInterrupt: interrupt the other threads too
            group.cancel("cancelled", "interrupted")
            raise


def _run_parallel(
    lane: Lane, bounds: Sequence[float], group: CancelScope, parent: CancelScope | None, limits: Limits
) -> set[int]:
    begun = monotonic()
    gates: list[threading.Lock] = []
    for index in range(1, len(bounds)):
        gate = threading.Lock()
        gate.acquire()
        gates.append(gate)
        task = _task(lane, index, group, gate)
        try:
            submit(task)
        except RuntimeError:  # no more threads: run it on this one
            task()
    lane(0, group)
    waits = zip(bounds[1:], gates, strict=True)
    return {index for index, (bound, gate) in enumerate(waits, 1) if not _wait(gate, begun + bound, parent, limits)}


def _task(lane: Lane, index: int, group: CancelScope, gate: threading.Lock) -> Callable[[], None]:
    def task() -> None:
        try:
            lane(index, group)
        finally:
            gate.release()
            abandoned.discard(gate)

    return task


def _wait(gate: threading.Lock, due: float, parent: CancelScope | None, limits: Limits) -> bool:
    while True:
        until = due + limits.grace + limits.slack
        if parent is not None and parent.hard is not None:
            until = min(until, parent.hard + limits.slack)
        left = until - monotonic()
        if left <= 0:
            if gate.acquire(blocking=False):
                return True
            abandoned.add(gate)
            if gate.acquire(blocking=False):  # it returned just then
                abandoned.discard(gate)
                return True
            return False
        # In steps, so that a cancel of the parent shortens the wait.
        longest_step = 3600.0 if parent is None else 0.1
        if gate.acquire(timeout=min(left, longest_step)):
            return True


def _lost(begun: float) -> HookRun:
    return HookRun("abandoned", None, reason="deadline", seconds=monotonic() - begun)
