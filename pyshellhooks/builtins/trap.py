"""``trap`` (POSIX XCU 2.14)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters
from ..interp.jobs.traps import NAMES, SIGNALS, signal_number
from ..state.context import ExecutionContext as Ctx
from ..syntax.quote import quote_set
from ..text import encode

_PSEUDO = ("EXIT", "DEBUG", "ERR", "RETURN")


def condition_name(text: str) -> str | None:
    """Return the name of a condition: EXIT, a signal without SIG, or a pseudo signal; None if there is none such."""
    upper = text.upper()
    if upper in ("0", "EXIT", "SIGEXIT"):
        return "EXIT"
    if upper in _PSEUDO:
        return upper
    number = signal_number(text)
    if number == 0:
        return "EXIT"
    return None if number is None else NAMES.get(number)


@builtin("trap", summary="Trap signals and other events.", usage="[-lp] [[arg] signal_spec ...]", special=True)
def trap(ctx: Ctx, argv: list[str]) -> int:
    letters, args = option_letters(argv, "lp")
    if "l" in letters:
        from .kill import list_signals

        ctx.fds.get(1).write(encode(list_signals()))
        return 0
    if letters or not args:
        return _show(ctx, args)
    action: str | None = args[0]
    conditions = args[1:]
    if action == "-":
        action = None
    elif not conditions or (args[0].isdecimal() and args[0].isascii() and condition_name(args[0])):
        if not conditions and condition_name(args[0]) is None:
            raise UsageError("usage: trap [-lp] [[arg] signal_spec ...]", 2, hint=False)
        action, conditions = None, args
    return _set(ctx, action, conditions)


def _set(ctx: Ctx, action: str | None, conditions: list[str]) -> int:
    status = 0
    traps = dict(ctx.traps)
    for text in conditions:
        name = condition_name(text)
        if name is None:
            ctx.warn(f"trap: {text}: invalid signal specification")
            status = 1
        elif name in ("KILL", "STOP"):
            continue
        elif action is None:
            traps.pop(name, None)
        else:
            traps[name] = action
    ctx.traps = traps
    ctx.inherited_traps = {}
    ctx.debugging = bool(traps.get("DEBUG"))
    if ctx.task is ctx.run.main and not ctx.level:
        ctx.run.trapped = frozenset(traps)
    return status


def _show(ctx: Ctx, conditions: list[str]) -> int:
    status = 0
    names = []
    for text in conditions:
        name = condition_name(text)
        if name is None:
            ctx.warn(f"trap: {text}: invalid signal specification")
            status = 1
        else:
            names.append(name)
    order = ["EXIT", *SIGNALS, "DEBUG", "ERR", "RETURN"]
    lines = []
    held = {**ctx.inherited_traps, **ctx.traps}
    for name in order:
        if name in held and (not conditions or name in names):
            shown = name if name in _PSEUDO or "posix" in ctx.shopts else f"SIG{name}"
            action = held[name]
            quoted = quote_set(action) if "'" in action else f"'{action}'"
            lines.append(f"trap -- {quoted} {shown}\n")
    if lines:
        ctx.fds.get(1).write(encode("".join(lines)))
    return status
