"""cmp: compare two files byte by byte (POSIX XCU cmp; GNU diffutils 3.8)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import compress, count
from operator import ne

from ..command import Call, Flag, RawArgument, utility
from ..command.call import reason
from ..errors import UsageError
from ..streams.base import Stream
from ..text import encode
from .diff.flags import DiffFlags, hinted
from .support.kinds import Number

_BLOCK = 65536
_PIECE = 256
_ENDLESS = 2**63 - 1


class _Input:
    """One of the two files."""

    __slots__ = ("left", "name", "stream")

    def __init__(self, name: str, stream: Stream, skip: int, call: Call) -> None:
        self.name = name
        self.stream = stream
        self.left = _size(stream)
        if self.left < _ENDLESS:
            stream.seek(skip, 1)
            self.left = max(0, self.left - skip)
            return
        while skip > 0:
            chunk = stream.read(min(skip, _BLOCK))
            call.check()
            if not chunk:
                return
            skip -= len(chunk)

    def read(self, size: int) -> bytes:
        """Return ``size`` bytes, or fewer at the end."""
        try:
            chunk = self.stream.read(size)
            while chunk and len(chunk) < size:
                more = self.stream.read(size - len(chunk))
                if not more:
                    break
                chunk += more
        except OSError as error:
            raise UsageError(f"{self.name}: {reason(error)}", hint=False) from None
        return chunk


def _size(stream: Stream) -> int:
    """Return the remaining size of a file, or ``_ENDLESS`` if it is unknown, as for a pipe."""
    try:
        here = stream.seek(0, 1)
        size = stream.seek(0, 2) - here
        stream.seek(here)
    except OSError:
        return _ENDLESS
    return size if size > 0 else _ENDLESS


def _shown(byte: int) -> str:
    """Return a byte in the notation of ``cat -v``."""
    if byte > 127:
        return "M-" + _shown(byte & 127)
    if byte < 32 or byte == 127:
        return f"^{chr(byte ^ 64)}"
    return chr(byte)


def _differing(one: bytes, other: bytes, common: int) -> Iterator[int]:
    """Yield the positions of differing bytes; equal pieces are skipped in one step."""
    for start in range(0, common, _PIECE):
        left, right = one[start : min(start + _PIECE, common)], other[start : min(start + _PIECE, common)]
        if left != right:
            yield from compress(count(start), map(ne, left, right))


class _Comparison:
    """The comparison of one call."""

    def __init__(self, call: Call, inputs: list[_Input], limit: int) -> None:
        opts = call.opts
        self.call = call
        self.inputs = inputs
        self.limit = limit
        self.every = opts.verbose
        self.quiet = opts.silent
        self.bytes = opts.print_bytes
        self.width = len(str(min(limit, *(one.left for one in inputs))))
        self.lines = 1
        self.position = 0
        self.newline = False  # the last common byte is a newline
        self.different = False

    def run(self) -> int:
        first, second = self.inputs
        while (left := self.limit - self.position) > 0:
            self.call.check()
            one, other = first.read(min(_BLOCK, left)), second.read(min(_BLOCK, left))
            common = min(len(one), len(other))
            if one[:common] != other[:common]:
                self.different = True
                if self.quiet or not self._report(one, other, common):
                    return 1
            self.position += common
            self.lines += one.count(b"\n", 0, common)
            if common:
                self.newline = one[common - 1 : common] == b"\n"
            if len(one) != len(other):
                self._report_end(first if len(one) < len(other) else second)
                return 1
            if not common:
                break
        return int(self.different)

    def _report(self, one: bytes, other: bytes, common: int) -> bool:
        """Print differing bytes; return whether to continue."""
        for at in _differing(one, other, common):
            left, right = one[at], other[at]
            place = self.position + at + 1
            if not self.every:
                line = self.lines + one.count(b"\n", 0, at)
                text = f"{self.inputs[0].name} {self.inputs[1].name} differ: byte {place}, line {line}"
                if self.bytes:
                    text += f" is {left:3o} {_shown(left)} {right:3o} {_shown(right)}"
                self.call.out.write(encode(text + "\n"))
                return False
            row = b"%*d %3o %3o\n" % (self.width, place, left, right)
            if self.bytes:
                characters = _shown(left).encode(), _shown(right).encode()
                row = b"%*d %3o %-4s %3o %s\n" % (self.width, place, left, characters[0], right, characters[1])
            self.call.out.write(row)
        return True

    def _report_end(self, shorter: _Input) -> None:
        if self.quiet:
            return
        if not self.position:
            self.call.error(f"EOF on {shorter.name} which is empty")
            return
        where = ""
        if not self.every:
            where = f", line {self.lines - 1}" if self.newline else f", in line {self.lines}"
        self.call.error(f"EOF on {shorter.name} after byte {self.position}{where}")


_UNITS = "kKMGTPEZY0"
_LIMIT = Number("invalid --bytes value '{text}'", most=_ENDLESS, units=_UNITS, base=0)
_SKIP = Number("invalid --ignore-initial value '{text}'", most=_ENDLESS, units=_UNITS, base=0)


def _both(argument: RawArgument) -> tuple[int, ...]:
    """Parse ``SKIP`` or ``SKIP1:SKIP2``."""
    first, colon, second = argument.text.partition(":")
    if not colon:
        second = first
    return tuple(_SKIP(RawArgument(part, argument.env)) for part in (first, second))


def _skips(call: Call) -> list[int]:
    """Return the number of bytes to skip in each file; raise UsageError for operands after SKIP2."""
    skips = [max(values) for values in zip((0, 0), *call.opts.read("ignore_initial", tuple), strict=True)]
    for place, part in enumerate(call.args[2:4]):
        try:
            skips[place] = max(skips[place], _SKIP(RawArgument(part, call.env)))
        except UsageError as error:
            raise hinted(error.message, "cmp") from None
    if len(call.args) > 4:
        raise hinted(f"extra operand '{call.args[4]}'", "cmp")
    return skips


def _one_file(call: Call, name: str, other: str) -> bool:
    """Return whether two names are one file, which is then not read: it may be a directory, or endless."""
    if "-" in (name, other):
        return name == other
    try:
        one, two = call.fs.stat(call.path(name)), call.fs.stat(call.path(other))
    except OSError:
        return False
    return bool(one.st_ino) and os.path.samestat(one, two)


@utility(
    "cmp",
    paths=True,
    summary="Compare two files byte by byte.",
    usage="[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]",
    flags=DiffFlags(
        "cmp",
        [
            Flag("-b", "--print-bytes", help="print differing bytes"),
            Flag(
                "-i", "--ignore-initial", value="SKIP", kind=_both, help="skip SKIP bytes of both inputs (SKIP1:SKIP2)"
            ),
            Flag("-l", "--verbose", help="output byte numbers and differing byte values"),
            Flag("-n", "--bytes", value="LIMIT", kind=_LIMIT, help="compare at most LIMIT bytes"),
            Flag("-s", "--quiet", "--silent", dest="silent", help="suppress all normal output"),
            Flag("-v", "--version", help="output version information and exit"),
        ],
    ),
    usage_status=2,
    error_status=2,
)
def cmp(call: Call) -> int:
    """Return 0 for equal files, 1 for different files, 2 on errors."""
    opts, args = call.opts, call.args
    if opts.version:
        call.out.write(b"cmp (pyshellhooks, as GNU diffutils) 3.8\n")
        return 0
    if opts.verbose and opts.silent:
        raise hinted("options -l and -s are incompatible", "cmp")
    limit = min(opts.read("bytes", int), default=_ENDLESS)
    if not args:
        raise hinted("missing operand after 'cmp'", "cmp")
    skips = _skips(call)
    names = args[0], args[1] if len(args) > 1 else "-"
    same = skips[0] == skips[1] and _one_file(call, *names)
    if same:
        skips = [0, 0]  # nothing is read
    opened: list[_Input] = []
    try:
        for place, name in enumerate(names):
            try:
                stream = call.open_input(name)
            except OSError as error:
                is_directory = isinstance(error, IsADirectoryError)
                if same and is_directory:
                    return 0
                # With -s, GNU's cmp is silent about a file that it cannot open, but not about one it cannot read.
                if opts.silent and not is_directory:
                    return 2
                raise UsageError(f"{name}: {reason(error)}", hint=False) from None
            opened.append(_Input(name, stream, skips[place], call))
        if same:
            return 0
        return _Comparison(call, opened, limit).run()
    finally:
        for one in opened:
            one.stream.release()
