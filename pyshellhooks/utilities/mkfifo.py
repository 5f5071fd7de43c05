"""mkfifo: create named pipes (POSIX XCU mkfifo; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import paced
from .support.modes import parse_mode
from .support.quoting import quote_name


@utility(
    "mkfifo",
    paths=True,
    summary="Create named pipes (FIFOs) with the given NAMEs.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... NAME...",
    flags=[
        Flag("-m", "--mode", value="MODE", help="set file permission bits to MODE, not a=rw - umask"),
        Flag("-Z", help="(no effect: security contexts are not supported)"),
        Flag("--context", value="CTX", optional=True, help="(warns: security contexts are not supported)"),
    ],
)
def mkfifo(call: Call) -> int:
    """Create FIFOs; return 0 if all were created, else 1."""
    opts = call.opts
    for _ in opts.all("context"):
        call.error("warning: ignoring --context; it requires an SELinux/SMACK-enabled kernel")
    if not call.args:
        raise UsageError("missing operand")
    mode = 0o666 & ~call.umask
    if "mode" in opts:
        change = parse_mode(opts.value("mode"))
        if change is None:
            raise UsageError("invalid mode", hint=False)
        mode = change(0o666, False, call.umask)
        if mode & ~0o777:
            raise UsageError("mode must specify only file permission bits", hint=False)
    status = 0
    for name in paced(call.args):
        try:
            call.fs.mkfifo(call.path(name), mode)
        except OSError as error:
            call.error(f"cannot create fifo {quote_name(name)}: {reason(error)}")
            status = 1
    return status
