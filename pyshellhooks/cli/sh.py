"""``pyshellhooks sh``: a script in the embedded shell, on this process's own descriptors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..cancel import CancelScope
from ..errors import UsageError
from ..fs.base import FileSystem
from ..host import current
from ..host.streams import HostStream
from ..shell import Process, Shell
from ..streams.base import NullStream, Stream
from ..syntax import check_text
from ..text import decode

USAGE = """\
Usage: pyshellhooks sh [OPTION]... (-c SCRIPT [NAME [ARG]...] | FILE [ARG]... | < SCRIPT)
Run a script in the embedded shell; exits with its status.

  -c SCRIPT            run this text
  -n                   check the syntax, run nothing
  -e -u -x -f -o NAME  set the shell's own options
      --no-spawn       start no native process
      --fs KIND        host (default), memory (nothing is read from or written to the disk), or
                       overlay (the disk is read, what is written is dropped)
      --timeout S      end the script after S seconds (status 124)
      --cwd DIR        working directory of the script
      --env K=V        set an environment variable (repeatable)
      --help           show this
"""


class Options:
    """What the command line says."""

    __slots__ = ("check", "command", "cwd", "env", "fs", "operands", "shell", "spawn", "stdin", "timeout")

    def __init__(self) -> None:
        self.check = False
        self.command = False
        self.cwd: str | None = None
        self.env: dict[str, str] = {}
        self.fs = "host"
        self.operands: list[str] = []
        self.shell: list[str] = []
        self.spawn = True
        self.stdin = False
        self.timeout: float | None = None


_VALUED = ("--fs", "--timeout", "--cwd", "--env")


def parse(words: Sequence[str]) -> Options:
    """Read the command line; UsageError for what is wrong with it."""
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
            _valued(options, name, value)
        elif word == "--no-spawn":
            options.spawn = False
        elif word.startswith("--") or (word[0] in "-+" and len(word) > 1):
            _short(options, word, rest)
        else:
            rest.insert(0, word)
            break
    options.operands = rest
    return options


def _valued(options: Options, name: str, value: str) -> None:
    if name == "--fs":
        if value not in ("host", "memory", "overlay"):
            raise UsageError(f"--fs {value}: there are host, memory and overlay")
        options.fs = value
    elif name == "--timeout":
        try:
            options.timeout = float(value)
        except ValueError:
            options.timeout = -1.0
        if not 0 < options.timeout < float("inf"):
            raise UsageError(f"--timeout {value}: seconds, more than 0")
    elif name == "--cwd":
        options.cwd = value
    else:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise UsageError(f"--env {value}: NAME=VALUE")
        options.env[key] = text


def _short(options: Options, word: str, rest: list[str]) -> None:
    if word.startswith("--"):
        options.shell.append(word)
        if word in ("--rcfile", "--init-file") and rest:
            options.shell.append(rest.pop(0))
        return
    letters = ""
    for letter in word[1:]:
        if letter == "c":
            options.command = True
        elif letter == "s":
            options.stdin = True
        elif letter == "n" and word[0] == "-":
            options.check = True
        elif letter in "oO":
            if not rest:
                raise UsageError(f"-{letter} needs the name of an option")
            options.shell += [f"{word[0]}{letter}", rest.pop(0)]
        else:
            letters += letter
    if letters:
        options.shell.append(word[0] + letters)


def main(words: Sequence[str]) -> int:
    """Run the subcommand."""
    if words and words[0] == "--help":
        sys.stdout.write(USAGE)
        return 0
    try:
        options = parse(words)
        if options.command and not options.operands:
            raise UsageError("-c: option requires an argument")
        text, name, args, from_stdin = _script(options)
        return _check(text, name) if options.check else _run(options, text, name, args, from_stdin)
    except UsageError as error:
        sys.stderr.write(f"pyshellhooks sh: {error.message}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"pyshellhooks sh: {error.filename}: {error.strerror}\n")
        return 127 if isinstance(error, FileNotFoundError) else 126


def _script(options: Options) -> tuple[str, str, list[str], bool]:
    """Give the text, its name, its arguments, and whether it came from standard input."""
    operands = options.operands
    if options.command:
        # Arguments of a process are the system's text: surrogates stand for bytes, as everywhere here.
        return operands[0], operands[1] if len(operands) > 1 else "bash", operands[2:], False
    if operands and not options.stdin:
        with open(os.path.join(options.cwd or "", operands[0]), "rb") as file:
            return _text(file.read(), operands[0]), operands[0], operands[1:], False
    return _text(sys.stdin.buffer.read(), "stdin"), "bash", operands, True


def _text(data: bytes, name: str) -> str:
    if b"\0" in data[:512].partition(b"\n")[0]:
        raise OSError(8, "cannot execute binary file", name)
    return decode(data.replace(b"\0", b""))


def _check(text: str, name: str) -> int:
    """Show each problem: file, line, column and message; the line with a caret under the place; what was open."""
    problems = check_text(text)
    for problem in problems:
        sys.stderr.write(f"{problem.display(name)}\n")
    return 2 if any(problem.severity == "error" for problem in problems) else 0


def _run(options: Options, text: str, name: str, args: list[str], from_stdin: bool) -> int:
    from ..host.signals import forward

    host = current()
    env = host.shell_env(host.environ())
    env.update(options.env)
    shell = Shell(cwd=_directory(options.cwd), env=env, fs=_file_system(options.fs), spawn=options.spawn)
    process = Process(os.getpid())
    forward(process.deliver)
    with CancelScope() as scope:
        stdin: Stream = NullStream() if from_stdin else _standard(0, scope)
        result = shell.run(
            text,
            *args,
            stdin=stdin,
            stdout=_standard(1, scope),
            stderr=_standard(2, scope),
            timeout=options.timeout,
            scope=scope,
            name=name,
            options=options.shell,
            process=process,
            command_string=options.command,
        )
    if result.ended.kind in ("stopped", "abandoned") and result.ended.reason != "cancelled":
        os.write(2, f"{name}: stopped: {result.ended.reason} {result.ended.detail}".rstrip().encode() + b"\n")
    return result.status


def _standard(number: int, scope: CancelScope) -> Stream:
    try:
        os.fstat(number)
    except OSError:
        return NullStream()
    return HostStream(number, scope, None, owns=False)


def _directory(path: str | None) -> str | None:
    if path is None:
        return None
    full = os.path.abspath(path).replace("\\", "/") if current().windows else os.path.abspath(path)
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
