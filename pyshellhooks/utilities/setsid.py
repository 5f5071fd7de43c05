"""setsid: run a program in a new session (util-linux 2.38). A run already starts each program in a new session."""

from __future__ import annotations

from ..command import Call, Flag, Flags, reason, utility
from ..errors import UsageError


@utility(
    "setsid",
    summary="Run a program in a new session.",
    version="util-linux 2.38.1",
    usage="[options] <program> [arguments ...]",
    flags=Flags(
        [
            Flag("-c", "--ctty", help="(refused: the terminal belongs to the host)"),
            Flag("-f", "--fork", help="do not wait for the program's end"),
            Flag("-w", "--wait", help="wait program to exit, and use the same return"),
        ],
        permute=False,
    ),
)
def setsid(call: Call) -> int:
    if not call.args:
        raise UsageError("no command specified")
    if call.opts.ctty:
        why = "it belongs to the host" if call.stdin.isatty() else "Inappropriate ioctl for device"
        raise UsageError(f"failed to set the controlling terminal: {why}", hint=False)
    call.out.flush()
    try:
        if call.opts.fork and not call.opts.wait:
            # The program continues on its own, at most until the run ends.
            call.start(call.args, scope=call.scope)
            return 0
        return call.exec(call.args)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        call.error(f"failed to execute {call.args[0]}: {reason(error)}")
        return 127 if isinstance(error, FileNotFoundError) else 126
