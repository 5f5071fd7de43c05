"""true: succeed (POSIX XCU true)."""

from __future__ import annotations

from ..command import Call, utility


@utility(
    "true", summary="Exit with a status code indicating success.", usage="[ignored command line arguments]", flags=None
)
def true(call: Call) -> int:
    if call.argv[1:] == ["--help"]:
        call.out.write(true.help().encode())
    return 0
