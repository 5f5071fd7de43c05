"""Coprocesses: commands after ``print |&`` and before ``|& getline`` (gawk manual 12.3).

Each runs concurrently between two pipes and gets each ``print`` at once. A command that fills its output pipe while awk
still writes to it would be a deadlock: then its output pipe grows, up to ``Limits.string`` bytes.
"""

from __future__ import annotations

from ...command.call import Running
from ...errors import Stop
from ...limits import Limits
from ...streams.pipe import MemoryPipe
from ...text import decode
from .channels import Channels, Output, output_of, status_of
from .reader import Reader
from .values import AwkError


class _There(MemoryPipe):
    """The pipe to the command. When it is full, the pipe from the command may grow."""

    __slots__ = ("_back", "_limits")

    def __init__(self, back: MemoryPipe, limits: Limits) -> None:
        super().__init__(back.scope, limits.pipe)
        self._back = back
        self._limits = limits

    def _full(self) -> bool:
        if not super()._full():
            return False
        self._back.capacity = most = self._limits.string
        if self._back._size >= most:
            raise Stop("limit", f"a two-way pipe of awk holds more than {most} unread bytes", "string")
        return True


class TwoWay(Output):
    """A command between two pipes."""

    __slots__ = ("_back", "_channels", "_command", "_reader", "_running", "_there", "_to_read", "_to_write")

    def __init__(self, channels: Channels, name: bytes) -> None:
        call = channels.runtime.call
        self._channels = channels
        self._command = decode(name)
        self._back = MemoryPipe(call.scope, call.limits.pipe)
        self._there = _There(self._back, call.limits)
        self._there.writer.retain()
        self._back.reader.retain()
        self._reader = Reader(channels.runtime, output_of(self._back, call), name)
        self._running: Running | None = None
        self._to_write = self._to_read = True

    def _start(self) -> None:
        if self._running is None:
            self._running = self._channels.start(
                self._command, stdin=self._there.reader, stdout=self._back.writer, beside=True
            )

    def write(self, data: bytes) -> None:
        """Write to the command. The first data is in the pipe before the start: the command may end without reading."""
        if not self._to_write:
            raise AwkError("print: attempt to write to closed write end of two-way pipe")
        if self._running is None and len(data) < self._there.capacity:
            self._there.put(data)
            self._start()
            return
        self._start()
        self._there.put(data)
        self._back.capacity = self._channels.runtime.call.limits.pipe

    def flush(self) -> None:
        """Do nothing: ``write`` does not buffer."""

    def is_closed(self) -> bool:
        return not self._to_write

    def incoming(self) -> Reader:
        """Return the reader of the command's output."""
        if not self._to_read:
            raise AwkError("getline: attempt to read from closed read end of two-way pipe")
        self._start()
        return self._reader

    def close_end(self, end: str) -> bool:
        """Close one end (``to``, ``from``); return whether both are closed now."""
        if end == "to" and self._to_write:
            self._to_write = False
            self._there.writer.release()
        elif end == "from" and self._to_read:
            self._to_read = False
            self._reader.close()
        return not (self._to_write or self._to_read)

    def close(self) -> float:
        """Close both ends; return the command's status."""
        self.abandon()
        return 0.0 if self._running is None else status_of(self._running)

    def abandon(self) -> None:
        """Close both ends without waiting for the command."""
        for end in ("to", "from"):
            self.close_end(end)
