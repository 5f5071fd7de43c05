"""``caller`` (bash)."""

from __future__ import annotations

from ..interp.builtin import builtin
from ..interp.context import ExecutionContext as Ctx
from ..text import encode


@builtin("caller", summary="Show where the running function was called.", usage="[expr]")
def caller(ctx: Ctx, argv: list[str]) -> int:
    frame = ctx.frame
    if frame is None:
        return 1
    depth = 0
    if len(argv) > 1:
        if not argv[1].isdecimal():
            ctx.warn(f"caller: {argv[1]}: invalid number")
            return 2
        depth = int(argv[1])
        for _ in range(depth):
            frame = frame.parent
            if frame is None:
                return 1
    parent = frame.parent
    source = parent.source if parent is not None else ctx.arg0
    name = parent.name if parent is not None else "main"
    text = (
        f"{frame.line} {name} {source}"
        if len(argv) > 1
        else f"{frame.line} {source if parent or not ctx.command_string else 'NULL'}"
    )
    ctx.fds.get(1).write(encode(text + "\n"))
    return 0
