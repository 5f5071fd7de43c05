"""nohup: run a command that outlives its terminal (POSIX XCU nohup; GNU coreutils 9.1).

A run has no terminal that could hang up, and receives no HUP unless the script sends it. The remaining effect is to
redirect output that would go to a terminal.
"""

from __future__ import annotations

import os

from ..command import Call, Flags, reason, utility
from ..errors import UsageError
from ..streams.base import NullStream, Stream
from .support.quoting import quote_name

HANGUP = 1


def _output(call: Call, failure: int) -> tuple[Stream, str]:
    """Open ``nohup.out`` for appending, in the working directory or in $HOME; return the stream and its name."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    try:
        return call.open("nohup.out", flags, 0o600), "nohup.out"
    except OSError as error:
        message = f"failed to open 'nohup.out': {reason(error)}"
    home = call.env.get("HOME")
    if home is not None:
        name = f"{home}/nohup.out" if home else "nohup.out"
        try:
            return call.open(name, flags, 0o600), name
        except OSError as error:
            call.error(message)  # both failures are reported
            message = f"failed to open {quote_name(name)}: {reason(error)}"
    raise UsageError(message, failure, hint=False)


@utility(
    "nohup",
    summary="Run COMMAND, ignoring hangup signals.",
    version="GNU coreutils 9.1",
    usage="COMMAND [ARG]...",
    flags=Flags(permute=False),
    usage_status=125,
    error_status=125,
)
def nohup(call: Call) -> int:
    failure = 127 if "POSIXLY_CORRECT" in call.env else 125
    if not call.args:
        raise UsageError("missing operand", failure)
    stdin: Stream | None = None
    stdout: Stream | None = None
    stderr: Stream | None = None
    messages: list[str] = []
    try:
        if call.stdin.isatty():
            stdin = NullStream()
            messages.append("ignoring input")
        if call.stdout.isatty():
            stdout, name = _output(call, failure)
            messages.append(f"appending output to {quote_name(name)}")
        if call.stderr.isatty():
            if stdout is None:
                messages.append("redirecting stderr to stdout")
            stderr = stdout or call.stdout
        if messages:
            call.error(" and ".join(messages))
        call.out.flush()
        return call.exec(call.args, stdin=stdin, stdout=stdout, stderr=stderr, ignore=(HANGUP,))
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        call.error(f"failed to run command {quote_name(call.args[0])}: {reason(error)}")
        return 127 if isinstance(error, FileNotFoundError) else 126
    finally:
        if stdout is not None:
            stdout.release()
