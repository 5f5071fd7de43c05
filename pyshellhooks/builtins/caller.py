"""``caller`` (bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters, write_lines
from ..interp.numbers import invalid_number, whole_number
from ..state.context import ExecutionContext as Ctx
from ..state.context import outwards


@builtin("caller", summary="Show where the running function was called.", usage="[expr]")
def caller(ctx: Ctx, argv: list[str]) -> int:
    frame = ctx.frame
    if frame is None and ctx.command_string:  # with -c a file is missing that could be shown (bash)
        return 1
    _, args = option_letters(argv, "")
    depth = whole_number(args[0]) if args else 0
    if depth is None:
        raise UsageError(invalid_number(args[0]), 2)
    if frame is None and not args:
        write_lines(ctx, ["0 NULL"])
        return 0
    calls = list(outwards(frame))
    if not 0 <= depth < len(calls):
        return 1
    if depth + 1 < len(calls):
        outer = calls[depth + 1]
        name, source = outer.name, outer.source
    elif not ctx.command_string:
        name, source = "main", ctx.arg0
    elif args:
        return 1
    else:
        name, source = "main", "NULL"
    line = calls[depth].line
    # The name of the function is shown only with a number (bash).
    write_lines(ctx, [f"{line} {name} {source}" if args else f"{line} {source}"])
    return 0
