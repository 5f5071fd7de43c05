"""``echo`` (bash; POSIX XCU echo)."""

from __future__ import annotations

from ..interp.builtin import builtin
from ..interp.context import ExecutionContext as Ctx
from ..utilities.echo import format_echo


@builtin("echo", summary="Write arguments to standard output.", usage="[-neE] [arg ...]")
def echo(ctx: Ctx, argv: list[str]) -> int:
    ctx.fds.get(1).write(format_echo(argv[1:], "xpg_echo" in ctx.shopts))
    return 0
