"""External sorting: sorted runs in temporary files, and their merge."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from typing import Protocol

from ...command import Call
from ...command.call import reason
from ...errors import UsageError
from ...streams.base import Stream
from ..support.records import records

FAN_IN = 16  # runs that are merged at once, as with GNU's --batch-size
_OVERHEAD = 48  # bytes of memory that a line needs besides its content
_BLOCK = 1 << 18


class Order(Protocol):
    """A line order."""

    def sort(self, lines: list[bytes]) -> list[bytes]:
        """Sort lines in place, stably."""

    def compare(self, one: bytes, other: bytes) -> int:
        """Return a number below, equal to or above 0 for the order of two lines."""


class Runs:
    """The lines of one call: in memory up to ``budget`` bytes, beyond that in sorted runs on disk.

    A run's file is unlinked at once if the file system allows it, so no file remains, however the call ends.
    """

    __slots__ = ("_budget", "_call", "_directory", "_end", "_files", "_lines", "_named", "_order", "_size")

    def __init__(self, call: Call, order: Order, end: bytes, budget: int, directory: str) -> None:
        self._call = call
        self._order = order
        self._end = end
        self._budget = budget
        self._directory = directory
        self._lines: list[bytes] = []
        self._size = 0
        self._files: list[tuple[int, Stream]] = []  # (number of merges, file), in input order
        self._named: list[str] = []

    def add(self, lines: Iterable[bytes]) -> None:
        """Add lines with their newlines, which the last line may lack."""
        keep, end, size = self._lines, self._end, self._size
        for line in lines:
            size += len(line) + _OVERHEAD
            keep.append(line[:-1] if line.endswith(end) else line)
            if size > self._budget:
                self._size = size
                self._spill()
                keep, size = self._lines, 0
        self._size = size

    def sorted(self) -> Iterator[list[bytes]]:
        """Yield all lines in order, in batches."""
        last = self._order.sort(self._lines)
        self._lines = []
        if not self._files:
            yield last
            return
        yield from self._merged([self._batches(file) for _, file in self._files] + [iter([last])])

    def spool(self, batches: Iterable[Iterable[bytes]]) -> Iterator[list[bytes]]:
        """Write lines to a file as they come, and yield them once all have come."""
        file = self._write(part for lines in batches for part in _parts(lines))
        self._files.append((0, file))
        yield from self._batches(file)

    def close(self) -> None:
        """Close and remove the files."""
        for _, file in self._files:
            file.release()
        self._files = []
        for path in self._named:
            try:
                self._call.fs.unlink(path)
            except OSError:
                pass
        self._named = []

    def _spill(self) -> None:
        lines = self._order.sort(self._lines)
        self._lines = []
        self._files.append((0, self._write([lines])))
        # Runs of one level are merged: each line is written once for each level, not for each run.
        while len(self._files) >= FAN_IN and self._files[-FAN_IN][0] == self._files[-1][0]:
            level, group = self._files[-1][0], [file for _, file in self._files[-FAN_IN:]]
            merged = self._write(self._merged([self._batches(file) for file in group]))
            for file in group:
                file.release()
            self._files[-FAN_IN:] = [(level + 1, merged)]

    def _write(self, batches: Iterable[list[bytes]]) -> Stream:
        file = self._create()
        try:
            for lines in batches:
                for at in range(0, len(lines), 4096):
                    self._call.check()
                    file.write(self._end.join(lines[at : at + 4096]) + self._end)
            file.seek(0)
        except BaseException:
            file.release()
            raise
        return file

    def _create(self) -> Stream:
        call = self._call
        while True:
            call.check()
            path = call.path(f"{self._directory}/sort{os.urandom(6).hex()}")
            try:
                file = call.fs.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600).retain()
            except FileExistsError:
                continue
            except OSError as error:
                raise UsageError(
                    f"cannot create temporary file in {self._directory!r}: {reason(error)}", 2, hint=False
                ) from None
            try:
                call.fs.unlink(path)
            except OSError:
                self._named.append(path)  # on Windows an open file cannot be unlinked
            return file

    def _batches(self, file: Stream) -> Iterator[list[bytes]]:
        """Yield the lines of a run in batches."""
        rest = b""
        while chunk := file.read(_BLOCK):
            self._call.check()
            pieces = (rest + chunk).split(self._end)
            rest = pieces.pop()
            if pieces:
                yield pieces

    def _merged(self, runs: list[Iterator[list[bytes]]]) -> Iterator[list[bytes]]:
        """Merge runs block by block. Lines that no later block can precede are sorted together; timsort merges them."""
        order, compare = self._order, self._order.compare
        heads = [next(run, []) for run in runs]
        while True:
            alive = [number for number, lines in enumerate(heads) if lines]
            if not alive:
                return
            least = alive[0]
            for number in alive[1:]:
                if compare(heads[number][-1], heads[least][-1]) < 0:
                    least = number
            bound = heads[least][-1]
            ready: list[bytes] = []
            for number in alive:
                lines = heads[number]
                # Lines of later runs that equal the bound wait: its own run may have more of them, and those come
                # first.
                at = len(lines)
                if number != least:
                    at = _place(lines, bound, compare, after=number < least)
                ready += lines[:at]
                heads[number] = lines[at:]
            if not heads[least]:
                heads[least] = next(runs[least], [])
            self._call.check()
            yield order.sort(ready)


def _parts(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    source = iter(lines)
    while part := list(islice(source, 4096)):
        yield part


def _place(lines: list[bytes], bound: bytes, compare: Callable[[bytes, bytes], int], *, after: bool) -> int:
    """Return the number of lines before a bound; with ``after``, including those equal to it."""
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        compared = compare(lines[middle], bound)
        is_before = compared <= 0 if after else compared < 0
        if is_before:
            low = middle + 1
        else:
            high = middle
    return low


def merged_lines(call: Call, order: Order, streams: list[Stream], end: bytes) -> Iterator[bytes]:
    """Merge inputs without sorting them (``-m``): repeatedly yield the least of their next lines."""
    import heapq
    from functools import cmp_to_key

    key = cmp_to_key(order.compare)
    places = count()

    def lines(stream: Stream) -> Iterator[bytes]:
        for line in records(call, stream, end):
            yield line[:-1] if line.endswith(end) else line

    waiting = []
    for number, source in enumerate([lines(stream) for stream in streams]):
        for line in source:
            waiting.append((key(line), number, next(places), line, source))
            break
    heapq.heapify(waiting)
    while waiting:
        _, number, _, line, source = waiting[0]
        yield line
        following = next(source, None)
        if following is None:
            heapq.heappop(waiting)
        else:
            heapq.heapreplace(waiting, (key(following), number, next(places), following, source))
