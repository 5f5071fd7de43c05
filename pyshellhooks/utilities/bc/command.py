"""Command line of bc: options, files, and the loop that parses and runs the program."""

from __future__ import annotations

from collections.abc import Iterator

from ...command import Call, Flag, Flags, utility
from ...errors import UsageError
from ...streams.base import Stream
from ...text import decode, encode
from ..support.records import split_blocks
from .lexer import STANDARD_INPUT, Lexer
from .machine import Halt, Machine
from .parser import Parser, Quit

_FLAGS = Flags(
    [
        Flag("-i", "--interactive", help="(refused: terminals are not supported)"),
        Flag("-l", "--mathlib", help="(use the predefined math routines: every digit is right, the last one too)"),
        Flag("-q", "--quiet", help="don't print initial banner (never printed)"),
        Flag("-s", "--standard", help="non-standard bc constructs are errors"),
        Flag("-w", "--warn", help="warn about non-standard bc constructs"),
        Flag("-h", help="display this help and exit", dest="help"),
        Flag("-v", "--version", help="print version information and exit"),
    ]
)


class _Unavailable(Exception):
    """A file of the command line cannot be read."""


def _lines(call: Call, name: str, stream: Stream) -> Iterator[tuple[str, str]]:
    """Yield the complete lines of a stream as they arrive, and an empty text at its end."""
    try:
        for lines, ended in split_blocks(call, stream, b"\n"):
            yield name, decode(b"\n".join(lines)) + "\n" * ended
            call.out.flush()  # a coprocess's caller may wait for the output before it sends more
    finally:
        stream.release()
    yield name, ""


def _program(call: Call, names: list[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        try:
            stream = call.open(name)
        except OSError:
            raise _Unavailable(name) from None
        yield from _lines(call, name, stream)
    yield from _lines(call, STANDARD_INPUT, call.stdin.retain())


def _line_length(call: Call) -> int:
    text = call.env.get("BC_LINE_LENGTH")
    if text is None:
        return 70
    digits = text.strip()
    if not digits.isascii() or not digits.isdecimal():
        return 0  # as C's atoi; 0 means lines of any length
    number = int(digits[:9])
    if number in (1, 2):
        return 70  # too short for a digit and the backslash that continues a line
    return number


@utility(
    "bc",
    summary="Calculate with numbers of any precision: variables, `if` and `print`, but no user-defined functions, arrays,"
    " loops, read(), random(), j(), `limits` or `warranty`, which are refused by name.",
    usage="[options] [file ...]",
    flags=_FLAGS,
)
def bc(call: Call) -> int:
    opts, names = call.opts, list(call.args)
    given = {dest for dest, _ in opts.given}
    if "BC_ENV_ARGS" in call.env:
        more, files = _FLAGS.parse([word for word in call.env["BC_ENV_ARGS"].split(" ") if word], call.env)
        given |= {dest for dest, _ in more.given}
        names = [*files, *names]
    if "help" in given:
        call.out.write(encode(bc.help()))
        return 0
    if "version" in given:
        call.out.write(b"bc 1.07.1 (as pyshellhooks has it)\n")
        return 0
    if "interactive" in given:
        raise UsageError("-i is not supported: bc has no terminal here", hint=False)
    standard = "standard" in given or "POSIXLY_CORRECT" in call.env
    machine = Machine(call, _line_length(call), standard=standard, mathlib="mathlib" in given)
    lexer = Lexer(_program(call, names), machine.write_error, call.limits.string)
    parser = Parser(lexer, machine.write_error, standard=standard, warning="warn" in given)
    try:
        while (code := parser.item()) is not None:
            if not parser.failed:
                machine.run(code)
    except (Quit, Halt):
        pass
    except _Unavailable as missing:
        machine.write_error(f"File {missing} is unavailable.\n")
        return 1
    return 0
