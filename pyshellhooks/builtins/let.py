"""``let`` (bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, operands
from ..state.context import ExecutionContext as Ctx


@builtin("let", summary="Evaluate arithmetic expressions.", usage="arg [arg ...]")
def let(ctx: Ctx, argv: list[str]) -> int:
    values = [ctx.run.evaluator.arithmetic(ctx, text) for text in operands(argv)]
    if not values:
        raise UsageError("expression expected", 1, hint=False)
    return int(not values[-1])
