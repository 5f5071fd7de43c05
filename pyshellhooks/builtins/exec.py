"""``exec`` (POSIX XCU 2.14). Redirections without a command stay in effect (the simple command keeps them)."""

from __future__ import annotations

from ..command.usual_places import SHELL_NAMES, program_meant
from ..interp.builtin import Options, builtin
from ..interp.launch import OWN_NAMES, run_command, run_words
from ..interp.resolve import File, Missing, resolve_command
from ..state.context import ExecutionContext as Ctx
from ..state.context import without
from ..state.control import ExitShell


@builtin(
    "exec",
    summary="Replace the shell with a command.",
    usage="[-cl] [-a name] [command [argument ...]] [redirection ...]",
    special=True,
)
def exec_(ctx: Ctx, argv: list[str]) -> int:
    options = Options(argv, "cl", "a")
    flags = dict(options)
    name, empty, login, args = flags.get("a"), "c" in flags, "l" in flags, options.operands
    if not args:
        return 0
    command = resolve_command(ctx, args[0])
    if empty:
        ctx.exports, ctx.exports_shared = frozenset(), True
    ours = isinstance(command, Missing) and args[0] in OWN_NAMES  # ``exec sh -c …`` without sh on PATH
    ours |= program_meant(ctx.fs, args[0]) in SHELL_NAMES
    message = ""
    if isinstance(command, File) and not ours and not ctx.fs.exists(command.path):
        message = f"{command.path}: No such file or directory"
        kind, hint = "file-not-found", "correct the path"
    elif isinstance(command, Missing) and not ours:
        message = f"exec: {args[0]}: not found"
        kind, hint = "command-not-found", "install it, or put its directory on PATH"
    if message:
        ctx.warn(message)
        ctx.run.notice("not found", kind, command=f"exec {args[0]}", hint=hint, status=127)
        if "execfail" in ctx.shopts:
            return 127
        raise ExitShell(127)
    # The EXIT trap belongs to the replaced shell: it does not run.
    ctx.traps = without(ctx.traps, "EXIT")
    called = "-" * login + (name or args[0])
    if ours or called == args[0]:
        raise ExitShell(run_words(ctx, args, called))
    raise ExitShell(run_command(ctx, command, [called, *args[1:]]))
