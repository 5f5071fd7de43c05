"""false: fail (POSIX XCU false)."""

from __future__ import annotations

from ..command import Call, utility


@utility(
    "false", summary="Exit with a status code indicating failure.", usage="[ignored command line arguments]", flags=None
)
def false(call: Call) -> int:
    if call.argv[1:] == ["--help"]:
        call.out.write(false.help().encode())
    return 1
