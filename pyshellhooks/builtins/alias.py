"""``alias`` and ``unalias`` (POSIX XCU alias)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, each, option_letters, write_lines
from ..state.context import ExecutionContext as Ctx
from ..state.context import without

_FORBIDDEN = frozenset(" \t\n;&|()<>/$`'\"\\")  # characters that would end or quote the word (bash "Aliases")


def _line(ctx: Ctx, name: str) -> str:
    _check(ctx, name)
    value = ctx.aliases[name].replace("'", "'\\''")
    return f"alias {name}='{value}'"


def _check(ctx: Ctx, name: str) -> None:
    if name not in ctx.aliases:
        raise UsageError(f"{name}: not found")


@builtin("alias", summary="Define or show aliases.", usage="[-p] [name[=value] ... ]")
def alias(ctx: Ctx, argv: list[str]) -> int:
    letters, args = option_letters(argv, "p")
    # -p lists all of them first, and then handles the operands (bash).
    if letters or len(argv) == 1:
        write_lines(ctx, (_line(ctx, name) for name in sorted(ctx.aliases)))

    def define(word: str) -> None:
        name, equals, value = word.partition("=")
        if not (name and equals):
            write_lines(ctx, [_line(ctx, word)])
        elif _FORBIDDEN & set(name):
            raise UsageError(f"`{name}': invalid alias name")
        else:
            ctx.aliases = {**ctx.aliases, name: value}

    return each(ctx, "alias", args, define)


@builtin("unalias", summary="Remove aliases.", usage="[-a] name [name ...]")
def unalias(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "a")
    if "a" in flags:
        ctx.aliases = {}
        return 0
    if not args:
        raise UsageError("usage: unalias [-a] name [name ...]", 2, hint=False)

    def remove(name: str) -> None:
        _check(ctx, name)
        ctx.aliases = without(ctx.aliases, name)

    return each(ctx, "unalias", args, remove)
