"""The interface of all streams, and streams in memory. A stream is like an open file description of a kernel."""

from __future__ import annotations

import errno
from collections.abc import Callable


class Stream:
    """A source or sink of bytes. A subclass that does not override reading or writing fails with EBADF, as in a kernel.

    ``read`` returns ``b""`` only at the end. ``write`` takes all bytes or raises: ``BrokenPipeError`` if the reader has
    closed its end (the interpreter turns it into status 141). Holders count references (``retain``/``release``), as
    dup() counts descriptors: the last ``release`` closes the stream.
    """

    __slots__ = ("references",)

    references: int

    def __init__(self) -> None:
        self.references = 0

    def retain(self) -> Stream:
        """Add a reference and return the stream."""
        self.references += 1
        return self

    def release(self) -> None:
        """Drop a reference; the last one closes the stream."""
        self.references -= 1
        if self.references <= 0:
            self.close()

    def read(self, size: int = 65536, /) -> bytes:
        """Return 1 to ``size`` bytes, waiting for the first; ``b""`` at the end."""
        raise OSError(errno.EBADF, "Bad file descriptor")

    def write(self, data: bytes, /) -> None:
        """Write all of ``data``."""
        raise OSError(errno.EBADF, "Bad file descriptor")

    def write_native(self, data: bytes, /) -> None:
        """Write bytes of a native program that ends lines with CR LF (Windows). A CR at the end is not part of a CR LF."""
        self.write(data)

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        """Return the bytes through ``delimiter``, at most ``limit``, and consume not one more.

        The ``read`` builtin depends on this: the next command reads the following byte. Streams that can do better than
        to read byte by byte override it.
        """
        got = bytearray()
        while limit < 0 or len(got) < limit:
            byte = self.read(1)
            if not byte:
                break
            got += byte
            if byte == delimiter:
                break
        return bytes(got)

    def close(self) -> None:
        """Release the underlying resource. Idempotent."""

    def fileno(self) -> int | None:
        """Return the OS descriptor of the stream; None if a process can use it only through a pump."""
        return None

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move the position and return it; ESPIPE if the stream has none."""
        raise OSError(errno.ESPIPE, "Illegal seek")

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return False

    def path(self) -> str | None:
        """Return the path of the stream's file, or None."""
        return None


class NullStream(Stream):
    """``/dev/null``."""

    __slots__ = ()

    def read(self, size: int = 65536, /) -> bytes:
        return b""

    def write(self, data: bytes, /) -> None:
        pass

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def path(self) -> str | None:
        return "/dev/null"


class NullSource(NullStream):
    """``/dev/null``, open for reading only."""

    __slots__ = ()

    def write(self, data: bytes, /) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")


class NullSink(NullStream):
    """``/dev/null``, open for writing only."""

    __slots__ = ()

    def read(self, size: int = 65536, /) -> bytes:
        raise OSError(errno.EBADF, "Bad file descriptor")


class DirectoryReader(NullSource):
    """A directory, open for reading: opening succeeds and reading fails with EISDIR."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def read(self, size: int = 65536, /) -> bytes:
        raise OSError(errno.EISDIR, "Is a directory")

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        raise OSError(errno.EISDIR, "Is a directory")

    def path(self) -> str | None:
        return self._path


class MovableStream(Stream):
    """A source in memory, which moves into a descriptor when a native child needs one.

    All holders go on reading from the descriptor, as holders of one open file description do: the shell can read the
    bytes that a child in ``$( )`` leaves unread (POSIX XSH 2.5.1).
    """

    __slots__ = ("moved",)

    moved: Stream | None

    def move(self, into: Callable[[Stream], Stream]) -> Stream:
        """Move into a descriptor: ``into`` turns the unread part into the stream that is read from now on."""
        moved = self.moved = into(self.left())
        return moved

    def left(self) -> Stream:
        """Return the unread part as a new stream."""
        return Stream()

    def fileno(self) -> int | None:
        if self.moved is None:
            return None
        return self.moved.fileno()


class BytesReader(MovableStream):
    """A source of bytes that are completely in memory, such as a payload or a here-document."""

    __slots__ = ("_data", "_position")

    def __init__(self, data: bytes) -> None:
        self.references = 0
        self.moved = None
        self._data = data
        self._position = 0

    def read(self, size: int = 65536, /) -> bytes:
        if self.moved is not None:
            return self.moved.read(size)
        start = self._position
        data = self._data
        if start == 0 and size >= len(data):
            self._position = len(data)
            return data
        chunk = data[start : start + size]
        self._position = start + len(chunk)
        return chunk

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        if self.moved is not None:
            return self.moved.readline(delimiter, limit)
        start = self._position
        end = self._data.find(delimiter, start) + 1
        if not end:
            end = len(self._data)
        if limit >= 0:
            end = min(end, start + limit)
        self._position = end
        return self._data[start:end]

    def seek(self, offset: int, whence: int = 0) -> int:
        if self.moved is not None:
            return self.moved.seek(offset, whence)
        base = (0, self._position, len(self._data))[whence]
        # A position behind the end reads as the end.
        self._position = max(0, base + offset)
        return self._position

    def left(self) -> BytesReader:
        return BytesReader(self.rest())

    def peek(self) -> bytes | None:
        """Return the unread bytes without consuming them; None once the stream has moved."""
        if self.moved is not None:
            return None
        if not self._position:  # the usual case, without a copy
            return self._data
        return self._data[self._position :]

    def rest(self) -> bytes:
        """Return and consume the unread bytes, which a process that takes over the descriptor would read."""
        return self.read(len(self._data) + 1)

    def close(self) -> None:
        if self.moved is not None:
            self.moved.close()
