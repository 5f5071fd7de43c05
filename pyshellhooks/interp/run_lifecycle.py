"""The end of a run: by its own exit, by a signal, or by a Stop."""

from __future__ import annotations

import os
from time import monotonic, sleep

from ..cancel import CancelScope
from ..ended import Ended, Exited, Signaled, Stopped
from ..errors import Stop
from ..limits import GRACE
from ..state.context import ExecutionContext
from ..state.control import ControlFlow, Died, ExitShell, Killed
from ..state.failure import ExpansionError
from .jobs.traps import enter_grace, in_grace, run_exit_trap, run_trap
from .script import run_main

#: Reasons of a Stop that leave the grace to the script; after any other, nothing of it runs any more (rule 1).
_GRACEFUL = ("deadline", "cancelled")


def run_to_end(ctx: ExecutionContext, text: str) -> tuple[Ended, bool]:
    """Run the main text and the EXIT trap; return how the run ended, and whether that was in the grace."""
    task = ctx.task
    scope = task.scope
    try:
        try:
            status = _main(ctx, text)
            if ctx.run.jobs and not _await_consumers(ctx, status):
                return Exited(status & 255), False
        except Killed as death:
            if death.number != 9:  # no trap runs after a KILL
                run_exit_trap(ctx, 128 + death.number)
            return Signaled(death.number), False
        return _exited(ctx, status)
    except Stop as stop:
        reason = _await_deadline(scope, scope.stop or stop)
        stop.__traceback__ = reason.__traceback__ = None  # the frames hold the run's objects, and form a cycle
        if reason.reason in _GRACEFUL:
            parting = _run_final_traps(ctx, scope)
            if parting is not None:
                return Exited(parting & 255), True
        return Stopped(reason.reason, reason.detail, reason.limit), False
    except Killed as death:
        return Signaled(death.number), False
    except ControlFlow:
        return _exited(ctx, ctx.status)
    except RecursionError:
        return Stopped("limit", "the script nests deeper than the stack"), False
    except MemoryError:
        return Stopped("limit", "out of memory"), False
    except KeyboardInterrupt:
        raise
    except Exception as error:
        return Stopped("crashed", _describe(error)), False


def _await_consumers(ctx: ExecutionContext, status: int) -> bool:
    """Wait for the script's ``>( )`` and return whether they ended. A failure of the script counts more than theirs."""
    from .jobs.background import await_consumers

    try:
        await_consumers(ctx)
    except Stop as stop:
        if status and stop.reason in _GRACEFUL:
            return False
        raise
    return True


def _run_final_traps(ctx: ExecutionContext, scope: CancelScope) -> int | None:
    """Run the TERM trap, if the Stop interrupted other code, and the EXIT trap; return the status of an ``exit``."""
    try:
        # A task under another scope is in its grace already: its TERM trap has begun.
        is_interrupted = ctx.task.scope is scope
        if is_interrupted and ctx.traps.get("TERM") and in_grace(ctx):
            enter_grace(ctx)
            try:
                run_trap(ctx, ctx.traps["TERM"])
            except ExitShell as flow:
                return run_exit_trap(ctx, flow.status)
        if "EXIT" in ctx.traps:
            if ctx.task.scope is scope:
                enter_grace(ctx)
            run_exit_trap(ctx, 143)
    except (Stop, ControlFlow):
        pass
    return None


def _exited(ctx: ExecutionContext, status: int) -> tuple[Ended, bool]:
    """Return the end of a script that ran to its end. After a Stop it is ``Exited`` only if the grace could be used.

    Only a native child or a TERM trap uses the grace, and only after a deadline or a cancellation by the caller: an
    exceeded limit anywhere, in a background job too, ends the run (rule 1). A last command that died of our own TERM or
    KILL was stopped.
    """
    run = ctx.run
    stop = run.scope.stop
    if stop is None:
        return Exited(status & 255), False
    stopped = Stopped(stop.reason, stop.detail, stop.limit)
    has_trap = "TERM" in ctx.traps
    if run.felled and status == 0 and not has_trap:
        # The status 0 results from our own TERM: ``yes | cat`` did not end by itself.
        return stopped, False
    can_use_grace = has_trap or run.open_pipe_bridges is not None
    if not can_use_grace or stop.reason not in _GRACEFUL:
        return stopped, False
    if status in (143, 137):  # 128 + TERM, 128 + KILL
        return stopped, False
    return Exited(status & 255), True


def _await_deadline(scope: CancelScope, stop: Stop) -> Stop:
    """Turn an exceeded output limit into a deadline if it came less than the grace, or ``GRACE``, before the deadline.

    ``yes`` under a timeout of a second has timed out, however fast this machine fills a buffer.
    """
    if stop.limit != "output":
        return stop
    deadline = _earliest_deadline(scope)
    if deadline is None or deadline - monotonic() > min(scope.grace, GRACE):
        return stop
    parent = scope.parent
    while (left := deadline - monotonic()) > 0:
        if parent is not None and parent.stop is not None:
            break
        sleep(min(left, 0.02))
    outer_stop = None if parent is None else parent.stop
    if outer_stop is not None and outer_stop.reason != "deadline":
        return outer_stop
    return Stop("deadline", stop.detail)


def _earliest_deadline(scope: CancelScope) -> float | None:
    """Return the first deadline of a scope and those around it, or None."""
    outer: CancelScope | None = scope
    deadlines = []
    while outer is not None:
        if outer.deadline is not None:
            deadlines.append(outer.deadline)
        outer = outer.parent
    return min(deadlines, default=None)


def _describe(error: Exception) -> str:
    """Return the text of an internal error, with the place that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    text = f"{type(error).__name__}: {error}"
    if trace is None:
        return text
    return f"{text} at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"


def _main(ctx: ExecutionContext, text: str) -> int:
    try:
        status = run_main(ctx, text, ctx.name)
    except Died as flow:
        return flow.status
    except ExitShell as flow:
        status = flow.status
    except ExpansionError as error:
        error.report(ctx)
        status = error.status
    except Killed:
        raise
    except ControlFlow:
        status = ctx.status
    return run_exit_trap(ctx, status)
