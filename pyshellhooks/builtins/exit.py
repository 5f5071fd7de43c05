"""``exit``, ``return``, ``break``, ``continue`` (POSIX XCU 2.14)."""

from __future__ import annotations

from ..interp.builtin import Reported, builtin
from ..interp.numbers import whole_number
from ..state.context import ExecutionContext as Ctx
from ..state.control import BreakLoop, ContinueLoop, ExitShell, ReturnFrom
from ..state.failure import ExpansionError


def _status(ctx: Ctx, argv: list[str]) -> int:
    args = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    if not args:
        return ctx.status
    number = whole_number(args[0])
    if number is None:
        ctx.warn(f"{argv[0]}: {args[0]}: numeric argument required")
        return 2
    if len(args) > 1:
        raise ExpansionError(f"{argv[0]}: too many arguments", drop=True)
    return number & 255


@builtin("exit", summary="Exit the shell.", usage="[n]", special=True)
def exit_(ctx: Ctx, argv: list[str]) -> int:
    if len(argv) == 1 and ctx.exiting is not None:
        raise ExitShell(ctx.exiting)  # in the EXIT trap: what the shell was ending with (POSIX XCU 2.14 exit)
    raise ExitShell(_status(ctx, argv))


@builtin("return", summary="Return from a function or a sourced file.", usage="[n]", special=True)
def return_(ctx: Ctx, argv: list[str]) -> int:
    status = _status(ctx, argv)
    if ctx.frame is None:
        ctx.warn("return: can only `return' from a function or sourced script")
        raise Reported(2)
    raise ReturnFrom(status)


def _levels(ctx: Ctx, argv: list[str]) -> int | None:
    args = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    if not ctx.loops:
        ctx.warn(f"{argv[0]}: only meaningful in a `for', `while', or `until' loop")
        return None
    if not args:
        return 1
    number = whole_number(args[0])
    if number is None:
        ctx.warn(f"{argv[0]}: {args[0]}: numeric argument required")
        raise ExitShell(128)
    if len(args) > 1:
        raise ExpansionError(f"{argv[0]}: too many arguments", drop=True)
    if number <= 0:
        ctx.warn(f"{argv[0]}: {args[0]}: loop count out of range")
        raise BreakLoop(ctx.loops, 1)
    return min(number, ctx.loops)


@builtin("break", summary="Leave loops.", usage="[n]", special=True)
def break_(ctx: Ctx, argv: list[str]) -> int:
    levels = _levels(ctx, argv)
    if levels is None:
        return 0
    raise BreakLoop(levels)


@builtin("continue", summary="Go on with the next turn of a loop.", usage="[n]", special=True)
def continue_(ctx: Ctx, argv: list[str]) -> int:
    levels = _levels(ctx, argv)
    if levels is None:
        return 0
    raise ContinueLoop(levels)
