"""``mapfile`` and ``readarray`` (bash)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from ..command.call import reason
from ..errors import Stop, UsageError
from ..expand.fields import ELEMENT
from ..interp.builtin import Options, builtin
from ..interp.lines import line_of
from ..interp.numbers import whole_number
from ..interp.script import run_text
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.references import is_name
from ..streams.base import NullStream, Stream
from ..streams.pipe import as_text
from ..syntax.quote import quote
from ..text import decode, encode

_USAGE = "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]"

_NUMBERS = {
    "O": "array origin", "n": "line count", "s": "line count", "c": "callback quantum", "u": "file descriptor specification",
}  # fmt: skip


@builtin("mapfile", summary="Read lines into an array.", usage=_USAGE)
def mapfile(ctx: Ctx, argv: list[str]) -> int:
    return _mapfile(ctx, argv)


@builtin("readarray", summary="Read lines into an array.", usage=_USAGE)
def readarray(ctx: Ctx, argv: list[str]) -> int:
    return _mapfile(ctx, argv)


def _count(options: dict[str, str], letter: str, default: int) -> int:
    text = options.get(letter)
    if text is None:
        return default
    number = whole_number(text, int(letter == "c"), 2**32 - 1)
    if number is None:
        raise UsageError(f"{text}: invalid {_NUMBERS[letter]}", 1, hint=False)
    return number


def _input(ctx: Ctx, number: int) -> Stream:
    try:
        return ctx.fds.get(number)
    except OSError as error:
        if not number:
            return NullStream()  # a closed standard input has no lines (bash)
        raise UsageError(f"{number}: invalid file descriptor: {reason(error)}", 1, hint=False) from None


def _mapfile(ctx: Ctx, argv: list[str]) -> int:
    given = Options(argv, "t", "dnOsuCc")
    options, operands = dict(given), given.operands
    name = operands[0] if operands else "MAPFILE"
    number = _count(options, "u", 0)
    most, at, skip = _count(options, "n", 0), _count(options, "O", 0), _count(options, "s", 0)
    quantum = _count(options, "c", 5000)  # bash's default
    if not name:
        raise UsageError("empty array variable name", 2, hint=False)
    if not is_name(name):
        raise UsageError(f"`{name}': not a valid identifier", 1, hint=False)
    stream = _input(ctx, number)
    if ctx.run.host.crlf:
        stream = as_text(stream)
    delimiter = encode(options.get("d", "\n")[:1]) or b"\0"
    name = variables.find_target(ctx, name)[0]
    items = _array(ctx, name, emptied="O" not in options)
    end = skip + most if most else None  # 0 means all
    lines = islice(_lines(ctx, stream, delimiter, argv[0]), skip, end)
    for taken, line in enumerate(lines, 1):
        if "t" in options or delimiter == b"\0":
            line = line.removesuffix(delimiter)
        text = decode(line.partition(b"\0")[0])  # a NUL ends the text (bash)
        # The callback sees the array without this line (bash).
        if "C" in options and taken % quantum == 0:
            run_text(ctx, f"{options['C']} {at} {quote(text)}", ctx.name, ctx.line)
        items[at] = text
        ctx.run.grew(len(text) + ELEMENT)
        at += 1
        if len(items) > ctx.limits.array:
            raise Stop("limit", f"{name} has more than {ctx.limits.array} elements", "array")
    return 0


def _lines(ctx: Ctx, stream: Stream, delimiter: bytes, who: str) -> Iterator[bytes]:
    """Yield lines on demand; an unreadable stream has no lines (bash)."""
    with suppress(OSError):
        while line := line_of(ctx, stream, delimiter, who):
            yield line


def _array(ctx: Ctx, name: str, *, emptied: bool) -> dict[int, str]:
    """Return the elements of the array to fill."""
    binding = ctx.vars.get(name)
    if emptied:
        if variables.is_readonly(binding):
            raise variables.readonly_error(ctx, name)
        if variables.is_associative(binding):
            raise UsageError(f"{name}: not an indexed array", 1, hint=False)
        ctx.vars[name] = variables.Var({}, "a", ctx.owner)
    return variables.make_array(ctx, name).indexed()
