"""split: split a file into pieces (POSIX XCU split; GNU coreutils 9.1)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..command import Call, Flag, Flags, RawArgument, utility
from ..command.call import reason
from ..command.flags import Kind, Options
from ..errors import UsageError
from ..streams.base import BytesReader, Stream
from ..text import encode
from .support.kinds import UNITS, Count, Separator
from .support.lines import check_buffer_size
from .support.quoting import name_of, quote, quote_name
from .support.records import blocks, records

_DIGITS = {"": "abcdefghijklmnopqrstuvwxyz", "d": "0123456789", "x": "0123456789abcdef"}


_KINDS = {"d": "d", "numeric_suffixes": "d", "x": "x", "hex_suffixes": "x"}
_MOST = 2**63 - 1


_STARTS = ("numeric_suffixes", "hex_suffixes")


_LONG = 64  # digits: no number of pieces needs as many


class _Names:
    """The names of the pieces. The suffix counts up and, unless its length is given, grows before it is exhausted."""

    def __init__(self, call: Call, prefix: str, pieces: int) -> None:
        opts = call.opts
        kind = _KINDS.get(opts.last_of(*_KINDS) or "", "")
        self.digits = _DIGITS[kind]
        self.prefix = prefix
        self.ending = opts.value("additional_suffix")
        start = _start_value(opts)
        if kind and set(start) - set(self.digits):  # a hexadecimal start before an option for decimal suffixes
            raise UsageError(f"{quote(start, call.env)}: invalid start value for numerical suffix")
        self.at = int(start or "0", len(self.digits)) if kind else 0
        length = opts.integer("suffix_length", 0)
        check_buffer_size(call, length)
        # A given length, a given start and a known number of pieces each fix the length.
        self.fixed = bool(length) or bool(start) or bool(pieces)
        needed = self._needed_length(pieces)
        if length and length < needed:
            raise UsageError(f"the suffix length needs to be at least {needed}", hint=False)
        self.length = length or max(2, needed)
        if len(start) > self.length:
            raise UsageError("numerical suffix start value is too large for the suffix length")
        self.wide = 0  # the number of last letters before a suffix that has grown

    def _needed_length(self, pieces: int) -> int:
        """Return the shortest length for a known number of pieces; 1 if it is unknown (0)."""
        # A start of at least the number of pieces is not added: names stay as short as GNU's.
        most = pieces + self.at if self.at < pieces else pieces
        length = 1
        while pieces and len(self.digits) ** length < most:
            length += 1
        return length

    def __iter__(self) -> Iterator[str]:
        base = len(self.digits)
        at = self.at
        while True:
            if self.fixed:
                if self.length < _LONG and at >= base**self.length:
                    raise UsageError("output file suffixes exhausted", hint=False)
            elif at >= (base - 1) * base ** (self.length - 1):
                # Names must sort: zz is never used, zaaa follows yz.
                at -= (base - 1) * base ** (self.length - 1)
                self.wide += 1
                self.length += 1
            suffix = ""
            rest = at
            while rest:
                rest, digit = divmod(rest, base)
                suffix = self.digits[digit] + suffix
            suffix = suffix.rjust(self.length, self.digits[0])
            yield self.prefix + self.digits[-1] * self.wide + suffix + self.ending
            at += 1


class _Output:
    """The current piece: a file, or the standard input of the ``--filter`` command."""

    def __init__(self, call: Call, names: _Names, source: Stream) -> None:
        self.call = call
        self.names = iter(names)
        self.source = source
        self.filter = call.opts.value("filter") if "filter" in call.opts else None
        self.name = ""
        self.stream: Stream | None = None
        self.buffer: list[bytes] | None = None
        self.size = 0

    def next(self) -> None:
        """Begin the next piece."""
        self.close()
        self.name = next(self.names)
        if self.filter is not None:
            if self.call.opts.verbose:
                self.call.out.write(encode(f"executing with FILE={name_of(self.name)}\n"))
            self.buffer, self.size = [], 0
            return
        if self.call.opts.verbose:
            self.call.out.write(encode(f"creating file {quote_name(self.name)}\n"))
        self._refuse_own_input()
        try:
            self.stream = self.call.open(self.name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        except OSError as error:
            raise UsageError(f"{name_of(self.name)}: {reason(error)}", hint=False) from None

    def _refuse_own_input(self) -> None:
        """Raise before the input would be truncated."""
        own, fs = self.source.path(), self.call.fs
        if own is None:
            return
        path = self.call.path(self.name)
        if fs.exists(path) and os.path.samestat(fs.stat(own), fs.stat(path)):
            raise UsageError(f"{quote_name(self.name)} would overwrite input; aborting", hint=False)

    @property
    def open(self) -> bool:
        return self.stream is not None or self.buffer is not None

    def write(self, data: bytes) -> None:
        if not self.open:
            self.next()
        if self.stream is not None:
            self.stream.write(data)
        elif self.buffer is not None:
            self.buffer.append(data)
            self.size += len(data)
            check_buffer_size(self.call, self.size)

    def close(self) -> None:
        """Finish the piece; a filter is run now."""
        if self.stream is not None:
            self.stream.release()
            self.stream = None
        if self.buffer is not None:
            data, self.buffer = b"".join(self.buffer), None
            self._run_filter(data)

    def _run_filter(self, data: bytes) -> None:
        """Run the command of ``--filter`` on a piece."""
        self.call.out.flush()
        env = {**self.call.env, "FILE": self.name}
        stdin = BytesReader(data).retain()
        try:
            status = self.call.start(["sh", "-c", self.filter or ""], stdin=stdin, env=env).wait()
        finally:
            stdin.release()
        if status:
            with_name = f"with FILE={self.name}, exit {status} from command: {self.filter}"
            raise UsageError(with_name, status, hint=False)


def _by_lines(call: Call, out: _Output, stream: Stream, count: int, end: bytes) -> None:
    left = 0
    for chunk in blocks(call, stream):
        at = 0
        while at < len(chunk):
            if not left:
                out.next()
                left = count
            start = at
            while left and at < len(chunk):
                found = chunk.find(end, at)
                if found < 0:
                    at = len(chunk)
                    break
                at = found + 1
                left -= 1
            out.write(chunk[start:at])


def _by_bytes(call: Call, out: _Output, stream: Stream, count: int) -> None:
    left = 0
    for chunk in blocks(call, stream):
        at = 0
        while at < len(chunk):
            if not left:
                out.next()
                left = count
            part = chunk[at : at + left]
            out.write(part)
            left -= len(part)
            at += len(part)


def _by_line_bytes(call: Call, out: _Output, stream: Stream, count: int, end: bytes) -> None:
    """Fill each piece with whole lines; a line longer than a piece is split."""
    left = 0
    for record in records(call, stream, end):
        # A last line without newline never fills a piece exactly, because of GNU's search for newlines.
        brim = len(record) == left != count and not record.endswith(end)
        if len(record) > left or brim:
            left = 0
        at, size = 0, len(record)
        while size - at > left:
            if left == 0:
                out.next()
                left = count
            if size - at > left:
                out.write(record[at : at + left])
                at += left
                left = 0
        out.write(record[at:])
        left -= size - at


class _Chunks:
    """The value of ``-n``: ``N``, ``K/N``, ``l/N``, ``l/K/N``, ``r/N``, ``r/K/N``."""

    def __init__(self, argument: RawArgument) -> None:
        text = argument.text
        self.kind = "n"
        if text.startswith(("l/", "r/")):
            self.kind, text = text[0], text[2:]
        first, slash, second = text.partition("/")
        total = second if slash else first
        self.total = Count("number of chunks", 1, _MOST)(RawArgument(total, argument.env))
        self.only = 0
        if slash:
            self.only = Count("chunk number", 1, self.total)(RawArgument(first, argument.env))


def _in_chunks(call: Call, out: _Output, stream: Stream, chunks: _Chunks, end: bytes) -> None:
    if chunks.kind == "r":
        _round_robin(call, out, stream, chunks, end)
        return
    size = _size(call, stream)
    total = chunks.total
    data = _Pieces(call, stream)
    step = max(1, size // total)
    start = 0
    for place in range(1, total + 1):
        call.check()
        goal = size if place == total else min(size, place * step)
        if chunks.kind == "l":
            part = data.lines_until(goal, end)
        else:
            part = data.take(goal - start)
            start = goal
        if not chunks.only:
            _write_chunk(call, out, part)
            continue
        for piece in part:
            if place == chunks.only:
                call.out.write(piece)
        if place == chunks.only:
            return


class _Pieces:
    """A stream with a position, read in parts."""

    def __init__(self, call: Call, stream: Stream) -> None:
        self.source = blocks(call, stream)
        self.buffer = b""
        self.position = 0

    def _fill(self) -> bool:
        if not self.buffer:
            self.buffer = next(self.source, b"")
        return bool(self.buffer)

    def take(self, size: int) -> Iterator[bytes]:
        """Yield the next ``size`` bytes, in parts."""
        while size > 0 and self._fill():
            part, self.buffer = self.buffer[:size], self.buffer[size:]
            size -= len(part)
            self.position += len(part)
            yield part

    def lines_until(self, goal: int, end: bytes) -> Iterator[bytes]:
        """Yield the lines that begin before a position; the last one may extend beyond it."""
        if self.position >= goal:
            return
        yield from self.take(goal - self.position - 1)
        while self._fill():
            found = self.buffer.find(end)
            cut = len(self.buffer) if found < 0 else found + 1
            part, self.buffer = self.buffer[:cut], self.buffer[cut:]
            self.position += len(part)
            yield part
            if found >= 0:
                return


def _write_chunk(call: Call, out: _Output, part: Iterator[bytes]) -> None:
    """Write a chunk to a file of its own, which -e omits if the chunk is empty."""
    empty = True
    for piece in part:
        if empty:
            out.next()
        out.write(piece)
        empty = False
    if empty and not call.opts.elide_empty_files:
        out.next()


def _round_robin(call: Call, out: _Output, stream: Stream, chunks: _Chunks, end: bytes) -> None:
    """Distribute the lines to the pieces in turn."""
    if chunks.only:
        for place, record in enumerate(records(call, stream, end)):
            if place % chunks.total == chunks.only - 1:
                call.out.write(record)
        return
    parts: list[list[bytes]] = [[] for _ in range(min(chunks.total, 1_000_000))]
    size = 0
    for place, record in enumerate(records(call, stream, end)):
        parts[place % chunks.total].append(record)
        size += len(record) + 50
        check_buffer_size(call, size)
    for part in parts:
        if part or not call.opts.elide_empty_files:
            out.next()
            out.write(b"".join(part))


def _size(call: Call, stream: Stream) -> int:
    # -n needs the size in advance, which a pipe does not have; GNU's split refuses a pipe too.
    try:
        here = stream.seek(0, 1)
        size = stream.seek(0, 2) - here
        stream.seek(here)
    except OSError:
        if stream.path() == "/dev/null":
            return 0
        name = call.args[0] if call.args else "-"
        raise UsageError(f"{name_of(name)}: cannot determine file size", hint=False) from None
    return size


def _ending(argument: RawArgument) -> str:
    if "/" in argument.text:
        raise UsageError(f"invalid suffix {quote(argument.text, argument.env)}, contains directory separator")
    return argument.text


def _start(word: str, digits: str) -> Kind:
    def read(argument: RawArgument) -> str:
        if argument.text.strip(digits):
            raise UsageError(f"{quote(argument.text, argument.env)}: invalid start value for {word} suffix")
        # GNU compares the length of the start without leading zeros with that of the suffix.
        return argument.text.lstrip("0") or argument.text[:1]

    return read


_WAYS = ("bytes", "line_bytes", "lines", "number")


def _way(kind: Kind) -> Kind:
    """Return the kind of an option that selects the way of splitting; a call may have only one."""

    def read(argument: RawArgument) -> object:
        if argument.before.last_of(*_WAYS):
            raise UsageError("cannot split in more than one way")
        return kind(argument)

    return read


_SIZE = _way(Count("number of bytes", 1, _MOST, units=UNITS))
_LINES, _CHUNKS = _way(Count("number of lines", 1, _MOST)), _way(_Chunks)
_SEPARATOR = Separator(
    "multi-character separator {q}", "multiple separator characters specified", "empty record separator"
)
_LENGTH = Count("suffix length")
_DECIMAL, _HEXADECIMAL = _start("numerical", _DIGITS["d"]), _start("hexadecimal", _DIGITS["x"])


def _run(call: Call, out: _Output, kind: str, count: int, chunks: _Chunks | None, end: bytes) -> None:
    stream = out.source
    try:
        if chunks is not None:
            _in_chunks(call, out, stream, chunks, end)
        elif kind == "bytes":
            _by_bytes(call, out, stream, count)
        elif kind == "line_bytes":
            _by_line_bytes(call, out, stream, count, end)
        else:
            _by_lines(call, out, stream, count, end)
    except BaseException:
        # Not close(): after an error, or a stop of the run, no filter may be started.
        if out.stream is not None:
            out.stream.release()
        raise
    out.close()


@utility(
    "split",
    paths=True,
    summary="Output pieces of FILE to PREFIXaa, PREFIXab, ...; default size is 1000 lines, and default PREFIX is 'x'.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE [PREFIX]]",
    flags=Flags(
        [
            Flag("-a", "--suffix-length", value="N", kind=_LENGTH, help="generate suffixes of length N (default 2)"),
            Flag("--additional-suffix", value="SUFFIX", kind=_ending, help="append an additional SUFFIX to file names"),
            Flag("-b", "--bytes", value="SIZE", kind=_SIZE, help="put SIZE bytes per output file"),
            Flag(
                "-C", "--line-bytes", value="SIZE", kind=_SIZE, help="put at most SIZE bytes of records per output file"
            ),
            Flag("-d", help="use numeric suffixes starting at 0, not alphabetic"),
            Flag(
                "--numeric-suffixes",
                value="FROM",
                optional=True,
                kind=_DECIMAL,
                help="same as -d, but allow setting the start value",
            ),
            Flag("-x", help="use hex suffixes starting at 0, not alphabetic"),
            Flag(
                "--hex-suffixes",
                value="FROM",
                optional=True,
                kind=_HEXADECIMAL,
                help="same as -x, but allow setting the start value",
            ),
            Flag("-e", "--elide-empty-files", help="do not generate empty output files with '-n'"),
            Flag("--filter", value="COMMAND", help="write to shell COMMAND; file name is $FILE"),
            Flag("-l", "--lines", value="NUMBER", kind=_LINES, help="put NUMBER lines/records per output file"),
            Flag(
                "-n",
                "--number",
                value="CHUNKS",
                kind=_CHUNKS,
                help="generate N files: CHUNKS is N, K/N, l/N, l/K/N, r/N, r/K/N",
            ),
            Flag(
                "-t", "--separator", value="SEP", kind=_SEPARATOR, help="use SEP, not newline, as the record separator"
            ),
            Flag("-u", "--unbuffered", help="(accepted, no effect)"),
            Flag("--verbose", help="print a diagnostic just before each output file is opened"),
        ],
        numeric="lines",
    ),
)
def split(call: Call) -> int:
    opts, args = call.opts, call.args
    kind = opts.last_of(*_WAYS) or "lines"
    chunks = next(iter(opts.read("number", _Chunks)), None)
    count = opts.integer(kind, 1000) if chunks is None else 0
    end = next(iter(opts.read("separator", bytes)), b"\n")
    if len(args) > 2:
        raise UsageError(f"extra operand {quote(args[2], call.env)}")
    if "filter" in opts and chunks is not None and chunks.only:
        raise UsageError("--filter does not process a chunk extracted to stdout")
    prefix = args[1] if len(args) > 1 else "x"
    pieces = 0  # their number is known only for -n
    if chunks is not None and not chunks.only:
        pieces = chunks.total
    names = _Names(call, prefix, pieces)
    name = args[0] if args else "-"
    try:
        stream = call.open_input(name)
    except IsADirectoryError as error:
        raise UsageError(f"{name_of(name)}: {reason(error)}", hint=False) from None
    except OSError as error:
        raise UsageError(f"cannot open {quote_name(name)} for reading: {reason(error)}", hint=False) from None
    try:
        _run(call, _Output(call, names, stream), kind, count, chunks, end)
    finally:
        stream.release()
    return 0


def _start_value(opts: Options) -> str:
    """Return the last start value of an option that has one."""
    for dest, value in reversed(opts.given):
        if dest in _STARTS and value:
            return value
    return ""
