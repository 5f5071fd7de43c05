"""``trap`` (POSIX XCU 2.14)."""

from __future__ import annotations

from ..command.signals import NAMES, PSEUDO, SIGNALS
from ..errors import UsageError
from ..interp.builtin import builtin, each, option_letters, write_lines, write_out
from ..interp.jobs.traps import signal_number
from ..state.context import ExecutionContext as Ctx
from ..state.references import is_digits
from ..syntax.quote import quote_set


def condition_name(text: str) -> str | None:
    """Return the name of a condition: EXIT, a signal without SIG, or a pseudo signal. None for another text."""
    upper = text.upper()
    if upper in PSEUDO:
        return upper
    number = 0 if upper == "SIGEXIT" else signal_number(text)
    if number is None:
        return None
    return "EXIT" if number == 0 else NAMES.get(number)


def _names(ctx: Ctx, conditions: list[str]) -> tuple[list[str], int]:
    """Return the names of conditions, and the status: 1 after reporting an invalid one."""
    names: list[str] = []

    def handle_operand(text: str) -> None:
        name = condition_name(text)
        if name is None:
            raise UsageError(f"{text}: invalid signal specification")
        names.append(name)

    status = each(ctx, "trap", conditions, handle_operand)
    return names, status


@builtin("trap", summary="Trap signals and other events.", usage="[-lp] [[arg] signal_spec ...]", special=True)
def trap(ctx: Ctx, argv: list[str]) -> int:
    letters, args = option_letters(argv, "lp")
    if "l" in letters:
        from .kill import list_signals

        write_out(ctx, list_signals())
        return 0
    if letters or not args:
        return _show(ctx, args)
    action, *conditions = args
    if action == "-":
        return _set(ctx, None, conditions)
    if not conditions and condition_name(action) is None:
        raise UsageError("usage: trap [-lp] [[arg] signal_spec ...]", 2, hint=False)
    # A number in the place of the action is a condition, too: all of them are reset (POSIX XCU trap).
    is_condition = is_digits(action) and condition_name(action) is not None
    if not conditions or is_condition:
        return _set(ctx, None, args)
    return _set(ctx, action, conditions)


def _set(ctx: Ctx, action: str | None, conditions: list[str]) -> int:
    names, status = _names(ctx, conditions)
    # bash accepts a trap for KILL and STOP, which no process can catch.
    changed = {name: action for name in names if name not in ("KILL", "STOP")}
    traps = dict(ctx.traps)
    for name, done in changed.items():
        if done is None:
            traps.pop(name, None)
        else:
            traps[name] = done
    ctx.traps = traps
    ctx.inherited_traps = {}  # from now on ``trap`` shows the traps of this subshell
    ctx.debugging = bool(traps.get("DEBUG"))
    if ctx.task is ctx.run.main and not ctx.level:
        ctx.run.trapped = frozenset(traps)
    return status


def _show(ctx: Ctx, conditions: list[str]) -> int:
    order = ["EXIT", *SIGNALS, *[name for name in PSEUDO if name != "EXIT"]]
    names, status = _names(ctx, conditions or order)
    shown = {**ctx.inherited_traps, **ctx.traps}
    write_lines(ctx, (_shown(ctx, name, shown[name]) for name in order if name in shown and name in names))
    return status


def _shown(ctx: Ctx, name: str, action: str) -> str:
    quoted = quote_set(action) if "'" in action else f"'{action}'"
    if name in PSEUDO or "posix" in ctx.shopts:
        return f"trap -- {quoted} {name}"
    return f"trap -- {quoted} SIG{name}"
