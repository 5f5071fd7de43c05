"""true: succeed (POSIX XCU true)."""

from __future__ import annotations

from ..command import Call, utility


@utility(
    "true", summary="Exit with a status code indicating success.", usage="[ignored command line arguments]", flags=None
)
def true(call: Call) -> int:
    return 0
