"""Running text: one complete command at a time, each compiled once (rule 8, ADR 4)."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import ShellSyntaxError, Stop
from ..state.context import ExecutionContext as Ctx
from ..state.control import ExitShell, NoExecution
from ..state.failure import ExpansionError
from .compile import Exec
from .compile.units import modes_of, program
from .functions import nested
from .jobs.traps import handle_last_signals


def run_text(ctx: Ctx, text: str, name: str, line: int = 1, *, once: bool = False, kind: str = "") -> int:
    """Run text in this environment (``eval``, traps, ``source``); a syntax error is a message and status 2.

    ``kind`` precedes the line in the message of a syntax error (``eval: ``, ``exit trap: ``).
    A failed expansion drops the rest of one complete command, and ends a subshell (bash).
    """
    errors: list[ShellSyntaxError] = []
    ran = False
    ctx.depth += 1
    ctx.nesting += 1
    try:
        for unit in commands(ctx, text, name, line, errors, once=once, kind=kind):
            ran = True
            if ctx.noexec:
                continue
            condition, loops = ctx.condition, ctx.loops
            try:
                nested(ctx, unit)
            except ExpansionError as error:
                if error.fatal or error.drop or ctx.level:
                    raise
                _drop(ctx, error)
                ctx.condition, ctx.loops = condition, loops
        if errors and "posix" in ctx.shopts:
            raise ExitShell(2)  # POSIX XCU 2.8.1: a syntax error in ``eval`` or ``.`` ends the shell
        if not errors and not ran:
            ctx.status = 0  # of a text without a command (POSIX XCU eval)
        return ctx.status
    finally:
        ctx.depth -= 1
        ctx.nesting -= 1


def commands(
    ctx: Ctx,
    text: str,
    name: str,
    line: int,
    errors: list[ShellSyntaxError],
    *,
    once: bool = False,
    kind: str = "",
    echoes: bool = False,
) -> Iterator[Exec]:
    """Yield the complete commands of a text, each parsed in the modes of the moment.

    A syntax error ends the iteration: it is reported, sets status 2 and is added to ``errors``. ``echoes``: ``set -v``
    shows the text of each command.
    """
    if len(text) > ctx.limits.script:
        raise Stop("limit", f"a script is longer than {ctx.limits.script} characters", "script")
    source = program(text, name, line, once)
    offset, modes, shopts = 0, modes_of(ctx), ctx.shopts
    known = source.units(modes)
    while True:
        if ctx.shopts is not shopts or ctx.aliases or modes.aliases:
            modes, shopts = modes_of(ctx), ctx.shopts
            known = source.units(modes)
        start = offset
        try:
            unit, offset = known.get(start) or source.unit(start, modes)
        except ShellSyntaxError as error:
            report_syntax(ctx, error, kind)
            errors.append(error)
            ctx.status = 2
            return
        if unit is None:
            return
        if echoes and ctx.verbose:
            ctx.write_error(source.source.text[start:offset])
        yield unit


def run_main(ctx: Ctx, text: str, name: str) -> int:
    """Run the text that the shell itself reads: a failed expansion ends the command, not the shell."""
    errors: list[ShellSyntaxError] = []
    for unit in commands(ctx, text, name, 1, errors, echoes=True):
        if ctx.noexec:
            continue
        try:
            unit(ctx)
        except NoExecution:
            ctx.condition = ctx.loops = 0
        except ExpansionError as error:
            _drop(ctx, error)
            ctx.condition = ctx.loops = 0
            if error.fatal or (error.drop and ctx.command_string):
                raise ExitShell(error.status) from None
    if not errors:
        if ctx.task.stop is not None:
            handle_last_signals(ctx)
    elif not ctx.level and ctx.depth == 0:
        from ..syntax.display import fault

        ctx.run.fault = fault(errors[0])
    return ctx.status


def _drop(ctx: Ctx, error: ExpansionError) -> None:
    """Report the failed expansion because of which the rest of a complete command is not run."""
    error.report(ctx)
    ctx.status = ctx.pipestatus = error.status
    if ctx.errexit and not error.fatal and not error.mild:
        raise ExitShell(error.status) from None


def report_syntax(ctx: Ctx, error: ShellSyntaxError, kind: str = "") -> None:
    """Print a syntax error as bash does: the line and the token, then the text of that line.

    The column and the construct left open are in the error, for ``sh -n`` and for a hook's notices (docs/shell.md).
    """
    diagnostic = error.diagnostic
    ctx.write_error(f"{diagnostic.file}: {kind}line {diagnostic.line}: {diagnostic.message}\n")
    if error.offending:
        ctx.write_error(f"{diagnostic.file}: {kind}line {diagnostic.line}: {error.offending}\n")
