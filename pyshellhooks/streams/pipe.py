"""An in-memory pipe that behaves like a kernel's."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable

from ..cancel import CancelScope, about_to_block, working_scope
from .base import MovableStream, Stream


class NativeOutput(bytes):
    """Bytes of a native program that ends lines with CR LF; see ``TextReader``."""

    __slots__ = ()


class MemoryPipe:
    """A pipe with a buffer of 64 KiB between its two ends.

    Writing to a full pipe waits for the reader, and reading an empty one for the writer. Both announce it first
    (``about_to_block``), so that a pipeline on one thread starts its next stage (rule 7). Writing after the reader has
    closed raises ``BrokenPipeError``: status 141. If the run was stopped, both ends raise ``Stop`` instead of seeing
    the other end as closed: else the last command would succeed with half of its input.
    """

    __slots__ = (
        "_buffer",
        "_changed",
        "_lock",
        "_size",
        "capacity",
        "has_native",
        "reader",
        "reader_open",
        "scope",
        "writer",
        "writer_open",
    )

    def __init__(self, scope: CancelScope, capacity: int = 65536) -> None:
        self._buffer: list[bytes] = []
        self._size = 0
        self._lock = threading.Lock()
        self._changed: threading.Condition | None = None  # made by the first wait
        self.capacity = capacity
        self.has_native = False  # whether the buffer may hold ``NativeOutput``
        self.scope = scope
        self.reader_open = True
        self.writer_open = True
        self.reader = PipeReader(self)
        self.writer = PipeWriter(self)

    def _full(self) -> bool:
        return self._size >= self.capacity and self.reader_open

    def _dry(self) -> bool:
        return not self._size and self.writer_open

    def _wait_while(self, blocked: Callable[[], bool]) -> None:
        about_to_block()
        with self._lock:
            changed = self._changed
            if changed is None:
                changed = self._changed = threading.Condition(self._lock)
            scope = working_scope(self.scope)  # the waiting task's scope: a job may be killed alone
            while blocked():
                self.scope.check()
                if scope is not None:
                    scope.check()
                changed.wait(0.05)  # timed: a cancel does not notify this condition

    def put(self, data: bytes) -> None:
        """Write all of data, in pieces that fit."""
        start, size = 0, len(data)
        while start < size:
            with self._lock:
                if not self.reader_open:
                    self.scope.check()  # raises Stop if the reader was stopped
                    raise BrokenPipeError(errno.EPIPE, "Broken pipe")
                room = self.capacity - self._size
                if room > 0:
                    fits = not start and size <= room  # the usual case, without a copy
                    piece = data if fits else data[start : start + room]
                    start += len(piece)
                    self._buffer.append(piece)
                    self._size += len(piece)
                    if self._changed is not None:
                        self._changed.notify_all()
                    continue
            self._wait_while(self._full)

    def get(self, size: int) -> bytes:
        """Return up to ``size`` bytes; ``b""`` at the end."""
        while True:
            with self._lock:
                if self._size:
                    if self.has_native:
                        return self._take(size)
                    data = b"".join(self._buffer)
                    self._buffer.clear()
                    if len(data) > size:
                        self._buffer.append(data[size:])
                        data = data[:size]
                    self._size -= len(data)
                    if self._changed is not None:
                        self._changed.notify_all()
                    return data
                if not self.writer_open:
                    self.scope.check()  # raises Stop if the writer was stopped
                    return b""
            self._wait_while(self._dry)

    def put_native(self, data: bytes) -> None:
        """Write bytes of a native program, at once: a CR stays with the LF after it."""
        while True:
            with self._lock:
                if not self.reader_open:
                    self.scope.check()  # raises Stop if the reader was stopped
                    raise BrokenPipeError(errno.EPIPE, "Broken pipe")
                if self._size < self.capacity:
                    self.has_native = True
                    self._buffer.append(NativeOutput(data))
                    self._size += len(data)
                    if self._changed is not None:
                        self._changed.notify_all()
                    return
            self._wait_while(self._full)

    def _take(self, size: int) -> bytes:
        """Remove and return up to ``size`` bytes that writers of one kind wrote. Called under the lock."""
        buffer = self._buffer
        kind = buffer[0].__class__
        count = next((place for place, piece in enumerate(buffer) if piece.__class__ is not kind), len(buffer))
        data = b"".join(buffer[:count])
        del buffer[:count]
        if len(data) > size:
            buffer.insert(0, kind(data[size:]))
            data = data[:size]
        self._size -= len(data)
        if self._changed is not None:
            self._changed.notify_all()
        return kind(data)

    def continues(self, byte: bytes) -> bool:
        """Return whether the next byte of the buffer is ``byte``, without waiting for it."""
        with self._lock:
            return bool(self._size) and self._buffer[0][:1] == byte

    def await_data(self, scope: CancelScope) -> None:
        """Wait until there are bytes to read or the writer has closed, under another scope (``read -t``)."""

        def blocked() -> bool:
            scope.check()
            return self._dry()

        self._wait_while(blocked)

    def unget(self, data: bytes) -> None:
        """Put bytes back at the front. Only the reader may call it."""
        if data:
            with self._lock:  # the size may exceed the capacity: the writer has filled the place meanwhile
                self._buffer.insert(0, data)
                self._size += len(data)

    def close_end(self, *, writer: bool) -> None:
        """Mark one end closed and wake the other."""
        with self._lock:
            if not (self.writer_open if writer else self.reader_open):
                return
            if writer:
                self.writer_open = False
            else:
                self.reader_open = False
                self._buffer.clear()
                self._size = 0
            if not self.writer_open and not self.reader_open:
                # Both ends are closed: drop them, so that no cycle waits for the garbage collector.
                del self.reader, self.writer
            if self._changed is not None:
                self._changed.notify_all()


class PipeReader(MovableStream):
    """The read end of a pipe."""

    __slots__ = ("pipe",)

    def __init__(self, pipe: MemoryPipe) -> None:
        self.references = 0
        self.moved = None
        self.pipe = pipe

    def read(self, size: int = 65536, /) -> bytes:
        if self.moved is None:
            return self.pipe.get(size)
        return self.moved.read(size)

    def left(self) -> PipeReader:
        return PipeReader(self.pipe)

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        if self.moved is not None:
            return self.moved.readline(delimiter, limit)
        pipe = self.pipe
        got = bytearray()
        while limit < 0 or len(got) < limit:
            chunk = pipe.get(65536 if limit < 0 else limit - len(got))
            if not chunk:
                break
            end = chunk.find(delimiter)
            if end >= 0:
                got += chunk[: end + 1]
                rest = chunk[end + 1 :]
                pipe.unget(rest if chunk.__class__ is bytes else NativeOutput(rest))
                break
            got += chunk
        return bytes(got)

    def seek(self, offset: int, whence: int = 0) -> int:
        if self.moved is None:
            return super().seek(offset, whence)
        return self.moved.seek(offset, whence)

    def close(self) -> None:
        if self.moved is None:
            self.pipe.close_end(writer=False)
        else:
            self.moved.close()


class TextReader(Stream):
    """A view of the read end of a pipe as text: the CR LF of native programs become LF (decisions native children).

    All other bytes stay, and the next reader of the pipe gets the bytes that are left as they are.
    """

    __slots__ = ("reader",)

    def __init__(self, reader: PipeReader) -> None:
        self.references = 0
        self.reader = reader

    def retain(self) -> Stream:
        self.reader.retain()
        return self

    def release(self) -> None:
        self.reader.release()

    def read(self, size: int = 65536, /) -> bytes:
        data = self.reader.read(size)
        if data.__class__ is not NativeOutput:
            return data
        pipe = self.reader.pipe
        if data[-1:] == b"\r" and pipe.continues(b"\n"):  # the size cuts a CR LF
            data += pipe.get(1)
        return data.replace(b"\r\n", b"\n")

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        reader = self.reader
        got = bytearray()
        while limit < 0 or len(got) < limit:
            if reader.moved is not None:
                return bytes(got) + reader.moved.readline(delimiter, limit)
            chunk = reader.read(65536 if limit < 0 else limit - len(got))
            end = chunk.find(delimiter) + 1
            if end:
                reader.pipe.unget(chunk.__class__(chunk[end:]))
            line = chunk[:end] if end else chunk
            if chunk.__class__ is NativeOutput:
                line = line.replace(b"\r\n", b"\n")
            got += line
            if end or not chunk:
                break
        return bytes(got)

    def fileno(self) -> int | None:
        return self.reader.fileno()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.reader.seek(offset, whence)

    def path(self) -> str | None:
        return self.reader.path()


def pipe_of(stream: Stream) -> MemoryPipe | None:
    """Return the pipe that a stream reads, directly or as text; None for other streams and once the pipe has moved."""
    reader = stream.reader if isinstance(stream, TextReader) else stream
    if isinstance(reader, PipeReader) and reader.moved is None:
        return reader.pipe
    return None


def as_text(stream: Stream) -> Stream:
    """Return a stream for a reader of text. Only a pipe knows which of its bytes a native program wrote."""
    if isinstance(stream, PipeReader):
        return TextReader(stream)
    return stream


class PipeWriter(Stream):
    """The write end of a pipe.

    A pump between it and a native child holds a reference too; ``on_last`` is called when no other holder is left.
    """

    __slots__ = ("on_last", "pipe")

    def __init__(self, pipe: MemoryPipe) -> None:
        self.references = 0
        self.pipe = pipe
        self.on_last: Callable[[], None] | None = None

    def release(self) -> None:
        self.references -= 1
        if self.references <= 0:
            self.close()
        elif self.references == 1 and self.on_last is not None:
            callback, self.on_last = self.on_last, None
            callback()

    def write(self, data: bytes, /) -> None:
        self.pipe.put(data)

    def write_native(self, data: bytes, /) -> None:
        self.pipe.put_native(data)

    def close(self) -> None:
        self.pipe.close_end(writer=True)
