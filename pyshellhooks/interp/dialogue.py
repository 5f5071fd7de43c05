"""Running texts typed by a person, one after the other in the same shell; errors do not end it, ``exit`` does."""

from __future__ import annotations

from ..cancel import CancelScope
from ..ended import Stopped, describe_end
from ..errors import ShellSyntaxError, Stop
from ..state.context import ExecutionContext as Ctx
from ..state.control import ControlFlow, ExitShell, Killed
from ..state.failure import ExpansionError
from ..syntax.parser import Parser
from ..syntax.source import Source
from .compile.units import modes_of
from .jobs.traps import handle_last_signals, run_exit_trap
from .script import commands
from .subshell import report

INTERRUPTED = 130
GRACE = 0.2  # seconds that children have after Ctrl-C


def is_complete(ctx: Ctx, text: str) -> bool:
    """Return whether a text is complete, so that it can run: no quote, compound command or here-document is open."""
    line = text.rstrip("\n")
    if (len(line) - len(line.rstrip("\\"))) % 2:
        return False
    parser = Parser(Source(text), modes_of(ctx))
    try:
        while parser.next() is not None:
            pass
    except ShellSyntaxError as error:
        return not error.incomplete
    except Stop:  # it nests too deep: running it reports that
        return True
    return not parser.unended


def run_typed(ctx: Ctx, text: str, scope: CancelScope) -> bool:
    """Run a text under a scope of its own and return whether the shell goes on. Its status is ``ctx.status``.

    The end of that scope (Ctrl-C) and an exceeded limit end the text, not the shell. A signal that kills, ``exit`` and
    the end of the whole run end the shell.
    """
    task = ctx.task
    task.move(scope)
    try:
        _run(ctx, text)
    except ExitShell as flow:
        ctx.status = flow.status
        return False
    except Killed as death:
        ctx.status = 128 + death.number
        return False
    except Stop as stop:
        ctx.status = INTERRUPTED
        if stop.reason != "cancelled":
            ctx.status = 125
            ctx.write_error(f"{ctx.name}: {describe_end(Stopped(stop.reason, stop.detail), ctx.status)}\n")
    except ControlFlow:  # a ``break`` or ``return`` outside of a loop or function
        pass
    except (RecursionError, MemoryError) as error:
        ctx.status = 125
        ctx.write_error(f"{ctx.name}: {describe_end(Stopped('crashed', type(error).__name__), ctx.status)}\n")
    if scope.stop is not None:  # a program may have turned our TERM into another status
        ctx.status = INTERRUPTED
    ctx.condition = ctx.loops = 0
    ctx.frame = None
    return True


def run_exit(ctx: Ctx, scope: CancelScope) -> int:
    """Run the EXIT trap under a scope of its own and return the shell's exit status."""
    ctx.task.move(scope)
    try:
        return run_exit_trap(ctx, ctx.status) & 255
    except (ControlFlow, Stop):
        return ctx.status & 255


def _run(ctx: Ctx, text: str) -> None:
    errors: list[ShellSyntaxError] = []
    for unit in commands(ctx, text, ctx.name, 1, errors, once=True):
        try:
            unit(ctx)
        except ExpansionError as error:
            report(ctx, error)
            ctx.pipestatus = ctx.status
            return
    if not errors and ctx.task.stop is not None:
        handle_last_signals(ctx)
