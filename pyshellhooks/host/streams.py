"""``HostStream``: a stream over a descriptor of the system."""

from __future__ import annotations

import errno
import os
import stat

from ..cancel import CancelScope, Gate, working_scope
from ..streams.base import Stream
from . import current

PIECE = 65536


class HostStream(Stream):
    """An open file, pipe or terminal of the system.

    Regular files are read and written directly. Other descriptors may block, so they are polled first, and the wait
    ends when ``scope`` is cancelled (rule 4). Every write passes ``gate`` in pieces of at most 64 KiB (rule 5). The
    stream does not read ahead: a child that gets ``fileno()`` continues at the stream's position.
    """

    __slots__ = ("_fd", "_gate", "_host", "_name", "_own", "_owns", "_polled", "_scope")

    def __init__(
        self,
        fd: int,
        scope: CancelScope | None = None,
        gate: Gate | None = None,
        owns: bool = True,
        name: str | None = None,
    ) -> None:
        self.references = 0
        self._fd = fd
        self._scope = scope
        self._gate = gate
        self._owns = owns
        self._name = name
        self._host = current()
        self._polled: bool | None = None  # unknown until the first use
        self._own: int | None = None  # a separate non-blocking descriptor of the same pipe

    @property
    def closed(self) -> bool:
        """Whether the stream was closed."""
        return self._fd < 0

    def _prepare(self) -> bool:
        if self._fd < 0:
            raise OSError(errno.EBADF, "Bad file descriptor")
        if self._polled is None:
            mode = os.fstat(self._fd).st_mode
            # Regular files, directories and block devices never wait: poll(2) always reports them as ready.
            self._polled = stat.S_IFMT(mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFBLK)
            if stat.S_ISFIFO(mode):
                self._own = self._host.own_end(self._fd)
        return self._polled

    def read(self, size: int = 65536, /) -> bytes:
        polled = self._polled if self._polled is not None else self._prepare()
        scope = working_scope(self._scope)
        if scope is not None and scope.stop is not None:
            scope.check()
        fd = self._fd
        if not polled:
            return os.read(fd, size)
        own = self._own
        while True:
            if own is not None:
                data = self._host.read_now(own, size)
                if data is not None:
                    return data
            self._host.wait_readable(fd if own is None else own, scope)
            if own is None:
                try:
                    return os.read(fd, size)
                except BlockingIOError:  # the descriptor is non-blocking, and another reader was faster
                    continue

    def write(self, data: bytes, /) -> None:
        polled = self._polled if self._polled is not None else self._prepare()
        scope = working_scope(self._scope)
        if len(data) <= PIECE and not polled:
            if scope is not None and scope.stop is not None:
                scope.check()
            done = self._put(self._fd, data)
            if done == len(data):
                return
            data = data[done:]
        view = memoryview(data)
        while view:
            if scope is not None and scope.stop is not None:
                scope.check()
            view = view[self._write_some(view, polled, scope) :]

    def _write_some(self, view: memoryview, polled: bool, scope: CancelScope | None) -> int:
        if not polled:
            return self._put(self._fd, view[:PIECE])
        host = self._host
        if self._own is not None:
            done = self._put(self._own, view[:PIECE])
            if not done:
                host.wait_writable(self._own, scope)
            return done
        host.wait_writable(self._fd, scope)
        return self._put(self._fd, view[: host.atomic_write])

    def _put(self, fd: int, data: bytes | memoryview) -> int:
        gate = self._gate
        try:
            if gate is None:
                return os.write(fd, data)
            with gate:
                return os.write(fd, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            # The C runtime of Windows reports EINVAL for a pipe without a reader.
            if error.errno == errno.EINVAL and self._polled and self._host.windows:
                raise BrokenPipeError(errno.EPIPE, "Broken pipe") from None
            raise

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        if self._prepare():
            return self._pipe_line(delimiter, limit)
        return self._file_line(delimiter, limit)

    def _file_line(self, delimiter: bytes, limit: int) -> bytes:
        """Read blocks, and seek back to the end of the line."""
        got = bytearray()
        while limit < 0 or len(got) < limit:
            block = self.read(4096 if limit < 0 else min(4096, limit - len(got)))
            if not block:
                break
            end = block.find(delimiter) + 1
            if end:
                got += block[:end]
                if end < len(block):
                    os.lseek(self._fd, end - len(block), os.SEEK_CUR)
                break
            got += block
        return bytes(got)

    def _pipe_line(self, delimiter: bytes, limit: int) -> bytes:
        """Read byte by byte, as every shell must. One FIONREAD gives the number of bytes that need no poll."""
        got = bytearray()
        ready = 0
        while limit < 0 or len(got) < limit:
            if not ready:
                byte = self.read(1)
                if byte and byte != delimiter:
                    ready = self._host.buffered(self._fd)
            else:
                byte = os.read(self._fd if self._own is None else self._own, 1)
                ready -= 1
            got += byte
            if not byte or byte == delimiter:
                break
        return bytes(got)

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        own, self._own = self._own, None
        if own is not None:
            os.close(own)
        if self._owns and fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        # A utility that ``Stop`` ended has not closed it; no other code can use the descriptor now.
        if self._fd >= 0:
            self.close()

    def fileno(self) -> int | None:
        return self._fd if self._fd >= 0 else None

    def seek(self, offset: int, whence: int = 0) -> int:
        if self._prepare():
            raise OSError(errno.ESPIPE, "Illegal seek")
        return os.lseek(self._fd, offset, whence)

    def isatty(self) -> bool:
        return self._fd >= 0 and os.isatty(self._fd)

    def path(self) -> str | None:
        return self._name
