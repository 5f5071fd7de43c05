"""``time`` (bash "Pipelines", TIMEFORMAT)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from ..regexes import lazy_pattern
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
    """Return the text of the report, in the form of ``time -p`` or TIMEFORMAT."""
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
    def shown(match: re.Match[str]) -> str:
        precision, long, letter = match.groups()
        digits = min(int(precision or 3), 6)
        if letter == "P":
            return f"{100 * values['U'] / (values['R'] or 1):.2f}"
        if letter in values:
            return minutes(values[letter], digits) if long else f"{values[letter]:.{digits}f}"
        return "%" + letter.removeprefix("%")

    return _FORM.sub(shown, form)


_FORM = lazy_pattern(r"%(?=.)(\d?)(l?)(.?)", re.DOTALL)
