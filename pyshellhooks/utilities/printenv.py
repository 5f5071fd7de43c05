"""printenv: print the environment (GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, Flags, utility
from ..text import encode, paced


@utility(
    "printenv",
    summary="Print the values of the specified environment VARIABLE(s), or all.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [VARIABLE]...",
    flags=Flags([Flag("-0", "--null", help="end each output line with NUL, not newline")], permute=False),
    usage_status=2,
    error_status=2,
)
def printenv(call: Call) -> int:
    end = "\0" if call.opts.null else "\n"
    if not call.args:
        for name, value in call.env.items():
            call.out.write(encode(f"{name}={value}{end}"))
        return 0
    status = 0
    for name in paced(call.args):
        found = call.env.get(name)
        if found is None or "=" in name:
            status = 1
        else:
            call.out.write(encode(found + end))
    return status
