"""tty: name the terminal on standard input (POSIX XCU tty; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..host import current
from ..text import encode
from .support.quoting import quote


@utility(
    "tty",
    summary="Print the file name of the terminal connected to standard input.",
    version="GNU coreutils 9.1",
    usage="[OPTION]...",
    flags=[Flag("-s", "--silent", "--quiet", help="print nothing, only return an exit status")],
    usage_status=2,
    error_status=3,
)
def tty(call: Call) -> int:
    if call.args:
        raise UsageError(f"extra operand {quote(call.args[0], call.env)}")
    terminal = call.stdin.isatty()
    if not call.opts.silent:
        call.out.write(encode(_name(call) if terminal else "not a tty") + b"\n")
    return 0 if terminal else 1


def _name(call: Call) -> str:
    """Return the name of the terminal on standard input; GNU's message if the system knows none."""
    fd = call.stdin.fileno()
    name = current().terminal_name(fd) if fd is not None else None
    return name if name is not None else "not a tty"
