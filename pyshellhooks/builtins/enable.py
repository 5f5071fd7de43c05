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
        lines: list[str] = []
        for name in sorted(BUILTINS.names()):
            is_disabled = name in disabled
            if "a" in flags or is_disabled == ("n" in flags):
                lines.append(f"enable -n {name}" if is_disabled else f"enable {name}")
        write_lines(ctx, lines)
        return 0

    def switch(name: str) -> None:
        if name not in BUILTINS:
            raise UsageError(f"{name}: not a shell builtin")
        if "n" in flags:
            ctx.disabled_builtins = ctx.disabled_builtins | {name}
        else:
            ctx.disabled_builtins = ctx.disabled_builtins - {name}

    return each(ctx, "enable", args, switch)
