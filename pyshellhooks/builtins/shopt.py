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
    on: list[bool] = []

    def look(name: str) -> None:
        if name not in known:
            raise UsageError(f"{name}: invalid {title} name")
        on.append(is_on(ctx, name))
        if names or not flags & {"u" if on[-1] else "s"}:
            lines.append(line(name, on[-1]))

    status = each(ctx, "shopt", names or known, look)
    if "q" not in flags:
        write_lines(ctx, lines)
    return status if all(on) or not names else 1


_Kind = tuple[Collection[str], str, Callable[[Ctx, str, bool], None], Callable[[str, bool], str]]

# By whether ``-o`` was given: the names, their title, the function that sets one, and the command that restores one.
_KINDS: dict[bool, _Kind] = {
    False: (SHOPTS, "shell option", set_shopt, lambda name, on: f"shopt -{'s' if on else 'u'} {name}"),
    True: (SET_OPTIONS, "option", set_option, set_command),
}
