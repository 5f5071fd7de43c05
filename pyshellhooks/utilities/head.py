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
    if not size:
        return
    try:
        stream.seek(-size, 1)
    except OSError:
        pass  # a pipe keeps no bytes: the next reader lacks those that were read, as after GNU's


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
        if not self.wanted:
            return
        shown = "standard input" if name == "-" else name
        between = "" if self.first else "\n"
        call.out.write(encode(f"{between}==> {shown} <==\n"))
        self.first = False


class Parts(Inputs):
    """Inputs with the headers and the error messages of head and tail."""

    __slots__ = ("headers", "unread")

    def __init__(self, call: Call, names: Sequence[str], *, unread: bool = False) -> None:
        super().__init__(call, names)
        self.headers = Headers(call)
        self.unread = unread  # no data is printed, so that a directory is not an error

    def report(self, name: str, error: OSError) -> None:
        what = f"cannot open {quote_name(name)} for reading"
        if error.errno == errno.EISDIR:
            # GNU's head can open a directory, so its header is written before the first read fails.
            what = f"error reading {quote_name(name)}"
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
        text = argument.text
        sign = text[0] if text.startswith(("+", "-")) else ""
        return Amount(kind(RawArgument(text.removeprefix("-"), argument.env)), sign)

    return read


BYTES, LINES = amount_of("number of bytes"), amount_of("number of lines")


def amount(call: Call) -> tuple[str, Amount]:
    """Return the unit and the amount of the last option of head or tail."""
    unit = call.opts.last_of("bytes", "lines")
    if unit is None:
        return "lines", Amount(10)
    return unit, call.opts.read(unit, Amount)[-1]


class _HeadFlags(Flags):
    """Options, and the old first word ``-NUM[bckm][lqvz]...``."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words = list(argv)
        if words and words[0].startswith("-") and words[0][1:2].isdecimal():
            words[:1] = _modern(words[0][1:])
        try:
            return super().parse(words, env)
        except UsageError as error:
            # A digit behind the first word is not an unknown option to GNU's, but a number in the wrong place.
            last = error.message[-2:-1]
            if error.message.startswith("invalid option") and last.isdecimal():
                raise UsageError(f"invalid trailing option -- {last}") from None
            raise


def _modern(word: str) -> list[str]:
    """Return the options that the old word ``5kv`` means."""
    letters = word.lstrip("0123456789")
    digits = word[: len(word) - len(letters)]
    unit, scale = "n", ""
    more: list[str] = []
    for letter in letters:
        if letter == "c":
            unit, scale = "c", ""
        elif letter in "bkm":
            unit, scale = "c", letter
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
    call.read_text(unit == "lines")
    inputs = Parts(call, call.args, unread=not count and not but)
    for name, stream in inputs:
        inputs.headers.write(call, name)
        if unit == "lines" and but:
            _all_but_lines(call, stream, count, delimiter)
        elif unit == "lines":
            _first_lines(call, stream, count, delimiter)
        elif but:
            _all_but_bytes(call, stream, count)
        else:
            _first_bytes(call, stream, count)
    return int(inputs.failed)
