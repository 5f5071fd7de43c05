"""column: format lists and tables in columns (util-linux 2.38.1).

The whole input is kept in memory, since the widths of columns depend on all lines.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ..command import Call, Flag, RawArgument, utility
from ..command.call import reason
from ..errors import UsageError
from ..regexes import lazy_pattern
from ..streams.base import Stream
from ..text import decode, encode, paced, parse_digits
from .support.kinds import Number
from .support.lines import check_buffer_size, lines
from .support.records import Inputs

_TAB = 8


class _Columns(Number):
    """A number of columns, with util-linux's messages."""

    __slots__ = ()

    def error(self, argument: RawArgument, fault: str, value: int) -> UsageError:
        error = super().error(argument, fault, value)
        if fault in ("", "sign"):
            error.message += ": Numerical result out of range"
        return error


_COLUMNS = _Columns("invalid columns argument: '{text}'", most=2**32 - 1)


_CONTROL = lazy_pattern(r"[\0-\x1f\x7f-\x9f]")


def _width(text: str) -> int:
    """Return the width of a text in columns: control characters and escape sequences for colours take none."""
    if text.isprintable() and text.isascii():
        return len(text)
    total = at = 0
    last = text.rfind("m")  # searched only once; an escape sequence must end before it
    for match in paced(_CONTROL.finditer(text)):
        start = match.start()
        if start >= at:  # not within an escape sequence
            total += _plain_width(text[at:start])
            at = start + 1
            if text.startswith("[", at) and at < last:
                at = text.find("m", at) + 1
    return total + _plain_width(text[at:])


def _plain_width(text: str) -> int:
    """Return the width of a text without control characters."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, paced(text)))


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class _Table:
    """Rows of cells; ``order`` lists the shown columns."""

    def __init__(self, call: Call, rows: list[list[str]]) -> None:
        opts = call.opts
        self.rows = rows
        self.names: list[str] = []
        if "table_columns" in opts:
            self.names = opts.value("table_columns").split(",")
            if not opts.table_noheadings:
                self.rows = [self.names, *rows]
        self.count = max([len(self.names), *map(len, rows)])
        hidden = self._columns(opts.all("table_hide"), unnamed=True)
        first = self._columns(opts.all("table_order"))
        rest = [column for column in range(self.count) if column not in first]
        self.order = [column for column in first + rest if column not in hidden]
        self.right = set(self._columns(opts.all("table_right")))

    def _columns(self, texts: list[str], *, unnamed: bool = False) -> list[int]:
        """Parse lists of columns: names or numbers from 1; ``0`` alone is all columns, ``-`` those without a name."""
        result: list[int] = []
        for text in texts:
            if text == "0":
                result.extend(range(self.count))
                continue
            for item in filter(None, text.split(",")):
                if item in self.names:
                    result.append(self.names.index(item))
                elif item == "-" and unnamed:
                    result.extend(range(len(self.names), self.count))
                elif not item.isdecimal():
                    raise UsageError(f"undefined column name '{item}'", hint=False)
                elif int(item) >= 2**32:
                    raise UsageError(f"failed to parse column: '{item}': Numerical result out of range", hint=False)
                elif 0 < int(item) <= self.count:
                    result.append(int(item) - 1)
        return result

    def text(self, joiner: str) -> str:
        """Return the rows as text; the last column is not padded."""
        widths = self._widths()
        out: list[str] = []
        for row in paced(self.rows):
            cells: list[str] = []
            for at in self.order:
                cell = row[at] if at < len(row) else ""
                is_last = at == self.order[-1]
                pad = " " * (widths[at] - _width(cell))
                if at in self.right:
                    # A missing cell at the end of a row is not padded.
                    if cell or not is_last:
                        cell = pad + cell
                elif not is_last:
                    cell += pad
                cells.append(cell)
            out.append(joiner.join(cells) + "\n")
        return "".join(out)

    def _widths(self) -> list[int]:
        """Return the width of the widest cell of each column."""
        widths = [0] * self.count
        for row in paced(self.rows):
            for at, cell in enumerate(row):
                widths[at] = max(widths[at], _width(cell))
        return widths


def _cells(text: str, separators: str | None) -> list[str]:
    """Split a line at runs of blanks, or at each of the given characters."""
    if separators == "":
        return [text]
    if separators is None:
        return [cell for cell in text.replace("\t", " ").split(" ") if cell]
    for char in separators[1:]:
        text = text.replace(char, separators[0])
    return text.split(separators[0])


def _filled(entries: Sequence[str], width: int, rows_first: bool) -> str:
    """Lay entries out in columns (or rows), separated by tabs."""
    widths = [_width(entry) for entry in paced(entries)]
    widest = max(widths, default=0)
    if widest >= width:
        return "".join(entry + "\n" for entry in entries)
    step = (widest + _TAB) // _TAB * _TAB
    columns = width // step or 1
    height = -(-len(entries) // columns)
    out: list[str] = []
    for row in range(height):
        if rows_first:
            places = range(row * columns, min(len(entries), (row + 1) * columns))
        else:
            places = range(row, len(entries), height)
        for place in places[:-1]:
            tabs = step // _TAB - widths[place] // _TAB
            out.append(entries[place] + "\t" * tabs)
        out.append(entries[places[-1]] + "\n")
    return "".join(out)


_UNREADABLE = lazy_pattern("[\udc80-\udcff]")  # bytes of invalid UTF-8 are shown as \xe9


class _Files(Inputs):
    """The operands. If no line is shown, the exit status is the number of files that could not be read."""

    __slots__ = ("size", "unread")

    def __init__(self, call: Call, names: Sequence[str]) -> None:
        super().__init__(call, names)
        self.unread = 0
        self.size = 0  # of all lines in memory

    def open(self, name: str) -> Stream:
        """Open an input; the operand ``-`` is a file of that name."""
        return self.call.open(name) if self.call.args else self.call.open_input(name)

    def report(self, name: str, error: OSError) -> None:
        if isinstance(error, IsADirectoryError):
            raise UsageError(f"read failed: {reason(error)}", hint=False)
        self.call.error(f"{name}: {reason(error)}")
        self.failed = True
        self.unread += 1


_TABLE_OPTIONS = frozenset(("table_order", "table_columns", "table_hide", "table_right"))


@utility(
    "column",
    paths=True,
    summary="Columnate lists.",
    usage="[options] [<file>...]",
    flags=[
        Flag("-t", "--table", help="create a table"),
        Flag("-O", "--table-order", value="COLUMNS", help="specify order of output columns"),
        Flag("-N", "--table-columns", value="NAMES", help="comma separated columns names"),
        Flag("-d", "--table-noheadings", help="don't print header"),
        Flag("-H", "--table-hide", value="COLUMNS", help="don't print the columns"),
        Flag("-R", "--table-right", value="COLUMNS", help="right align text in these columns"),
        Flag("-L", "--keep-empty-lines", help="don't ignore empty lines"),
        Flag("-c", "--output-width", value="WIDTH", kind=_COLUMNS, help="width of output in number of characters"),
        Flag("-o", "--output-separator", value="STRING", help="columns separator for table output (default: 2 spaces)"),
        Flag("-s", "--separator", value="STRING", help="possible table delimiters"),
        Flag("-x", "--fillrows", help="fill rows before columns"),
        Flag("-h", dest="help", help="display this help"),
        Flag("-V", "--version", help="display version"),
    ],
)
def column(call: Call) -> int:
    opts = call.opts
    if opts.version:
        call.out.write(b"column (pyshellhooks, as util-linux) 2.38.1\n")
        return 0
    if opts.table and opts.fillrows:
        raise UsageError("mutually exclusive arguments: --table --fillrows", hint=False)
    if not opts.table and opts.last_of(*_TABLE_OPTIONS) is not None:
        raise UsageError("option --table required for all --table-*", hint=False)
    columns = call.env.get("COLUMNS", "")
    width = opts.integer("output_width", parse_digits(columns) if columns.isdecimal() else 80)
    inputs = _Files(call, call.args)
    entries = _entries(call, inputs)
    if not entries:
        return min(inputs.unread, 255)
    if opts.table:
        separators = opts.value("separator") if "separator" in opts else None
        rows = [_cells(entry, separators) for entry in paced(entries)]
        check_buffer_size(call, inputs.size + 64 * sum(map(len, rows)))
        shown = _Table(call, rows).text(opts.value("output_separator", "  "))
    else:
        shown = _filled(entries, width, opts.fillrows)
    call.out.write(encode(shown))
    return int(inputs.failed)


def _entries(call: Call, inputs: _Files) -> list[str]:
    """Read all lines, without empty ones unless ``-L`` is set."""
    entries: list[str] = []
    for _, stream in inputs:
        for line in lines(call, stream):
            inputs.size += len(line) + 64
            check_buffer_size(call, inputs.size)
            entry = _UNREADABLE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", decode(line))
            if call.opts.keep_empty_lines or entry.strip():
                entries.append(entry)
    return entries
