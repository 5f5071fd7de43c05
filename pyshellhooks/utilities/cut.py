"""cut: print parts of lines (POSIX XCU cut; GNU coreutils 9.1, where -c counts bytes)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from ..command import Call, Flag, RawArgument, utility
from ..errors import UsageError
from ..text import encode
from .support.ranges import END, complement, parse_ranges
from .support.records import Inputs, records


def _list(argument: RawArgument) -> str:
    if any(dest in argument.before for dest in _KINDS):
        raise UsageError("only one list may be specified")
    return argument.text


def _delimiter(argument: RawArgument) -> str:
    if len(encode(argument.text)) > 1:
        raise UsageError("the delimiter must be a single character")
    return argument.text


class _Cutter:
    """The selection of parts of each line."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        kind = opts.last_of(*_KINDS)
        if kind is None:
            raise UsageError("you must specify a list of bytes, characters, or fields")
        self.fields = kind == "fields"
        if "delimiter" in opts and not self.fields:
            raise UsageError("an input delimiter may be specified only when operating on fields")
        if opts.only_delimited and not self.fields:
            raise UsageError("suppressing non-delimited lines makes sense\n\tonly when operating on fields")
        pairs = parse_ranges(opts.value(kind), fields=self.fields, env=call.env)
        self.pairs = complement(pairs) if opts.complement else pairs
        # An empty delimiter is NUL, since GNU's takes the byte that ends the empty string in C.
        self.delimiter = encode(opts.value("delimiter", "\t")) or b"\0"
        self.joiner = self.delimiter if self.fields else b""
        if "output_delimiter" in opts:
            self.joiner = encode(opts.value("output_delimiter")) or b"\0"
        self.only = opts.only_delimited
        self.single, self.cuts, self.endless = _shape(self.pairs)

    def cut(self, line: bytes) -> bytes | None:
        """Return the selected parts of a line, or None if the line is not printed."""
        if not self.fields:
            return self.joiner.join([line[low - 1 : high] for low, high in self.pairs if low <= len(line)])
        if self.delimiter not in line:
            return None if self.only else line
        if self.single:
            parts = line.split(self.delimiter, self.single)
            return parts[self.single - 1] if len(parts) >= self.single else b""
        parts = line.split(self.delimiter, self.cuts)
        if self.endless and len(parts) > self.cuts:
            # The rest is unsplit, for speed; only another joiner changes its delimiters.
            if self.joiner != self.delimiter:
                parts[-1] = parts[-1].replace(self.delimiter, self.joiner)
        fields: list[bytes] = []
        for low, high in self.pairs:
            fields += parts[low - 1 : high]
        return self.joiner.join(fields)

    def takes(self, number: int) -> bool:
        """Return whether a field is selected."""
        at = bisect_right(self.pairs, number, key=lambda pair: pair[0])
        return at > 0 and number <= self.pairs[at - 1][1]

    def across(self, lines: Iterable[bytes], end: bytes) -> Iterator[bytes]:
        """Yield the selected lines of a file in which each line is a field (``-d $'\\n'``).

        The newline at the end of the file does not separate fields.
        """
        number = 0
        found = False
        for number, line in enumerate(lines, 1):
            field = line.removesuffix(end)
            if number == 1 and field == line:
                if not self.only:
                    yield line + end
                return
            if not self.takes(number):
                continue
            if found:
                yield self.joiner
            yield field
            found = True
        least = 1 if self.only else 0
        if found or number > least:
            yield end


def _shape(pairs: list[tuple[int, int]]) -> tuple[int, int, bool]:
    """Return the only selected field or 0, the number of splits of a line, and whether the unsplit rest is selected."""
    low, high = pairs[-1] if pairs else (END, END)
    single = low if len(pairs) == 1 and low == high else 0
    if high == END:
        return single, low - 1, True
    return single, high, False


@utility(
    "cut",
    paths=True,
    summary="Print selected parts of lines from each FILE to standard output.",
    version="GNU coreutils 9.1",
    usage="OPTION... [FILE]...",
    flags=[
        Flag("-b", "--bytes", value="LIST", kind=_list, help="select only these bytes"),
        Flag("-c", "--characters", value="LIST", kind=_list, help="select only these characters"),
        Flag("-d", "--delimiter", value="DELIM", kind=_delimiter, help="use DELIM instead of TAB for field delimiter"),
        Flag("-f", "--fields", value="LIST", kind=_list, help="select only these fields"),
        Flag("-n", help="(ignored)"),
        Flag("--complement", help="complement the set of selected bytes, characters or fields"),
        Flag("-s", "--only-delimited", help="do not print lines not containing delimiters"),
        Flag("--output-delimiter", value="STRING", help="use STRING as the output delimiter"),
        Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ],
    filters=True,
)
def cut(call: Call) -> int:
    call.read_text()
    cutter = _Cutter(call)
    end = b"\0" if call.opts.zero_terminated else b"\n"
    inputs = Inputs(call, call.args)
    write = call.out.write
    across = cutter.fields and cutter.delimiter == end
    for _, stream in inputs:
        if across:
            for piece in cutter.across(records(call, stream, end), end):
                write(piece)
            continue
        for line in records(call, stream, end):
            output = cutter.cut(line[:-1] if line.endswith(end) else line)
            if output is not None:
                write(output + end)
    return int(inputs.failed)


_KINDS = ("bytes", "characters", "fields")
