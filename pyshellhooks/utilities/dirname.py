"""dirname: strip the last component of paths (POSIX XCU dirname; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..text import encode, paced


def directory_of(path: str) -> str:
    """Return the path without its last component."""
    stripped = path.rstrip("/")
    if not stripped:
        return "/" if path else "."
    head, slash, _ = stripped.rpartition("/")
    if not slash:
        return "."
    return head.rstrip("/") or "/"


@utility(
    "dirname",
    summary="Print each NAME with its last non-slash component and trailing slashes removed.",
    version="GNU coreutils 9.1",
    usage="[OPTION] NAME...",
    flags=[Flag("-z", "--zero", help="end each output line with NUL, not newline")],
)
def dirname(call: Call) -> int:
    if not call.args:
        raise UsageError("missing operand")
    end = b"\0" if call.opts.zero else b"\n"
    for name in paced(call.args):
        call.out.write(encode(directory_of(name)) + end)
    return 0
