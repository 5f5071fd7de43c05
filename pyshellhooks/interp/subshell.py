"""Running a body in a subshell: every way it can end becomes a status."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import Stop
from ..state.context import ExecutionContext as Ctx
from ..state.control import BreakLoop, ContinueLoop, Died, ExitShell, ReturnFrom
from ..state.failure import ExpansionError
from .functions import nested

Exec = Callable[[Ctx], int]


def run_subshell(sub: Ctx, body: Exec) -> int:
    """Run ``body`` and then the EXIT trap in a subshell's context, release its descriptors, and return the status."""
    try:
        try:
            status = nested(sub, body)
        except Died as flow:
            return flow.status
        except (ExitShell, ReturnFrom) as flow:
            status = flow.status
        except (BreakLoop, ContinueLoop):
            status = 0
        except ExpansionError as error:
            status = report(sub, error)
        if "EXIT" in sub.traps:
            from .jobs.traps import run_exit_trap

            status = run_exit_trap(sub, status)
        return status & 255
    except Stop as stop:
        # An exceeded limit ends the run before the descriptors close: a reader must not take it for the end of file.
        if sub.task.scope.stop is None:
            sub.run.scope.cancel(stop.reason, stop.detail, stop.limit)
        raise
    except MemoryError:
        sub.run.scope.cancel("limit", "out of memory")
        raise Stop("limit", "out of memory") from None
    finally:
        if sub.jobs is not None:
            sub.jobs.forget()
        sub.fds.release()


def pipeline_status(ctx: Ctx, statuses: list[int]) -> int:
    """Return the status of a pipeline: its last command's, or under ``pipefail`` the last one other than 0."""
    if ctx.pipefail:
        return next((status for status in reversed(statuses) if status), 0)
    return statuses[-1]


def report(ctx: Ctx, error: ExpansionError) -> int:
    """Report a failed expansion as bash does, and return its status."""
    error.report(ctx)
    ctx.status = error.status
    return error.status
