"""comm: compare two sorted files line by line (POSIX XCU comm; GNU coreutils 9.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..streams.base import Stream
from ..text import encode
from .support.kinds import Once
from .support.lines import lines
from .support.quoting import name_of, quote


class _Side:
    """One of the two files: its current line, and the check of its order."""

    __slots__ = ("before", "current", "last", "number", "source", "warned")

    def __init__(self, number: int, source: Iterator[bytes]) -> None:
        self.number = number
        self.source = source
        self.last: bytes | None = None
        self.before: bytes | None = None  # the line before ``last``, since the check may begin late
        self.current = next(source, None)
        self.warned = False

    def advance(self, call: Call, strict: bool | None, unpaired: bool) -> None:
        """Read the next line and check the order. ``strict`` None: only after an unpairable line was found."""
        self.before, self.last = self.last, self.current
        self.current = next(self.source, None)
        one, other = (self.last, self.current) if self.current is not None else (self.before, self.last)
        if strict is False or one is None or other is None or (strict is None and (not unpaired or self.warned)):
            return
        if one > other:
            message = f"file {self.number} is not in sorted order"
            if strict:
                raise UsageError(message, hint=False)
            call.error(message)
            self.warned = True


def _compare(call: Call, sides: list[_Side], end: bytes, joiner: bytes) -> list[int]:
    opts = call.opts
    first, second = sides
    wanted = [f"{number}" not in opts for number in (1, 2, 3)]
    indent = [
        b"",
        joiner if wanted[0] else b"",
        (joiner if wanted[0] else b"") + (joiner if wanted[1] else b""),
    ]
    last = opts.last_of("check_order", "nocheck_order")
    strict = None if last is None else last == "check_order"
    counts = [0, 0, 0]
    unpaired = False
    write = call.out.write
    while True:
        left, right = first.current, second.current
        if left is None and right is None:
            return counts
        if left == right:
            column, line = 2, left
        elif right is None or (left is not None and left < right):
            column, line = 0, left
            unpaired = True
        else:
            column, line = 1, right
            unpaired = True
        counts[column] += 1
        if wanted[column]:
            write(indent[column] + (line or b"") + end)
        if column != 1:
            first.advance(call, strict, unpaired)
        if column != 0:
            second.advance(call, strict, unpaired)


def _open(call: Call, name: str) -> Stream:
    try:
        return call.open_input(name)
    except OSError as error:
        raise UsageError(f"{name_of(name)}: {reason(error)}", hint=False) from None


_ONCE = Once("multiple output delimiters specified")


@utility(
    "comm",
    paths=True,
    summary="Compare sorted files FILE1 and FILE2 line by line.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... FILE1 FILE2",
    flags=[
        Flag("-1", help="suppress column 1 (lines unique to FILE1)"),
        Flag("-2", help="suppress column 2 (lines unique to FILE2)"),
        Flag("-3", help="suppress column 3 (lines that appear in both files)"),
        Flag("--check-order", help="check that the input is correctly sorted"),
        Flag("--nocheck-order", help="do not check that the input is correctly sorted"),
        Flag("--output-delimiter", value="STR", kind=_ONCE, help="separate columns with STR"),
        Flag("--total", help="output a summary"),
        Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ],
)
def comm(call: Call) -> int:
    opts, args = call.opts, call.args
    if len(args) < 2:
        raise UsageError(f"missing operand after {quote(args[0], call.env)}" if args else "missing operand")
    if len(args) > 2:
        raise UsageError(f"extra operand {quote(args[2], call.env)}")
    end = b"\0" if opts.zero_terminated else b"\n"
    joiner = (encode(opts.value("output_delimiter")) or b"\0") if "output_delimiter" in opts else b"\t"
    opened: list[Stream] = []
    try:
        for name in args:
            opened.append(_open(call, name))
        sides = [_Side(number, lines(call, stream, end)) for number, stream in enumerate(opened, 1)]
        counts = _compare(call, sides, end, joiner)
        if opts.total:
            call.out.write(joiner.join([b"%d" % count for count in counts] + [b"total"]) + end)
        if sides[0].warned or sides[1].warned:
            raise UsageError("input is not in sorted order", hint=False)
    finally:
        for stream in opened:
            stream.release()
    return 0
