"""``shopt`` (bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters
from ..state.context import ExecutionContext as Ctx
from ..state.options import SET_OPTIONS, SHOPTS, is_on, set_option, set_shopt
from ..text import encode


@builtin("shopt", summary="Set and unset shell options.", usage="[-pqsu] [-o] [optname ...]")
def shopt(ctx: Ctx, argv: list[str]) -> int:
    flags, names = option_letters(argv, "pqsuo")
    if {"s", "u"} <= flags:
        raise UsageError("cannot set and unset shell options simultaneously", 1, hint=False)
    if names and flags & {"s", "u"}:
        return _set(ctx, names, "s" in flags, "o" in flags)
    return _show(ctx, names, flags)


def _set(ctx: Ctx, names: list[str], on: bool, set_o: bool) -> int:
    status = 0
    for name in names:
        try:
            if set_o:
                set_option(ctx, name, on)
            else:
                set_shopt(ctx, name, on)
        except UsageError as error:
            ctx.warn(f"shopt: {error.message}")
            status = 1
    return status


def _show(ctx: Ctx, names: list[str], flags: set[str]) -> int:
    known = list(SET_OPTIONS) if "o" in flags else SHOPTS
    status = 0
    lines = []
    for name in names or known:
        if name not in known:
            kind = "option" if "o" in flags else "shell option"
            ctx.warn(f"shopt: {name}: invalid {kind} name")
            status = 1
            continue
        on = is_on(ctx, name) if "o" in flags else name in ctx.shopts
        if not names and (("s" in flags and not on) or ("u" in flags and on)):
            continue
        if names and not on:
            status = 1
        if "p" in flags:
            lines.append(f"set {'-' if on else '+'}o {name}" if "o" in flags else f"shopt -{'s' if on else 'u'} {name}")
        else:
            lines.append(f"{name:<15}\t{'on' if on else 'off'}")
    if "q" not in flags and lines:
        ctx.fds.get(1).write(encode("\n".join(lines) + "\n"))
    return status
