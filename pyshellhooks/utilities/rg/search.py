"""The search of one file: block by block, or as a whole if a match may span several lines."""

from __future__ import annotations

from collections.abc import Iterator

from ...command import Call
from ...patterns.engines import Spans
from ...patterns.lines import between
from ...streams.base import Stream
from ..support.lines import check_buffer_size, read_all
from .patterns import Pattern
from .results import Line, Sink
from .settings import Settings

_BLOCK = 65536


def _moved(spans: Spans, by: int) -> Spans:
    """Return the spans of a match in a text that begins at an offset; an unmatched group has none."""
    return [(low - by, high - by) if low >= 0 else (-1, -1) for low, high in spans]


class Search:
    """The search of one file.

    ``binary`` is the treatment of NULs: ``quit``, ``convert``, ``text``, or ``tell`` (keep them, but report the first).
    """

    __slots__ = (
        "_after",
        "_binary",
        "_call",
        "_end",
        "_pending",
        "_number",
        "_offset",
        "_pattern",
        "_printed_to",
        "_settings",
        "_sink",
        "_stopped_at",
        "_turns",
    )

    def __init__(self, call: Call, settings: Settings, pattern: Pattern, sink: Sink, binary: str) -> None:
        self._call = call
        self._settings = settings
        self._pattern = pattern
        self._sink = sink
        self._binary = binary
        self._end = b"\0" if settings.records else b"\n"
        self._number = 1  # of the next line
        self._offset = 0  # of the block
        self._pending: list[Line] = []  # the last unwritten lines, as context before a possible match
        self._after = 0  # context lines still to be written
        self._printed_to = -1  # offset after the last written line
        self._stopped_at = -1  # offset at which the sink ended the search
        self._turns = 0

    def run(self, stream: Stream) -> None:
        """Search until the end of the file or until the sink ends the search."""
        if self._pattern.across:
            size = self._run_across(read_all(self._call, stream))
        else:
            size = self._run_by_line(stream)
        if self._stopped_at >= 0:
            size = self._stopped_at
        if 0 <= self._sink.binary < size:
            size = self._sink.binary
        self._sink.finish(size)

    def _run_by_line(self, stream: Stream) -> int:
        rest: list[bytes] = []
        received = pending = 0
        while True:
            self._call.check()
            wanted = _BLOCK
            if pending < _BLOCK:
                wanted -= pending  # ripgrep's buffer still contains the line that has not ended
            chunk = stream.read(wanted)
            if not chunk:
                if rest:
                    self._block(b"".join(rest))
                return received
            if self._binary != "tell" or not received:
                self._look_for_nul(chunk, received)
                if self._sink.binary_quits:
                    return received
            if self._binary == "convert" and self._sink.binary >= 0:
                chunk = chunk.replace(b"\0", b"\n")
            received += len(chunk)
            cut = chunk.rfind(self._end) + 1
            if not cut:
                rest.append(chunk)
                pending += len(chunk)
                check_buffer_size(self._call, pending)
                continue
            block = b"".join([*rest, chunk[:cut]])
            rest = [chunk[cut:]] if cut < len(chunk) else []
            pending = len(chunk) - cut
            if not self._block(block):
                return received

    def _look_for_nul(self, data: bytes, offset: int) -> None:
        if self._binary == "text" or self._sink.binary >= 0:
            return
        nul = data.find(b"\0")
        if nul >= 0:
            self._sink.found_binary(offset + nul, self._binary == "quit")

    # Lines

    def _block(self, block: bytes) -> bool:
        """Search a block of whole lines. Return False if the search is over."""
        sink = self._sink
        if sink.counts and not self._settings.records:
            self._count(block)
            return True
        at = 0
        for low, high in self._selected(block):
            if not (self._pass(block, at, low) and self._take(block, low, high)):
                return False
            at = high
        if not self._pass(block, at, len(block)):
            return False
        self._offset += len(block)
        return True

    def _count(self, block: bytes) -> None:
        if not block.endswith(b"\n"):
            block += b"\n"
        selected = self._pattern.lines.count(block, self._call.scope)
        if self._settings.invert:
            selected = block.count(b"\n") - selected
        self._sink.add(selected)

    def _selected(self, block: bytes) -> Iterator[tuple[int, int]]:
        """Yield the runs of selected lines."""
        if self._settings.records:
            runs = self._matching_records(block)
        else:
            runs = self._pattern.lines.runs(block, 0, self._call.scope)
        if self._settings.invert:
            return between(runs, len(block))
        return runs

    def _matching_records(self, block: bytes) -> Iterator[tuple[int, int]]:
        for low, high in self._lines(block, 0, len(block)):
            if self._pattern.test(block[low:high].removesuffix(b"\0"), self._call.scope):
                yield low, high

    def _take(self, block: bytes, low: int, high: int) -> bool:
        """Pass a run of selected lines to the sink."""
        sink = self._sink
        text = block[low:high]
        reports_nul = self._binary == "tell" and b"\0" in text
        if sink.plain and not reports_nul:
            sink.run(text, text.count(b"\n") + (text[-1:] != b"\n"))
            return sink.binary < 0
        for start, stop in self._lines(block, low, high):
            if not self._leading(self._offset + start):
                return False
            line = Line(block[start:stop], self._number, self._offset + start)
            if sink.wants_spans and not self._settings.invert:
                line.spans = self._spans(line.text)
            self._number += 1
            self._printed_to = self._stopped_at = self._offset + stop
            if self._binary == "tell":
                self._look_for_nul(line.text, line.offset)
            if not sink.matched(line):
                return False
            self._stopped_at = -1
            self._after = self._settings.after
        return True

    def _spans(self, text: bytes) -> list[Spans]:
        """Return the matches in one line without its end."""
        body = text.removesuffix(self._end)
        if self._settings.crlf:
            body = body.removesuffix(b"\r")
        return list(self._pattern.matches(body, self._call.scope))

    def _leading(self, start: int) -> bool:
        """Pass the context before a selected line to the sink."""
        pending, self._pending = self._pending, []
        first = pending[0].offset if pending else start
        if self._settings.context and 0 <= self._printed_to < first:
            self._sink.gap()
        return all(self._context(line) for line in pending)

    def _pass(self, block: bytes, low: int, high: int) -> bool:
        """Skip lines that are not selected.

        They may be context after a selected line, or are kept as context before the next.
        """
        settings = self._settings
        if settings.passthru or self._after:
            for start, stop in self._lines(block, low, high):
                if not (settings.passthru or self._after):
                    break
                self._after -= self._after > 0
                line = Line(block[start:stop], self._number, self._offset + start)
                self._number += 1
                self._printed_to = self._offset + stop
                if not self._context(line):
                    self._stopped_at = self._printed_to
                    return False
                low = stop
        if low >= high:
            return True
        if settings.before:
            self._hold(block, low, high)
        if settings.line_number:
            self._number += block.count(self._end, low, high)
        return True

    def _context(self, line: Line) -> bool:
        line.is_context = True
        if self._binary == "tell":
            self._look_for_nul(line.text, line.offset)
        if self._settings.invert and self._sink.wants_spans:
            line.spans = self._spans(line.text)
        return self._sink.context(line)

    def _hold(self, block: bytes, low: int, high: int) -> None:
        """Keep the last lines as possible context."""
        most = self._settings.before
        starts: list[int] = []
        at = high
        while at > low and len(starts) < most:
            at = block.rfind(self._end, low, at - 1) + 1 or low
            starts.append(at)
            self._pause()
        starts.reverse()
        number = self._number
        if starts and self._settings.line_number:
            number += block.count(self._end, low, starts[0])
        new = [
            Line(block[start:stop], number + turn, self._offset + start)
            for turn, (start, stop) in enumerate(zip(starts, [*starts[1:], high], strict=True))
        ]
        if len(new) < most:
            new = [*self._pending[len(new) - most :], *new]
        self._pending = new
        size = len(new) * 64  # of many lines an estimate, as each call of ``_hold`` would add all of them up
        if len(new) < 256:
            size = sum([len(line.text) for line in new])
        check_buffer_size(self._call, size)

    def _lines(self, block: bytes, low: int, high: int) -> Iterator[tuple[int, int]]:
        while low < high:
            stop = block.find(self._end, low, high) + 1 or high
            yield low, stop
            low = stop
            self._pause()

    def _pause(self) -> None:
        self._turns += 1
        if not self._turns & 255:
            self._call.check()

    # Matches across lines

    def _run_across(self, data: bytes) -> int:
        self._look_for_nul(data[:_BLOCK], 0)
        if self._sink.binary_quits:
            return 0
        if self._settings.invert:
            self._invert(data)
            return len(data)
        at = 0
        for low, high, matches in self._groups(data):
            if not (self._pass(data, at, low) and self._take_group(data, low, high, matches)):
                return len(data)
            at = high
        self._pass(data, at, len(data))
        return len(data)

    def _invert(self, data: bytes) -> None:
        """Select the lines that no match touches. Each search starts after the lines of the previous match."""
        search = self._pattern.searcher(data, self._call.scope)
        at = 0
        while at < len(data):
            self._pause()
            spans = search(at)
            low = high = len(data)
            if spans is not None:
                low, high = self._line_bounds(data, *spans[0])
            low = max(low, at)  # the lines of the last match were already skipped
            if at < low and not self._take(data, at, low):
                return
            if not self._pass(data, low, high):
                return
            at = max(high, low)

    def _line_bounds(self, data: bytes, start: int, stop: int) -> tuple[int, int]:
        """Return the start and end of the lines of a match."""
        start = data.rfind(self._end, 0, start) + 1
        if stop <= start or data[stop - 1 : stop] != self._end:
            stop = data.find(self._end, stop) + 1 or len(data)
        return start, stop

    def _groups(self, data: bytes) -> Iterator[tuple[int, int, list[Spans]]]:
        """Yield lines with their matches. Matches on overlapping or adjacent lines are one group."""
        low = high = 0
        matches: list[Spans] = []
        for spans in self._pattern.matches(data, self._call.scope):
            start, stop = spans[0]
            if start == stop == len(data) and data[-1:] in (b"", self._end):
                break  # after the last line
            start, stop = self._line_bounds(data, start, stop)
            if matches and high < start:
                yield low, high, matches
                matches = []
            if not matches:
                low = start
            high = max(high, stop)
            matches.append(spans)
        if matches:
            yield low, high, matches

    def _take_group(self, data: bytes, low: int, high: int, matches: list[Spans]) -> bool:
        if not self._leading(low):
            return False
        line = Line(data[low:high], self._number, low)
        line.across = True
        if self._sink.wants_spans:
            line.spans = [_moved(spans, low) for spans in matches]
        if self._settings.line_number:
            self._number += data.count(self._end, low, high)
        self._printed_to = self._stopped_at = high
        self._look_for_nul(line.text, low)
        if not self._sink.matched(line):
            return False
        self._stopped_at = -1
        self._after = self._settings.after
        return True
