"""whoami: print the user's name (GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..text import encode
from .support.quoting import quote


@utility(
    "whoami",
    summary="Print the user name associated with the current effective user ID.",
    version="GNU coreutils 9.1",
    usage="[OPTION]...",
)
def whoami(call: Call) -> int:
    if call.args:
        raise UsageError(f"extra operand {quote(call.args[0], call.env)}")
    number = identity(call.fs).euid()
    found = identity(call.fs).account(number)
    if found is None:
        raise UsageError(f"cannot find name for user ID {number}", hint=False)
    call.out.write(encode(found[0]) + b"\n")
    return 0
