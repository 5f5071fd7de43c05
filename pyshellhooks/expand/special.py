"""The special and positional parameters (POSIX XCU 2.5.1, 2.5.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..state.options import option_letters
from ..state.references import is_digits
from ..text import parse_digits

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx

Fetched = str | list[str] | None


def special_parameter(name: str) -> Callable[[Ctx], Fetched] | None:
    """Return a function that reads a special or positional parameter, or None for an ordinary name."""
    function = _SPECIAL.get(name)
    if function is not None:
        return function
    if not is_digits(name):
        return None
    index = parse_digits(name) - 1
    if index < 0:
        return lambda ctx: ctx.arg0  # ``${00}``, too

    def argument(ctx: Ctx) -> Fetched:
        if index < len(ctx.args):
            return ctx.args[index]
        return None

    return argument


def _all(ctx: Ctx) -> list[str]:
    args = ctx.args
    # After ``shift`` many arguments are a view of the old list, which saves a copy each time.
    return args if isinstance(args, list) else list(args)


def _last_background(ctx: Ctx) -> Fetched:
    if not ctx.last_background:
        return None
    return str(ctx.last_background)


def _star(ctx: Ctx) -> Fetched:
    from .params import Star

    return Star(_all(ctx))


_SPECIAL: dict[str, Callable[[Ctx], Fetched]] = {
    "@": _all,
    "*": _star,
    "#": lambda ctx: str(len(ctx.args)),
    "?": lambda ctx: str(ctx.status),
    # In a subshell, too, $$ is the pid of the main shell (POSIX XCU 2.5.2).
    "$": lambda ctx: str(ctx.shell_pid or ctx.run.pid),
    "!": _last_background,
    "-": option_letters,
    "0": lambda ctx: ctx.arg0,
}
