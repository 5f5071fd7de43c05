"""``hash`` (POSIX XCU hash)."""

from __future__ import annotations

from ..command.utility import Utility
from ..errors import UsageError
from ..interp.builtin import BUILTINS, Options, builtin
from ..interp.resolve import External, hashed, resolve_command
from ..state.context import ExecutionContext as Ctx
from ..syntax.quote import quote
from ..text import encode


@builtin("hash", summary="Remember the places of commands.", usage="[-lr] [-p pathname] [-dt] [name ...]")
def hash_(ctx: Ctx, argv: list[str]) -> int:
    options = Options(argv, "lrdt", "p")
    given = dict(options)
    flags, path, args = set(given), given.get("p", ""), options.operands
    if "r" in flags:
        ctx.hashed = {}
    if not args:
        if flags & {"d", "t"}:
            raise UsageError(f"-{'t' if 't' in flags else 'd'}: option requires an argument", 1, hint=False)
        if "l" in flags:
            _list(ctx, hashed(ctx))
        elif "r" not in flags:
            _show(ctx)
        return 0
    flags |= {"several"} if len(args) > 1 else set()
    status = 0
    for name in args:
        status = _one(ctx, name, flags, path) or status
    return status


def _show(ctx: Ctx) -> None:
    if not hashed(ctx):
        ctx.fds.get(1).write(b"hash: hash table empty\n")
        return
    lines = "".join(f"   1\t{path}\n" for path in ctx.hashed.values())
    ctx.fds.get(1).write(encode("hits\tcommand\n" + lines))


def _list(ctx: Ctx, entries: dict[str, str]) -> None:
    """Show entries as the commands that make them."""
    lines = "".join(f"builtin hash -p {quote(path)} {name}\n" for name, path in entries.items())
    if lines:
        ctx.fds.get(1).write(encode(lines))


def _one(ctx: Ctx, name: str, flags: set[str], path: str) -> int:
    if "p" in flags:
        ctx.hashed = {**hashed(ctx), name: path}
        return 0
    if "d" in flags or "t" in flags:
        if name not in hashed(ctx):
            ctx.warn(f"hash: {name}: not found")
            return 1
        if "t" in flags:
            if "l" in flags:
                _list(ctx, {name: ctx.hashed[name]})
            else:
                ctx.fds.get(1).write(encode(f"{name}\t" * ("several" in flags) + ctx.hashed[name] + "\n"))
        else:
            ctx.hashed = {key: value for key, value in ctx.hashed.items() if key != name}
        return 0
    if "/" in name or name in BUILTINS or name in ctx.functions:
        return 0
    if not isinstance(resolve_command(ctx, name), External | Utility):
        ctx.warn(f"hash: {name}: not found")
        return 1
    return 0
