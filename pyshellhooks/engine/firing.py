"""Running the hooks of one event: one on the caller's thread, several side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import monotonic

from ..cancel import CancelScope
from ..errors import Stop
from ..hooks.model import HookJob, HookRun
from ..host.threads import abandoned, submit
from .executor import Executor

# What an executor may need beyond timeout and grace before its hook counts as abandoned (DESIGN, "Cancel with grace").
SLACK = 0.5


def run_job(executor: Executor, job: HookJob, parent: CancelScope | None) -> HookRun:
    """Run one job under a scope of its own; whatever the executor raises becomes a fact about the run."""
    begun = monotonic()
    scope = CancelScope(timeout=job.timeout, parent=parent)
    try:
        scope.check()
        run = executor.run(job, scope)
        run.seconds = monotonic() - begun
        return run
    except Stop as stop:
        return HookRun("stopped", None, reason=stop.reason, detail=stop.detail, seconds=monotonic() - begun)
    except Exception as error:
        detail = str(error) or type(error).__name__
        if isinstance(error, OSError) and error.strerror:
            detail = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        return HookRun("not_started", None, detail=detail, seconds=monotonic() - begun)
    finally:
        scope.close()


def run_jobs(executor: Executor, jobs: Sequence[HookJob], parent: CancelScope | None) -> list[HookRun]:
    """Run all jobs at once, and give their runs in the order of the jobs.

    The first one runs on the caller's thread, so that the usual single hook needs no other. One that does not come
    back in time is given up as abandoned.
    """
    if len(jobs) == 1:
        return [run_job(executor, jobs[0], parent)]
    with CancelScope(parent=parent) as group:
        try:
            return _side_by_side(executor, jobs, group, parent)
        except BaseException:  # KeyboardInterrupt: what runs on other threads is interrupted too
            group.cancel("cancelled", "interrupted")
            raise


def _side_by_side(
    executor: Executor, jobs: Sequence[HookJob], group: CancelScope, parent: CancelScope | None
) -> list[HookRun]:
    begun = monotonic()
    runs: list[HookRun | None] = [None] * len(jobs)
    gates: list[threading.Lock] = []
    for index in range(1, len(jobs)):
        gate = threading.Lock()
        gate.acquire()
        gates.append(gate)
        task = _task(executor, jobs[index], group, runs, index, gate)
        try:
            submit(task)
        except RuntimeError:  # no more threads: one after another, then
            task()
    runs[0] = run_job(executor, jobs[0], group)
    for job, gate in zip(jobs[1:], gates, strict=True):
        _wait(gate, begun, job, parent)
    return [run if run is not None else _lost(begun) for run in runs]


def _task(
    executor: Executor,
    job: HookJob,
    parent: CancelScope | None,
    runs: list[HookRun | None],
    index: int,
    gate: threading.Lock,
) -> Callable[[], None]:
    def task() -> None:
        try:
            runs[index] = run_job(executor, job, parent)
        except BaseException as error:  # nobody else would see it on this thread
            runs[index] = HookRun("not_started", None, detail=f"{type(error).__name__}: {error}")
        finally:
            gate.release()
            abandoned.discard(gate)

    return task


def _wait(gate: threading.Lock, begun: float, job: HookJob, parent: CancelScope | None) -> None:
    grace = 1.0 if parent is None else parent.grace
    while True:
        until = begun + job.timeout + grace + SLACK
        if parent is not None and parent.hard is not None:
            until = min(until, parent.hard + SLACK)
        left = until - monotonic()
        if left <= 0:
            if not gate.acquire(blocking=False):
                abandoned.add(gate)
                if gate.acquire(blocking=False):  # it came back just then
                    abandoned.discard(gate)
            return
        # In steps, so that a cancel of the parent shortens the wait.
        if gate.acquire(timeout=min(left, 3600.0 if parent is None else 0.1)):
            return


def _lost(begun: float) -> HookRun:
    return HookRun("abandoned", None, reason="deadline", seconds=monotonic() - begun)
