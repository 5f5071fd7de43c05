"""nohup: run a command that outlives its terminal (POSIX XCU nohup; GNU coreutils 9.1).

There is no terminal that could hang up on a run, and no HUP comes unless the script sends one; what is left is where
the output goes when it would go to a terminal.
"""

from __future__ import annotations

import os

from ..command import Call, Flags, reason, utility
from ..errors import UsageError
from ..streams.base import NullStream, Stream
from .quoting import quote, quote_name


def _output(call: Call) -> tuple[Stream, str]:
    """Open ``nohup.out`` to append to, here or at home."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    try:
        return call.open("nohup.out", flags, 0o600), "nohup.out"
    except OSError as error:
        home = call.env.get("HOME")
        call.error(f"failed to open {quote('nohup.out', call.env)}: {reason(error)}")
        if not home:
            raise UsageError("no home to write to", hint=False) from None
        try:
            return call.open(f"{home}/nohup.out", flags, 0o600), f"{home}/nohup.out"
        except OSError as worse:
            name = quote(f"{home}/nohup.out", call.env)
            raise UsageError(f"failed to open {name}: {reason(worse)}", hint=False) from None


@utility(
    "nohup",
    summary="Run COMMAND, ignoring hangup signals.",
    usage="COMMAND [ARG]...",
    flags=Flags(permute=False),
    usage_status=125,
)
def nohup(call: Call) -> int:
    failure = 127 if "POSIXLY_CORRECT" in call.env else 125
    if not call.args:
        raise UsageError("missing operand", failure)
    stdin: Stream | None = NullStream() if call.stdin.isatty() else None
    stdout: Stream | None = None
    stderr: Stream | None = None
    try:
        if call.stdout.isatty():
            stdout, name = _output(call)
            ignoring = "ignoring input and " if stdin else ""
            call.error(f"{ignoring}appending output to {quote(name, call.env)}")
        elif stdin:
            call.error("ignoring input")
        if call.stderr.isatty():
            if stdout is None:
                call.error("redirecting stderr to stdout")
            stderr = stdout or call.stdout
        call.out.flush()
        return call.start(call.args, stdin=stdin, stdout=stdout, stderr=stderr).wait()
    except UsageError as error:
        raise UsageError(error.message, failure, hint=error.hint) from None
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        call.error(f"failed to run command {quote_name(call.args[0])}: {reason(error)}")
        return 127 if isinstance(error, FileNotFoundError) else 126
    finally:
        if stdout is not None:
            stdout.release()
