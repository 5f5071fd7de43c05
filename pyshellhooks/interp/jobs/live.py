"""The runs that are under way in this process, and their end when it exits.

A daemon thread dies with the interpreter, whatever it is doing: its children would live on and act without their hook,
and inside a C++ library (re2) the thread's death aborts the process. So all runs are ended at exit.
"""

from __future__ import annotations

import atexit
import os
from time import monotonic, sleep
from typing import TYPE_CHECKING

from ...cancel import ENDED

if TYPE_CHECKING:
    from ...state.run import Run

CHILDREN_GRACE = 0.1  # seconds between TERM and KILL
LEAVE_SECONDS = 0.25  # for which the exit waits until threads have ended their runs

_runs: set[Run] = set()
_left: set[Run] = set()  # runs whose scripts have ended, and whose background jobs go on
enter = _runs.add


def leave(run: Run) -> None:
    """Forget a run that has ended."""
    _runs.discard(run)
    _left.discard(run)


def leave_running(run: Run) -> None:
    """Mark a run as one with only background jobs left: its native programs outlive this process."""
    _left.add(run)
    _runs.discard(run)


def count() -> int:
    """Return the number of runs under way."""
    return len(_runs)


def end_all() -> None:
    """End every run and its children. Returns within 0.4 s unless a child is stuck in the kernel."""
    runs, left = list(_runs), list(_left)
    for run in runs:
        run.scope.cancel("cancelled", "the host exits")
        run.gate.revoke(0.01)
    for run in left:
        run.scope.cancel(ENDED)
        run.gate.revoke(0.01)
    native = [run for run in runs if run.open_pipe_bridges is not None]
    if native:
        from ...host.terminate import end

        host = native[0].host
        children = [child for run in native for child in host.children.of(run.cookie)]
        end(children, grace_until=monotonic() + CHILDREN_GRACE)
        for run in native:
            host.sweep((), run.cookie)
    until = monotonic() + LEAVE_SECONDS
    while not (_runs.isdisjoint(runs) and _left.isdisjoint(left)) and monotonic() < until:
        sleep(0.002)


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    # A forked child has its parent's runs only in memory; ending them would kill the parent's children.
    os.register_at_fork(after_in_child=_runs.clear)
    os.register_at_fork(after_in_child=_left.clear)
