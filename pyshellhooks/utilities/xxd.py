"""xxd: make a hex dump or do the reverse (xxd 2022-01-14)."""

from __future__ import annotations

import os
import re
from binascii import unhexlify
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..command import Call, Flag, Flags, RawArgument, utility
from ..command.call import reason
from ..command.flags import Options
from ..errors import Stop, UsageError
from ..streams.base import Stream
from ..streams.capture import LineWriter
from ..text import encode, paced
from .support.lines import check_buffer_size
from .support.records import blocks, records

# Text that may follow the letter of an option with a value: -cols 8 is -c 8 is -c8.
_WORDS = {"c": ("ols",), "g": ("roup",), "l": ("en",), "n": ("ame",), "o": ("ffset",), "s": ("kip", "eek")}
_HEX = frozenset(b"0123456789abcdefABCDEF")
_DIGITS = bytes(_HEX)
_VALUES = [int(chr(byte), 16) if byte in _HEX else -1 for byte in range(256)]
_LARGEST = 2**60 - 1
# A line of -r in xxd's own output format; the regex does not backtrack.
_USUAL = re.compile(rb"([0-9a-fA-F]+): ((?:[0-9a-fA-F]{2})+(?: (?:[0-9a-fA-F]{2})+)*)  ").match
_BITS = [f"{byte:08b}" for byte in range(256)]
_PRINTABLE = bytes(byte if 32 <= byte < 127 else 46 for byte in range(256))
_MOST_COLUMNS = 256
# Code page 037, with ^ ~ [ ] at their positions in the older code page of xxd.
_OLDER = {0x5F: b"~", 0x9A: b"^", 0xA1: b".", 0xAD: b"[", 0xB0: b".", 0xBA: b".", 0xBB: b".", 0xBD: b"]"}
_EBCDIC = b"".join(_OLDER.get(byte) or bytes((byte,)).decode("cp037").encode("latin-1") for byte in range(256))


class _XxdFlags(Flags):
    """Options of which only the first letter counts (``-ps``, ``-include``); they cannot be clustered."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        options = Options()
        words = list(argv)
        while words and words[0].startswith("-") and words[0] != "-":
            word = words.pop(0)
            if word == "--":
                break
            if word == "--help":
                options.add("help", None)
                continue
            text = word[1:] if word.startswith("--") else word
            # -capitalize is -C, although its first letter is that of -c.
            letter = "C" if text[1:] == "capitalize" else text[1]
            flag = self._short.get(letter)
            if flag is None:
                raise UsageError(f"invalid option -- '{text[1:]}'")
            if not flag.value:
                options.add(flag.dest, None)
            elif text[2:] and text[2:] not in _WORDS[letter]:
                self.take(options, flag, text[2:], f"-{letter}", env)
            elif not words:
                raise UsageError(f"option requires an argument -- '{letter}'")
            else:
                self.take(options, flag, words.pop(0), f"-{letter}", env)
        return options, words


def _number(argument: RawArgument) -> int:
    """Parse a number as strtol does: its longest prefix, in the base of its prefix."""
    return _strtol(argument.text)


_NO_SEEK = "Sorry, cannot seek."


def _strtol(text: str) -> int:
    digits = text.lstrip(" \t\n\v\f\r")
    negative = digits.startswith("-")
    if digits.startswith(("-", "+")):
        digits = digits[1:]
    base = 10
    if digits.startswith(("0x", "0X")):
        base, digits = 16, digits[2:]
    elif digits.startswith("0"):
        base = 8
    allowed = "0123456789abcdef"[:base]
    end = 0
    while end < len(digits) and digits[end].lower() in allowed:
        end += 1
    value = int(digits[: min(end, 18)] or "0", base)  # more digits than any file has bytes
    return -value if negative else value


def _seek(argument: RawArgument) -> tuple[int, int]:
    """Parse ``[+][-]N``. Return the arguments of ``lseek``."""
    text = argument.text
    relative = text.startswith("+")
    text = text[relative:]
    back = text.startswith("-")
    number = _strtol(text[back:])
    if back:
        number = -number
    if relative:
        return number, os.SEEK_CUR
    return number, os.SEEK_END if back else os.SEEK_SET


def _place(call: Call) -> tuple[int, int]:
    offset = call.opts.read("s", tuple)
    return offset[-1] if offset else (0, os.SEEK_SET)


class _Settings:
    """The meaning of the options."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.kind = opts.last_of("b", "e", "i", "p") or ""
        columns = {"b": 6, "i": 12, "p": 30}.get(self.kind, 16)
        self.columns = opts.integer("c", columns)
        if not self.columns and self.kind != "p":  # plain style then writes a single line
            self.columns = columns
        is_dump = self.kind not in ("i", "p")  # only a row of a dump is built in a buffer of fixed size
        if self.columns < 0 or (is_dump and self.columns > _MOST_COLUMNS):
            raise UsageError(f"invalid number of columns (max. {_MOST_COLUMNS}).", hint=False)
        group = opts.integer("g", -1)
        if group < 0:
            group = {"b": 1, "e": 4}.get(self.kind, 2)
        if not 0 < group <= self.columns:
            group = self.columns
        self.group = group
        is_power_of_two = not group & (group - 1)
        if self.kind == "e" and not is_power_of_two:
            raise UsageError("number of octets per group must be a power of 2 with -e.", hint=False)
        self.digits = 8 if self.kind == "b" else 2
        self.length = opts.integer("l", -1)
        self.shift = opts.integer("o", 0)
        self.upper = opts.u
        self.ebcdic = opts.E

    def in_case(self, text: str) -> str:
        """Return hexadecimal digits in the case of ``-u``."""
        return text.upper() if self.upper else text


def _input(call: Call, stream: Stream, settings: _Settings) -> tuple[int, Iterator[bytes]]:
    """Seek by ``-s``. Return the position and the following blocks."""
    offset, whence = _place(call)
    back = offset < 0 or whence == os.SEEK_END
    first = 0
    try:
        if whence == os.SEEK_END and stream.seek(0, os.SEEK_END) < -offset:
            raise UsageError(_NO_SEEK, 4, hint=False)
        if "s" in call.opts:
            first = stream.seek(offset, whence)
        return first, _bounded(blocks(call, stream), 0, settings.length)
    except OSError:
        # In a pipe xxd reads forward to the position instead, which is impossible backwards.
        if back:
            raise UsageError(_NO_SEEK, 4, hint=False) from None
        return offset, _bounded(blocks(call, stream), offset, settings.length)


def _bounded(source: Iterator[bytes], skip: int, length: int) -> Iterator[bytes]:
    for chunk in source:
        if skip:
            dropped = min(skip, len(chunk))
            skip -= dropped
            chunk = chunk[dropped:]
        if length >= 0:
            chunk = chunk[:length]
            length -= len(chunk)
        if chunk:
            yield chunk
        if not length:
            return
    if skip > 0:
        raise UsageError(_NO_SEEK, 4, hint=False)


def _whole_rows(call: Call, source: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Yield blocks of whole rows; only the last block may end within a row."""
    buffer = bytearray()
    for chunk in source:
        buffer += chunk
        whole = len(buffer) - len(buffer) % size
        if whole:
            yield bytes(buffer[:whole])
            del buffer[:whole]
        check_buffer_size(call, len(buffer))
    if buffer:
        yield bytes(buffer)


def _cut(block: bytes, size: int) -> list[bytes]:
    return [block[at : at + size] for at in range(0, len(block), size)]


def _groups(row: bytes, settings: _Settings) -> str:
    """Format the bytes of a row in groups."""
    size = settings.group
    if settings.kind == "b":
        return " ".join(["".join(map(_BITS.__getitem__, group)) for group in _cut(row, size)])
    if settings.kind == "e":
        text = " ".join([group[::-1].hex().rjust(2 * size) for group in _cut(row, size)])
    else:
        text = row.hex(" ", -size)
    return settings.in_case(text)


def _all_groups(block: bytes, settings: _Settings) -> list[bytes]:
    """Format the rows of a block in groups. Rows of whole groups are formatted together and then cut."""
    if not _cuts_evenly(block, settings):
        return [_groups(row, settings).encode() for row in _cut(block, settings.columns)]
    size, columns, kind = settings.group, settings.columns, settings.kind
    if kind == "b":
        text = " ".join(map(_BITS.__getitem__, block))
    else:
        if kind == "e":
            swapped = bytearray(len(block))
            for at in range(size):
                swapped[at::size] = block[size - 1 - at :: size]
            block = bytes(swapped)
        text = settings.in_case(block.hex(" ", -size))
    line = (columns // size) * (size * settings.digits + 1)
    data = text.encode()
    return [data[at : at + line - 1] for at in range(0, len(data), line)]


def _cuts_evenly(block: bytes, settings: _Settings) -> bool:
    """Return whether every row of a block has the same length as text, so that the text of the block can be cut."""
    size = settings.group
    if settings.columns % size:
        return False
    if settings.kind == "b":
        return size == 1
    return settings.kind != "e" or len(block) % size == 0


def _dump(
    call: Call, write: Callable[[bytes], None], position: int, source: Iterator[bytes], settings: _Settings
) -> None:
    columns = settings.columns
    form, mask = b"%08x: %b  %b\n", 0xFFFFFFFFFFFFFFFF
    if call.opts.d:
        form, mask = b"%08d: %b  %b\n", -1  # decimal offsets may be negative
    position += settings.shift
    squeezer = _ZeroRows(write, columns) if call.opts.a else None
    width = _groups_width(settings)
    for block in _whole_rows(call, source, columns):
        characters = block.translate(_EBCDIC) if settings.ebcdic else block
        shown = _cut(characters.translate(_PRINTABLE), columns)
        groups = _all_groups(block, settings)
        groups[-1] = groups[-1].ljust(width)
        heads = [at & mask for at in range(position, position + len(block), columns)]
        lines = [form % row for row in zip(heads, groups, shown, strict=True)]
        position += len(block)
        if squeezer is None:
            write(b"".join(lines))
        else:
            squeezer.write_rows(block, lines)
    if squeezer is not None:
        squeezer.finish()


def _groups_width(settings: _Settings) -> int:
    """Return the width of the groups of a whole row, to which a shorter last row is padded."""
    columns, group = settings.columns, settings.group
    if settings.kind == "e":
        # A group of fewer bytes is as wide as the others here.
        count = -(-columns // group)
        return count * (group * 2 + 1) - 1
    return ((group * settings.digits + 1) * columns - 1) // group


class _ZeroRows:
    """Writes rows for ``-a``: of a run of zero rows the first, and a second row or ``*`` for all others."""

    __slots__ = ("_columns", "_count", "_last", "_second", "_write")

    def __init__(self, write: Callable[[bytes], None], columns: int) -> None:
        self._write = write
        self._columns = columns
        self._count = 0
        self._second = self._last = b""

    def write_rows(self, block: bytes, lines: Sequence[bytes]) -> None:
        """Write the rows of a block, of which ``lines`` are the texts."""
        columns = self._columns
        for at, line in enumerate(lines):
            row = block[at * columns : (at + 1) * columns]
            if len(row) < columns or row.strip(b"\0"):
                self._close(self._count)
                self._count = 0
                self._write(line)
                continue
            self._count += 1
            if self._count == 1:
                self._write(line)
            elif self._count == 2:
                self._second = line
            self._last = line

    def finish(self) -> None:
        """Write the last row of zeros, to show where the file ends."""
        if self._count > 1:
            self._close(self._count - 1)
            self._write(self._last)

    def _close(self, count: int) -> None:
        if count == 2:
            self._write(self._second)
        elif count > 2:
            self._write(b"*\n")


def _plain(call: Call, write: Callable[[bytes], None], source: Iterator[bytes], settings: _Settings) -> None:
    columns = settings.columns
    if columns:
        for block in _whole_rows(call, source, columns):
            text = block.hex("\n", -min(columns, len(block)))
            write(settings.in_case(text + "\n").encode())
        return
    some = False
    for block in source:
        write(settings.in_case(block.hex()).encode())
        some = True
    if some:
        write(b"\n")


def _include(
    call: Call, write: Callable[[bytes], None], source: Iterator[bytes], settings: _Settings, name: str
) -> None:
    """Write a C array."""
    variable = _variable(call, name)
    if variable:
        write(encode(f"unsigned char {variable}[] = {{\n"))
    total = 0
    line = len("0x00, ") * settings.columns
    for block in _whole_rows(call, source, settings.columns):
        text = "0x" + block.hex(",").replace(",", ", 0x")
        data = settings.in_case(text).encode()  # xxd writes 0X too
        rows = [b"  " + data[at : at + line - 2] for at in range(0, len(data), line)]
        write((b",\n" if total else b"") + b",\n".join(rows))
        total += len(block)
    if total:
        write(b"\n")
    if variable:
        length = "LEN" if call.opts.C else "len"
        write(encode(f"}};\nunsigned int {variable}_{length} = {total};\n"))


def _variable(call: Call, name: str) -> str:
    """Return the name of the array: that of ``-n`` or of the file, as a word of C; "" for standard input."""
    if "n" in call.opts:
        name = call.opts.value("n")
    elif name == "-":
        return ""
    word = "".join(char if char.isascii() and char.isalnum() else "_" for char in name)
    if name[:1].isdigit():
        word = "__" + word
    return word.upper() if call.opts.C else word


class _Reverter:
    """Converts a dump back to bytes, with xxd's tolerance.

    Between digits one character that is neither digit nor blank is ignored; after three non-digits in a row the rest of
    the line is a comment. A line of a dump begins with an offset, ended by any non-digit. Bytes between two offsets
    stay unchanged in a file, and are zeros in a pipe. In plain style, digits may continue on the next line.
    """

    __slots__ = ("_call", "_column", "_columns", "_idle", "_last", "_out", "_place", "_plain", "_shift", "_wanted")

    def __init__(self, call: Call, out: LineWriter, settings: _Settings) -> None:
        self._call = call
        self._out = out
        self._plain = settings.kind == "p"
        self._columns = self._column = settings.columns  # after the last column: an offset is expected
        self._shift, _ = _place(call)
        self._place = 0  # the current position
        self._wanted = 0  # the position of the next byte
        self._last = (0, -1)  # the values of the last two characters, -1 for a non-digit
        self._idle = True  # no digit yet in this line

    def run(self, source: Iterator[bytes]) -> None:
        """Convert all lines."""
        usual = self._plain_line if self._plain else self._dump_line
        for line in source:
            if not usual(line):
                self._odd_line(line)
        self._move(0, 2)

    def _plain_line(self, line: bytes) -> bool:
        """Convert a plain line of whole pairs. Return False for another line."""
        digits = line.translate(None, b" \t\r\n")
        if self._shift or self._last[1] >= 0 or len(digits) % 2 or digits.translate(None, _DIGITS):
            return False
        self._out.write(unhexlify(digits))
        if digits:
            self._last, self._idle = (_VALUES[digits[-2]], -1), False
        return True

    def _dump_line(self, line: bytes) -> bool:
        """Convert a line in xxd's own format. Return False for another line."""
        usual = _USUAL(line)
        if usual is None or not self._idle:
            return False
        self._wanted = int(usual[1][:15], 16)
        self._go()
        data = unhexlify(usual[2].replace(b" ", b""))[: self._columns]
        self._out.write(data)
        self._place += len(data)
        self._wanted, self._last = 0, (-1, -1)
        return True

    def _odd_line(self, line: bytes) -> None:
        blanks = b" \t\n\r" if self._plain else b"\r"
        for char in paced(line):
            if char not in blanks and self._ends(char):
                return

    def _ends(self, char: int) -> bool:
        """Process a character. Return whether the line is finished."""
        third, second = self._last
        first = _VALUES[char]
        self._last = second, first
        is_digit = first >= 0
        if not is_digit and self._idle:
            return False
        self._idle = False
        if self._expects_offset():
            if is_digit:
                self._wanted = (self._wanted << 4 | first) & _LARGEST
            else:
                self._column = 0
            return False
        self._go()
        if is_digit and second >= 0:
            self._octet(second << 4 | first)
            self._last = second, -1
            over = self._expects_offset()
        else:
            over = max(first, second, third) < 0
        if not over and char != 10:
            return False
        if not self._plain:
            self._wanted = 0
        self._column, self._idle = self._columns, True
        return True

    def _expects_offset(self) -> bool:
        """Return whether all columns of a line are read. Plain style has no offsets."""
        return not self._plain and self._column >= self._columns

    def _octet(self, value: int) -> None:
        self._out.write(bytes((value,)))
        self._place += 1
        self._wanted += 1
        self._column += 1

    def _go(self) -> None:
        """Move to the position of the next byte."""
        gap = self._shift + self._wanted - self._place
        if not gap:
            return
        most = self._call.limits.written
        if gap > most:
            raise Stop("limit", f"more than {most} bytes written", "written")
        self._place += gap
        if self._move(gap, 1):
            return
        if gap < 0:
            raise UsageError("Sorry, cannot seek backwards.", 5, hint=False)
        while gap:
            self._call.check()
            self._out.write(bytes(min(65536, gap)))
            gap -= min(65536, gap)

    def _move(self, offset: int, whence: int) -> bool:
        """Seek in the output. Return False if it cannot seek."""
        self._out.flush()
        try:
            self._out.stream.seek(offset, whence)
        except OSError:
            return False
        return True


def _run(call: Call, settings: _Settings, stream: Stream, name: str, out: LineWriter) -> None:
    if call.opts.r:
        if settings.kind not in ("", "p"):
            raise UsageError("Sorry, cannot revert this type of hexdump", 255, hint=False)
        _Reverter(call, out, settings).run(records(call, stream))
        return
    write = out.write
    position, source = _input(call, stream, settings)
    if settings.kind == "p":
        _plain(call, write, source, settings)
    elif settings.kind == "i":
        _include(call, write, source, settings, name)
    else:
        _dump(call, write, position, source, settings)


def _open(call: Call, name: str) -> Stream:
    try:
        return call.open_input(name)
    except IsADirectoryError as error:
        # xxd can open a directory; reading it fails, and that message has no name.
        raise UsageError(reason(error), 2, hint=False) from None
    except OSError as error:
        raise _open_error(name, error, 2) from None


def _open_error(name: str, error: OSError, status: int) -> UsageError:
    named = f"{name}: " if name else ""
    return UsageError(named + reason(error), status, hint=False)


@utility(
    "xxd",
    paths=True,
    summary="Make a hex dump or do the reverse.",
    usage="[options] [infile [outfile]]",
    hears=False,
    flags=_XxdFlags(
        [
            Flag("-a", help="autoskip: a single '*' replaces rows of NULs"),
            Flag("-b", help="binary digit dump"),
            Flag("-C", help="capitalize variable names in C include file style"),
            Flag("-c", value="COLS", kind=_number, help="format COLS octets per line (16, -i: 12, -ps: 30)"),
            Flag("-d", help="show offset in decimal instead of hex"),
            Flag("-E", help="show characters in EBCDIC"),
            Flag("-e", help="little-endian dump"),
            Flag("-g", value="BYTES", kind=_number, help="number of octets per group (2, -e: 4)"),
            Flag("-h", help="print this summary, to stderr"),
            Flag("-i", help="output in C include file style"),
            Flag("-l", value="LEN", kind=_number, help="stop after LEN octets"),
            Flag("-n", value="NAME", help="set the variable name used in C include output"),
            Flag("-o", value="OFF", kind=_number, help="add OFF to the displayed file position"),
            Flag("-p", help="output in plain hexdump style (-ps, -plain)"),
            Flag("-r", help="reverse operation: convert (or patch) hexdump into binary"),
            Flag("-s", value="SEEK", kind=_seek, help="start at SEEK of the infile (or +: relative, -: from the end)"),
            Flag("-u", help="use upper case hex letters"),
            Flag("-v", dest="version", help="show version"),
        ]
    ),
)
def xxd(call: Call) -> int:
    args = call.args
    if call.opts.h:
        call.stderr.write(xxd.help().encode())
        return 1
    if call.opts.version:
        call.out.write(b"xxd 2022-01-14 (pyshellhooks)\n")
        return 0
    if len(args) > 2:
        raise UsageError(f"extra operand '{args[2]}'")
    name = args[0] if args else "-"
    settings = _Settings(call)
    stream = _open(call, name)
    try:
        if len(args) < 2 or args[1] == "-":
            _run(call, settings, stream, name, call.out)
            return 0
        # Reverting into a file keeps the bytes that the dump does not contain.
        flags = os.O_WRONLY | os.O_CREAT
        if not call.opts.r:
            flags |= os.O_TRUNC
        try:
            goal = call.open(args[1], flags)
        except OSError as error:
            raise _open_error(args[1], error, 3) from None
        try:
            out = LineWriter(goal)
            _run(call, settings, stream, name, out)
            out.flush()
        finally:
            goal.release()
    finally:
        stream.release()
    return 0
