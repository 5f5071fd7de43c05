"""join: join the lines of two sorted files on a common field (POSIX XCU join; GNU coreutils 9.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ..command import Call, Flag, RawArgument, utility
from ..command.call import reason
from ..errors import UsageError
from ..streams.base import Stream
from ..text import decode, encode
from .support.kinds import Number, Once, Separator
from .support.lines import check_buffer_size, lines
from .support.quoting import name_of, quote, quote_name

Fields = list[bytes]
_NONE: Fields = []
_TAB = Separator("multi-character tab {q}", "incompatible tabs")
_FILLER = Once("conflicting empty-field replacement strings")
_FIELD = Number("invalid field number: {q}", 1, 2**63, endless=True)
_FILE = Number("invalid field number: {q}", 1, 2)


def _format(argument: RawArgument) -> str | tuple[tuple[int, int], ...]:
    """Parse ``auto``, or a list of ``0`` and ``FILE.FIELD``; (0, 0) is the join field."""
    if argument.text == "auto":
        return argument.text
    return tuple(_specs(argument))


def _specs(argument: RawArgument) -> Iterator[tuple[int, int]]:
    for item in argument.text.replace(" ", ",").replace("\t", ",").split(","):
        if item[:1] not in ("0", "1", "2"):
            raise UsageError(f"invalid file number in field spec: {quote(item, argument.env)}", hint=False)
        if item == "0":
            yield 0, 0
        elif item[0] == "0" or item[1:2] != ".":
            raise UsageError(f"invalid field specifier: {quote(item, argument.env)}", hint=False)
        else:
            yield int(item[0]), _FIELD(RawArgument(item[2:], argument.env)) - 1


class _Settings:
    """The settings of one call."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.join = self._join_fields(call)
        # None for blanks; a newline if the whole line is one field.
        self.separator = next(iter(opts.read("t", bytes)), None)
        self.joiner = b" " if self.separator in (None, b"\n") else self.separator
        self.shown = [False, False]
        for dest in ("a", "v"):
            for number in opts.read(dest, int):
                self.shown[number - 1] = True
        self.pairs = "v" not in opts
        self.filler = encode(opts.value("e")) if "e" in opts else None
        self.auto = "auto" in opts.all("o")
        self.format: list[tuple[int, int]] = []
        for specs in opts.read("o", tuple):
            self.format.extend(specs)
        self.plain = not (self.format or self.auto or self.filler or any(self.join))
        self.fold = opts.ignore_case
        last = opts.last_of("check_order", "nocheck_order")
        # None, GNU's default: the order is checked only after an unpairable line, since others pair in any order.
        self.strict = None if last is None else last == "check_order"

    def _join_fields(self, call: Call) -> list[int]:
        chosen = [0, 0]
        # -j is processed after the others, whatever its position.
        for dest, places in (("1", (0,)), ("2", (1,)), ("j", (0, 1))):
            for field in call.opts.read(dest, int):
                for place in places:
                    # GNU refuses options that contradict each other.
                    if chosen[place] not in (0, field):
                        raise UsageError(f"incompatible join fields {chosen[place]}, {field}", hint=False)
                    chosen[place] = field
        return [max(field - 1, 0) for field in chosen]

    def split(self, line: bytes) -> Fields:
        """Return the fields of a line."""
        if not line:
            return []
        if self.separator == b"\n":
            return [line]
        if self.separator is not None:
            return line.split(self.separator)
        text = line.replace(b"\t", b" ").replace(b"\n", b" ").lstrip(b" ")
        if not text:
            return []
        fields = [field for field in text.split(b" ") if field]
        if text.endswith(b" "):
            fields.append(b"")  # a blank at the end of the line begins one more field
        return fields


class _Side:
    """One input: its current line with its fields and key, and the check of its order."""

    __slots__ = (
        "eof",
        "field",
        "fold",
        "fields",
        "key",
        "line",
        "name",
        "number",
        "source",
        "split",
        "strict",
        "warned",
    )

    def __init__(self, settings: _Settings, place: int, name: str, source: Iterator[bytes]) -> None:
        self.field = settings.join[place]
        self.split = settings.split
        self.fold = settings.fold
        self.strict = settings.strict
        self.name = name
        self.source = source
        self.number = 0
        self.warned = False
        self.eof = False
        self.line = b""
        self.fields: Fields = _NONE
        self.key: bytes | None = None  # of the current line; None if the next line's order is not checked

    def advance(self, call: Call, unpaired: bool) -> None:
        """Read the next line and check its order: always, never, or only after an unpairable line."""
        line = next(self.source, None)
        if line is None:
            self.eof = True
            self.fields = _NONE
            return
        before = self.key
        self.number += 1
        self.line = line
        self.fields = fields = self.split(line)
        key = fields[self.field] if self.field < len(fields) else b""
        if self.fold:
            key = key.upper()
        self.key = key
        if before is not None and key < before:
            self._refuse_order(call, line, unpaired)

    def _refuse_order(self, call: Call, line: bytes, unpaired: bool) -> None:
        """Raise for a line that sorts before the previous one, or warn, once for each file."""
        if self.warned or self.strict is False:
            return
        if not self.strict and not unpaired:
            return
        message = f"{name_of(self.name)}:{self.number}: is not sorted: {decode(line)}"
        if self.strict:
            raise UsageError(message, hint=False)
        call.error(message)
        self.warned = True


class _Join:
    """The join of one call."""

    def __init__(self, call: Call, settings: _Settings, sides: list[_Side], end: bytes) -> None:
        self.call = call
        self.settings = settings
        self.sides = sides
        self.end = end
        self.unpaired = False
        self.widths: list[int] | None = None

    def run(self) -> None:
        first, second = self.sides
        shown = self.settings.shown
        for side in self.sides:
            side.advance(self.call, self.unpaired)
        if self.settings.auto:
            self.widths = [len(side.fields) for side in self.sides]
        if self.call.opts.header:
            self._write_header()
        while not (first.eof or second.eof):
            # The keys are never None, since both sides have a line.
            left, right = first.key or b"", second.key or b""
            if left == right:
                self._pair(left)
            elif left < right:
                if shown[0]:
                    self._write(first.fields, _NONE, False)
                first.advance(self.call, self.unpaired)
                self.unpaired = True
            else:
                if shown[1]:
                    self._write(_NONE, second.fields, True)
                second.advance(self.call, self.unpaired)
                self.unpaired = True
        self._tails()

    def _group(self, side: _Side, key: bytes) -> list[Fields]:
        """Read and return all lines with the current key."""
        # Both groups are held: their lines are written as a cross product.
        group = [side.fields]
        size = len(side.line)
        while True:
            side.advance(self.call, self.unpaired)
            if side.eof or side.key != key:
                return group
            size += len(side.line) + 64
            check_buffer_size(self.call, size)
            group.append(side.fields)

    def _pair(self, key: bytes) -> None:
        groups = [self._group(side, key) for side in self.sides]
        if self.settings.pairs:
            for left in groups[0]:
                self.call.check()
                for right in groups[1]:
                    self._write(left, right, False)

    def _write_header(self) -> None:
        """Join the first lines, whatever their keys."""
        first, second = self.sides
        if first.eof and second.eof:
            return
        self._write(first.fields, second.fields, first.eof)
        for side in self.sides:
            if not side.eof:
                side.key = None  # the order begins below the header
                side.advance(self.call, self.unpaired)

    def _tails(self) -> None:
        """Write the rest of one file and check its order."""
        settings = self.settings
        warned = all(side.warned for side in self.sides)
        check = settings.strict is not False and not warned
        left = [not side.eof for side in self.sides]
        for place, side in enumerate(self.sides):
            show = settings.shown[place]
            if not left[place] or not (show or check):
                continue
            if left[1 - place]:
                self.unpaired = True
            while not side.eof:
                if show and place == 0:
                    self._write(side.fields, _NONE, False)
                elif show:
                    self._write(_NONE, side.fields, True)
                side.advance(self.call, self.unpaired)
                if side.warned and not show:
                    break

    def _cell(self, fields: Fields, at: int) -> bytes:
        text = fields[at] if at < len(fields) else b""
        return text or self.settings.filler or b""

    def _write(self, left: Fields, right: Fields, only_second: bool) -> None:
        settings = self.settings
        rows = (left, right)
        owner = 1 if only_second else 0
        key = self._cell(rows[owner], settings.join[owner])
        # The usual call: without options, the join field is the first of both lines.
        if settings.plain and left and right:
            cells = [key, *left[1:], *right[1:]]
        elif settings.format:
            cells = []
            for file, at in settings.format:
                cells.append(self._cell(rows[file - 1], at) if file else key)
        else:
            cells = [key]
            for place, fields in enumerate(rows):
                skip = settings.join[place]
                count = len(fields) if self.widths is None else self.widths[place]
                cells += [self._cell(fields, at) for at in range(count) if at != skip]
        self.call.out.write(settings.joiner.join(cells) + self.end)


def _open(call: Call, name: str) -> Stream:
    try:
        return call.open_input(name)
    except IsADirectoryError:
        raise UsageError("read error: Is a directory", hint=False) from None
    except OSError as error:
        raise UsageError(f"{name_of(name)}: {reason(error)}", hint=False) from None


@utility(
    "join",
    paths=True,
    summary="For each pair of input lines with identical join fields, write a line to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... FILE1 FILE2",
    flags=[
        Flag("-a", value="FILENUM", kind=_FILE, help="also print unpairable lines from file FILENUM"),
        Flag("-e", value="STRING", kind=_FILLER, help="replace missing (empty) input fields with STRING"),
        Flag("-i", "--ignore-case", help="ignore differences in case when comparing fields"),
        Flag("-j", value="FIELD", kind=_FIELD, help="equivalent to '-1 FIELD -2 FIELD'"),
        Flag("-o", value="FORMAT", kind=_format, help="obey FORMAT while constructing output line"),
        Flag("-t", value="CHAR", kind=_TAB, help="use CHAR as input and output field separator"),
        Flag("-v", value="FILENUM", kind=_FILE, help="like -a FILENUM, but suppress joined output lines"),
        Flag("-1", value="FIELD", kind=_FIELD, help="join on this FIELD of file 1"),
        Flag("-2", value="FIELD", kind=_FIELD, help="join on this FIELD of file 2"),
        Flag("--check-order", help="check that the input is correctly sorted"),
        Flag("--nocheck-order", help="do not check that the input is correctly sorted"),
        Flag("--header", help="treat the first line in each file as field headers"),
        Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ],
)
def join(call: Call) -> int:
    opts, args = call.opts, call.args
    settings = _Settings(call)
    if not args:
        raise UsageError("missing operand")
    if len(args) < 2:
        raise UsageError(f"missing operand after {quote(args[0], call.env)}")
    if len(args) > 2:
        raise UsageError(f"extra operand {quote_name(args[2])}")
    if args == ["-", "-"]:
        raise UsageError("both files cannot be standard input", hint=False)
    end = b"\0" if opts.zero_terminated else b"\n"
    opened: list[Stream] = []
    sides: list[_Side] = []
    try:
        for name in args:
            opened.append(_open(call, name))
        for place, stream in enumerate(opened):
            sides.append(_Side(settings, place, args[place], lines(call, stream, end)))
        _Join(call, settings, sides, end).run()
        if any(side.warned for side in sides):
            raise UsageError("input is not in sorted order", hint=False)
    finally:
        for stream in opened:
            stream.release()
    return 0
