"""The descriptor table of a shell: numbers to streams."""

from __future__ import annotations

import errno

from ..errors import Stop
from .base import Stream


class FdTable:
    """Numbers to streams. Each entry holds one reference to its stream.

    A subshell gets a ``copy``. A redirection ``swap``s an entry and ``restore``s the old one afterwards.
    """

    __slots__ = ("entries", "limit")

    def __init__(self, limit: int = 256) -> None:
        self.entries: dict[int, Stream] = {}
        self.limit = limit

    def get(self, number: int) -> Stream:
        """Return the stream of a number. Raises OSError (EBADF) if it is not open."""
        try:
            return self.entries[number]
        except KeyError:
            raise OSError(errno.EBADF, "Bad file descriptor") from None

    def set(self, number: int, stream: Stream) -> None:
        """Set the stream of a number and release the old one."""
        stream.references += 1  # before the release: it may be the same stream
        old = self.entries.get(number)
        self.entries[number] = stream
        if old is not None:
            old.release()
        elif len(self.entries) > self.limit:
            raise Stop("limit", f"more than {self.limit} open files", "open_files")

    def begin(self, stdin: Stream, stdout: Stream, stderr: Stream) -> None:
        """Set the standard streams in an empty table."""
        stdin.references += 1
        stdout.references += 1
        stderr.references += 1
        self.entries = {0: stdin, 1: stdout, 2: stderr}

    def close(self, number: int) -> None:
        """Release the stream of a number, if it is open."""
        old = self.entries.pop(number, None)
        if old is not None:
            old.release()

    def swap(self, number: int, stream: Stream | None) -> Stream | None:
        """Set the stream of a number (None: close it) and return the old one, whose reference the caller owns."""
        old = self.entries.pop(number, None)
        if stream is not None:
            stream.references += 1
            self.entries[number] = stream
            if len(self.entries) > self.limit:
                raise Stop("limit", f"more than {self.limit} open files", "open_files")
        return old

    def restore(self, number: int, old: Stream | None) -> None:
        """Undo ``swap``."""
        current = self.entries.pop(number, None)
        if old is not None:
            self.entries[number] = old
        if current is not None:
            current.release()

    def copy(self) -> FdTable:
        """Return a new table with references to the same streams."""
        table = FdTable.__new__(FdTable)
        table.limit = self.limit
        entries = table.entries = self.entries.copy()
        for stream in entries.values():
            stream.references += 1
        return table

    def free(self, least: int = 10) -> int:
        """Return the lowest free number from ``least`` on."""
        while least in self.entries:
            least += 1
        return least

    def release(self) -> None:
        """Release every entry."""
        entries, self.entries = self.entries, {}
        for stream in entries.values():
            stream.references -= 1  # ``Stream.release``, once for each descriptor of each subshell
            if stream.references <= 0:
                stream.close()
