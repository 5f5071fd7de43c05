"""Records of one stream (POSIX XCU awk, RS; gawk manual 4.1: RS as an expression, RT)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import Stop
from ...streams.base import Stream
from .splitting import has_odd_blanks

if TYPE_CHECKING:
    from .runtime import Runtime

_BLOCK = 65536


class Reader:
    """A reader that splits a stream into records by the current RS.

    With a single character as RS a whole block is split at once, and the unread rest is joined again when RS changes.
    """

    __slots__ = ("_at", "_ended", "_name", "_rest", "_runtime", "cut_at", "queue", "stream")

    def __init__(self, runtime: Runtime, stream: Stream, name: bytes) -> None:
        self._runtime = runtime
        self._name = name
        self.stream = stream
        self.queue: list[bytes] = []  # complete records, the next one last
        self._rest = b""
        self._at = 0  # start of the unread part of _rest, while RS is an expression
        self.cut_at = b"\n"  # the separator at which the queue was split
        self._ended = False

    def next(self) -> bytes | None:
        """Return the next record, or None at the end; set RT."""
        runtime = self._runtime
        if self.queue:
            if runtime.rs is self.cut_at:
                runtime.rt = self.cut_at
                return self.queue.pop()
            self._put_together()
        if runtime.rs_mode == "regex":
            return self._next_by_regex()
        self._drop()
        if runtime.rs_mode == "char":
            return self._fill()
        return self._next_paragraph()

    def _drop(self) -> None:
        """Remove the consumed part of ``_rest``."""
        if self._at:
            self._rest = self._rest[self._at :]
            self._at = 0

    def _put_together(self) -> None:
        queue, separator = self.queue, self.cut_at
        queue.reverse()
        self._rest = separator.join(queue) + separator + self._rest
        self.queue = []

    def _read(self) -> bool:
        """Read the next block; return False at the end of the stream."""
        if self._ended:
            return False
        runtime = self._runtime
        runtime.call.check()
        try:
            runtime.await_input(self.stream, self._name)
        except TimeoutError:
            self._ended = not runtime.may_retry(self._name)
            raise
        # An incomplete record is copied with each block: larger blocks keep that linear.
        chunk = self.stream.read(max(_BLOCK, min(len(self._rest), runtime.call.limits.string)))
        if not chunk:
            self._ended = True
            return False
        # One such byte makes the splitting of all later records slower, but exact.
        if not runtime.odd_blanks and has_odd_blanks(chunk):
            runtime.odd_blanks = True
        runtime.gauge.made(len(chunk))
        self._drop()
        self._rest += chunk
        if len(self._rest) > runtime.call.limits.string + _BLOCK:
            raise Stop("limit", f"a record of awk is longer than {runtime.call.limits.string} bytes", "string")
        return True

    def _fill(self) -> bytes | None:
        """Read up to the end of a record and return it; the other records of the block are queued."""
        runtime = self._runtime
        separator = self.cut_at = runtime.rs
        while separator not in self._rest:
            if not self._read():
                rest, self._rest = self._rest, b""
                runtime.rt = b""
                return rest or None
        runtime.rt = separator
        queue = self._rest.split(separator)
        self._rest = queue.pop()
        queue.reverse()
        self.queue = queue
        return queue.pop()

    def _next_paragraph(self) -> bytes | None:
        """Return the next record between empty lines; newlines before the first record are skipped."""
        while True:
            self._rest = self._rest.lstrip(b"\n")
            if self._rest or not self._read():
                break
        seen = 0
        while True:
            end = self._rest.find(b"\n\n", max(0, seen - 1))
            seen = len(self._rest)
            if end >= 0:
                stop = end
                size = len(self._rest)
                while stop < size and self._rest[stop] == 10:
                    stop += 1
                if stop < size or not self._read():  # more newlines may follow in the next block
                    break
            elif not self._read():
                stop = size = len(self._rest)
                end = size - 1 if self._rest.endswith(b"\n") else size
                break
        if not self._rest:
            self._runtime.rt = b""
            return None
        record = self._rest[:end]
        self._runtime.rt = self._rest[end:stop]
        self._rest = self._rest[stop:]
        return record

    def _next_by_regex(self) -> bytes | None:
        runtime = self._runtime
        scope = runtime.call.scope
        while True:
            search = runtime.regexes.get(runtime.rs).search
            at = self._at
            found = None
            while at < len(self._rest):
                spans = search(self._rest, at, scope=scope)
                if spans is None:
                    break
                if spans[0][0] < spans[0][1]:
                    found = spans[0]
                    break
                at = spans[0][1] + 1  # an empty match does not end a record
            # A match at the end of the data might continue in data that is not read yet.
            if found is not None and (found[1] < len(self._rest) or not self._read()):
                record = self._rest[self._at : found[0]]
                runtime.rt = self._rest[found[0] : found[1]]
                self._at = found[1]
                return record
            if found is None and not self._read():
                break
        self._drop()
        rest, self._rest = self._rest, b""
        runtime.rt = b""
        return rest or None

    def close(self) -> None:
        """Release the stream."""
        self.stream.release()
