"""``enable`` (bash)."""

from __future__ import annotations

from ..interp.builtin import BUILTINS, builtin, option_letters
from ..state.context import ExecutionContext as Ctx
from ..text import encode


@builtin("enable", summary="Enable and disable builtins.", usage="[-a] [-dnps] [-f filename] [name ...]")
def enable(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "anps")
    disabled = ctx.disabled_builtins
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
            ctx.disabled_builtins = disabled = disabled | {name} if "n" in flags else disabled - {name}
    return status
