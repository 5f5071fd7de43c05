"""Bridges between in-process streams and the descriptors of native children."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Callable
from time import monotonic

from ..cancel import CancelScope, Gate, about_to_block
from ..errors import Stop
from ..streams.base import BytesReader, DirectoryReader, MovableStream, NullSink, NullSource, NullStream, Stream
from ..streams.pipe import PipeWriter
from . import threads
from .base import Host
from .streams import HostStream

_BLOCK = 65536
_CLOSE_SECONDS = 0.2


class PipeBridges:
    """The pipes between a run's streams and its native children, and the threads that fill and drain them.

    A stream with a descriptor is passed on as it is; any other stream gets a pipe, and a thread if necessary. ``close``
    ends all of them.
    """

    def __init__(self, host: Host, scope: CancelScope, gate: Gate) -> None:
        self._host = host
        self._scope = scope
        self._gate = gate
        self._lock = threading.Lock()
        self._inputs: dict[int, tuple[Stream, HostStream]] = {}
        self._pumps: dict[int, Pump] = {}
        self._detached: list[Pump] = []
        self._nulls: dict[type[NullStream], int] = {}
        self._closed = False

    def plug_input(self, stream: Stream) -> tuple[int, Stream]:
        """Return a descriptor from which a child reads ``stream``, and the stream that replaces it for later readers.

        The replacement reads the rest that the child did not read. A ``MovableStream`` moves its content and stays
        valid for all its holders, so it is returned itself. A second call with the same stream returns the same pair
        until the replacement is closed. Raises ``Stop`` after ``close``.
        """
        fd = stream.fileno()
        if fd is not None:
            return fd, stream
        if isinstance(stream, NullStream):
            return self._null_fd(type(stream)), stream
        if not _can(stream, "read"):
            return self._null_fd(NullSink), stream
        with self._lock:
            self.check()
            known = self._inputs.get(id(stream))
            if known is None or known[1].closed:
                self._inputs = {key: pair for key, pair in self._inputs.items() if not pair[1].closed}
                known = self._inputs[id(stream)] = (stream, self._input(stream))
        replacement = known[1]
        fd = replacement.fileno()
        assert fd is not None
        return fd, stream if isinstance(stream, MovableStream) else replacement

    def _input(self, stream: Stream) -> HostStream:
        if not isinstance(stream, MovableStream):
            return self._filled(stream)
        moved = stream.move(self._filled)
        assert isinstance(moved, HostStream)
        return moved

    def _filled(self, stream: Stream) -> HostStream:
        """Return a stream over a descriptor with the content of ``stream``."""
        if isinstance(stream, BytesReader):
            data = stream.rest()
            if len(data) > _BLOCK:
                fd = _memory_file(data)
                if fd >= 0:
                    return HostStream(fd, self._scope, self._gate)
        else:
            data = b""
            stream.retain()
        reader, writer = self._host.pipe()
        self._host.unblock(writer)
        try:
            if data:
                data = data[self._host.write_now(writer, data) :]
            if isinstance(stream, BytesReader) and not data:
                os.close(writer)
            else:
                source = BytesReader(data).retain() if isinstance(stream, BytesReader) else stream
                threads.start(_Feeder(self._host, source, writer, self._scope).run)
        except BaseException:
            os.close(reader)
            raise
        return HostStream(reader, self._scope, self._gate)

    def output_fd(self, stream: Stream) -> int:
        """Return a descriptor through which a child writes to ``stream``; call ``sync`` after the child's end."""
        fd = stream.fileno()
        if fd is not None:
            return fd
        if isinstance(stream, NullStream):
            return self._null_fd(type(stream))
        if not _can(stream, "write"):
            return self._null_fd(NullSource)
        with self._lock:
            pump = self._pumps.get(id(stream))
            if pump is None:
                self.check()
                self._drop_orphans()
                pump = self._pumps[id(stream)] = Pump(self._host, stream, self._scope)
                if isinstance(stream, PipeWriter):
                    stream.on_last = lambda: self.detach(stream)
                threads.start(pump.run)
        return pump.writer

    def _drop_orphans(self) -> None:
        """Detach the pumps of streams without other holders, such as files of past redirections."""
        self._detached = [pump for pump in self._detached if not pump.over]
        for key, pump in list(self._pumps.items()):
            if pump.stream.references <= 1:
                del self._pumps[key]
                pump.detach()
                if not pump.over:
                    self._detached.append(pump)

    def sync(self, stream: Stream) -> None:
        """Move the current content of the stream's pipe into ``stream``.

        After a child's end this moves all its output, without waiting for other processes that hold the pipe open.
        Raises an earlier error of the stream, except a broken pipe, which the child has got itself.
        """
        pump = self._pumps.get(id(stream))
        if pump is not None:
            pump.sync()

    def wait_eof(self, stream: Stream, scope: CancelScope) -> None:
        """Wait until every process that could write to ``stream`` has closed it, as ``$( )`` does."""
        pump = self._unplug(stream)
        if pump is not None:
            pump.finish(scope)

    def drains_into(self, stream: Stream) -> bool:
        """Return whether one of the stream's holders is a pump of this run."""
        return id(stream) in self._pumps

    def detach(self, stream: Stream) -> None:
        """Stop accepting new children for ``stream``, without waiting.

        The pump holds the stream until its children have closed the pipe; then it releases its reference, and the
        reader of an in-process pipe sees the end of file. A ``PipeWriter`` calls this when its last other holder
        releases it.
        """
        pump = self._unplug(stream)
        if pump is not None:
            pump.detach()

    def _unplug(self, stream: Stream) -> Pump | None:
        with self._lock:
            pump = self._pumps.pop(id(stream), None)
            if pump is not None:
                self._detached = [other for other in self._detached if not other.over]
                self._detached.append(pump)
        return pump

    def _null_fd(self, kind: type[NullStream]) -> int:
        """Return a null descriptor that fails for a child as the stream fails for the shell, by its open mode."""
        with self._lock:
            if kind not in self._nulls:
                self.check()
                self._nulls[kind] = _opened_null(kind)
            return self._nulls[kind]

    def check(self) -> None:
        """Raise ``Stop`` after ``close``: a late background job would get a descriptor that is never closed, or reused.

        Called under the lock, or under the gate around a child's start: ``close`` waits for both.
        """
        if self._closed:
            raise Stop("abandoned", "the run is over")

    def close(self) -> None:
        """Drain the pipes, then close everything. Bounded: 0.2 s."""
        with self._lock:
            self._closed = True
            pumps = [*self._pumps.values(), *self._detached]
            self._pumps, self._detached = {}, []
            inputs, self._inputs = self._inputs, {}
            nulls, self._nulls = self._nulls, {}
        self._gate.settle(_CLOSE_SECONDS)
        until = monotonic() + _CLOSE_SECONDS
        for pump in pumps:
            pump.close(until)
        for _, replacement in inputs.values():
            replacement.close()
        for null in nulls.values():
            os.close(null)


def _can(stream: Stream, what: str) -> bool:
    """Return whether a stream supports ``read`` or ``write``. If not, the child must get the error, not a pump."""
    if getattr(type(stream), what) is getattr(Stream, what):
        return False
    if stream.path() is None:
        return True
    try:  # a file may be open for only one of them
        if what == "read":
            stream.read(0)
        else:
            stream.write(b"")
    except OSError as error:
        return error.errno != errno.EBADF
    return True


def _opened_null(kind: type[NullStream]) -> int:
    if kind is DirectoryReader and hasattr(os, "O_DIRECTORY"):
        return os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    return os.open(os.devnull, {NullSource: os.O_RDONLY, NullSink: os.O_WRONLY}.get(kind, os.O_RDWR))


def _memory_file(data: bytes) -> int:
    """Return an unnamed file with data that is too large for a pipe (shells: here-documents); -1 if impossible."""
    if sys.platform != "linux":
        return -1
    try:
        fd = os.memfd_create("pyshellhooks", os.MFD_CLOEXEC)
    except OSError:
        return -1
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


class _Feeder:
    """Fills a pipe from a stream, until the end of file or a broken pipe."""

    __slots__ = ("_host", "_scope", "_source", "_writer")

    def __init__(self, host: Host, source: Stream, writer: int, scope: CancelScope) -> None:
        self._host = host
        self._source = source
        self._writer = writer
        self._scope = scope

    def run(self) -> None:
        """Fill the pipe; the task of a pooled thread."""
        host, writer = self._host, self._writer
        try:
            while data := self._source.read(_BLOCK):
                while data:
                    done = host.write_now(writer, data)
                    data = data[done:]
                    if data and not done:
                        host.wait_writable(writer, self._scope)
        except Stop as stop:
            self._scope.cancel(stop.reason, stop.detail, stop.limit)
        except BrokenPipeError:  # the child no longer reads; the release of the source stops its writer
            pass
        except OSError as error:
            self._scope.cancel("lost", f"input for a child: {error}")
        finally:
            os.close(writer)
            self._source.release()


class Pump:
    """Drains a pipe into a stream.

    The draining thread (the pump's own, or one in ``sync``) holds the lock from before the read until after the write,
    so that the order stays and ``sync`` returns only after all data has arrived. A pump continues after a cancel, since
    a child may still write in its grace; ``close`` ends it.
    """

    def __init__(self, host: Host, stream: Stream, scope: CancelScope) -> None:
        self._host = host
        self.stream = stream.retain()
        self._scope = scope
        self._reader, self.writer = host.pipe()
        host.unblock(self._reader)
        self._lock = threading.Lock()
        self.over = False  # end of file, or the stream refused a write
        self._changed = threading.Event()
        self._leaving = CancelScope()  # wakes the thread at the end of the run
        self._closing = False
        self._failure: OSError | Stop | None = None
        self._write = self._write_native if host.crlf else stream.write
        self._carriage_return = b""  # read last; the LF after it may be on its way

    def run(self) -> None:
        """Drain the pipe until its end; the task of a pooled thread."""
        try:
            while not self.over:
                self._host.wait_readable(self._reader, self._leaving)
                with self._lock:
                    if not self.over:
                        self._move(_BLOCK)
        except Stop:  # from ``_move``, which has cancelled the run's scope, or from ``close``
            pass
        except OSError:
            if not self.over:  # otherwise another thread closed the pipe just before this wait
                raise
        finally:
            with self._lock:
                self._end()

    def _move(self, size: int) -> int:
        """Move at most ``size`` bytes and return their number, 0 if the pipe is empty. Called under the lock."""
        data = self._host.read_now(self._reader, size)
        if data is None:
            return 0
        if data:
            self._put(data)
        else:
            self._put_carriage_return()
            self._end()
        return len(data)

    def _write_native(self, data: bytes) -> None:
        data = self._carriage_return + data
        self._carriage_return = b"\r" if data.endswith(b"\r") else b""
        data = data.removesuffix(b"\r")
        if data:
            self.stream.write_native(data)

    def _put_carriage_return(self) -> None:
        """Write the last CR of a child: it was not part of a CR LF. Called under the lock."""
        if self._carriage_return and not self.over:
            self._carriage_return = b""
            self._put(b"\r", self.stream.write)

    def _put(self, data: bytes, write: Callable[[bytes], None] | None = None) -> None:
        try:
            (write or self._write)(data)
        except BrokenPipeError:
            self._end()
        except OSError as error:
            self._failure = error
            self._end()
        except Stop as stop:
            # A limit was exceeded. Cancel the scope before SIGPIPE can end the child.
            self._failure = stop
            if not self._closing:
                self._scope.cancel(stop.reason, stop.detail, stop.limit)
            self._end()
            raise

    def _end(self) -> None:
        """Close the reading end, so that writers get SIGPIPE, and release the stream.

        Called under the lock; idempotent.
        """
        if not self.over:
            self.over = True
            self._leaving.cancel()
            os.close(self._reader)
            self._changed.set()
            self.stream.release()

    def _acquire(self, scope: CancelScope) -> None:
        if not self._lock.acquire(blocking=False):
            about_to_block()  # the thread may wait for the reader of a full MemoryPipe
            while not self._lock.acquire(timeout=0.05):
                scope.check()

    def sync(self) -> None:
        """Move the current content of the pipe; see ``PipeBridges.sync``."""
        self._acquire(self._scope)
        try:
            if not self.over:
                left = self._host.buffered(self._reader)  # not until it is empty: a grandchild may write for ever
                while left > 0 and not self.over and (moved := self._move(min(left, _BLOCK))):
                    left -= moved
                self._put_carriage_return()
        finally:
            self._lock.release()
        self._raise_failure()

    def _raise_failure(self) -> None:
        failure = self._failure
        if failure is not None:
            if isinstance(failure, OSError):
                self._failure = None
            raise failure

    def finish(self, scope: CancelScope) -> None:
        """Close our writing end and wait until all others are closed. Raises ``Stop`` when the scope is cancelled."""
        self.detach()
        self._acquire(scope)
        try:
            while not self.over and self._move(_BLOCK):
                scope.check()
        finally:
            self._lock.release()
        if not self.over:
            about_to_block()
            with scope.on_cancel(self._changed.set):
                while not self.over:
                    scope.check()
                    self._changed.wait(1.0)
        self._raise_failure()

    def detach(self) -> None:
        """Close our writing end; the pump ends when all others are closed."""
        writer, self.writer = self.writer, -1
        if writer >= 0:
            os.close(writer)
            # Usually that was the last one: end here, without waiting for the thread's wake-up.
            if self._lock.acquire(blocking=False):
                try:
                    if not self.over and not self._host.buffered(self._reader):
                        self._move(_BLOCK)
                finally:
                    self._lock.release()

    def close(self, until: float) -> None:
        """Move the content of the pipe until ``until`` (``time.monotonic``), and end."""
        self._closing = True
        self.detach()
        if self._lock.acquire(timeout=max(0.0, until - monotonic())):
            try:
                while not self.over and self._move(_BLOCK) and monotonic() < until:
                    pass
            except Stop:  # a sealed or full ``Capture``: the run is over and has its reason
                pass
            finally:
                self._lock.release()
        self._leaving.cancel()
