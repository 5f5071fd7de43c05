"""``caller`` (bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters
from ..interp.numbers import invalid_number, whole_number
from ..state.context import ExecutionContext as Ctx
from ..text import encode


@builtin("caller", summary="Show where the running function was called.", usage="[expr]")
def caller(ctx: Ctx, argv: list[str]) -> int:
    frame = ctx.frame
    if frame is None and ctx.command_string:
        return 1
    _, args = option_letters(argv, "")
    depth = whole_number(args[0]) if args else 0
    if depth is None:
        raise UsageError(invalid_number(args[0]), 2)
    if frame is None:
        if not args:
            ctx.fds.get(1).write(b"0 NULL\n")
        return int(bool(args))
    for _ in range(depth):
        frame = frame.parent
        if frame is None:
            return 1
    parent = frame.parent
    if depth < 0 or (args and parent is None and ctx.command_string):
        return 1
    source = parent.source if parent is not None else ctx.arg0
    name = parent.name if parent is not None else "main"
    text = (
        f"{frame.line} {name} {source}"
        if args
        else f"{frame.line} {source if parent or not ctx.command_string else 'NULL'}"
    )
    ctx.fds.get(1).write(encode(text + "\n"))
    return 0
