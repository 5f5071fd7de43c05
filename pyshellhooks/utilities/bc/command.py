"""The command line of bc: options, files, and the loop over what the program says."""

from __future__ import annotations

from collections.abc import Iterator

from ...command import Call, Flag, Flags, utility
from ...errors import UsageError
from ...streams.base import Stream
from ...text import decode, encode
from ..records import records
from .code import Function
from .expressions import Quit
from .lexer import STANDARD_INPUT, Lexer, Source
from .machine import Halt, Machine
from .parser import Parser

_FLAGS = Flags(
    [
        Flag("-i", "--interactive", help="(refused: there is no terminal)"),
        Flag("-l", "--mathlib", help="(use the predefined math routines: every digit is right, the last one too)"),
        Flag("-q", "--quiet", help="don't print initial banner (there is none)"),
        Flag("-s", "--standard", help="non-standard bc constructs are errors"),
        Flag("-w", "--warn", help="warn about non-standard bc constructs"),
        Flag("-h", help="display this help and exit", dest="help"),
        Flag("-v", "--version", help="print version information and exit"),
    ]
)


class _Unavailable(Exception):
    """A file of the command line cannot be read."""


def _lines(call: Call, stream: Stream) -> Iterator[str]:
    try:
        for line in records(call, stream):
            call.out.flush()
            yield decode(line)
    finally:
        stream.release()


def _sources(call: Call, names: list[str], stdin: Iterator[str]) -> Iterator[Source]:
    for name in names:
        try:
            stream = call.open(name)
            # A directory opens, and fails when it is read.
            yield Source(name, _lines(call, stream))
        except OSError:
            raise _Unavailable(name) from None
    yield Source(STANDARD_INPUT, stdin)


def _line_length(call: Call) -> int:
    text = call.env.get("BC_LINE_LENGTH")
    if text is None:
        return 70
    digits = text.strip()
    number = int(digits[:9]) if digits.isascii() and digits.isdecimal() else 0
    return number if number >= 3 or number == 0 else 70


@utility("bc", summary="Calculate with numbers of any precision.", usage="[options] [file ...]", flags=_FLAGS)
def bc(call: Call) -> int:
    opts, names = call.opts, list(call.args)
    given = {dest for dest, _ in opts.given}
    if "BC_ENV_ARGS" in call.env:
        more, files = _FLAGS.parse([word for word in call.env["BC_ENV_ARGS"].split(" ") if word])
        given |= {dest for dest, _ in more.given}
        names = [*files, *names]
    if "help" in given:
        call.out.write(encode(bc.help()))
        return 0
    if "version" in given:
        call.out.write(b"bc 1.07.1 (as pyshellhooks has it)\n")
        return 0
    if "interactive" in given:
        raise UsageError("-i is not supported: there is no terminal", hint=False)
    standard = "standard" in given or "POSIXLY_CORRECT" in call.env
    machine = Machine(call, _line_length(call), standard=standard)
    if "mathlib" in given:
        machine.scale = 20
        _add_library(machine)
    stdin = _lines(call, call.stdin.retain())
    lexer = Lexer(_sources(call, names, stdin), machine.say, call.limits.string)
    parser = Parser(lexer, machine.functions, machine.say, standard=standard, warning="warn" in given)
    # A program on standard input is followed by what it reads.
    machine.read_line = lambda: lexer.raw_line() if lexer.name == STANDARD_INPUT else next(stdin, None)
    try:
        while (code := parser.item()) is not None:
            call.check()
            if not parser.failed:
                machine.run(code)
    except (Quit, Halt):
        pass
    except _Unavailable as missing:
        machine.say(f"File {missing} is unavailable.\n")
        return 1
    return 0


def _add_library(machine: Machine) -> None:
    for name in "lescaj":
        function = Function(name)
        function.native = name
        function.params = [("simple", "n"), ("simple", "x")] if name == "j" else [("simple", "x")]
        machine.functions[name] = function
