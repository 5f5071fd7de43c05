"""``hash`` (POSIX XCU hash)."""

from __future__ import annotations

from ..command.utility import Utility
from ..errors import UsageError
from ..interp.builtin import BUILTINS, Options, builtin, each, write_lines
from ..interp.resolve import External, hashed, resolve_command
from ..state.context import ExecutionContext as Ctx
from ..state.context import without
from ..syntax.quote import quote


@builtin("hash", summary="Remember the paths of commands.", usage="[-lr] [-p pathname] [-dt] [name ...]")
def hash_(ctx: Ctx, argv: list[str]) -> int:
    options = Options(argv, "lrdt", "p")
    values = dict(options)
    flags, path, args = set(values), values.get("p", ""), options.operands
    if "r" in flags:
        ctx.hashed = {}
    if not args:
        for letter in "td":
            if letter in flags:
                raise UsageError(f"-{letter}: option requires an argument", 1, hint=False)
        if "l" in flags:
            _list(ctx, hashed(ctx))
        elif "r" not in flags:
            _show(ctx)
        return 0

    def act(name: str) -> None:
        known = hashed(ctx)
        if "p" in flags:
            ctx.hashed = {**known, name: path}
        elif not flags & {"d", "t"}:
            _remember(ctx, name)
        elif name not in known:
            raise UsageError(f"{name}: not found")
        elif "t" not in flags:
            ctx.hashed = without(known, name)
        elif "l" in flags:
            _list(ctx, {name: known[name]})
        else:
            write_lines(ctx, [f"{name}\t" * (len(args) > 1) + known[name]])

    return each(ctx, "hash", args, act)


def _show(ctx: Ctx) -> None:
    lines = [f"   1\t{path}" for path in hashed(ctx).values()]  # hits are not counted
    if lines:
        write_lines(ctx, ["hits\tcommand", *lines])
    else:
        write_lines(ctx, ["hash: hash table empty"])


def _list(ctx: Ctx, entries: dict[str, str]) -> None:
    """Write entries as the commands that create them."""
    write_lines(ctx, [f"builtin hash -p {quote(path)} {name}" for name, path in entries.items()])


def _remember(ctx: Ctx, name: str) -> None:
    # These are never looked up on PATH, and only such paths are remembered.
    if "/" in name or name in BUILTINS or name in ctx.functions:
        return
    if not isinstance(resolve_command(ctx, name), External | Utility):
        raise UsageError(f"{name}: not found")
