"""The base of consumers of search results, and their counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from time import perf_counter

from ...command import Call
from ...patterns.engines import Spans
from ...text import encode
from .settings import Settings


class Line:
    """A selected line, or several lines that contain a match across them, or a context line.

    ``text`` includes its line end, which the last line of a file may lack. ``number`` counts from 1, ``offset`` from
    the start of the file. ``spans`` are the matches in ``text`` with their groups, if the sink ``wants_spans``.
    """

    __slots__ = ("across", "is_context", "number", "offset", "spans", "text")

    def __init__(self, text: bytes, number: int, offset: int) -> None:
        self.text = text
        self.number = number
        self.offset = offset
        self.spans: list[Spans] = []
        self.is_context = False
        self.across = False

    def drop_end(self) -> None:
        """Drop an empty match at the end of the text, which ripgrep does not report."""
        if self.spans and self.spans[-1][0] == (len(self.text), len(self.text)):
            self.spans.pop()


class Stats:
    """Counts for ``--stats``."""

    __slots__ = ("lines", "matched", "matches", "printed", "searched", "searches", "seconds")

    def __init__(self) -> None:
        self.searches = self.matched = 0  # files, and those with a match
        self.searched = self.printed = 0  # bytes
        self.lines = self.matches = 0
        self.seconds = 0.0

    def add(self, other: Stats) -> None:
        """Add another's counts."""
        for name in Stats.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Writer:
    """Standard output with a count of the bytes written."""

    __slots__ = ("_out", "file", "total")

    def __init__(self, call: Call) -> None:
        self._out = call.out
        self.file = self.total = 0

    def write(self, data: bytes) -> None:
        """Write and count."""
        self._out.write(data)
        self.file += len(data)
        self.total += len(data)


class Sink(ABC):
    """Consumes the results of one search after the other. The methods return whether the search continues.

    ``count`` is the number of selected lines or matches in the current file; ``binary`` the offset of its first
    relevant NUL, or -1. ``wants_spans``: the spans of matches are needed. ``plain``: ``run`` may receive several lines
    at once. ``counts``: only the number of lines is needed (``add``).
    """

    __slots__ = (
        "_after",
        "_began",
        "binary",
        "binary_quits",
        "count",
        "name",
        "out",
        "settings",
        "stats",
        "wants_spans",
    )

    plain = False
    counts = False

    def __init__(self, settings: Settings, out: Writer) -> None:
        self.settings = settings
        self.out = out
        self.wants_spans = False
        self.stats = Stats()  # of the current file
        self.name = b""
        self.count = 0
        self.binary = -1
        self.binary_quits = False
        self._after = 0
        self._began = 0.0

    def begin(self, name: str) -> None:
        """Start a file."""
        separator = self.settings.path_separator
        self.name = encode(name)
        if separator:
            self.name = self.name.replace(b"/", separator)
        self.count = 0
        self.binary = -1
        self.binary_quits = False
        self.out.file = 0
        self.stats = Stats()
        self._after = 0
        self._began = perf_counter()

    @abstractmethod
    def matched(self, line: Line) -> bool:
        """Consume a selected line."""

    def context(self, line: Line) -> bool:
        """Consume a context line."""
        return True

    def gap(self) -> None:  # noqa: B027 - most write nothing there
        """Note that lines before the next one are omitted."""

    def run(self, text: bytes, lines: int) -> None:
        """Consume several consecutive selected lines."""
        self.count += lines

    def add(self, lines: int) -> None:
        """Count selected lines."""
        self.count += lines

    def found_binary(self, offset: int, quits: bool) -> None:
        """Note the first NUL; ``quits``: the search ends there."""
        self.binary = offset
        self.binary_quits = quits

    def finish(self, searched: int) -> None:
        """Finish a file of which ``searched`` bytes were searched."""
        stats = self.stats
        stats.searches = 1
        stats.matched = int(self.count > 0)
        stats.searched = searched
        stats.printed = self.out.file
        stats.seconds = perf_counter() - self._began

    @property
    def has_match(self) -> bool:
        """Return whether the file counts as matching."""
        return self.count > 0

    @property
    def is_counted(self) -> bool:
        """Return whether the file counts in ``--stats``."""
        return True

    def _tally(self, line: Line) -> bool:
        """Count a selected line, even beyond the maximum, after which context lines continue."""
        self.count += 1
        if self.settings.stats:
            self.stats.matches += len(line.spans)
            self.stats.lines += self.lines_in(line.text)
        if self.count <= self.settings.max_count:
            self._after = self.settings.after
        else:
            self._after -= self._after > 0
        return self._goes_on()

    def lines_in(self, text: bytes) -> int:
        """Return the number of lines; the last may lack its end."""
        end = self.settings.end[-1:]
        return text.count(end) + (not text.endswith(end))

    def _goes_on(self) -> bool:
        return self.count < self.settings.max_count or self._after > 0
