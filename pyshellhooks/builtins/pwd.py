"""``pwd`` (POSIX XCU pwd)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin
from ..state.context import ExecutionContext as Ctx
from ..text import encode


@builtin("pwd", summary="Print the working directory.", usage="[-LP]")
def pwd(ctx: Ctx, argv: list[str]) -> int:
    physical = "physical" in ctx.shopts
    for word in argv[1:]:
        if word == "--":
            break
        if not word.startswith("-") or len(word) < 2:
            break
        for letter in word[1:]:
            if letter not in "LP":
                raise UsageError(f"-{letter}: invalid option", 2)
            physical = letter == "P"
    path = ctx.fs.realpath(ctx.cwd) if physical else ctx.cwd
    ctx.fds.get(1).write(encode(path + "\n"))
    return 0
