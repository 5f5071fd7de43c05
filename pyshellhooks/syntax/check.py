"""Syntax check of a script without running it."""

from __future__ import annotations

from ..errors import Opened, ShellSyntaxError, Stop
from . import display
from .parser import Modes, Parser
from .source import Source


class Problem:
    """A problem in a text and its place: ``line`` and ``column`` count from 1, ``offset`` from 0.

    ``offset`` counts characters of the original text, ``\\r`` and a byte order mark included.
    """

    __slots__ = ("column", "details", "line", "message", "note", "offset", "severity")

    def __init__(
        self, line: int, column: int, message: str, note: str, *, severity: str, offset: int, details: str = ""
    ) -> None:
        self.line = line
        self.column = column
        self.message = message
        self.note = note  # the expected token, and the open construct
        self.severity = severity  # "error" | "warning": bash continues
        self.offset = offset
        self.details = details  # the line with a caret under the place, and the note

    def display(self, file: str) -> str:
        """Return ``file:line:column: message``, then the details."""
        kind = "" if self.severity == "error" else f"{self.severity}: "
        message = f"{file}:{self.line}:{self.column}: {kind}{self.message}"
        return f"{message}\n{self.details}" if self.details else message


def check(text: str) -> list[Problem]:
    """Parse a script and return the problems that bash would report: at most one error, after warnings.

    The whole text is parsed, even after an ``exit``. If the script turns on ``extglob``, extended patterns are
    allowed from the start: a script that bash accepts line by line has no error here.
    """
    problems = _parsed(text, Modes())
    if "extglob" in text and any(problem.severity == "error" for problem in problems):
        again = _parsed(text, Modes(extglob=True))
        if not any(problem.severity == "error" for problem in again):
            return again
    return problems


def _parsed(text: str, modes: Modes) -> list[Problem]:
    source = Source(text)
    parser = Parser(source, modes)
    try:
        while parser.next() is not None:
            pass
    except ShellSyntaxError as error:
        found = error.diagnostic
        warnings = [_unended(source, text, one) for one in error.opened if one.what.startswith("<<")]
        offset = _offset(source, text, found.line, found.column)
        shown, details = display.note(error), display.details(error)
        return [
            *warnings,
            Problem(found.line, found.column, found.message, shown, severity="error", offset=offset, details=details),
        ]
    except Stop as stop:  # nests too deep
        line, column = source.line(parser.offset), source.column(parser.offset)
        offset = _offset(source, text, line, column)
        return [Problem(line, column, stop.detail, "", severity="error", offset=offset)]
    return [_unended(source, text, one) for one in parser.unended]


def _unended(source: Source, text: str, one: Opened) -> Problem:
    # bash's warning, which it also prints when it runs the script
    name = one.what[2:]
    note = f"the here-document `{name}` of line {one.line} has no end"
    message = f"here-document at line {one.line} delimited by end-of-file (wanted `{name}')"
    offset = _offset(source, text, one.line, one.column)
    details = f"{display.excerpt(one.source_line, one.column)}\n  {note}"
    return Problem(one.line, one.column, message, note, severity="warning", offset=offset, details=details)


def offset_in(text: str, line: int, column: int) -> int:
    """Return the offset of a place in the original text, ``\\r`` and a byte order mark included."""
    return _offset(Source(text), text, line, column)


def _offset(source: Source, text: str, line: int, column: int) -> int:
    # The source has neither a byte order mark nor a \r at the end of its lines.
    offset = source.offset(line, column) + text.startswith("\ufeff")
    if "\r\n" not in text:
        return offset
    return offset + sum(piece.endswith("\r") for piece in text.split("\n")[: line - 1])
