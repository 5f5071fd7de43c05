"""Reading of inputs by block and by line, for all filters."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from ...command.call import Call, reason
from ...errors import Stop, UsageError
from ...streams.base import Stream
from ...text import decode, encode
from .quoting import name_of, quote_name, report

BLOCK = 65536


def blocks(call: Call, stream: Stream) -> Iterator[bytes]:
    """Yield the content of a stream in blocks, and check for cancellation before each."""
    read = stream.read
    scope = call.scope
    while chunk := read(BLOCK):
        if scope.stop is not None:
            scope.check()
        yield chunk


def split_blocks(call: Call, stream: Stream, delimiter: bytes) -> Iterator[tuple[list[bytes], bool]]:
    """Yield the lines of each block without delimiters, and whether the last line is delimited.

    Raise ``Stop`` for a line longer than ``Limits.string``.

    One generator step for each block, not for each line: callers process the lists of lines at C speed.
    """
    # The unfinished line is joined once: repeated joins of a long line would take quadratic time.
    chunks: list[bytes] = []
    size = 0
    for chunk in blocks(call, stream):
        if delimiter not in chunk:
            chunks.append(chunk)
            size += len(chunk)
            if size > call.limits.string:
                raise Stop("limit", f"a line is longer than {call.limits.string} bytes", "string")
            continue
        if chunks:
            chunk = b"".join([*chunks, chunk])
        pieces = chunk.split(delimiter)
        rest = pieces.pop()
        chunks, size = ([rest], len(rest)) if rest else ([], 0)
        yield pieces, True
    if chunks:
        yield [b"".join(chunks)], False


def records(call: Call, stream: Stream, delimiter: bytes = b"\n") -> Iterator[bytes]:
    """Yield lines with their delimiter, which the last line may lack."""
    for pieces, ended in split_blocks(call, stream, delimiter):
        if ended:
            for piece in pieces:
                yield piece + delimiter
        else:
            yield from pieces


def opened(call: Call, name: str, flags: int = os.O_RDONLY) -> Stream:
    """Open a required file; for reading, ``-`` is standard input. Raise ``UsageError`` with GNU's message."""
    try:
        return call.open(name, flags) if flags != os.O_RDONLY else call.open_input(name)
    except IsADirectoryError:
        raise
    except OSError as error:
        raise UsageError(f"{name_of(name)}: {reason(error)}", hint=False) from None


def is_output(call: Call, stream: Stream, *, empty: bool = False) -> bool:
    """Return whether a file is also standard output, so that reading never ends; ``empty``: even at the file's end."""
    source, goal = stream.path(), call.stdout.path()
    if source is None or goal is None or source.startswith("/dev/"):
        return False
    try:
        file_status = call.fs.stat(source)
        if not os.path.samestat(file_status, call.fs.stat(goal)) or not stat.S_ISREG(file_status.st_mode):
            return False
        # At the end of the file no byte would be copied onto itself, so GNU's cat permits it.
        return empty or stream.seek(0, os.SEEK_CUR) < file_status.st_size
    except OSError:
        return False


class Inputs:
    """The operands of a filter, opened one after the other. A failure is reported and sets ``failed``."""

    __slots__ = ("call", "failed", "names")

    def __init__(self, call: Call, names: Sequence[str]) -> None:
        self.call = call
        self.names = names or ["-"]
        self.failed = False

    def __iter__(self) -> Iterator[tuple[str, Stream]]:
        for name in self.names:
            try:
                stream = self.open(name)
            except OSError as error:
                self.report(name, error)
                continue
            try:
                yield name, stream
            except BrokenPipeError:
                raise
            finally:
                stream.release()

    def open(self, name: str) -> Stream:
        """Open an input; ``-`` is standard input."""
        return self.call.open_input(name)

    def report(self, name: str, error: OSError) -> None:
        """Report an error about an input."""
        report(self.call, name, error)
        self.failed = True


def names_in(call: Call, source: str) -> Iterator[tuple[int, str]]:
    """Yield the NUL-terminated names in a file, with their numbers (``--files0-from``)."""
    stream = call.open_input(source)
    try:
        for number, record in enumerate(records(call, stream, b"\0"), 1):
            yield number, decode(record.removesuffix(b"\0"))
    finally:
        stream.release()


def wrong_name(source: str, number: int, name: str) -> str:
    """Return the message for an invalid name in the input of ``--files0-from``."""
    if name == "-":
        return f"when reading file names from stdin, no file name of {quote_name(name)} allowed"
    return f"{source}:{number}: invalid zero-length file name"


def agrees(call: Call, question: str) -> bool:
    """Prompt on stderr and read a line of standard input. Return whether it begins with y or Y."""
    call.out.flush()
    call.stderr.write(encode(f"{call.name}: {question}"))
    answer = call.stdin.readline(b"\n", call.limits.string + 1)
    if len(answer) > call.limits.string:
        raise Stop("limit", f"an answer is longer than {call.limits.string} bytes", "string")
    return answer[:1] in (b"y", b"Y")
