"""``pyshellhooks sh``: run a script in the embedded shell, on this process's own descriptors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..ended import describe_end
from ..errors import UsageError, message_of
from ..fs.base import FileSystem
from ..fs.identity import environment
from ..host import current
from ..host.streams import HostStream
from ..shell import Process, Result, Shell
from ..streams.base import NullStream, Stream
from ..syntax import check_text
from ..text import decode, encode

if TYPE_CHECKING:
    from . import parsers

SHELL_OPTIONS = "euxf"  # those in the help; ``set`` has more


def parser() -> parsers.Parser:
    """Return a parser for help and completion only; ``parse`` parses the words as a shell does."""
    from . import parsers

    command_parser = parsers.parser(
        "sh",
        "Run a script in the embedded shell: a text (-c), a file, standard input, or lines on a terminal.",
        usage="pyshellhooks sh [OPTION]... [-c SCRIPT [NAME [ARG]...] | FILE [ARG]...]",
        examples=("sh -c 'echo hi | tr a-z A-Z'", "sh -n hook.sh"),
        statuses=tuple(parsers.SHELL_STATUSES),
        meanings=parsers.SHELL_STATUSES,
    )
    command_parser.add_argument("file", metavar="FILE", nargs="?", help="run this file (default: standard input)")
    command_parser.add_argument("arguments", metavar="ARG", nargs="*", help="the script's $1, $2, ...")
    command_parser.add_argument("-c", action="store_true", help="the first operand is the script, the second its name")
    command_parser.add_argument("-n", action="store_true", help="check the syntax and run nothing")
    command_parser.add_argument("-s", action="store_true", help="read standard input; all operands are arguments")
    for letter in SHELL_OPTIONS:
        command_parser.add_argument(f"-{letter}", action="store_true", help=f"as set -{letter}")
    command_parser.add_argument("-o", metavar="NAME", help="as set -o NAME")
    command_parser.add_argument("-O", metavar="NAME", help="as shopt -s NAME")
    command_parser.add_argument("--no-spawn", action="store_true", help="start no native process")
    command_parser.add_argument(
        "--fs",
        choices=("host", "memory", "overlay"),
        help="host (default): the disk; memory: an empty file system in memory; overlay: the disk, with writes kept in "
        "memory",
    )
    command_parser.add_argument("--timeout", metavar="SECONDS", help="end the script after this time (status 124)")
    command_parser.add_argument("--cwd", metavar="DIR", help="working directory of the script")
    command_parser.add_argument("--env", metavar="NAME=VALUE", action="append", help="set an environment variable")
    return command_parser


class Options:
    """The parsed command line."""

    __slots__ = ("check", "command", "cwd", "env", "fs", "json", "operands", "shell", "spawn", "stdin", "timeout")

    def __init__(self) -> None:
        self.check = False
        self.command = False
        self.cwd: str | None = None
        self.env: dict[str, str] = {}
        self.fs = "host"
        self.json = False
        self.operands: list[str] = []
        self.shell: list[str] = []
        self.spawn = True
        self.stdin = False
        self.timeout: float | None = None


_VALUED = ("--fs", "--timeout", "--cwd", "--env")
_FLAGS = {"--no-spawn": ("spawn", False), "--json": ("json", True)}
_LETTERS = {"-c": "command", "+c": "command", "-s": "stdin", "+s": "stdin", "-n": "check"}  # others are the shell's own


def parse(words: Sequence[str]) -> Options:
    """Parse the command line. Raises UsageError for a mistake in it."""
    options = Options()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("--", "-"):
            break
        name, equals, value = word.partition("=")
        if name in _VALUED:
            if not equals:
                if not rest:
                    raise UsageError(f"{name} needs a value")
                value = rest.pop(0)
            _set_option(options, name, value)
        elif word in _FLAGS:
            setattr(options, *_FLAGS[word])
        elif word.startswith(("-", "+")) and word != "+":
            _short(options, word, rest)
        else:
            rest.insert(0, word)
            break
    options.operands = rest
    return options


def _set_option(options: Options, name: str, value: str) -> None:
    if name == "--fs":
        if value not in ("host", "memory", "overlay"):
            raise UsageError(f"--fs {value}: expected host, memory or overlay")
        options.fs = value
    elif name == "--timeout":
        try:
            options.timeout = float(value)
        except ValueError:
            options.timeout = -1.0
        if not 0 < options.timeout < float("inf"):
            raise UsageError(f"--timeout {value}: expected seconds above 0")
    elif name == "--cwd":
        options.cwd = value
    else:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise UsageError(f"--env {value}: expected NAME=VALUE")
        options.env[key] = text


def _short(options: Options, word: str, rest: list[str]) -> None:
    if word.startswith("--"):
        options.shell.append(word)
        # The only long options of bash with a value.
        if word in ("--rcfile", "--init-file") and rest:
            options.shell.append(rest.pop(0))
        return
    letters = ""
    for letter in word[1:]:
        if flag := _LETTERS.get(word[0] + letter):
            setattr(options, flag, True)
        elif letter in "oO":
            if not rest:
                raise UsageError(f"-{letter} needs an option's name")
            options.shell += [f"{word[0]}{letter}", rest.pop(0)]
        else:
            letters += letter
    if letters:
        options.shell.append(word[0] + letters)


def main(words: Sequence[str]) -> int:
    """Run the subcommand and return its exit status."""
    if _is_help_requested(words):
        from .running import guarded

        return guarded("sh", words, _help)
    as_json = False
    try:
        options = parse(words)
        as_json = options.json
        if options.command and not options.operands:
            raise UsageError("-c: option requires an argument")
        script = _script(options)
        if script is None:
            return _run_interactive(options)
        text, name, args, from_stdin = script
        if options.check:
            return _check(text, name, as_json)
        return _run(options, text, name, args, from_stdin)
    except UsageError as error:
        return _failed(error.message, 2, as_json or "--json" in words)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        status = 127 if isinstance(error, FileNotFoundError) else 126  # as bash's for a script
        return _failed(f"{where}{message_of(error)}", status, as_json)


def _is_help_requested(words: Sequence[str]) -> bool:
    """Return whether the first word, except ``--json``, requests help; a later one may belong to the script."""
    first = next((word for word in words if word != "--json"), "")
    return first in ("-h", "--help")


def _help(words: Sequence[str]) -> int:
    parser().parse_args([*(word for word in words if word == "--json"), "--help"])
    return 0


def _failed(message: str, status: int, as_json: bool) -> int:
    """Report an error, as JSON too under ``--json``, and return the status."""
    with suppress(OSError, AttributeError):  # standard error is closed
        sys.stderr.write(f"pyshellhooks sh: {message}\n")
    if as_json:
        from .arguments import write_error

        write_error(message, status)
    return status


def _script(options: Options) -> tuple[str, str, list[str], bool] | None:
    """Return text, name and arguments of the script, and whether it is from stdin; None for an interactive shell."""
    operands = options.operands
    if options.command:
        # Arguments of a process are decoded as everywhere here: a surrogate represents a byte.
        name = operands[1] if len(operands) > 1 else "bash"
        return operands[0], name, operands[2:], False
    if operands and not options.stdin:
        with open(os.path.join(options.cwd or "", operands[0]), "rb") as file:
            try:
                data = file.read()
            except OSError as error:
                raise OSError(error.errno, message_of(error), operands[0]) from None
        return _text(data, operands[0]), operands[0], operands[1:], False
    if not options.check and not options.json and _on_a_terminal():
        return None
    data = sys.stdin.buffer.read() if sys.stdin else b""
    return _text(data, "stdin"), "bash", operands, True


def _on_a_terminal() -> bool:
    """Return whether input and messages are on a terminal, and not closed."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _text(data: bytes, name: str) -> str:
    # Bash's test for a binary file: a NUL in the first line, of which it reads few bytes.
    if b"\0" in data[:512].partition(b"\n")[0]:
        raise OSError(8, "cannot execute binary file", name)
    return decode(data.replace(b"\0", b""))


def _check(text: str, name: str, as_json: bool) -> int:
    """Print each problem with file, line and column, a caret under its place, and the construct that was open."""
    problems = check_text(text)
    if as_json:
        from .arguments import to_json, write

        rows = [
            {
                "file": name,
                "line": problem.line,
                "column": problem.column,
                "severity": problem.severity,
                "message": problem.message,
            }
            for problem in problems
        ]
        write(to_json(rows))
    else:
        for problem in problems:
            sys.stderr.write(f"{problem.display(name)}\n")
    return 2 if any(problem.severity == "error" for problem in problems) else 0


def _run(options: Options, text: str, name: str, args: list[str], from_stdin: bool) -> int:
    from ..host.signals import forward

    shell = _shell(options)
    # This process is the shell's own, so its pid is real here, and its signals run the script's traps.
    process = Process(os.getpid())
    forward(process.deliver)
    with CancelScope() as scope:
        stdin: Stream = NullStream() if from_stdin else _standard(0, scope)
        result = shell.run(
            text,
            *args,
            stdin=stdin,
            stdout=None if options.json else _standard(1, scope),
            stderr=None if options.json else _standard(2, scope),
            timeout=options.timeout,
            scope=scope,
            name=name,
            options=options.shell,
            process=process,
            command_string=options.command,
        )
    if options.json:
        from .arguments import to_json, write

        write(to_json(_as_json(result)))
    elif result.ended.kind in ("stopped", "abandoned") and result.ended.reason != "cancelled":
        os.write(2, encode(f"{name}: {describe_end(result.ended, result.status)}\n"))
    return result.status


def _run_interactive(options: Options) -> int:
    """Run an interactive shell and return its status."""
    from .prompt import run_interactive

    shell = _shell(options)
    with CancelScope(timeout=options.timeout) as scope:
        return run_interactive(shell, scope, [_standard(number, scope) for number in range(3)], options)


def _shell(options: Options) -> Shell:
    fs = _file_system(options.fs)
    env = environment(fs)
    env.update(options.env)
    here = options.cwd
    if options.fs == "overlay" and not here:
        here = "."  # without --cwd, an overlay starts in the current directory
    return Shell(cwd=_directory(here), env=env, fs=fs, spawn=options.spawn)


def _as_json(result: Result) -> dict[str, object]:
    """Return the result of a run for ``--json``."""
    return {
        "status": result.status,
        "ended": result.ended.kind,
        "reason": getattr(result.ended, "reason", ""),
        "stdout": result.stdout.decode("utf-8", "replace"),
        "stderr": result.stderr.decode("utf-8", "replace"),
        "notices": list(result.notices),
    }


def _standard(number: int, scope: CancelScope) -> Stream:
    try:
        os.fstat(number)
    except OSError:  # closed by the parent, as with ``>&-``
        return NullStream()
    return HostStream(number, scope, None, owns=False)


def _directory(path: str | None) -> str | None:
    if path is None:
        return None
    full = os.path.abspath(path)
    if current().windows:
        full = full.replace("\\", "/")
    if not os.path.isdir(full):
        raise UsageError(f"--cwd {path}: no such directory")
    return full


def _file_system(kind: str) -> FileSystem | None:
    if kind == "memory":
        from ..fs.memory import MemoryFS

        return MemoryFS()
    if kind == "overlay":
        from ..fs.host import HostFS
        from ..fs.overlay import OverlayFS

        return OverlayFS(HostFS())
    return None
