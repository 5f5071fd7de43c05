"""Two files side by side (``-y``; diffutils manual 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...patterns.charclass import is_utf8
from ...regexes import lazy_pattern
from ...text import decode, encode, paced
from ..wc import width_of
from .texts import Change, Text, Write

if TYPE_CHECKING:
    from .settings import Settings

_GUTTER = 3  # minimum number of columns between the halves
_EVEN = lazy_pattern(rb"[ -~]*")


class Half:
    """Truncation of a line to the width of its half. ``columns``: the width of the result.

    ``indent``: the blanks before the half, which are repeated after a carriage return.
    """

    __slots__ = ("_bound", "_indent", "_out", "_place", "_spread", "_tab", "_utf8", "columns")

    def __init__(self, bound: int, indent: bytes, tab: int, *, spread: bool, utf8: bool) -> None:
        self._bound = bound
        self._indent = indent
        self._tab = tab
        self._spread = spread  # expand tabs to spaces
        self._utf8 = utf8
        self._out: list[str] = []
        self._place = 0  # the column in the line without truncation
        self.columns = 0

    def cut(self, line: bytes) -> bytes:
        """Return the part of a line that fits into the half."""
        if _EVEN.fullmatch(line):
            text = line[: self._bound]
            self.columns = len(text)
            return text
        encoding = "utf-8" if self._utf8 else "ascii"
        for char in paced(line.decode(encoding, "surrogateescape")):
            if char == "\t":
                self._add_tab()
            elif char == "\r":
                self._out.append("\r" + decode(self._indent))
                self._place = self.columns = 0
            elif char == "\b":
                self._go_back()
            elif char in "\0\f\v" or (self._utf8 and "\udc80" <= char <= "\udcff"):
                # It takes no column, but is printed only if there is room for one.
                if self._place < self._bound:
                    self._out.append(char)
            else:
                self._place += _columns(char)
                if self._place <= self._bound:
                    self.columns = self._place
                    self._out.append(char)
        return encode("".join(self._out))

    def _add_tab(self) -> None:
        stop = self._place + self._tab - self._place % self._tab
        if self._place == self.columns:
            if self._spread:
                wide = max(min(stop, self._bound), self.columns)
                self._out.append(" " * (wide - self.columns))
                self.columns = wide
            elif stop < self._bound:
                self._out.append("\t")
                self.columns = stop
        self._place = stop

    def _go_back(self) -> None:
        if not self._place:
            return
        self._place -= 1
        if self._place >= self._bound:
            return
        if self.columns <= self._place:
            self._out.append(" " * (self._place - self.columns))
        else:
            self._out.append("\b")
        self.columns = self._place


def _columns(char: str) -> int:
    if char.isprintable():
        return width_of(char)
    return 0


class Columns:
    """Printer of two texts side by side."""

    def __init__(self, settings: Settings, texts: Sequence[Text], write: Write) -> None:
        opts = settings.call.opts
        self._texts = texts
        self._write = write
        self._settings = settings
        self._suppress = opts.suppress_common_lines
        self._left_only = opts.left_column
        self._utf8 = is_utf8(settings.call.env)
        self._assist = opts.sdiff_merge_assist
        # With -t a tab is a single space, so that the second half may start at any column.
        step = settings.tabs.every
        if settings.expand:
            step = 1
        self._half, self._second = widths(settings.width, step)

    def print(self, changes: Sequence[Change]) -> None:
        """Write all changes and, unless they are suppressed, the common lines."""
        at = (0, 0)
        for change in paced(changes):
            if not change.ignored:
                self._common(at, change.at)
                self._change(change)
                at = (change.at[0] + change.count[0], change.at[1] + change.count[1])
        self._common(at, (len(self._texts[0].lines), len(self._texts[1].lines)))

    def _common(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        if self._suppress or start == end:
            return
        counts = [high - low for low, high in zip(start, end, strict=True)]
        if self._assist:
            self._write(b"i%d,%d\n" % tuple(counts))
        both = 0 if self._left_only else min(counts)
        for step in paced(range(both)):
            self._write(self._line(start[0] + step, b" ", start[1] + step))
        if not self._left_only:
            for at in paced(range(start[1] + both, end[1])):
                self._write(self._line(None, b")", at))
        for at in paced(range(start[0] + both, end[0])):
            self._write(self._line(at, b"(", None))

    def _change(self, change: Change) -> None:
        if self._assist:
            self._write(b"c%d,%d\n" % change.count)
        (old, new), both = change.at, min(change.count)
        for step in paced(range(both)):
            self._write(self._line(old + step, b"|", new + step))
        colors = self._settings.colors
        for at in paced(range(new + both, new + change.count[1])):
            self._write(colors.painted("ad", self._line(None, b">", at)))
        for at in paced(range(old + both, old + change.count[0])):
            self._write(colors.painted("de", self._line(at, b"<", None)))

    def _line(self, left: int | None, mark: bytes, right: int | None) -> bytes:
        """Return one output line; a half without a line is empty."""
        out: list[bytes] = []
        column = 0
        ended = False
        if left is not None:
            ended = not self._texts[0].lacks_newline(left)
            half = self._new_half(b"")
            out.append(half.cut(self._texts[0].lines[left]))
            column = half.columns
        if mark != b" ":
            middle = (self._half + self._second - 1) // 2
            out.append(self._gap(column, middle))
            column = middle + 1
            # "/" and "\": of two changed lines only the left or only the right one ends with a newline.
            if mark == b"|" and right is not None and ended == self._texts[1].lacks_newline(right):
                mark = b"/" if ended else b"\\"
            out.append(mark)
        if right is not None:
            ended |= not self._texts[1].lacks_newline(right)
            if line := self._texts[1].lines[right]:
                out.append(self._gap(column, self._second))
                out.append(self._new_half(self._gap(0, self._second)).cut(line))
        if ended:
            out.append(b"\n")
        return b"".join(out)

    def _new_half(self, indent: bytes) -> Half:
        return Half(self._half, indent, self._settings.tabs.every, spread=self._settings.expand, utf8=self._utf8)

    def _gap(self, start: int, end: int) -> bytes:
        """Return blanks from one column to another: tabs and then spaces, or only spaces with -t."""
        tab = self._settings.tabs.every
        if self._settings.expand or end // tab == start // tab:
            return b" " * (end - start)
        return b"\t" * (end // tab - start // tab) + b" " * (end % tab)


def widths(width: int, step: int) -> tuple[int, int]:
    """Return the width of a half and the start column of the second half, a multiple of ``step``.

    The halves get the largest possible width, the rest goes between them. If they do not fit, their width is 0.
    """
    least = step + _GUTTER
    second = (width // 2) + (least // 2) + (width & least & 1)
    second -= second % step
    if second <= _GUTTER or width <= second:
        half = 0
    else:
        half = min(second - _GUTTER, width - second)
    if not half:
        second = width
    return half, second
