"""Streams that collect what is written."""

from __future__ import annotations

from ..errors import Stop
from .base import Stream


class Capture(Stream):
    """Collects bytes up to ``limit``; one byte more ends the run (rule 1: never truncated).

    Once ``sealed``, writes fail: what an abandoned hook still writes is nobody's. Once ``unread``, they are dropped: its
    reader has gone, and who still writes may go on.
    """

    __slots__ = ("_chunks", "_size", "bound", "limit", "name", "sealed", "unread")

    def __init__(self, limit: int, name: str = "output", bound: str = "output") -> None:
        self.references = 0
        self._chunks: list[bytes] = []
        self._size = 0
        self.limit = limit
        self.name = name
        self.bound = bound  # whose value in ``Limits`` the limit is
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

    def getvalue(self) -> bytes:
        """Return what was written so far."""
        chunks = self._chunks
        if len(chunks) > 1:
            chunks = self._chunks = [b"".join(chunks)]
        return chunks[0] if chunks else b""


class LineWriter:
    """Gathers small writes to a stream. Not a Stream: its owner must ``flush`` it."""

    __slots__ = ("_chunks", "_size", "stream")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._chunks: list[bytes] = []
        self._size = 0

    def write(self, data: bytes, /) -> None:
        """Take ``data``; pass on in blocks of 32 KiB."""
        self._chunks.append(data)
        self._size += len(data)
        if self._size >= 32768:
            self.flush()

    def flush(self) -> None:
        """Pass on what is gathered."""
        if self._chunks:
            data = b"".join(self._chunks)
            self._chunks = []
            self._size = 0
            self.stream.write(data)
