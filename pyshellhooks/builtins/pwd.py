"""``pwd`` (POSIX XCU pwd)."""

from __future__ import annotations

from ..interp.builtin import Options, builtin, write_lines
from ..state.context import ExecutionContext as Ctx


@builtin("pwd", summary="Print the working directory.", usage="[-LP]")
def pwd(ctx: Ctx, argv: list[str]) -> int:
    physical = "physical" in ctx.shopts
    for letter, _ in Options(argv, "LP"):
        physical = letter == "P"
    path = ctx.cwd
    if physical:
        path = ctx.fs.realpath(path)
    write_lines(ctx, [path])
    return 0
