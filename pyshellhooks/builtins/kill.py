"""``kill`` (POSIX XCU kill): it knows the virtual pids of this run and nothing else (rule 3)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin
from ..interp.context import ExecutionContext as Ctx
from ..interp.control import Died, Killed
from ..interp.traps import NAMES, deliver, signal_number
from ..text import encode

# What `kill -l` gives for the conditions of traps that are no signals (bash numbers them behind its last signal).
_PSEUDO = {"EXIT": 0, "DEBUG": 65, "ERR": 66, "RETURN": 67}


# Linux's real-time signals: they have names and can be listed; nothing here sends them.
_LISTED = {**NAMES, 34: "RTMIN", **{34 + n: f"RTMIN+{n}" for n in range(1, 16)}}
_LISTED |= {**{64 - n: f"RTMAX-{n}" for n in range(14, 0, -1)}, 64: "RTMAX"}


def list_signals() -> str:
    """Give the table of ``kill -l``."""
    cells = [f"{number:2d}) SIG{name}" for number, name in _LISTED.items()]
    rows = ["\t".join(cells[at : at + 5]) for at in range(0, len(cells), 5)]
    return "\n".join(rows) + "\t\n"  # bash ends a row that is not full so


@builtin(
    "kill",
    summary="Send a signal to a job.",
    usage="[-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
)
def kill(ctx: Ctx, argv: list[str]) -> int:
    args = argv[1:]
    if not args:
        raise UsageError(
            "usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]", 2, hint=False
        )
    number: int | None = 15
    word = args[0]
    if word in ("-l", "-L"):
        return _list(ctx, args[1:])
    if word in ("-s", "-n"):
        if len(args) < 2:
            raise UsageError(f"{word}: option requires an argument", 1, hint=False)
        number, args = _signal(args[1]), args[2:]
    elif word == "--":
        args = args[1:]
    elif word.startswith("-") and len(word) > 1:
        number, args = _signal(word[1:]), args[1:]
        if args[:1] == ["--"]:
            args = args[1:]
    if not args:
        raise UsageError(
            "usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]", 2, hint=False
        )
    assert number is not None
    status = 1
    for target in args:
        if _send(ctx, target, number):
            status = 0
    return status


def _signal(text: str) -> int:
    if text in ("0", "EXIT"):
        return 0
    number = signal_number(text)
    if number is None:
        raise UsageError(f"{text}: invalid signal specification", 1, hint=False)
    return number


def _list(ctx: Ctx, args: list[str]) -> int:
    if not args:
        posix = "posix" in ctx.shopts
        ctx.fds.get(1).write(encode(" ".join(_LISTED.values()) + "\n" if posix else list_signals()))
        return 0
    status = 0
    for text in args:
        if text.isdecimal():
            name = _LISTED.get(int(text) & 127)
            shown = "EXIT" if text == "0" else name
        else:
            number = _PSEUDO.get(text.upper(), signal_number(text))
            shown = None if number is None else str(number)
        if shown is None:
            ctx.warn(f"kill: {text}: invalid signal specification")
            status = 1
        else:
            ctx.fds.get(1).write(encode(shown + "\n"))
    return status


def _kill_self(ctx: Ctx, number: int) -> None:
    """A subshell signals itself: its trap runs, or it dies and the shell goes on."""
    try:
        deliver(ctx, number)
    except Killed:
        raise Died(128 + number) from None


def _send(ctx: Ctx, target: str, number: int) -> bool:
    run = ctx.run
    text = target.removeprefix("-")
    if target.startswith("%"):
        from .jobs import job_named

        job = job_named(ctx, target)
        if job is None:
            ctx.warn(f"kill: {target}: no such job")
            return False
        job.signal(number)
        return True
    if not text.isdecimal():
        ctx.warn(f"kill: {target}: arguments must be process or job IDs")
        return False
    pid = int(text)
    assert run.main is not None
    if pid in (run.pid, 0):
        if number:
            run.main.signal(number)
        return True
    job = run.jobs.get(pid)
    if job is not None and job.status is None and pid != ctx.pid:
        job.signal(number)
        return True
    if pid and pid in (ctx.pid, ctx.shell_pid):
        _kill_self(ctx, number)
        return True
    ctx.warn(f"kill: ({target}) - No such process")
    return False
