"""Counts and file names instead of lines: ``-c``, ``--count-matches``, ``-l``, ``--files-without-match``, ``-q``."""

from __future__ import annotations

from .results import Line, Sink, Writer
from .settings import FOREVER, Settings


class Summary(Sink):
    """Writes at most one line for each file."""

    __slots__ = ("_kind", "_lists", "_taken", "counts")

    def __init__(self, settings: Settings, out: Writer) -> None:
        super().__init__(settings, out)
        self._kind = settings.summary
        self._taken = 0  # of the current file, for the limit of ``--max-count``
        self._lists = self._kind in ("files_with_matches", "files_without_match")
        self.wants_spans = settings.stats or self._kind == "count_matches" or settings.switches.multiline
        self.counts = self._kind == "count" and not settings.stats and settings.max_count == FOREVER

    def begin(self, name: str) -> None:
        super().begin(name)
        self._taken = 0

    def matched(self, line: Line) -> bool:
        line.drop_end()
        found = len(line.spans)
        if self.settings.stats:
            self.stats.matches += found
            self.stats.lines += self.lines_in(line.text)
        counts_matches = self._kind == "count_matches" or line.across
        if counts_matches and not self.settings.invert:
            self.count += found
        else:
            self.count += 1
        self._taken += found if line.across else 1
        needs_one = self._lists or self._kind == "quiet"
        if needs_one and not self.settings.stats:
            return False
        return self._taken < self.settings.max_count

    def finish(self, searched: int) -> None:
        settings = self.settings
        found = self.count > 0
        if self.binary_quits:
            self.count = 0
        else:
            self._write()
        super().finish(searched)
        self.stats.matched = int(found)
        if settings.stats:
            self.stats.printed = self.out.file

    def _write(self) -> None:
        settings = self.settings
        if self._lists:
            if self.has_match:
                end = b"\0" if settings.null else settings.end
                self.out.write(self._name() + end)
        elif self._kind != "quiet" and (self.count or settings.include_zero):
            head = b""
            if settings.with_filename:
                head = self._name() + (b"\0" if settings.null else b":")
            self.out.write(head + b"%d" % self.count + settings.end)

    def _name(self) -> bytes:
        palette = self.settings.palette
        if palette is None:
            return self.name
        return palette.paint("path", self.name)

    @property
    def has_match(self) -> bool:
        return (self.count == 0) == (self._kind == "files_without_match")
