"""paste: merge lines of files (POSIX XCU paste; GNU coreutils 9.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, cycle, islice, repeat, zip_longest

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..streams.base import Stream
from ..text import encode, paced, pause
from .support.lines import batches, lines
from .support.quoting import name_of, report
from .support.records import Inputs

_AT_ONCE = 64  # lines, each of which may be long
_ESCAPES = {"0": b"", "b": b"\b", "f": b"\f", "n": b"\n", "r": b"\r", "t": b"\t", "v": b"\v", "\\": b"\\"}


def _delimiters(call: Call) -> list[bytes]:
    text = call.opts.value("delimiters", "\t")
    out: list[bytes] = []
    data = encode(text)
    at = 0
    while at < len(data):
        pause()
        char = data[at : at + 1]
        at += 1
        if char == b"\\":
            char = data[at : at + 1]
            at += 1
            if not char:
                raise UsageError(f"delimiter list ends with an unescaped backslash: {text}", hint=False)
            char = _ESCAPES.get(char.decode("latin-1"), char)
        out.append(char)
    return out or [b""]


def _serial(call: Call, delimiters: list[bytes], end: bytes) -> int:
    """Join the lines of each file into one output line."""
    inputs = _Serial(call, call.args)
    write = call.out.write
    for _, stream in inputs:
        between = chain((b"",), cycle(delimiters))
        for batch in batches(call, stream, end):
            if batch and len(delimiters) == 1:
                write(next(between) + delimiters[0].join(batch))
            else:
                write(b"".join([delimiter + line for line, delimiter in zip(batch, between, strict=False)]))
        write(end)
    return int(inputs.failed)


class _Serial(Inputs):
    """Inputs of ``--serial``. GNU's paste opens a directory and fails at the first read, so it writes a line for it."""

    __slots__ = ()

    def report(self, name: str, error: OSError) -> None:
        if isinstance(error, IsADirectoryError):
            self.call.out.write(b"\0" if self.call.opts.zero_terminated else b"\n")
        super().report(name, error)


def _parallel(call: Call, delimiters: list[bytes], end: bytes) -> int:
    """Join the corresponding lines of all files."""
    status = 0
    opened: list[Stream] = []
    sources: list[Iterator[bytes]] = []
    stdin: Iterator[bytes] | None = None
    try:
        for name in paced(call.args or ["-"]):
            if name == "-":
                # All - operands read the same standard input in turn.
                stdin = stdin or lines(call, call.stdin, end)
                sources.append(stdin)
                continue
            try:
                opened.append(call.open_input(name))
            except IsADirectoryError as error:
                report(call, name, error)
                status = 1
                sources.append(iter(()))
                continue
            except OSError as error:
                raise UsageError(f"{name_of(name)}: {reason(error)}", hint=False) from None
            sources.append(lines(call, opened[-1], end))
        write = call.out.write
        rows = zip_longest(*sources, fillvalue=b"")
        if len(delimiters) == 1:
            made = map(delimiters[0].join, rows)
            while some := list(islice(made, _AT_ONCE)):
                write(end.join(some) + end)
            return status
        ends = [*_taken(delimiters, len(sources) - 1), end]
        for row in rows:
            write(b"".join([text for pair in zip(row, ends, strict=True) for text in pair]))
    finally:
        for stream in opened:
            stream.release()
    return status


def _taken(delimiters: list[bytes], count: int) -> Iterator[bytes]:
    return (delimiter for delimiter, _ in zip(cycle(delimiters), repeat(None, count), strict=False))


@utility(
    "paste",
    paths=True,
    summary="Write lines consisting of the sequentially corresponding lines from each FILE, separated by TABs.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-d", "--delimiters", value="LIST", help="reuse characters from LIST instead of TABs"),
        Flag("-s", "--serial", help="paste one file at a time instead of in parallel"),
        Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ],
)
def paste(call: Call) -> int:
    end = b"\0" if call.opts.zero_terminated else b"\n"
    return (_serial if call.opts.serial else _parallel)(call, _delimiters(call), end)
