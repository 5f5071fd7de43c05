"""Runs of the hooks of one event: the first on the caller's thread, the others in parallel."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import monotonic

from ..cancel import CancelScope
from ..errors import Stop
from ..hooks.model import HookJob, HookRun
from ..hooks.own_failures import Kind, OwnFailure
from ..host.threads import abandoned, submit
from ..limits import DEFAULT, Limits
from .executor import Executor, ShellExecutor


def run_job(executor: Executor, job: HookJob, parent: CancelScope | None, limits: Limits = DEFAULT) -> HookRun:
    """Run one job under its own cancel scope. An exception of the executor becomes a HookRun."""
    begun = monotonic()
    try:
        if parent is not None:
            parent.check()
        if type(executor) is ShellExecutor:  # a host's subclass may override ``run``
            run = executor.run_bounded(job, parent)
        else:
            with CancelScope(timeout=job.timeout, grace=limits.grace, parent=parent) as scope:
                run = executor.run(job, scope)
    except Stop as stop:
        run = HookRun("stopped", None, reason=stop.reason, detail=stop.detail, limit=stop.limit)
    except Exception as error:
        return crashed(error, monotonic() - begun)
    run.seconds = monotonic() - begun
    run.allowed = job.timeout
    run.outer = parent is not None and parent.stop is not None
    if run.outer and run.harm is None and run.reason == "deadline" and run.seconds < job.timeout:
        run.harm = OwnFailure(Kind.FIRING, "the whole event had less time than this hook")
    return run


def crashed(error: BaseException, seconds: float = 0.0) -> HookRun:
    """Return the run of a hook that failed with an exception: an internal error, or one of the host's executor."""
    detail = str(error)
    if isinstance(error, OSError) and error.strerror:
        detail = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    detail = f"{type(error).__name__}: {detail}" if detail else type(error).__name__
    return HookRun("not_started", None, detail=detail, harm=OwnFailure(Kind.CRASHED, detail), seconds=seconds)


def run_jobs(
    executor: Executor, jobs: Sequence[HookJob], parent: CancelScope | None, limits: Limits = DEFAULT
) -> list[HookRun]:
    """Run all jobs at once, and return their runs in the order of the jobs.

    The first one runs on the caller's thread, so that the usual single hook needs no other. One that does not return
    in time is abandoned.
    """
    if len(jobs) == 1:
        return [run_job(executor, jobs[0], parent, limits)]
    begun = monotonic()
    runs: list[HookRun | None] = [None] * len(jobs)

    def task(index: int, group: CancelScope | None) -> None:
        try:
            runs[index] = run_job(executor, jobs[index], group, limits)
        except BaseException as error:  # an exception on a pool thread would be lost
            if index == 0:
                raise
            runs[index] = crashed(error)

    run_lanes(task, [job.timeout for job in jobs], parent, limits)
    return [run if run is not None else _lost(begun) for run in runs]


Lane = Callable[[int, CancelScope | None], None]


def run_lanes(lane: Lane, bounds: Sequence[float], parent: CancelScope | None, limits: Limits = DEFAULT) -> set[int]:
    """Call ``lane(number, scope)`` for each bound at once, the first on the caller's thread.

    ``bounds`` are the seconds that each may take. Returns the numbers of those that did not return in time.
    """
    with CancelScope(grace=limits.grace, parent=parent) as group:
        try:
            return _side_by_side(lane, bounds, group, parent, limits)
        except BaseException:  # KeyboardInterrupt: interrupt the other threads too
            group.cancel("cancelled", "interrupted")
            raise


def _side_by_side(
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
        if gate.acquire(timeout=min(left, 3600.0 if parent is None else 0.1)):
            return True


def _lost(begun: float) -> HookRun:
    return HookRun("abandoned", None, reason="deadline", seconds=monotonic() - begun)
