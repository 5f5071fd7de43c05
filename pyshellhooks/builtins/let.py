"""``let`` (bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..expand.arithmetic import number_of
from ..interp.builtin import builtin
from ..state.context import ExecutionContext as Ctx


@builtin("let", summary="Evaluate arithmetic expressions.", usage="arg [arg ...]")
def let(ctx: Ctx, argv: list[str]) -> int:
    args = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    if not args:
        raise UsageError("expression expected", 1, hint=False)
    value = 0
    for text in args:
        value = number_of(ctx, text)
    return 0 if value else 1
