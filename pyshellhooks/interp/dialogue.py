"""What a person types: one text after the other in the same shell, where no mistake but ``exit`` ends it."""

from __future__ import annotations

from ..cancel import CancelScope
from ..errors import ShellSyntaxError, Stop
from ..state.context import ExecutionContext as Ctx
from ..state.control import ControlFlow, ExitShell, Killed
from ..state.failure import ExpansionError
from ..syntax.parser import Parser
from ..syntax.source import Source
from .compile.units import modes_of
from .jobs.traps import attend_last, run_exit_trap
from .script import commands
from .subshell import report

INTERRUPTED = 130
GRACE = 0.2  # seconds that children have after Ctrl-C


def is_complete(ctx: Ctx, text: str) -> bool:
    """Say whether a text is all that there is to read before it runs: nothing is open at its end."""
    line = text.rstrip("\n")
    if (len(line) - len(line.rstrip("\\"))) % 2:
        return False
    parser = Parser(Source(text), modes_of(ctx))
    try:
        while parser.next() is not None:
            pass
    except ShellSyntaxError as error:
        return not error.incomplete
    except Stop:  # it nests too deep: running it says so
        return True
    return not parser.unended


def run_typed(ctx: Ctx, text: str, scope: CancelScope) -> bool:
    """Run a text under a scope of its own; gives whether the shell goes on. ``ctx.status`` is what it came to.

    The end of that scope (Ctrl-C) and a breach of a limit end the text, not the shell. What comes of a signal that
    kills, of ``exit`` and of the end of the whole run ends the shell.
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
            ctx.write_error(f"{ctx.name}: stopped: {stop.reason} {stop.detail}".rstrip() + "\n")
    except ControlFlow:  # a ``break`` or ``return`` that is in nothing
        pass
    except (RecursionError, MemoryError) as error:
        ctx.status = 125
        ctx.write_error(f"{ctx.name}: stopped: {type(error).__name__}\n")
    if scope.stop is not None:  # a program may have made another status of our TERM
        ctx.status = INTERRUPTED
    ctx.condition = ctx.loops = 0
    ctx.frame = None
    return True


def run_exit(ctx: Ctx, scope: CancelScope) -> int:
    """Run the EXIT trap under a scope of its own; gives the status that the shell ends with."""
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
        attend_last(ctx)
