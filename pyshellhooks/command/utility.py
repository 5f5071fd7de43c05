"""Utilities: declared once, run through one wrapper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import UsageError
from ..text import encode
from .call import Call, reason
from .direct import Prepare
from .flags import Flag, Flags

Run = Callable[[Call], int]


class Utility:
    """A command that runs in-process as a process would.

    ``usage`` is what follows the name in the help (``[OPTION]... [FILE]...``). ``flags`` is None for a command that
    reads ``argv`` itself (echo, expr); ``listed`` are the options of such a command. ``usage_status`` is the status of a
    wrong call, ``brief`` whether that shows the usage line too, ``error_status`` of an OSError that nothing else handled.
    ``reports_as`` is the name in its messages where that is another (egrep runs grep).
    ``version`` is whose ``--version`` it answers as (``GNU coreutils 9.1``); empty for one that has no such option, or its own row.
    ``direct`` and ``filters``: see ``utility``.
    """

    __slots__ = (
        "brief",
        "direct",
        "error_status",
        "filters",
        "flags",
        "hears",
        "listed",
        "name",
        "reports_as",
        "run",
        "summary",
        "usage",
        "usage_status",
        "version",
    )

    def __init__(
        self,
        name: str,
        run: Run,
        *,
        summary: str,
        usage: str = "",
        flags: Flags | None = None,
        listed: Sequence[Flag] = (),
        usage_status: int = 1,
        error_status: int = 1,
        brief: bool = False,
        direct: Prepare | None = None,
        filters: bool = False,
        hears: bool = True,
        version: str = "",
        reports_as: str = "",
    ) -> None:
        self.name = name
        self.reports_as = reports_as
        self.run = run
        self.summary = summary
        self.usage = usage
        self.flags = flags
        self.listed = tuple(listed) if flags is None else flags.flags
        self.usage_status = usage_status
        self.brief = brief
        self.error_status = error_status
        self.direct = direct
        self.filters = filters
        self.hears = hears
        self.version = version
        if version and flags is not None:
            flags.implied = ("help", "version")

    def help(self) -> str:
        """Write the ``--help`` text from the declaration."""
        lines = [f"Usage: {self.name} {self.usage}".rstrip(), self.summary]
        if self.listed:
            lines.append("")
            lines += [_help_line(flag) for flag in self.listed]
        if self.flags is not None and "help" not in self.flags:
            lines.append(f"  {'':4}{'--help':24}  display this help and exit")
        if self.version:
            lines.append(f"  {'':4}{'--version':24}  output version information and exit")
        return "\n".join(lines) + "\n"


def _help_line(flag: Flag) -> str:
    short = ", ".join(f"-{s}" for s in flag.short)
    long = ", ".join(f"--{name}" for name in flag.long)
    if flag.value:
        value = f"[={flag.value}]" if flag.optional else f"={flag.value}"
        if long:
            long += value
        else:
            short += f" {flag.value}"
    both = f"{short + ',' if short and long else short:4}{long}"
    return f"  {both:28}  {flag.help}"


def utility(
    name: str,
    *,
    summary: str,
    usage: str = "",
    flags: Sequence[Flag] | Flags | None = (),
    listed: Sequence[Flag] = (),
    usage_status: int = 1,
    error_status: int = 1,
    brief: bool = False,
    direct: Prepare | None = None,
    filters: bool = False,
    hears: bool = True,
    version: str = "",
    reports_as: str = "",
) -> Callable[[Callable[[Call], Any]], Utility]:
    """Declare a utility; ``flags=None`` leaves ``argv`` to the function, whose options ``listed`` are.

    The function returns its status. One that a host gives to ``Shell(utilities=…)`` may return its output (str or bytes) or
    None in place of 0, and may be a coroutine function. What it raises, but ``OSError`` and ``UsageError``, ends the run.

    ``version``: whose ``--version`` it answers as; scripts ask to find out whether tools are GNU's.

    ``hears``: a message that could not be written is a failure (``error_status``), as GNU's tools find out when they close stderr.

    Two arguments let it take part in fused pipelines (``interp/compile/fused.py``), where a stage is a function of bytes.

    ``filters`` is for whoever turns standard input into standard output. ``run`` is then called with a text as stdin, and with
    no files, no commands to start and no stderr. A call that asks for one of these is given up, and made again the usual way:
    so ``run`` must ask the call for all that it needs of the world, and have no effect before it asks.

    ``direct`` is faster: it needs no call. It is given the words after the name and makes of them, once for many runs, a
    function of the input and the ``Surroundings``, which gives the status and the output; or None, for words that have no
    such way. Whatever the function gives must be what ``run`` would have given, to the byte, and it must

    - have read its input to the end, as far as anybody could tell (who stops early leaves a writer with SIGPIPE);
    - write nothing to stderr, and have no effect at all: its answer may be thrown away;
    - give None for everything else: errors, warnings, inputs that are large, and what it does not know. Then ``run`` is called.

    It may raise ``Stop`` and RecursionError. ``cat`` is the shortest example.
    """
    parsed = flags if isinstance(flags, Flags) or flags is None else Flags(flags)

    def declare(run: Callable[[Call], Any]) -> Utility:
        return Utility(
            name,
            run,
            summary=summary,
            usage=usage,
            flags=parsed,
            listed=listed,
            usage_status=usage_status,
            error_status=error_status,
            brief=brief,
            direct=direct,
            filters=filters,
            hears=hears,
            version=version,
            reports_as=reports_as,
        )

    return declare


def execute(command: Utility, call: Call) -> int:
    """Run a utility as a process: options parsed, errors worded, output flushed; returns the status.

    ``BrokenPipeError`` is 141, as SIGPIPE would make it; ``Call.signaled`` tells it from an exit. ``Stop`` passes.
    """
    if command.reports_as:
        call.name = command.reports_as
    try:
        try:
            if _is_helped(command, call):
                status = 0
            else:
                status = command.run(call)
                call.out.flush()
        except UsageError as error:
            status = _misused(command, call, error)
        except (BrokenPipeError, RecursionError):
            raise
        except OSError as error:
            call.error(f"{error.filename}: {reason(error)}" if error.filename is not None else reason(error))
            status = command.error_status
        if call.unwritten is not None:
            call.error(reason(call.unwritten))
            status = command.error_status
        return command.error_status if call.stderr.failed and command.hears else status
    except BrokenPipeError:
        call.signaled = 13
        return 141


def _is_helped(command: Utility, call: Call) -> bool:
    """Parse the options; true where help or the version was asked for, which is written then."""
    flags = command.flags
    if flags is None:
        return False
    call.opts, call.args = flags.parse(call.argv[1:], call.env)
    told = flags.told(call.opts)
    if not told:
        return False
    whose, _, number = command.version.rpartition(" ")
    text = command.help() if told == "help" else f"{command.name} (pyshellhooks, as {whose}) {number}\n"
    call.stdout.write(encode(text))
    return True


def _misused(command: Utility, call: Call, error: UsageError) -> int:
    call.error(error.message)
    if error.hint:
        if command.brief:
            call.stderr.write(encode(f"Usage: {call.name} {command.usage}\n"))
        call.stderr.write(encode(f"Try '{call.name} --help' for more information.\n"))
    return command.usage_status if error.status is None else error.status
