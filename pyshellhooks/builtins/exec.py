"""``exec`` (POSIX XCU 2.14). Redirections without a command stay (the simple command sees to that)."""

from __future__ import annotations

from ..interp.builtin import Options, builtin
from ..interp.launch import OWN_NAMES, run_command, run_words
from ..interp.resolve import File, Missing, resolve_command
from ..state.context import ExecutionContext as Ctx
from ..state.control import ExitShell


@builtin(
    "exec",
    summary="Replace the shell with a command.",
    usage="[-cl] [-a name] [command [argument ...]] [redirection ...]",
    special=True,
)
def exec_(ctx: Ctx, argv: list[str]) -> int:
    options = Options(argv, "cl", "a")
    given = dict(options)
    name, empty, login, args = given.get("a"), "c" in given, "l" in given, options.operands
    if not args:
        return 0
    command = resolve_command(ctx, args[0])
    if empty:
        ctx.exports, ctx.exports_shared = frozenset(), True
    ours = isinstance(command, Missing) and args[0] in OWN_NAMES  # ``exec sh -c …`` where no sh is on PATH
    if (isinstance(command, Missing) and not ours) or (isinstance(command, File) and not ctx.fs.exists(command.path)):
        where = f"{command.path}: No such file or directory" if isinstance(command, File) else ""
        ctx.warn(where or f"exec: {args[0]}: not found")
        mend = "correct the path" if isinstance(command, File) else "install it, or put its directory on PATH"
        kind = "file-not-found" if isinstance(command, File) else "command-not-found"
        ctx.run.notice("not found", kind, command=f"exec {args[0]}", mend=mend, status=127)
        if "execfail" in ctx.shopts:
            return 127
        raise ExitShell(127)
    # The EXIT trap belongs to the shell that is being replaced: it does not run.
    ctx.traps = {key: action for key, action in ctx.traps.items() if key != "EXIT"}
    called = "-" * login + (name or args[0])
    if ours or called == args[0]:
        raise ExitShell(run_words(ctx, args, called))
    raise ExitShell(run_command(ctx, command, [called, *args[1:]]))
