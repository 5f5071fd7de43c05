"""Tables as wide as the terminal; in a pipe, one line per row. Imported when one is printed: rich is slow to import."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

UNBOUNDED = 1_000_000  # columns: in a pipe, no line is broken
GAP = 2  # columns between two columns
INDENT = 4  # of continuation lines
NARROW = 20  # columns: a narrower column has few words per line
_WORD = re.compile(r"\S+\s*")


class Screen(Console):
    """Standard output. Lines are broken between words only, so that a terminal can open a path in them."""

    def __init__(self) -> None:
        terminal = sys.stdout.isatty()
        super().__init__(
            highlight=False,
            # rich's no_color keeps bold and dim, and rich assumes 80 columns for a dumb terminal
            color_system=None if os.environ.get("NO_COLOR") else "auto",
            width=shutil.get_terminal_size().columns if terminal else UNBOUNDED,
            legacy_windows=None if terminal else False,
        )

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, as any other write does; rich would exit."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    def print(self, *objects: Any, whole: bool = False, **options: Any) -> None:
        """Print markup and tables. ``whole``: do not break lines, because they are quoted and may be copied."""
        if all(isinstance(item, str) for item in objects):
            lines = broken(Text.from_markup(" ".join(objects)), UNBOUNDED if whole else self.width, INDENT)
            super().print(Text("\n").join(lines), overflow="ignore", no_wrap=True, crop=False)
        else:
            super().print(*objects, **options, crop=False)


class Rows:
    """A table of markup; each row is a record if the words do not fit side by side, and one line in a pipe."""

    def __init__(self, *columns: str) -> None:
        self.names = columns
        self.rows: list[list[Text]] = []

    def add_row(self, *cells: str) -> None:
        """Add a row, with a cell for each column."""
        self.rows.append([Text.from_markup(cell) for cell in cells])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the form that fits: pipe, table or records."""
        if options.max_width == UNBOUNDED:
            lines = self._lines()
        elif widths := self._widths(options.max_width):
            lines = self._table(widths, "─" if "utf" in options.encoding.lower() else "-")
        else:
            lines = self._records(options.max_width)
        for line in lines:
            line.rstrip()
            line.overflow, line.no_wrap = "ignore", True
            yield line

    def _widths(self, room: int) -> list[int]:
        """Return each column's width, at least that of its longest word; [] if they do not fit."""
        columns = list(zip([Text(name) for name in self.names], *self.rows, strict=True))
        widths = [_longest_line(cells) for cells in columns]
        least = [max(min(width, NARROW), _longest_word(cells)) for cells, width in zip(columns, widths, strict=True)]
        room -= GAP * (len(widths) - 1)
        if sum(least) > room:
            return []
        while sum(widths) > room:
            # The widest of those that can still shrink.
            widest = max(range(len(widths)), key=lambda at: (widths[at] > least[at], widths[at]))
            widths[widest] -= 1
        return widths

    def _table(self, widths: list[int], rule: str) -> list[Text]:
        total = sum(widths) + GAP * (len(widths) - 1)
        lines = _side_by_side([Text(name, "bold") for name in self.names], widths)
        lines.append(Text(rule * total))
        for row in self.rows:
            lines += _side_by_side(row, widths)
        return lines

    def _lines(self) -> list[Text]:
        """Return a line for the names and one for each row, for grep and awk."""
        rows = [[Text(name) for name in self.names]]
        for row in self.rows:
            rows.append([Text(" / ").join(cell.split("\n")) for cell in row])
        widths = [max(cell_len(cell.plain) for cell in column) for column in zip(*rows, strict=True)]
        lines: list[Text] = []
        for row in rows:
            lines += _side_by_side(row, widths)
        return lines

    def _records(self, width: int) -> list[Text]:
        """Return the lines of records: the first cell on a line of its own, then ``name: cell`` lines."""
        lines = []
        for row in self.rows:
            lines += broken(row[0], width, INDENT)
            for name, cell in zip(self.names[1:], row[1:], strict=True):
                if cell.plain:
                    lines += broken(Text.assemble((f"  {name}:", "bold"), " ", cell), width, INDENT)
        return lines


def _longest_line(cells: tuple[Text, ...]) -> int:
    """Return the width of the longest line of a column."""
    return max(cell_len(line) for cell in cells for line in cell.plain.split("\n"))


def _longest_word(cells: tuple[Text, ...]) -> int:
    """Return the width of the longest word of a column."""
    words = (word for cell in cells for word in cell.plain.split())
    return max(map(cell_len, words), default=0)


def _side_by_side(cells: list[Text], widths: list[int]) -> list[Text]:
    """Return the lines of one row."""
    broken_cells = [broken(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for parts in zip_longest(*broken_cells):
        line = Text()
        for part, width in zip(parts, widths, strict=True):
            shown = Text() if part is None else part
            line += shown + Text(" " * (max(0, width - cell_len(shown.plain)) + GAP))
        lines.append(line)
    return lines


def broken(text: Text, width: int, indent: int = 0) -> list[Text]:
    """Break a text between words; a word that is longer than a line stays whole. ``indent``: of continuation lines."""
    lines: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        plain, offsets, begin, room = line.plain, list[int](), 0, width
        for word in _WORD.finditer(plain):
            has_words = plain[begin : word.start()].strip() != ""
            if has_words and cell_len(plain[begin : word.end()].rstrip()) > room:
                begin, room = word.start(), width - indent
                offsets.append(begin)
        first, *others = line.divide(offsets)
        lines += [first, *(Text(" " * indent) + other for other in others)]
    for line in lines:
        line.rstrip()
    return lines
