"""``shift`` (POSIX XCU 2.14)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, operands
from ..interp.numbers import whole_number
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..state.positional import shifted


@builtin("shift", summary="Shift the positional parameters.", usage="[n]", special=True)
def shift(ctx: Ctx, argv: list[str]) -> int:
    args = operands(argv) or ["1"]
    count = whole_number(args[0])
    if count is None:
        raise UsageError(f"{args[0]}: numeric argument required", 1, hint=False)
    if len(args) > 1:
        raise ExpansionError("shift: too many arguments", drop=True)
    if count < 0:
        raise UsageError(f"{args[0]}: shift count out of range", 1, hint=False)
    if count > len(ctx.args):
        # Otherwise bash prints nothing.
        if "shift_verbose" in ctx.shopts or "posix" in ctx.shopts:
            ctx.warn(f"shift: {count}: shift count out of range")
        return 1
    ctx.args = shifted(ctx.args, count)
    return 0
