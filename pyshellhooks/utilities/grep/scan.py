"""Search of one file, block by block.

A block consists of complete lines. It is searched as a whole: find a match, then the ends of its line. Only options
that depend on each line (``-v``, ``-P``, ``-z``) are handled line by line.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...command import Call
from ...patterns.characters import is_valid
from ...patterns.engines import Regex
from ...patterns.lines import LineFinder, between
from ...streams.base import Stream
from ...text import pause
from ..support.lines import check_buffer_size
from .output import Palette, Printer
from .settings import FOREVER, Search, Settings

_BLOCK = 65536
_TEXTS = 65536


class Job:
    """The parts of one call that the searches of all its files share."""

    __slots__ = ("call", "matcher", "palette", "search", "settings", "utf8")

    def __init__(
        self,
        call: Call,
        settings: Settings,
        search: Search | None,
        utf8: bool,
        palette: Palette,
    ) -> None:
        self.call = call
        self.settings = settings
        self.search = search
        self.matcher = None if search is None else search.matcher
        self.utf8 = utf8
        self.palette = palette


class Scan:
    """The search of one file. ``run`` returns the number of selected lines."""

    __slots__ = (
        "_base_offset",
        "_after_last",
        "_binary",
        "_binary_from",
        "_buffer",
        "_bulk",
        "_call",
        "_counted_to",
        "_finder",
        "_groups",
        "_line",
        "_matcher",
        "_name",
        "_palette",
        "_pending",
        "_printed_to",
        "_prints_any",
        "_search",
        "_printer",
        "_quiet",
        "_settings",
        "_stop_at_first",
        "_texts",
        "_withheld",
        "printed_groups",
        "selected",
    )

    def __init__(self, job: Job, name: str, show_name: bool, printed_groups: bool) -> None:
        call, settings, palette = job.call, job.settings, job.palette
        self._call = call
        self._settings = settings
        self._search = search = job.search
        self._matcher = job.matcher
        self._finder = None if search is None else search.finder
        self._prints_any = not job.utf8 or settings.binary == "text"  # even invalid UTF-8
        self._palette = palette
        self._name = name
        width = self._number_width() if settings.tab else 0
        shown_name = self._shown_name() if show_name else None
        self._printer = Printer(settings, call.out, palette, shown_name, width)
        self._stop_at_first = settings.quiet or settings.listing
        self._quiet = self._stop_at_first or settings.count
        self._texts: Regex | None = None
        if search is not None and self._needs_texts():
            self._texts = search.texts
        depends_on_lines = settings.eol != b"\n" or settings.max_count != FOREVER or self._stop_at_first
        self._groups = not depends_on_lines and self._writes_plain_groups()
        self._bulk = not depends_on_lines and self._searches_in_bulk()
        self._buffer = b""
        self._base_offset = 0  # offset of the buffer in the file
        self._line = 1  # number of the line at _counted_to
        self._counted_to = 0
        self._printed_to = -1  # position in the buffer up to which lines were printed; -1 before the file's first
        self._pending = 0  # lines of context still to print
        self._binary = False
        self._binary_from = 0  # lines selected before the file turned out to be binary
        self._withheld = False  # a line was not printed because of its encoding
        self._after_last = 0  # offset after the last selected line
        self.selected = 0
        self.printed_groups = printed_groups

    def _needs_texts(self) -> bool:
        """Return whether the matches within lines are needed: for colours and -o."""
        if self._palette.on:
            return True
        return self._settings.only_matching and not self._quiet

    def _writes_plain_groups(self) -> bool:
        """Return whether lines are written with their context and nothing else, so that runs of lines can be copied."""
        if not self._settings.in_context or self._settings.only_matching:
            return False
        return self._printer.plain and not self._quiet

    def _searches_in_bulk(self) -> bool:
        """Return whether no option depends on single lines: whole runs of them are counted or written at once."""
        settings = self._settings
        if settings.in_context:
            return False
        if self._needs_texts() and self._texts is None and not settings.invert:
            return False
        if self._palette.on:
            return self._printer.bare and not settings.only_matching
        return True

    def _number_width(self) -> int:
        # -T aligns numbers to the digits of the file's size; for a pipe, to the widest possible number.
        if self._name == "-":
            return 19
        try:
            return len(str(self._call.fs.stat(self._call.path(self._name)).st_size))
        except OSError:
            return 0

    def run(self, stream: Stream) -> int:
        """Search up to the end, or until the result is known; return the number of selected lines."""
        settings = self._settings
        eol = settings.eol
        rest: list[bytes] = []
        received = ended = 0  # ended: the offset after the last end of a line
        more = settings.max_count > 0
        while more:
            self._call.check()
            chunk = stream.read(_BLOCK)
            if not chunk:
                if tail := b"".join(rest):
                    self._block(tail)
                break
            received += len(chunk)
            if not self._binary and self._turns_binary(chunk):
                if settings.binary == "without-match":
                    self.selected = 0
                    return self._finish()
                self._turn_binary()
            end = chunk.rfind(eol) + 1
            if not end:
                check_buffer_size(self._call, received - ended)
                rest.append(chunk)
                continue
            ended = received - len(chunk) + end
            block = b"".join([*rest, chunk[:end]])
            rest = [chunk[end:]] if end < len(chunk) else []
            more = self._block(block)
        # The next reader of standard input continues after the last selected line (POSIX XCU 1.4).
        has_unused_input = self._full() and received > self._after_last
        if has_unused_input and self._name == "-":
            try:
                stream.seek(self._after_last - received, 1)
            except OSError:
                pass  # a pipe
        return self._finish()

    def _full(self) -> bool:
        return self.selected >= self._settings.max_count

    def _turn_binary(self) -> None:
        self._binary = True
        self._binary_from = self.selected
        if not self._settings.count:
            self._quiet = self._stop_at_first = True

    def _turns_binary(self, chunk: bytes) -> bool:
        if self._settings.binary == "text" or self._settings.eol != b"\n":  # with -z a NUL ends a line
            return False
        return b"\0" in chunk

    def _finish(self) -> int:
        settings = self._settings
        matched_binary = self._binary and self.selected > self._binary_from
        prints_lines = not (settings.quiet or settings.count or settings.listing)
        if prints_lines and (matched_binary or self._withheld):
            self._call.out.flush()  # the message follows the lines before it, as on a terminal
            self._call.error(f"{self._shown_name()}: binary file matches")
        if settings.quiet:
            return self.selected
        if settings.count:
            self._printer.named(b"%d" % self.selected)
        listed = settings.list_matching if self.selected else settings.list_missing
        if listed:
            self._printer.name_only(self._shown_name())
        return self.selected

    def _shown_name(self) -> str:
        return self._settings.label if self._name == "-" else self._name

    def _block(self, block: bytes) -> bool:
        """Search complete lines; return False if no more input is needed."""
        settings = self._settings
        if self._binary:
            block = block.replace(b"\0", b"\n")  # as GNU grep, for which a NUL in a binary file ends a line
        elif self._bulk and self._search_at_once(block):
            return True
        rest = b""
        if settings.before > 0 or settings.after > 0:
            rest = self._buffer[self._keep_from() :]
        self._rebase(len(self._buffer) - len(rest))
        self._buffer = rest + block
        if self._groups and not self._binary and self._search_for_groups(len(rest)):
            return True
        if self._full():  # only trailing context is still to be printed
            self._print_trailing_context(len(self._buffer))
            return self._pending > 0
        return self._search_by_line(len(rest))

    def _search_at_once(self, block: bytes) -> bool:
        """Search a block whose lines need no treatment of their own; return False if its encoding forbids that."""
        if self._finder is None:
            return False
        # Whether text may be printed is checked for the whole block; counting needs no check.
        valid = None
        if not self._quiet:
            valid = block.isascii() or is_valid(block)
        if valid is False:
            prints_invalid = self._texts is None and self._prints_any
            if not prints_invalid:
                return False
        self._rebase(len(self._buffer))
        self._buffer = block if block.endswith(b"\n") else block + b"\n"
        self._whole_block(self._finder, self._buffer, valid)
        return True

    def _search_for_groups(self, start: int) -> bool:
        """Write the buffer's runs of selected lines with their context; return False if its encoding forbids that."""
        if self._finder is None:
            return False
        valid = self._buffer.isascii() or is_valid(self._buffer)
        if not valid and not self._prints_any:
            return False
        self._write_groups(self._finder, start, valid)
        return True

    def _search_by_line(self, first: int) -> bool:
        """Select lines of the buffer one by one; return False if no more input is needed."""
        finder = self._unmatched_lines if self._settings.invert else self._matched_lines
        for start, end in finder(first):
            if self._pending:
                self._print_trailing_context(start)
            self.selected += 1
            if not self._quiet:
                self._select(start, end)
            if self._stop_at_first:
                return False
            self._after_last = self._base_offset + end
            if self._full():
                break
        if self._pending:
            self._print_trailing_context(len(self._buffer))
        return self._pending > 0 or not self._full()

    def _whole_block(self, finder: LineFinder, block: bytes, valid: bool | None) -> None:
        settings, scope = self._settings, self._call.scope
        if self._quiet:
            matching = finder.count(block, scope, valid=valid)
            if settings.invert:
                self.selected += block.count(b"\n") - matching
            else:
                self.selected += matching
            return
        prints_matches = settings.only_matching and not settings.invert
        if prints_matches and self._texts is not None and valid:
            self._all_texts(self._texts, block[:-1])
            return
        runs = finder.runs(block, 0, scope, valid=valid)
        if settings.invert:
            runs = between(runs, len(block))
        if settings.only_matching:
            self.selected += sum(1 for _ in runs)
        elif self._palette.on:
            self._write_painted(runs)
        elif self._printer.head is None:
            for low, high in runs:
                for start, end in self._lines(low, high):
                    self.selected += 1
                    self._put(block[start : end - 1], start, b":", colored=False)
        elif settings.line_number:
            self._write_numbered(runs, self._printer.head)
        else:
            text = self._other_lines(block) if settings.invert else None
            if text is None:
                text = b"".join([block[low:high] for low, high in runs])
            self._write_lines(text)

    def _other_lines(self, block: bytes) -> bytes | None:
        """Return the lines without a match by one substitution; None if the pattern does not allow that."""
        if self._search is None:
            return None
        regex = self._search.texts
        if regex is None:
            return None
        return regex.others(block)

    def _write_lines(self, text: bytes) -> None:
        if text:
            self.selected += 1
            if head := self._printer.head:
                text = head + text[:-1].replace(b"\n", b"\n" + head) + b"\n"
            self._call.out.write(text)

    def _write_painted(self, runs: Iterator[tuple[int, int]]) -> None:
        text = b"".join([self._buffer[low:high] for low, high in runs])
        self.selected += bool(text)
        if self._texts is None or self._settings.invert:
            self._call.out.write(text)
            return
        paint = self._palette.paint
        for parts in self._texts.parts(text, self._call.scope):
            parts[1::2] = [paint("ms", part) for part in parts[1::2]]
            self._call.out.write(b"".join(parts))

    def _write_groups(self, finder: LineFinder, start: int, valid: bool) -> None:
        """Write runs of selected lines with their context; lines have no prefixes and colours."""
        settings = self._settings
        if not self._buffer.endswith(b"\n"):
            self._buffer += b"\n"
        buffer, out, after = self._buffer, self._call.out, max(settings.after, 0)
        at, pending = self._printed_to, self._pending
        group = max(at, 0)
        runs = finder.runs(buffer, start, self._call.scope, valid=valid)
        if settings.invert:
            runs = between(runs, len(buffer), start)
        for low, high in runs:
            self.selected += 1
            if low != at:
                stop, _ = self._context_behind(at, low, pending)
                first = self._context_before(low, stop)
                if first > stop or at < 0:
                    out.write(buffer[group:stop])
                    group = first
                    if self.printed_groups:
                        self._printer.separator()
            self.printed_groups = True
            at, pending = high, after
        stop, self._pending = self._context_behind(at, len(buffer), pending)
        out.write(buffer[group:stop])
        self._printed_to = stop if at >= 0 else at

    def _context_behind(self, at: int, stop: int, lines: int) -> tuple[int, int]:
        """Return the end of ``lines`` lines of trailing context, at most ``stop``, and the number of missing lines."""
        at = max(at, 0)
        while lines and at < stop:
            at = self._buffer.find(b"\n", at) + 1
            lines -= 1
        return at, lines

    def _write_numbered(self, runs: Iterator[tuple[int, int]], head: bytes) -> None:
        block, out = self._buffer, list[bytes]()
        number, at = self._line_at(0), 0
        for low, high in runs:
            number += block.count(b"\n", at, low)
            text = block[low : high - 1]
            if b"\n" in text:
                lines = text.split(b"\n")
                out += [b"%b%d:%b\n" % (head, count, line) for count, line in enumerate(lines, number)]
                number += len(lines)
            else:
                out.append(b"%b%d:%b\n" % (head, number, text))
                number += 1
            at = high
        self.selected += len(out)
        self._call.out.write(b"".join(out))

    def _all_texts(self, regex: Regex, text: bytes) -> None:
        """Write all matches of a block, passed without its last newline so that no empty line follows it."""
        scope, head, numbered = self._call.scope, self._printer.head, self._settings.line_number
        if head == b"" and not numbered:
            out = regex.texts(text, scope)
            self.selected += bool(out)
            for first in range(0, len(out), _TEXTS):  # joined in parts, since each text takes 80 bytes of memory
                pause()
                self._call.out.write(b"\n".join([*out[first : first + _TEXTS], b""]))
            return
        number = self._line_at(0) if numbered else 0
        at = self._base_offset
        for parts in regex.parts(text, scope):
            out = []
            for before, part in zip(parts[::2], parts[1::2], strict=False):
                at += len(before)
                if numbered:
                    number += before.count(b"\n")
                if head is None:
                    out.append(b"%b%b\n" % (self._printer.prefix(b":", number, at), part))
                elif numbered:
                    out.append(b"%b%d:%b\n" % (head, number, part))
                else:
                    out.append(b"%b%b\n" % (head, part))
                at += len(part)
            number += parts[-1].count(b"\n")
            at += len(parts[-1])
            self.selected += len(out)
            self._call.out.write(b"".join(out))

    def _keep_from(self) -> int:
        """Return the start of the part of the buffer that may become leading context."""
        return self._context_before(len(self._buffer), max(self._printed_to, 0))

    def _context_before(self, at: int, least: int) -> int:
        """Return the start of the leading context of a line, at least ``least``."""
        eol, rfind = self._settings.eol, self._buffer.rfind
        for _ in range(self._settings.before):
            if at <= least:
                break
            at = rfind(eol, 0, at - 1) + 1
        return max(at, least)

    def _rebase(self, dropped: int) -> None:
        if self._settings.line_number:
            self._line_at(dropped)
            self._counted_to -= dropped
        self._base_offset += dropped
        if self._printed_to >= 0:
            self._printed_to -= dropped  # a negative value means that the next line is not adjacent

    def _line_at(self, position: int) -> int:
        eol = self._settings.eol
        if position >= self._counted_to:
            self._line += self._buffer.count(eol, self._counted_to, position)
        else:
            self._line -= self._buffer.count(eol, position, self._counted_to)
        self._counted_to = position
        return self._line

    def _matched_lines(self, start: int) -> Iterator[tuple[int, int]]:
        """Yield the start and the end (after the newline) of each line that matches."""
        matcher, eol, buffer = self._matcher, self._settings.eol, self._buffer
        if matcher is None or self._finder is None:
            return
        scope = self._call.scope
        if eol == b"\0":
            for low, high in self._lines(start):
                if matcher.test(buffer[low : self._text_end(low, high)], scope=scope):
                    yield low, high
            return
        for low, high in self._finder.runs(buffer, start, scope):
            if buffer.find(b"\n", low, high - 1) < 0:
                yield low, high
            else:
                yield from self._lines(low, high)

    def _unmatched_lines(self, start: int) -> Iterator[tuple[int, int]]:
        for low, high in self._matched_lines(start):
            if start < low:
                yield from self._lines(start, low)
            start = high
        yield from self._lines(start)

    def _lines(self, start: int, stop: int = -1) -> Iterator[tuple[int, int]]:
        eol, buffer = self._settings.eol, self._buffer
        if stop < 0:
            stop = len(buffer)
        turns = 0
        while start < stop:
            end = buffer.find(eol, start) + 1 or len(buffer)
            yield start, end
            start = end
            turns += 1
            if not turns & 255:  # a check of each line would cost more than the search
                self._call.check()

    def _text_end(self, start: int, end: int) -> int:
        if end > start and self._buffer[end - 1 : end] == self._settings.eol:
            return end - 1
        return end

    def _select(self, start: int, end: int) -> None:
        """Print a selected line and the context before it."""
        settings = self._settings
        text = self._buffer[start : self._text_end(start, end)]
        if settings.in_context:
            self._print_leading_context(start)
        if not settings.only_matching:
            self._put(text, start, b":", colored=not settings.invert)
        elif not settings.invert:
            self._only_matching(text, start)
        self._printed_to = end
        self._pending = max(settings.after, 0)

    def _valid(self, text: bytes) -> bool:
        """Return whether a line may be printed. If not, a message at the end reports it (GNU grep 3.5 and later)."""
        if self._prints_any or text.isascii():
            return True
        try:
            text.decode()
        except UnicodeDecodeError:
            self._withheld = True
            return False
        return True

    def _put(self, text: bytes, start: int, separator: bytes, *, colored: bool) -> None:
        if not text.isascii() and not self._valid(text):
            return
        printer = self._printer
        if printer.plain:
            printer.line(text, separator, 0, 0)
            return
        number = self._line_at(start) if self._settings.line_number else 0
        if self._palette.on and colored:
            text = self._highlight(text)
        printer.line(text, separator, number, self._base_offset + start)

    def _highlight(self, text: bytes) -> bytes:
        matcher = self._matcher
        if matcher is None:
            return text
        out: list[bytes] = []
        at = 0
        for spans in matcher.matches(text, self._call.scope):
            low, high = spans[0]
            if low < high:
                out += (text[at:low], self._palette.paint("ms", text[low:high]))
                at = high
        out.append(text[at:])
        return b"".join(out)

    def _only_matching(self, text: bytes, start: int) -> None:
        matcher = self._matcher
        assert matcher is not None
        number = self._line_at(start) if self._settings.line_number else 0
        for spans in matcher.matches(text, self._call.scope):
            low, high = spans[0]
            if low < high:
                part = text[low:high]
                if not self._valid(part):
                    return
                part = self._palette.paint("ms", part)
                self._printer.line(part, b":", number, self._base_offset + start + low)

    def _print_leading_context(self, start: int) -> None:
        """Print the lines of context before ``start``, after a separator unless they follow the last printed line."""
        first = self._context_before(start, max(self._printed_to, 0))
        if self.printed_groups and first != self._printed_to:
            self._printer.separator()
        self.printed_groups = True
        if not self._settings.only_matching:
            for low, high in self._lines(first, start):
                self._context_line(low, high)

    def _context_line(self, low: int, high: int) -> None:
        self._put(self._buffer[low : self._text_end(low, high)], low, b"-", colored=self._settings.invert)

    def _print_trailing_context(self, stop: int) -> None:
        """Print pending context up to ``stop``."""
        for low, high in self._lines(max(self._printed_to, 0), stop):
            if not self._pending:
                break
            self._pending -= 1
            if not self._settings.only_matching:
                self._context_line(low, high)
            self._printed_to = high
