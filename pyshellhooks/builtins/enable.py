"""``enable`` (bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import BUILTINS, builtin
from ..interp.context import ExecutionContext as Ctx
from ..text import encode


@builtin("enable", summary="Enable and disable builtins.", usage="[-a] [-ps] [-n] [name ...]")
def enable(ctx: Ctx, argv: list[str]) -> int:
    args = argv[1:]
    flags: set[str] = set()
    while args and len(args[0]) > 1 and args[0][0] == "-":
        for letter in args[0][1:]:
            if letter not in "anps":
                raise UsageError(f"-{letter}: invalid option", 2)
            flags.add(letter)
        args = args[1:]
    disabled = ctx.run.disabled_builtins
    if not args:
        names = sorted(BUILTINS.names())
        shown = [n for n in names if ("a" in flags) or (n in disabled) == ("n" in flags)]
        lines = "".join(f"enable {'-n ' if n in disabled else ''}{n}\n" for n in shown)
        ctx.fds.get(1).write(encode(lines))
        return 0
    status = 0
    for name in args:
        if name not in BUILTINS:
            ctx.warn(f"enable: {name}: not a shell builtin")
            status = 1
        else:
            ctx.run.disabled_builtins = disabled = disabled | {name} if "n" in flags else disabled - {name}
    return status
