"""The standard output: matching lines."""

from __future__ import annotations

from collections.abc import Sequence

from ...text import encode, paced, pause
from .replacing import Replacement
from .results import Line, Sink, Writer
from .settings import FOREVER, Settings

Span = tuple[int, int]


class Standard(Sink):
    """Writes lines with their prefixes, optionally below file names as headings."""

    __slots__ = ("_end", "_replacement", "_separator", "plain")

    def __init__(self, settings: Settings, out: Writer, replacement: Replacement | None) -> None:
        super().__init__(settings, out)
        self._replacement = replacement
        self._end = settings.end
        self._separator: bytes | None = None  # between files
        if settings.heading:
            self._separator = b""
        elif settings.context:
            self._separator = settings.context_separator
        self.wants_spans = _wants_spans(settings)
        has_prefix = settings.with_filename or settings.line_number
        self.plain = not has_prefix and not self.wants_spans and not _is_counted(settings)

    def matched(self, line: Line) -> bool:
        shown = self._replaced(line)
        line.drop_end()
        goes_on = self._tally(line)
        if self.binary >= 0:
            return False
        self._write(shown)
        return goes_on

    def context(self, line: Line) -> bool:
        if self.binary >= 0:
            return False
        self._after -= self._after > 0
        self._write(self._replaced(line))
        return self._goes_on()

    def run(self, text: bytes, lines: int) -> None:
        self.count += lines
        if self.binary < 0:
            self._begin_file()
            self.out.write(text if text.endswith(b"\n") else text + b"\n")

    def gap(self) -> None:
        if self.settings.context_separator is not None:
            self.out.write(self.settings.context_separator + self._end)

    def finish(self, searched: int) -> None:
        if self.binary >= 0 and self.count:
            head = b""
            if self.settings.with_filename:
                head = self._painted("path", self.name) + b": "
            where = b'(found "\\0" byte around offset %d)\n' % self.binary
            if self.binary_quits:
                self.out.write(head + b"WARNING: stopped searching binary file after match " + where)
            else:
                self.out.write(head + b"binary file matches " + where)
        super().finish(searched)

    # One line

    def _replaced(self, line: Line) -> Line:
        if self._replacement is None or not line.spans:
            return line
        text, spans = self._replacement.applied(line.text, line.spans)
        shown = Line(self._without_end(text), line.number, line.offset)
        shown.spans = [(span,) for span in spans]
        shown.is_context, shown.across = line.is_context, line.across
        return shown

    def _write(self, line: Line) -> None:
        self._begin_file()
        spans = [spans[0] for spans in line.spans]
        if not spans:
            self._write_lines(line, [])
        elif self.settings.only_matching:
            self._write_matches(line, spans)
        elif self.settings.per_match:
            for span in paced(spans):
                self._write_one(line, span)
        else:
            self._write_lines(line, spans)

    def _begin_file(self) -> None:
        if self.out.file:
            return
        if self._separator is not None and self.out.total:
            self.out.write(self._separator + self._end)
        if self.settings.heading and self.settings.with_filename:
            end = b"\0" if self.settings.null else self._end
            self.out.write(self._painted("path", self.name) + end)

    def _write_lines(self, line: Line, spans: list[Span]) -> None:
        """Write the whole text, each line with the column of the first match."""
        column = spans[0][0] + 1 if spans else 0
        rest = spans
        for number, (low, high) in enumerate(paced(_lines_of(line, self._end[-1:]))):
            while len(rest) > 1 and rest[0][1] <= low:
                # One at a time would copy a long list for each of its spans.
                rest = rest[1:] if len(rest) < 64 else _drop_passed_spans(rest, low)
            head = self._prefix(line, line.number + number, column, line.offset + low)
            self._write_text(line, head, low, high, rest, len(spans))

    def _write_matches(self, line: Line, spans: list[Span]) -> None:
        """Write only the matches; a match across lines is written as one part per line."""
        if not line.across:
            for low, high in paced(spans):
                self._write_part(line, line.number, low, low, high, spans)
            return
        at = 0
        for number, (low, high) in enumerate(paced(_lines_of(line, self._end[-1:]))):
            stop = low + len(self._without_end(line.text[low:high]))
            while at < len(spans) and spans[at][0] < stop:
                first, last = max(spans[at][0], low), min(spans[at][1], stop)
                if first < last:
                    self._write_part(line, line.number + number, spans[at][0], first, last, spans)
                if spans[at][1] > stop:
                    break
                at += 1

    def _write_part(self, line: Line, number: int, start: int, low: int, high: int, spans: list[Span]) -> None:
        head = self._prefix(line, number, start + 1, line.offset + start)
        text = line.text[low:high]
        most = self.settings.max_columns
        if most and len(text) > most:
            self.out.write(head + self._too_long(line, low, high, spans, len(spans)) + self._end)
        else:
            self.out.write(head + self._painted("match", self._trimmed(text)) + self._end)

    def _write_one(self, line: Line, span: Span) -> None:
        """Write the line in which one match begins."""
        low, high = 0, len(line.text)
        number = line.number
        if line.across:
            low = line.text.rfind(b"\n", 0, span[0]) + 1
            high = line.text.find(b"\n", low) + 1 or high
            number += line.text.count(b"\n", 0, low)
        offset = line.offset + (low if line.across else span[0])
        head = self._prefix(line, number, span[0] - low + 1, offset)
        spans = [span] if self.settings.palette else [spans[0] for spans in line.spans]
        self._write_text(line, head, low, high, spans, len(line.spans))

    def _write_text(self, line: Line, head: bytes, low: int, high: int, spans: Sequence[Span], many: int) -> None:
        text = line.text[low:high]
        trimmed = len(text) - len(self._trimmed(text))
        most = self.settings.max_columns
        if most and len(text) > most:
            self.out.write(head + self._too_long(line, low, high, spans, many) + self._end)
        elif self.settings.palette is None or not spans:
            text = text[trimmed:]
            if line.across and spans:
                text = self._without_end(text)
            if not text.endswith(self._end[-1:]):
                text += self._end
            self.out.write(head + text)
        else:
            stop = low + len(self._without_end(text))
            self.out.write(head + self._highlighted(line.text, low + trimmed, stop, spans) + self._end)

    def _prefix(self, line: Line, number: int, column: int, offset: int) -> bytes:
        settings = self.settings
        mark = settings.field_context if line.is_context else settings.field_match
        out = b""
        if settings.with_filename and not settings.heading:
            out = self._painted("path", self.name) + (b"\0" if settings.null else mark)
        if settings.line_number:
            out += self._painted("line", b"%d" % number) + mark
        if settings.column and column:
            out += self._painted("column", b"%d" % column) + mark
        if settings.byte_offset:
            out += self._painted("column", b"%d" % offset) + mark
        return out

    def _painted(self, name: str, text: bytes) -> bytes:
        palette = self.settings.palette
        if palette is None:
            return text
        return palette.paint(name, text)

    def _highlighted(self, text: bytes, low: int, high: int, spans: Sequence[Span]) -> bytes:
        out: list[bytes] = []
        matched = bytearray()  # adjacent matches are highlighted as one
        for start, stop in paced(spans):
            start, stop = max(start, low), min(stop, high)
            if start >= stop:
                continue
            if start > low:
                if matched:
                    out.append(self._painted("match", bytes(matched)))
                out.append(text[low:start])
                matched.clear()
            matched += text[start:stop]
            low = stop
        if matched:
            out.append(self._painted("match", bytes(matched)))
        out.append(text[low:high])
        return b"".join(out)

    def _too_long(self, line: Line, low: int, high: int, spans: Sequence[Span], many: int) -> bytes:
        """Return the replacement for a line that exceeds ``--max-columns``."""
        settings = self.settings
        if settings.preview:
            text = line.text[low:high]
            cut = _cut(text, settings.max_columns)
            shown = self._trimmed(self._without_end(text[:cut]))
            if settings.palette is not None and spans:
                stop = low + len(self._without_end(text[:cut]))
                shown = self._highlighted(line.text, stop - len(shown), stop, spans)
            if not spans:
                return shown + b" [... omitted end of long line]"
            more = sum(1 for start, _ in spans if low + cut <= start < high)
            ending = b"" if more == 1 else b"es"
            return shown + b" [... %d more match%b]" % (more, ending)
        if spans and not settings.only_matching:
            return b"[Omitted long line with %d matches]" % many
        if line.is_context:
            return b"[Omitted long context line]"
        return b"[Omitted long matching line]"

    def _trimmed(self, text: bytes) -> bytes:
        if not self.settings.trim:
            return text
        body = self._without_end(text)
        return body.lstrip(b" \t\v\f\r\n") + text[len(body) :]

    def _without_end(self, text: bytes) -> bytes:
        end = self._end[-1:]
        if not text.endswith(end):
            return text
        if self.settings.crlf and text.endswith(b"\r\n"):
            return text[:-2]
        return text[:-1]


def _wants_spans(settings: Settings) -> bool:
    """Return whether the spans of matches are needed."""
    if settings.palette is not None or settings.replacement is not None:
        return True
    if settings.per_match or settings.only_matching:
        return True
    return settings.column or settings.stats


def _is_counted(settings: Settings) -> bool:
    """Return whether each line must be processed on its own."""
    changes_line = settings.trim or settings.max_columns or settings.end != b"\n"
    if settings.byte_offset or changes_line:
        return True
    if settings.context or settings.passthru:
        return True
    return settings.max_count < FOREVER


def _lines_of(line: Line, end: bytes) -> list[Span]:
    """Return the spans of the lines of a text: one line, except for a match across several."""
    text = line.text
    if not line.across or line.is_context:
        return [(0, len(text))]
    spans: list[Span] = []
    at = 0
    while at < len(text):
        pause()
        stop = text.find(end, at) + 1 or len(text)
        spans.append((at, stop))
        at = stop
    return spans


def _drop_passed_spans(spans: list[Span], low: int) -> list[Span]:
    """Drop the spans that end before an offset, but keep the last."""
    return [span for span in spans if span[1] > low] or spans[-1:]


def _cut(text: bytes, most: int) -> int:
    """Return the number of bytes in the first ``most`` characters (Unicode's grapheme clusters)."""
    if text.isascii() and b"\r\n" not in text:
        return min(most, len(text))
    import regex

    start = text[: most * 64].decode("utf-8", "surrogateescape")
    cut = 0
    for _, found in zip(range(most), regex.finditer(r"\X", start), strict=False):
        cut = found.end()
    return len(encode(start[:cut]))
