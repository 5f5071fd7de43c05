"""``kill`` (POSIX XCU kill): it reaches only the virtual pids of this run (rule 3)."""

from __future__ import annotations

from ..command.signals import NAMES, PSEUDO
from ..errors import UsageError
from ..interp.builtin import builtin, each
from ..interp.jobs.traps import deliver, signal_number
from ..interp.numbers import whole_number
from ..state.context import ExecutionContext as Ctx
from ..state.control import Died, Killed

# Linux's real-time signals: they have names and can be listed, but are never sent here.
_LISTED = {**NAMES, 34: "RTMIN", **{34 + n: f"RTMIN+{n}" for n in range(1, 16)}}
_NAMELESS = (32, 33)  # reserved by the C library
_LISTED |= {**{64 - n: f"RTMAX-{n}" for n in range(14, 0, -1)}, 64: "RTMAX"}

_NUMBERS = {name: number for number, name in _LISTED.items()}


def list_signals() -> str:
    """Return the table of ``kill -l``."""
    cells = [f"{number:2d}) SIG{name}" for number, name in _LISTED.items()]
    rows = ["\t".join(cells[at : at + 5]) for at in range(0, len(cells), 5)]
    return "\n".join(rows) + "\t\n"  # as bash ends an incomplete row


_USAGE = "[-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]"


@builtin("kill", summary="Send a signal to a job.", usage=_USAGE)
def kill(ctx: Ctx, argv: list[str]) -> int:
    signal, listing, args = _options(argv[1:])
    if listing:
        return _list(ctx, args)
    number = 15 if signal is None else _signal(signal)  # TERM
    if not args:
        raise UsageError(f"usage: kill {_USAGE}", 2, hint=False)
    # bash succeeds if one of the signals could be sent.
    return min([each(ctx, "kill", [target], lambda target: _send(ctx, target, number)) for target in args])


def _options(args: list[str]) -> tuple[str | None, bool, list[str]]:
    """Parse options. Return the signal's text, whether to list, and the operands."""
    signal: str | None = None
    listing = False
    while args and len(args[0]) > 1 and args[0][0] == "-":
        word = args[0]
        if word in ("-l", "-L"):
            listing = True
        elif word in ("-s", "-n"):
            if len(args) < 2:
                raise UsageError(f"{word}: option requires an argument", 1, hint=False)
            args = args[1:]
            signal = args[0]
        elif word == "--":
            return signal, listing, args[1:]
        elif signal is None:
            signal = word[1:]
        else:
            break
        args = args[1:]
    return signal, listing, args


def _signal(text: str) -> int:
    if text in ("0", "EXIT"):
        return 0
    number = signal_number(text)
    if number is None:
        raise UsageError(f"{text}: invalid signal specification", 1, hint=False)
    return number


def _list(ctx: Ctx, args: list[str]) -> int:
    if not args:
        if "posix" in ctx.shopts:
            ctx.write_stdout(" ".join(_LISTED.values()) + "\n")
        else:
            ctx.write_stdout(list_signals())
        return 0
    return each(ctx, "kill", args, lambda text: ctx.write_stdout(_translated(text)))


def _translated(text: str) -> str:
    """Return a line with the name of a number, or with the number of a name."""
    number = whole_number(text)
    if number is None:
        name = text.upper()
        shown: str | int | None = _NUMBERS.get(name.removeprefix("SIG"), PSEUDO.get(name))
    else:
        if number > 128:  # the status of a command that a signal ended
            number -= 128
        if number in _NAMELESS:
            return ""
        shown = {**_LISTED, 0: "EXIT"}.get(number)
    if shown is None:
        raise UsageError(f"{text}: invalid signal specification")
    return f"{shown}\n"


def _kill_self(ctx: Ctx, number: int) -> None:
    """Signal this subshell: its trap runs, or it dies and its parent continues."""
    try:
        deliver(ctx, number)
    except Killed:
        raise Died(128 + number) from None


def _send(ctx: Ctx, target: str, number: int) -> None:
    run = ctx.run
    if target.startswith("%"):
        from .jobs import job_named, known_job

        known_job(target, job_named(ctx, target)).signal(number)
        return
    given = whole_number(target)
    if given is None:
        raise UsageError(f"{target}: arguments must be process or job IDs")
    pid = abs(given)
    job = run.jobs.get(pid)
    assert run.main is not None
    if pid in (run.pid, 0):
        if number:  # 0 only tests whether the process exists
            run.main.signal(number)
    elif job is not None and job.status is None and pid != ctx.pid:
        job.signal(number)
    elif pid in (ctx.pid, ctx.shell_pid):
        _kill_self(ctx, number)
    else:
        raise UsageError(f"({target}) - No such process")
