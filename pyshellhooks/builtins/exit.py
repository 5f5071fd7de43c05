"""``exit``, ``return``, ``break``, ``continue`` (POSIX XCU 2.14)."""

from __future__ import annotations

from collections.abc import Callable

from ..interp.builtin import Reported, builtin, operands
from ..interp.numbers import whole_number
from ..state.context import ExecutionContext as Ctx
from ..state.control import BreakLoop, ContinueLoop, ControlFlow, ExitShell, ReturnFrom
from ..state.failure import ExpansionError


def _status(ctx: Ctx, argv: list[str]) -> int:
    number = _number(ctx, argv, ctx.status)
    if number is None:
        return 2
    return number & 255  # a process's status has eight bits


def _number(ctx: Ctx, argv: list[str], default: int) -> int | None:
    """Return the number of the only operand, or None after a message if it is not a number."""
    args = operands(argv)
    if not args:
        return default
    number = whole_number(args[0])
    if number is None:
        ctx.warn(f"{argv[0]}: {args[0]}: numeric argument required")
    elif len(args) > 1:
        raise ExpansionError(f"{argv[0]}: too many arguments", drop=True)
    return number


@builtin("exit", summary="Exit the shell.", usage="[n]", special=True)
def exit_(ctx: Ctx, argv: list[str]) -> int:
    if len(argv) == 1 and ctx.exiting is not None:
        raise ExitShell(ctx.exiting)  # in the EXIT trap: the status before it (POSIX XCU 2.14 exit)
    raise ExitShell(_status(ctx, argv))


@builtin("return", summary="Return from a function or a sourced file.", usage="[n]", special=True)
def return_(ctx: Ctx, argv: list[str]) -> int:
    status = _status(ctx, argv)
    if ctx.frame is None:
        ctx.warn("return: can only `return' from a function or sourced script")
        raise Reported(2)
    raise ReturnFrom(status)


def _leave(ctx: Ctx, argv: list[str], flow: Callable[[int], ControlFlow]) -> int:
    if not ctx.loops:
        ctx.warn(f"{argv[0]}: only meaningful in a `for', `while', or `until' loop")
        return 0
    number = _number(ctx, argv, 1)
    if number is None:
        # The status of bash: an invalid operand of ``break`` ends the shell.
        raise ExitShell(128)
    if number <= 0:
        ctx.warn(f"{argv[0]}: {operands(argv)[0]}: loop count out of range")
        raise BreakLoop(ctx.loops, 1)
    raise flow(min(number, ctx.loops))


@builtin("break", summary="Leave loops.", usage="[n]", special=True)
def break_(ctx: Ctx, argv: list[str]) -> int:
    return _leave(ctx, argv, BreakLoop)


@builtin("continue", summary="Continue with the next iteration of a loop.", usage="[n]", special=True)
def continue_(ctx: Ctx, argv: list[str]) -> int:
    return _leave(ctx, argv, ContinueLoop)
