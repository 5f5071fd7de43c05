"""``times`` (POSIX XCU 2.14)."""

from __future__ import annotations

import os

from ..interp.builtin import builtin, option_letters
from ..interp.timing import minutes
from ..state.context import ExecutionContext as Ctx
from ..text import encode


@builtin("times", summary="Show the processor time used.", special=True)
def times(ctx: Ctx, argv: list[str]) -> int:
    option_letters(argv, "")
    used = os.times()
    own = f"{minutes(used.user)} {minutes(used.system)}"
    children = f"{minutes(used.children_user)} {minutes(used.children_system)}"
    ctx.fds.get(1).write(encode(f"{own}\n{children}\n"))
    return 0
