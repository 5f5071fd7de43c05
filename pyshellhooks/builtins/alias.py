"""``alias`` and ``unalias`` (POSIX XCU alias)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters
from ..state.context import ExecutionContext as Ctx
from ..text import encode

_FORBIDDEN = frozenset(" \t\n;&|()<>/$`'\"\\")  # what would end or quote the word (bash "Aliases")


def _line(ctx: Ctx, name: str) -> str:
    value = ctx.aliases[name].replace("'", "'\\''")
    return f"alias {name}='{value}'\n"


@builtin("alias", summary="Define or show aliases.", usage="[-p] [name[=value] ... ]")
def alias(ctx: Ctx, argv: list[str]) -> int:
    letters, args = option_letters(argv, "p")
    show = letters or len(argv) == 1
    out = "".join(_line(ctx, name) for name in sorted(ctx.aliases)) if show else ""
    status = 0
    for word in args:
        name, equals, value = word.partition("=")
        if equals and name and _FORBIDDEN & set(name):
            ctx.warn(f"alias: `{name}': invalid alias name")
            status = 1
        elif equals and name:
            ctx.aliases = {**ctx.aliases, name: value}
        elif word in ctx.aliases:
            out += _line(ctx, word)
        else:
            ctx.warn(f"alias: {word}: not found")
            status = 1
    if out:
        ctx.fds.get(1).write(encode(out))
    return status


@builtin("unalias", summary="Remove aliases.", usage="[-a] name [name ...]")
def unalias(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "a")
    if "a" in flags:
        ctx.aliases = {}
        return 0
    if not args:
        raise UsageError("usage: unalias [-a] name [name ...]", 2, hint=False)
    status = 0
    for name in args:
        if name not in ctx.aliases:
            ctx.warn(f"unalias: {name}: not found")
            status = 1
        else:
            ctx.aliases = {key: value for key, value in ctx.aliases.items() if key != name}
    return status
