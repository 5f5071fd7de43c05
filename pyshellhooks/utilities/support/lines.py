"""Reading of lines without their delimiter, and of whole inputs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ...command.call import Call
from ...errors import Stop
from ...streams.base import Stream
from .records import blocks, split_blocks


def batches(call: Call, stream: Stream, delimiter: bytes = b"\n") -> Iterator[list[bytes]]:
    """Yield the lines of each block, without delimiters. Raise ``Stop`` for a line longer than ``Limits.string``."""
    for pieces, _ in split_blocks(call, stream, delimiter):
        yield pieces


def lines(call: Call, stream: Stream, delimiter: bytes = b"\n") -> Iterator[bytes]:
    """Return lines without their delimiter."""
    return chain.from_iterable(batches(call, stream, delimiter))


def read_all(call: Call, stream: Stream, what: str = "") -> bytes:
    """Return the whole content of a stream, for utilities that need its end first.

    Raise ``Stop`` above a sixteenth of ``Limits.memory``.
    """
    chunks: list[bytes] = []
    size = 0
    for chunk in blocks(call, stream):
        chunks.append(chunk)
        size += len(chunk)
        check_buffer_size(call, size, what)
    return b"".join(chunks)


def check_buffer_size(call: Call, size: int, what: str = "") -> None:
    """Raise ``Stop`` if a utility holds more than a sixteenth of ``Limits.memory``."""
    if size > call.limits.memory // 16:
        raise Stop("limit", f"{what or call.name} holds more than {call.limits.memory // 16} bytes", "memory")
