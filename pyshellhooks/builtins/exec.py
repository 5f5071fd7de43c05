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
    args = options.operands
    if not args:
        return 0
    command = resolve_command(ctx, args[0])
    # -c: the command gets an empty environment.
    if "c" in flags:
        ctx.exports, ctx.exports_shared = frozenset(), True
    ours = isinstance(command, Missing) and args[0] in OWN_NAMES  # ``exec sh -c …`` without sh on PATH
    ours |= program_meant(ctx.fs, args[0]) in SHELL_NAMES
    if not ours and _report_missing(ctx, command, args[0]):
        if "execfail" in ctx.shopts:
            return 127
        raise ExitShell(127)
    # The EXIT trap belongs to the replaced shell: it does not run.
    ctx.traps = without(ctx.traps, "EXIT")
    called = flags.get("a") or args[0]
    if "l" in flags:  # a login shell, by the convention of login(1)
        called = f"-{called}"
    if ours or called == args[0]:
        raise ExitShell(run_words(ctx, args, called))
    raise ExitShell(run_command(ctx, command, [called, *args[1:]]))


def _report_missing(ctx: Ctx, command: object, word: str) -> bool:
    """Report a command that does not exist. Return whether it was one."""
    if isinstance(command, Missing):
        ctx.warn(f"exec: {word}: not found")
        kind, hint = "command-not-found", "install it, or put its directory on PATH"
    elif isinstance(command, File) and not ctx.fs.exists(command.path):
        ctx.warn(f"{command.path}: No such file or directory")
        kind, hint = "file-not-found", "correct the path"
    else:
        return False
    ctx.run.notice("not found", kind, command=f"exec {word}", hint=hint, status=127)
    return True
