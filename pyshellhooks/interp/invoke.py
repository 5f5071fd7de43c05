"""Running a command whose words are expanded: a function, a builtin, or the command that ``resolve`` finds."""

from __future__ import annotations

from ..state.context import ExecutionContext as Ctx
from ..state.context import Frame
from .builtin import BUILTINS, enabled_builtin, run_builtin
from .functions import call_function


def invoke(ctx: Ctx, argv: list[str], temporary: Frame | None = None) -> int:
    """Run a command and return its status. ``temporary`` holds the assignments before it, which are already made."""
    name = argv[0]
    function = ctx.functions.get(name)
    if function is not None:
        # POSIX XCU 2.9.1.1 searches special builtins before functions; bash does so in posix mode only.
        if "posix" not in ctx.shopts or not is_special(name):
            return call_function(ctx, function, argv, temporary)
    command = enabled_builtin(ctx, name)
    if command is not None:
        return run_builtin(ctx, command, argv)
    from .launch import run_command  # late: it imports everything that programs need
    from .resolve import resolve_command

    return run_command(ctx, resolve_command(ctx, name), argv)


def is_special(name: str) -> bool:
    """Return whether a name is one of POSIX's special builtins."""
    command = BUILTINS.get(name)
    return command is not None and command.special
