"""``echo`` (bash; POSIX XCU echo)."""

from __future__ import annotations

from ..interp.builtin import builtin
from ..state.context import ExecutionContext as Ctx
from ..utilities.echo import format_echo


def _text(ctx: Ctx, argv: list[str]) -> bytes:
    return format_echo(argv[1:], "xpg_echo" in ctx.shopts)


@builtin("echo", summary="Write arguments to standard output.", usage="[-neE] [arg ...]", text=_text)
def echo(ctx: Ctx, argv: list[str]) -> int:
    ctx.fds.get(1).write(_text(ctx, argv))
    return 0
