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
        if strict is False:
            return
        if strict is None and (not unpaired or self.warned):
            return
        # At the end of the file, the last two lines are compared once more: the check may have begun only now.
        one, other = self.last, self.current
        if other is None:
            one, other = self.before, self.last
        if one is None or other is None or one <= other:
            return
        message = f"file {self.number} is not in sorted order"
        if strict:
            raise UsageError(message, hint=False)
        call.error(message)
        self.warned = True


def _compare(call: Call, sides: list[_Side], end: bytes, joiner: bytes) -> list[int]:
    """Write the lines in their columns. Return how many lines each column has."""
    opts = call.opts
    first, second = sides
    wanted = [f"{number}" not in opts for number in (1, 2, 3)]
    indents = [joiner * sum(wanted[:column]) for column in range(3)]
    last = opts.last_of("check_order", "nocheck_order")
    strict = None if last is None else last == "check_order"
    counts = [0, 0, 0]
    unpaired = False
    write = call.out.write
    while True:
        left, right = first.current, second.current
        if left is None and right is None:
            return counts
        column = _column(left, right)
        if column != 2:
            unpaired = True
        counts[column] += 1
        if wanted[column]:
            line = right if column == 1 else left
            write(indents[column] + (line or b"") + end)
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


def _column(left: bytes | None, right: bytes | None) -> int:
    """Return the column of the next line: 0 only in the first file, 1 only in the second, 2 in both."""
    if left == right:
        return 2
    if right is None:
        return 0
    if left is None:
        return 1
    return 0 if left < right else 1


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
    if not args:
        raise UsageError("missing operand")
    if len(args) < 2:
        raise UsageError(f"missing operand after {quote(args[0], call.env)}")
    if len(args) > 2:
        raise UsageError(f"extra operand {quote(args[2], call.env)}")
    end = b"\0" if opts.zero_terminated else b"\n"
    joiner = b"\t"
    if "output_delimiter" in opts:
        joiner = encode(opts.value("output_delimiter")) or b"\0"
    opened: list[Stream] = []
    try:
        for name in args:
            opened.append(_open(call, name))  # one by one: if the second fails, the first is released
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
