"""nproc: count the processors that may be used (GNU coreutils 9.1; OpenMP 4.5, 4.3 and 4.10 for the variables)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..text import encode
from .quoting import quote


def _wanted(text: str) -> int:
    """Read ``OMP_NUM_THREADS`` (``4``, ``4,2``); 0 for what says nothing."""
    number = text.partition(",")[0].strip(" \t\n\v\f\r")
    return int(number[:9]) if number.isascii() and number.isdecimal() else 0


@utility(
    "nproc",
    summary="Print the number of processing units available to the current process.",
    usage="[OPTION]...",
    flags=[
        Flag("--all", help="print the number of installed processors"),
        Flag("--ignore", value="N", help="if possible, exclude N processing units"),
    ],
)
def nproc(call: Call) -> int:
    ignored = 0
    for text in call.opts.all("ignore"):
        if not (text.isascii() and text.isdecimal()):
            raise UsageError(f"invalid number: {quote(text, call.env)}", hint=False)
        ignored = int(text[:20])
    if call.args:
        raise UsageError(f"extra operand {quote(call.args[0], call.env)}")
    if "all" in call.opts:
        count = identity(call.fs).processors(installed=True)
    else:
        most = _wanted(call.env.get("OMP_THREAD_LIMIT", ""))
        count = _wanted(call.env.get("OMP_NUM_THREADS", "")) or identity(call.fs).processors()
        count = min(count, most) if most else count
    call.out.write(encode(f"{max(count - ignored, 1)}\n"))
    return 0
