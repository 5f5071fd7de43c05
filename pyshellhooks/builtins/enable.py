"""``enable`` (bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import BUILTINS, builtin, each, option_letters, write_lines
from ..state.context import ExecutionContext as Ctx


@builtin("enable", summary="Enable and disable builtins.", usage="[-a] [-dnps] [-f filename] [name ...]")
def enable(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "anps")
    disabled = ctx.disabled_builtins
    if not args:
        names = sorted(BUILTINS.names())
        shown = [n for n in names if ("a" in flags) or (n in disabled) == ("n" in flags)]
        write_lines(ctx, [f"enable {'-n ' * (n in disabled)}{n}" for n in shown])
        return 0

    def switch(name: str) -> None:
        if name not in BUILTINS:
            raise UsageError(f"{name}: not a shell builtin")
        ctx.disabled_builtins = ctx.disabled_builtins | {name} if "n" in flags else ctx.disabled_builtins - {name}

    return each(ctx, "enable", args, switch)
