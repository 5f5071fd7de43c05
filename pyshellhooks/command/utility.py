"""Utilities: declared once, run through one wrapper."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import UsageError
from ..text import encode
from .call import Call, reason
from .flags import Flag, Flags

Run = Callable[[Call], int]


class Utility:
    """A command that runs in-process as a process would.

    ``usage`` is what follows the name in the help (``[OPTION]... [FILE]...``). ``flags`` is None for a command that
    reads ``argv`` itself (echo, expr). ``usage_status`` is the status of a wrong call, ``error_status`` of an OSError
    that nothing else handled. ``needs``: a note for the table in docs where something is needed (``spawn``).
    """

    __slots__ = ("error_status", "flags", "name", "run", "summary", "usage", "usage_status")

    def __init__(
        self,
        name: str,
        run: Run,
        *,
        summary: str,
        usage: str = "",
        flags: Flags | None = None,
        usage_status: int = 1,
        error_status: int = 1,
    ) -> None:
        self.name = name
        self.run = run
        self.summary = summary
        self.usage = usage
        self.flags = flags
        self.usage_status = usage_status
        self.error_status = error_status

    def help(self) -> str:
        """Write the ``--help`` text from the declaration."""
        lines = [f"Usage: {self.name} {self.usage}".rstrip(), self.summary]
        if self.flags is not None and self.flags.flags:
            lines.append("")
            for flag in self.flags:
                lines.append(_help_line(flag))
            lines.append(f"  {'':4}{'--help':24}  display this help and exit")
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
    usage_status: int = 1,
    error_status: int = 1,
) -> Callable[[Run], Utility]:
    """Declare a utility; ``flags=None`` leaves ``argv`` to the function."""
    parsed = flags if isinstance(flags, Flags) or flags is None else Flags(flags)

    def declare(run: Run) -> Utility:
        return Utility(
            name,
            run,
            summary=summary,
            usage=usage,
            flags=parsed,
            usage_status=usage_status,
            error_status=error_status,
        )

    return declare


def execute(command: Utility, call: Call) -> int:
    """Run a utility as a process: options parsed, errors worded, output flushed; gives the status.

    ``BrokenPipeError`` is 141, as SIGPIPE would make it. ``Stop`` passes through.
    """
    try:
        try:
            if command.flags is not None:
                call.opts, call.args = command.flags.parse(call.argv[1:], posixly_correct="POSIXLY_CORRECT" in call.env)
                if call.opts.help is True and "help" not in command.flags._long:
                    call.stdout.write(encode(command.help()))
                    return 0
            status = command.run(call)
            call.out.flush()
            return status
        except UsageError as error:
            call.error(error.message)
            if error.hint:
                call.stderr.write(encode(f"Try '{call.name} --help' for more information.\n"))
            return command.usage_status if error.status is None else error.status
        except BrokenPipeError:
            return 141
        except RecursionError:
            raise
        except OSError as error:
            name = f"{error.filename}: " if error.filename else ""
            call.error(f"{name}{reason(error)}")
            return command.error_status
    except BrokenPipeError:
        return 141
