"""The declaration of utilities, and the wrapper that runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import UsageError
from ..fs.identity import identity
from ..text import encode
from .call import Call, reason
from .direct import Prepare
from .flags import Flag, Flags

Run = Callable[[Call], int]
Rewrite = Callable[[Sequence[str]], list[str]]


class Utility:
    """A command that runs in-process with the behavior of a process.

    ``usage`` is the text after the name in the help (``[OPTION]... [FILE]...``). ``flags`` is None for a command that
    parses ``argv`` itself (echo, expr); ``listed`` are the options of such a command. ``usage_status`` is the status of
    a wrong call, ``brief`` adds the usage line to its message, ``error_status`` is the status of an unhandled OSError.
    ``reports_as`` is the name in its messages if that differs (egrep runs grep). ``version`` is the program that
    ``--version`` names (``GNU coreutils 9.1``), or "" without that option or with a row for it. ``bsd``, ``direct`` and
    ``filters``: see ``utility``.
    """

    __slots__ = (
        "brief",
        "bsd",
        "direct",
        "error_status",
        "filters",
        "flags",
        "hears",
        "listed",
        "name",
        "paths",
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
        paths: bool = False,
        bsd: Rewrite | None = None,
    ) -> None:
        self.name = name
        self.paths = paths
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
        self.bsd = bsd
        if version and flags is not None:
            flags.implied = ("help", "version")

    def help(self) -> str:
        """Return the text of ``--help``, made from the declaration."""
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
    short = ", ".join(f"-{letter}" for letter in flag.short)
    long = ", ".join(f"--{name}" for name in flag.long)
    if flag.value:
        value = f"[={flag.value}]" if flag.optional else f"={flag.value}"
        if long:
            long += value
        else:
            short += f" {flag.value}"
    if short and long:
        short += ","
    both = f"{short:4}{long}"
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
    paths: bool = False,
    bsd: Rewrite | None = None,
) -> Callable[[Callable[[Call], Any]], Utility]:
    """Declare a utility; with ``flags=None`` the function parses ``argv``, and ``listed`` are its options.

    The function returns its status. One that a host gives to ``Shell(utilities=…)`` may return its output (str or
    bytes) or None in place of 0, and may be a coroutine function. An exception other than ``OSError`` and
    ``UsageError`` ends the run.

    ``version``: the program that ``--version`` names; scripts use it to find out whether tools are GNU's.

    ``paths``: all operands are paths. On Windows the utility sees and prints them as ``C:/x`` in any spelling of the script.

    ``bsd``: rewrites the words after the name from BSD's form to GNU's, on macOS (ADR 18).

    ``hears``: an unwritten message is a failure (``error_status``), as for GNU's tools, which notice it when they close
    stderr.

    Two arguments allow it in fused pipelines (``interp/compile/fused.py``), where a stage is a function of bytes.

    ``filters`` is for utilities that only turn standard input into standard output. ``run`` is then called with a text
    as stdin, and without files, commands to start and stderr. A call that uses one of these is given up and made again
    the usual way: so ``run`` must get everything outside from the call, and have no effect before it does.

    ``direct`` is faster, as it needs no call. It receives the words after the name and returns, once for many runs, a
    function of the input and the ``DirectContext`` that returns the status and the output; or None if these words have
    no such function. The function's result must be that of ``run``, to the byte, and it must

    - have read its input to the end, as far as others can observe (a writer whose reader stops early gets SIGPIPE);
    - write nothing to stderr, and have no effect at all: its result may be discarded;
    - return None in all other cases: errors, warnings, large inputs, unsupported ones. Then ``run`` is called.

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
            paths=paths,
            bsd=bsd,
        )

    return declare


def execute(command: Utility, call: Call) -> int:
    """Run a utility like a process: parse options, report errors, flush output. Return the status.

    ``BrokenPipeError`` is 141, as after SIGPIPE; ``Call.signaled`` distinguishes it from an exit. ``Stop`` is not
    caught.
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
            where = f"{error.filename}: " if error.filename is not None else ""
            call.error(where + reason(error))
            status = command.error_status
        if call.unwritten is not None:
            call.error(reason(call.unwritten))
            status = command.error_status
        if call.stderr.failed and command.hears:
            return command.error_status
        return status
    except BrokenPipeError:
        call.signaled = 13
        return 141


def _is_helped(command: Utility, call: Call) -> bool:
    """Parse the options. If help or the version was requested, write it and return True."""
    flags = command.flags
    if flags is None:
        return False
    call.opts, call.args = flags.parse(_gnu_words(command, call), call.env)
    if command.paths:
        call.args = call.operands()
    implied = flags.implied_option(call.opts)
    if not implied:
        return False
    text = command.help()
    if implied == "version":
        whose, _, number = command.version.rpartition(" ")
        text = f"{command.name} (pyshellhooks, as {whose}) {number}\n"
    call.stdout.write(encode(text))
    return True


def _gnu_words(command: Utility, call: Call) -> Sequence[str]:
    words = call.argv[1:]
    if command.bsd is None:
        return words
    rewritten = command.bsd(words)
    if rewritten != words and identity(call.fs).system()[0] == "Darwin":
        return rewritten
    return words


def _misused(command: Utility, call: Call, error: UsageError) -> int:
    call.error(error.message)
    if error.hint:
        if command.brief:
            call.stderr.write(encode(f"Usage: {call.name} {command.usage}\n"))
        call.stderr.write(encode(f"Try '{call.name} --help' for more information.\n"))
    return command.usage_status if error.status is None else error.status
