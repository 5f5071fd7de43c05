"""Collecting output: captures with a limit, and a buffer for small writes."""

from __future__ import annotations

from ..errors import Stop
from .base import Stream


class Capture(Stream):
    """A sink that collects bytes up to ``limit``; one byte more ends the run (rule 1: never truncated).

    If it is for ``text``, the CR LF of native programs become LF (``write_native``). Once ``sealed``, writes raise
    ``Stop``: an abandoned hook has no output any more. Once ``unread``, writes are dropped: no caller reads the output any
    more, but background jobs may go on writing.
    """

    __slots__ = ("_chunks", "_size", "bound", "limit", "name", "sealed", "text", "unread")

    def __init__(self, limit: int, name: str = "output", bound: str = "output", *, text: bool = False) -> None:
        self.references = 0
        self._chunks: list[bytes] = []
        self._size = 0
        self.limit = limit
        self.name = name
        self.bound = bound  # the name of the limit in ``Limits``
        self.text = text
        self.sealed = False
        self.unread = False

    def write(self, data: bytes, /) -> None:
        if self.unread:
            return
        self._size += len(data)
        if self._size > self.limit:
            raise Stop("limit", f"{self.name} is larger than {self.limit} bytes", self.bound)
        if self.sealed:
            raise Stop("abandoned", "the run is over")
        self._chunks.append(data)

    def write_native(self, data: bytes, /) -> None:
        if self.text:
            data = data.replace(b"\r\n", b"\n")
        self.write(data)

    def getvalue(self) -> bytes:
        """Return the bytes written so far."""
        chunks = self._chunks
        if len(chunks) > 1:
            chunks = self._chunks = [b"".join(chunks)]  # so that the next call joins nothing again
        return chunks[0] if chunks else b""


class LineWriter:
    """A buffer for small writes to a stream. It is not a Stream: its owner must ``flush`` it."""

    __slots__ = ("_chunks", "_size", "stream")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._chunks: list[bytes] = []
        self._size = 0

    def write(self, data: bytes, /) -> None:
        """Buffer ``data``; from 32 KiB on, write the buffer to the stream."""
        self._chunks.append(data)
        self._size += len(data)
        if self._size >= 32768:
            self.flush()

    def flush(self) -> None:
        """Write the buffer to the stream."""
        if self._chunks:
            data = b"".join(self._chunks)
            self._chunks = []
            self._size = 0
            self.stream.write(data)
