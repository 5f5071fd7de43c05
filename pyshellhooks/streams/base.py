"""The one I/O currency: a byte stream, as an open file description is to a kernel."""

from __future__ import annotations

import errno
from collections.abc import Callable


class Stream:
    """Bytes in or out. Subclasses override what they can do; the rest is EBADF, as on a real descriptor.

    ``read`` gives ``b""`` only at the end. ``write`` takes everything or raises; ``BrokenPipeError`` when the
    reader has gone (the interpreter makes it status 141). A stream is counted by those who hold it
    (``retain``/``release``), as dup() counts descriptors: the last ``release`` closes it.
    """

    __slots__ = ("references",)

    references: int

    def __init__(self) -> None:
        self.references = 0

    def retain(self) -> Stream:
        """Count one more holder."""
        self.references += 1
        return self

    def release(self) -> None:
        """Count one holder less; the last one closes."""
        self.references -= 1
        if self.references <= 0:
            self.close()

    def read(self, size: int = 65536, /) -> bytes:
        """Return 1 to ``size`` bytes, waiting for the first; ``b""`` at the end."""
        raise OSError(errno.EBADF, "Bad file descriptor")

    def write(self, data: bytes, /) -> None:
        """Take all of ``data``."""
        raise OSError(errno.EBADF, "Bad file descriptor")

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        """Return bytes up to and with ``delimiter`` and consume not one more.

        The ``read`` builtin needs this exactness: the next command goes on where it stopped. ``limit`` bounds the
        number of bytes. Streams that can do better than byte by byte override it.
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
        """Let go of what is behind it. Idempotent."""

    def fileno(self) -> int | None:
        """Return the OS descriptor behind it, or None: then a pump is needed to reach a process."""
        return None

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move the position; ESPIPE where there is none."""
        raise OSError(errno.ESPIPE, "Illegal seek")

    def isatty(self) -> bool:
        """Say whether a terminal is behind it."""
        return False

    def path(self) -> str | None:
        """Return the name of the file behind it, if it has one."""
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
    """A directory, open for reading; it is reading that fails."""

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

    Everybody who holds it reads on from there, as all holders of an open file description do: what a child in ``$( )``
    leaves unread is there for the shell (POSIX XSH 2.5.1).
    """

    __slots__ = ("moved",)

    moved: Stream | None

    def move(self, into: Callable[[Stream], Stream]) -> Stream:
        """Move: ``into`` makes, of what is left here, the stream from which it is read from now on."""
        moved = self.moved = into(self.left())
        return moved

    def left(self) -> Stream:
        """Return what is left as a stream of its own."""
        return Stream()

    def fileno(self) -> int | None:
        return None if self.moved is None else self.moved.fileno()


class BytesReader(MovableStream):
    """Reads bytes that are all there: a payload, a here-document."""

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
        end = self._data.find(delimiter, start)
        end = len(self._data) if end < 0 else end + 1
        if limit >= 0:
            end = min(end, start + limit)
        self._position = end
        return self._data[start:end]

    def seek(self, offset: int, whence: int = 0) -> int:
        if self.moved is not None:
            return self.moved.seek(offset, whence)
        base = (0, self._position, len(self._data))[whence]
        self._position = max(0, base + offset)
        return self._position

    def left(self) -> BytesReader:
        return BytesReader(self.rest())

    def peek(self) -> bytes | None:
        """Return what is left without consuming it; None once it has moved."""
        if self.moved is not None:
            return None
        return self._data[self._position :] if self._position else self._data

    def rest(self) -> bytes:
        """Return and consume what is left; what a process that takes over the descriptor would see."""
        return self.read(len(self._data) + 1)

    def close(self) -> None:
        if self.moved is not None:
            self.moved.close()
