"""nproc: print the number of usable processors (GNU coreutils 9.1; OpenMP 4.5, 4.3 and 4.10 for the variables)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..text import encode
from .support.kinds import Count
from .support.quoting import quote


def _wanted(text: str) -> int:
    """Parse ``OMP_NUM_THREADS`` (``4``, ``4,2``); return 0 for an invalid value."""
    number = text.partition(",")[0].strip(" \t\n\v\f\r")
    if not number.isascii() or not number.isdecimal():
        return 0
    return int(number[:9])


@utility(
    "nproc",
    summary="Print the number of processing units available to the current process.",
    version="GNU coreutils 9.1",
    usage="[OPTION]...",
    flags=[
        Flag("--all", help="print the number of installed processors"),
        Flag("--ignore", value="N", kind=Count("number"), help="if possible, exclude N processing units"),
    ],
)
def nproc(call: Call) -> int:
    if call.args:
        raise UsageError(f"extra operand {quote(call.args[0], call.env)}")
    if "all" in call.opts:
        count = identity(call.fs).processors(installed=True)
    else:
        most = _wanted(call.env.get("OMP_THREAD_LIMIT", ""))
        count = _wanted(call.env.get("OMP_NUM_THREADS", "")) or identity(call.fs).processors()
        if most:
            count = min(count, most)
    call.out.write(encode(f"{max(count - call.opts.integer('ignore', 0), 1)}\n"))
    return 0
