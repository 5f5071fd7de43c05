"""``time`` (bash "Pipelines", TIMEFORMAT)."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..state import variables
from ..state.context import ExecutionContext as Ctx

Exec = Callable[[Ctx], int]


def timed(run: Exec, posix: bool) -> Exec:
    """Report on stderr how long a pipeline took; user and system time are this thread's."""

    def wrapped(ctx: Ctx) -> int:
        started, used = time.monotonic(), time.thread_time()
        try:
            return run(ctx)
        finally:
            real, user = time.monotonic() - started, time.thread_time() - used
            ctx.write_error(report(ctx, real, user, posix))

    return wrapped


def report(ctx: Ctx, real: float, user: float, posix: bool) -> str:
    """Word the report."""
    if posix:
        return f"real {real:.2f}\nuser {user:.2f}\nsys 0.00\n"
    form = variables.get(ctx, "TIMEFORMAT")
    if form is None:
        return f"\nreal\t{minutes(real)}\nuser\t{minutes(user)}\nsys\t{minutes(0.0)}\n"
    if not form:
        return ""
    return _formatted(form, {"R": real, "U": user, "S": 0.0}) + "\n"


def minutes(seconds: float, digits: int = 3) -> str:
    """Return seconds as ``0m1.234s``."""
    minutes = int(seconds // 60)
    return f"{minutes}m{seconds - 60 * minutes:.{digits}f}s"


def _formatted(form: str, values: dict[str, float]) -> str:
    out = ""
    at = 0
    while at < len(form):
        char = form[at]
        at += 1
        if char != "%" or at >= len(form):
            out += char
            continue
        digits, long = 3, False
        if form[at].isdecimal():
            digits = min(int(form[at]), 6)
            at += 1
        if form[at : at + 1] == "l":
            long = True
            at += 1
        letter = form[at : at + 1]
        at += 1
        if letter == "%":
            out += "%"
        elif letter == "P":
            out += f"{100 * values['U'] / (values['R'] or 1):.2f}"
        elif letter in values:
            out += minutes(values[letter], digits) if long else f"{values[letter]:.{digits}f}"
        else:
            out += "%" + letter
    return out
