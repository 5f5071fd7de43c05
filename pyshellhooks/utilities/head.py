"""head: the first part of files (POSIX XCU head; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Mapping, Sequence

from ..command import Call, Flag, Flags, Options, RawArgument, utility
from ..command.call import reason
from ..command.flags import Kind
from ..errors import UsageError
from ..streams.base import Stream
from ..text import encode
from .support.kinds import UNITS, Count
from .support.quoting import quote, quote_name
from .support.records import Inputs, blocks, records


def _first_lines(call: Call, stream: Stream, count: int, delimiter: bytes) -> None:
    while count > 0:
        chunk = stream.read(65536)
        if not chunk:
            return
        if call.scope.stop is not None:
            call.check()
        found = chunk.count(delimiter)
        if found < count:
            count -= found
            call.out.write(chunk)
            continue
        end = -1
        for _ in range(count):
            end = chunk.find(delimiter, end + 1)
        call.out.write(chunk[: end + 1])
        _give_back(stream, len(chunk) - end - 1)
        return


def _give_back(stream: Stream, size: int) -> None:
    """Set the position of a file directly after the printed part: ``(head -1; cat) < file``."""
    if size:
        try:
            stream.seek(-size, 1)
        except OSError:
            pass


def _first_bytes(call: Call, stream: Stream, count: int) -> None:
    while count > 0:
        chunk = stream.read(min(count, 65536))
        if not chunk:
            return
        call.check()
        count -= len(chunk)
        call.out.write(chunk)


def _all_but_lines(call: Call, stream: Stream, count: int, delimiter: bytes) -> None:
    buffer: deque[bytes] = deque()
    for line in records(call, stream, delimiter):
        buffer.append(line)
        if len(buffer) > count:
            call.out.write(buffer.popleft())
    _give_back(stream, sum(map(len, buffer)))


def _all_but_bytes(call: Call, stream: Stream, count: int) -> None:
    buffer = b""
    for chunk in blocks(call, stream):
        buffer += chunk
        if len(buffer) > count:
            call.out.write(buffer[: len(buffer) - count])
            buffer = buffer[len(buffer) - count :]
    _give_back(stream, len(buffer))


class Headers:
    """The ``==> name <==`` lines of head and tail."""

    def __init__(self, call: Call) -> None:
        last = call.opts.last_of("quiet", "verbose")
        self.wanted = last == "verbose" or (last is None and len(call.args) > 1)
        self.first = True

    def write(self, call: Call, name: str) -> None:
        if self.wanted:
            name = "standard input" if name == "-" else name
            call.out.write(encode(f"{'' if self.first else chr(10)}==> {name} <==\n"))
            self.first = False


class Parts(Inputs):
    """Inputs with the headers and the error messages of head and tail."""

    __slots__ = ("headers", "unread")

    def __init__(self, call: Call, names: Sequence[str], *, unread: bool = False) -> None:
        super().__init__(call, names)
        self.headers = Headers(call)
        self.unread = unread  # no data is printed, so that a directory is not an error

    def report(self, name: str, error: OSError) -> None:
        reading = error.errno == errno.EISDIR
        what = f"error reading {quote_name(name)}" if reading else f"cannot open {quote_name(name)} for reading"
        if reading:
            self.headers.write(self.call, name)
            if self.unread:
                return
        self.call.error(f"{what}: {reason(error)}")
        self.failed = True


class Amount:
    """An amount of lines or bytes: a number and its sign."""

    __slots__ = ("count", "sign")

    def __init__(self, count: int, sign: str = "") -> None:
        self.count = count
        self.sign = sign


def amount_of(what: str) -> Kind:
    """Return the kind of an option with a value ``[-]NUM`` or ``[+]NUM``."""
    kind = Count(what, units=UNITS)

    def read(argument: RawArgument) -> Amount:
        sign = argument.text[:1] if argument.text[:1] in ("+", "-") else ""
        return Amount(kind(RawArgument(argument.text.removeprefix("-"), argument.env)), sign)

    return read


BYTES, LINES = amount_of("number of bytes"), amount_of("number of lines")


def amount(call: Call) -> tuple[str, Amount]:
    """Return the unit and the amount of the last option of head or tail."""
    unit = call.opts.last_of("bytes", "lines") or "lines"
    return unit, call.opts.read(unit, Amount)[-1] if unit in call.opts else Amount(10)


class _HeadFlags(Flags):
    """Options, and the old first word ``-NUM[bckm][lqvz]...``."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words = list(argv)
        if words and words[0][:1] == "-" and words[0][1:2].isdecimal():
            words[:1] = _modern(words[0][1:])
        try:
            return super().parse(words, env)
        except UsageError as error:
            last = error.message[-2:-1]
            if error.message.startswith("invalid option") and last.isdecimal():
                raise UsageError(f"invalid trailing option -- {last}") from None
            raise


def _modern(word: str) -> list[str]:
    letters = word.lstrip("0123456789")
    digits, unit, scale, more = word[: len(word) - len(letters)], "n", "", []
    for letter in letters:
        if letter in "cbkm":
            unit, scale = "c", "" if letter == "c" else letter
        elif letter == "l":
            unit = "n"
        elif letter in "qvz":
            more.append(f"-{letter}")
        else:
            raise UsageError(f"invalid trailing option -- {letter}")
    return [f"-{unit}", digits + scale, *more]


@utility(
    "head",
    paths=True,
    summary="Print the first 10 lines of each FILE to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=_HeadFlags(
        [
            Flag("-c", "--bytes", value="[-]NUM", kind=BYTES, help="print the first NUM bytes; '-': all but the last"),
            Flag("-n", "--lines", value="[-]NUM", kind=LINES, help="print the first NUM lines; '-': all but the last"),
            Flag("-q", "--quiet", "--silent", help="never print headers giving file names"),
            Flag("-v", "--verbose", help="always print headers giving file names"),
            Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
        ],
    ),
    filters=True,
)
def head(call: Call) -> int:
    unit, wanted = amount(call)
    count, but = wanted.count, wanted.sign == "-"
    if unit == "bytes" and but and count >= 2**63:
        why = "Value too large for defined data type"
        raise UsageError(f"invalid number of bytes: {quote(str(count), call.env)}: {why}", hint=False)
    delimiter = b"\0" if call.opts.zero_terminated else b"\n"
    inputs = Parts(call, call.args, unread=not count and not but)
    for name, stream in inputs:
        inputs.headers.write(call, name)
        if unit == "bytes":
            (_all_but_bytes if but else _first_bytes)(call, stream, count)
        elif but:
            _all_but_lines(call, stream, count, delimiter)
        else:
            _first_lines(call, stream, count, delimiter)
    return int(inputs.failed)
