"""``shopt`` (bash)."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..errors import UsageError
from ..interp.builtin import builtin, each, option_letters, write_lines
from ..state.context import ExecutionContext as Ctx
from ..state.options import SET_OPTIONS, SHOPTS, is_on, set_option, set_shopt
from .set import option_line, set_command


@builtin("shopt", summary="Set and unset shell options.", usage="[-pqsu] [-o] [optname ...]")
def shopt(ctx: Ctx, argv: list[str]) -> int:
    flags, names = option_letters(argv, "pqsuo")
    if {"s", "u"} <= flags:
        raise UsageError("cannot set and unset shell options simultaneously", 1, hint=False)
    known, title, change, command = _KINDS["o" in flags]
    if names and flags & {"s", "u"}:
        return each(ctx, "shopt", names, lambda name: change(ctx, name, "s" in flags))
    line = command if "p" in flags else option_line
    lines: list[str] = []
    states: list[bool] = []

    def look(name: str) -> None:
        if name not in known:
            raise UsageError(f"{name}: invalid {title} name")
        on = is_on(ctx, name)
        states.append(on)
        is_hidden = ("u" if on else "s") in flags  # without names, -s lists those that are on, -u those that are off
        if names or not is_hidden:
            lines.append(line(name, on))

    status = each(ctx, "shopt", names or known, look)
    if "q" not in flags:
        write_lines(ctx, lines)
    if names and not all(states):
        return 1
    return status


def _shopt_command(name: str, on: bool) -> str:
    return f"shopt -s {name}" if on else f"shopt -u {name}"


_Kind = tuple[Collection[str], str, Callable[[Ctx, str, bool], None], Callable[[str, bool], str]]

# By whether ``-o`` was given: the names, their title, the function that sets one, and the command that restores one.
_KINDS: dict[bool, _Kind] = {
    False: (SHOPTS, "shell option", set_shopt, _shopt_command),
    True: (SET_OPTIONS, "option", set_option, set_command),
}
