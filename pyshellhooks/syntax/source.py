"""Script text with its name, and conversions between offsets, lines and columns."""

from __future__ import annotations

from bisect import bisect_right

from ..errors import Diagnostic
from ..text import EVERY, pause


class Source:
    """Text to parse, its name for messages, and the line it starts on.

    CRLF line ends and a byte order mark are removed here, so that no later stage sees them. ``made``: the text was
    composed by a run (``eval``) or is a part of another text; a carriage return in it is data, not a line end.
    """

    __slots__ = ("_starts", "first_line", "name", "text")

    def __init__(self, text: str, name: str = "-c", first_line: int = 1, *, made: bool = False) -> None:
        if text.startswith("\ufeff") and not made:
            text = text[1:]
        if "\r\n" in text and not made:
            text = text.replace("\r\n", "\n").removesuffix("\r")  # the last line may have lost its newline
        self.text = text
        self.name = name
        self.first_line = first_line
        self._starts: list[int] | None = None

    def line(self, offset: int) -> int:
        """Return the line number of an offset."""
        starts = self._starts
        if starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                if not len(starts) % EVERY:
                    pause()
                at = find("\n", at + 1)
            self._starts = starts
        return bisect_right(starts, offset) - 1 + self.first_line

    def column(self, offset: int) -> int:
        """Return the column of an offset, from 1."""
        return offset - self.text.rfind("\n", 0, offset)

    def columns(self, begin: int, end: int) -> tuple[int, int]:
        """Return the column of a part of the text, and the column after it; 0 if that is on another line."""
        column = self.column(begin)
        if self.line(end) != self.line(begin):
            return column, 0
        return column, column + end - begin

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, as returned by ``line`` and ``column``."""
        self.line(0)
        assert self._starts is not None
        return self._starts[line - self.first_line] + column - 1

    def line_text(self, offset: int) -> str:
        """Return the line that contains an offset, without its newline."""
        begin = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        if end < 0:
            return self.text[begin:]
        return self.text[begin:end]

    def diagnostic(self, offset: int, message: str, hint: str = "") -> Diagnostic:
        """Return a syntax error diagnostic at an offset."""
        return Diagnostic(self.name, self.line(offset), self.column(offset), message, hint, code="syntax-error")
