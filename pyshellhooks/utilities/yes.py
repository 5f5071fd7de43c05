"""yes: repeat a line until its reader closes the pipe (GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, utility
from ..text import encode


@utility(
    "yes",
    summary="Repeatedly output a line with all specified STRING(s), or 'y'.",
    version="GNU coreutils 9.1",
    usage="[STRING]...",
)
def yes(call: Call) -> int:
    line = encode(" ".join(call.args or ["y"])) + b"\n"
    block = line * max(1, 8192 // len(line))
    while True:
        call.check()
        call.stdout.write(block)
