"""Traps, signals and ``set -e`` (POSIX XCU 2.11, 2.14 trap; bash ERR)."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from ...cancel import CancelScope
from ...command.signals import NAMES, SIGNALS
from ...errors import Stop
from ...state.context import TRACED, without
from ...state.context import ExecutionContext as Ctx
from ...state.control import ControlFlow, ExitShell, Killed
from ..numbers import whole_number

if TYPE_CHECKING:
    from ...syntax.nodes import Command

IGNORED_BY_DEFAULT = frozenset({17, 18, 23, 28})  # CHLD, CONT, URG, WINCH (Linux's numbers)
STOPS = frozenset({19, 20, 21, 22})  # STOP, TSTP, TTIN, TTOU


def signal_number(text: str) -> int | None:
    """Return the number of a signal by name (with or without SIG) or number."""
    number = whole_number(text)
    if number is not None:
        return number if 0 <= number <= 64 else None
    name = text.upper()
    return SIGNALS.get(name[3:] if name.startswith("SIG") else name)


def disposition(ctx: Ctx, number: int) -> str | None:
    """Return the trap action of a signal, or None for the default."""
    return ctx.traps.get(NAMES.get(number, ""))


def hide_for_function(ctx: Ctx) -> dict[str, str]:
    """Remove the traps that an untraced function does not inherit; return them, to be restored after the call."""
    hidden = {}
    for name, option in TRACED.items():
        if name in ctx.traps and option not in ctx.shopts:
            hidden[name] = ctx.traps[name]
    if hidden:
        ctx.traps = {name: action for name, action in ctx.traps.items() if name not in hidden}
        ctx.debugging = bool(ctx.traps.get("DEBUG"))
    return hidden


def show_after_function(ctx: Ctx, hidden: dict[str, str]) -> None:
    """Restore the traps that ``hide_for_function`` removed, except those that the function has set itself."""
    ctx.traps = {**hidden, **ctx.traps}
    ctx.debugging = bool(ctx.traps.get("DEBUG"))


def before_command(ctx: Ctx, command: Command | str) -> None:
    """Run the DEBUG trap, which is not run for its own commands."""
    ctx.debugging = False
    try:
        outer, ctx.trapped_command = ctx.trapped_command, command
        try:
            run_trap(ctx, ctx.traps["DEBUG"], "debug trap: ")
        finally:
            ctx.trapped_command = outer
    finally:
        ctx.debugging = bool(ctx.traps.get("DEBUG"))


def on_return(ctx: Ctx) -> None:
    """Run the RETURN trap at the end of a function or a sourced file."""
    action = ctx.traps.get("RETURN")
    if action:
        ctx.traps = without(ctx.traps, "RETURN")
        try:
            run_trap(ctx, action, "return trap: ")
        finally:
            ctx.traps.setdefault("RETURN", action)


def handle_stop(ctx: Ctx) -> None:
    """Handle the causes of a set stop slot: pending signals, or the end of the run."""
    task = ctx.task
    if task.pending:
        pending, task.pending = task.pending, []
        task.pending, pending = _split_signals(ctx, pending)
        task.stop = task.scope.stop
        if task.stop is None and task.pending:
            task.stop = task
        for number in pending:
            deliver(ctx, number)
    stop = task.scope.stop
    if stop is not None:
        _end(ctx, stop)
    elif not task.pending:
        task.stop = task.idle
    if task.idle is not None:
        ctx.run.count_command()


def _split_signals(ctx: Ctx, pending: list[int]) -> tuple[list[int], list[int]]:
    """Split signals into those that an outer shell, which waits for this one, traps and handles later, and the rest."""
    is_outermost = not ctx.level and not ctx.shell_pid
    if is_outermost or ctx.task is not ctx.run.main:
        return [], pending
    outer = [number for number in pending if NAMES.get(number) in ctx.run.trapped]
    return outer, [number for number in pending if number not in outer]


def handle_last_signals(ctx: Ctx) -> None:
    """Run the traps of signals that came before the end of the text; an end that is under way is not undone."""
    ctx.task.pending, pending = _split_signals(ctx, ctx.task.pending)
    for number in pending:
        deliver(ctx, number)
    if in_grace(ctx) and "TERM" in ctx.traps:
        handle_stop(ctx)


def deliver(ctx: Ctx, number: int) -> None:
    """Run the trap of a signal, or take its default action."""
    action = disposition(ctx, number)
    if action is not None and number != 9:
        if action:
            run_trap(ctx, action)
        return
    if number in STOPS:
        # Only a background job of the script can continue it; else the deadline ends it.
        while 18 not in ctx.task.pending:
            ctx.task.scope.sleep(0.02)
    elif number not in IGNORED_BY_DEFAULT and number:
        raise Killed(number)


def _end(ctx: Ctx, stop: Stop) -> None:
    """End a cancelled run, or run its TERM trap in the rest of the grace first."""
    task = ctx.task
    action = ctx.traps.get("TERM")
    if action is None or not in_grace(ctx):
        task.scope.check()
        return
    enter_grace(ctx)
    if action:
        run_trap(ctx, action)


# The share of the grace for a script without native children: its traps can clean up, and a stubborn one ends soon.
IN_PROCESS_SHARE = 0.2


def _grace_ends(ctx: Ctx) -> float:
    scope = ctx.task.scope
    hard = scope.hard or 0.0
    if ctx.run.open_pipe_bridges is not None:  # native children get all of it
        return hard
    return hard - scope.grace * (1 - IN_PROCESS_SHARE)


def in_grace(ctx: Ctx) -> bool:
    """Return whether the run was cancelled or timed out, and a TERM trap may still run."""
    scope = ctx.task.scope
    stop = scope.stop
    if stop is None or stop.reason not in ("deadline", "cancelled"):
        return False
    return scope.grace > 0 and monotonic() < _grace_ends(ctx)


def enter_grace(ctx: Ctx) -> None:
    """Continue under a scope that ends with the grace of the cancelled one."""
    task = ctx.task
    left = max(0.0, _grace_ends(ctx) - monotonic())
    task.move(CancelScope(timeout=left, grace=0.0))


def run_trap(ctx: Ctx, action: str, kind: str = "trap: ") -> None:
    """Run a trap's action. It sees the current ``$?``, which is restored afterwards."""
    status, pipestatus, condition = ctx.status, ctx.pipestatus, ctx.condition
    line, command, last = ctx.line, ctx.command, ctx.last_argument
    outer = ctx.trapped_command
    if outer is None:
        ctx.trapped_command = command
    ctx.condition = 0
    ctx.nesting -= 1  # a trap does not count as a nested evaluation
    try:
        ctx.run.evaluator.run_text(ctx, action, ctx.name, line, kind=kind)
    finally:
        ctx.condition = condition
        ctx.nesting += 1
        ctx.line, ctx.command, ctx.last_argument = line, command, last
        ctx.trapped_command = outer
    ctx.status, ctx.pipestatus = status, pipestatus


def run_exit_trap(ctx: Ctx, status: int) -> int:
    """Run the EXIT trap once and return the exit status, which an ``exit`` in the trap changes."""
    action = ctx.traps.get("EXIT")
    if not action:
        return status
    ctx.traps = without(ctx.traps, "EXIT")
    ctx.status = status
    ctx.condition = 0
    ctx.frame = None  # ``exit`` may have been called in a function; its locals are gone when the trap runs
    ctx.exiting = status
    ctx.line = 1  # bash counts the lines of this trap alone
    try:
        run_trap(ctx, action, "exit trap: ")
    except ExitShell as flow:
        return flow.status
    except Killed:
        raise
    except ControlFlow:
        pass
    return status


def on_failure(ctx: Ctx, status: int) -> None:
    """Run the ERR trap and apply ``set -e`` after a failed command, unless its status is tested."""
    if ctx.condition or ctx.inverted == ctx.depth:  # the second: it is the command behind ``!``
        return
    action = ctx.traps.get("ERR")
    if action and not ctx.in_trap:
        ctx.in_trap = True
        try:
            ctx.status = status
            run_trap(ctx, action, "error trap: ")
        finally:
            ctx.in_trap = False
        ctx.status = status
    if ctx.errexit:
        raise ExitShell(status)
