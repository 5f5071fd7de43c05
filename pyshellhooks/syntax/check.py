"""Syntax check of a script without running it."""

from __future__ import annotations

from ..errors import Opened, ShellSyntaxError, Stop
from . import display
from .parser import Modes, Parser
from .source import Source
from .text_diagnostic import TextDiagnostic


class SyntaxDiagnostic(TextDiagnostic):
    """A syntax error of a script, or a here-document without an end: a warning, because bash continues.

    ``begin`` and ``end`` are equal: the place in the original text, ``\\r`` and a byte order mark included.
    ``opener``: the open construct that the hint names, if it is on another line than the error; else None.
    """

    __slots__ = ("opener",)

    def __init__(
        self,
        code: str,
        place: tuple[int, int],
        message: str,
        hint: str,
        *,
        offset: int,
        severity: str = "error",
        source: str = "",
        opener: Opened | None = None,
    ) -> None:
        super().__init__(code, message, hint, offset, offset, severity)
        self.line, self.column = place
        self.source = source
        self.opener = opener

    def display(self, file: str) -> str:
        """Return ``file:line:column: message``, then the line with a caret, the hint, and the line of the opener."""
        severity = "" if self.severity == "error" else f"{self.severity}: "
        lines = [f"{file}:{self.line}:{self.column}: {severity}{self.message}"]
        if self.source.strip():
            lines.append(display.excerpt(self.source, self.column))
        if self.hint:
            lines.append(f"  {self.hint}")
        if self.opener is not None:
            lines.append(display.excerpt(self.opener.source_line, self.opener.column))
        return "\n".join(lines)


def check(text: str) -> list[SyntaxDiagnostic]:
    """Parse a script and return the diagnostics that bash would report: at most one error, after warnings.

    The whole text is parsed, even after an ``exit``. If the script turns on ``extglob``, extended patterns are
    allowed from the start: a script that bash accepts line by line has no error here.
    """
    diagnostics = _parsed(text, Modes())
    if "extglob" in text and any(one.severity == "error" for one in diagnostics):
        again = _parsed(text, Modes(extglob=True))
        if not any(one.severity == "error" for one in again):
            return again
    return diagnostics


def _parsed(text: str, modes: Modes) -> list[SyntaxDiagnostic]:
    source = Source(text)
    parser = Parser(source, modes)
    try:
        while parser.next() is not None:
            pass
    except ShellSyntaxError as error:
        warnings = [_unended(source, text, one) for one in error.opened if one.what.startswith("<<")]
        return [*warnings, _error(source, text, error)]
    except Stop as stop:  # nests too deep
        place = source.line(parser.offset), source.column(parser.offset)
        return [SyntaxDiagnostic("syntax-error", place, stop.detail, "", offset=_offset(source, text, *place))]
    return [_unended(source, text, one) for one in parser.unended]


def _error(source: Source, text: str, error: ShellSyntaxError) -> SyntaxDiagnostic:
    found = error.diagnostic
    place = found.line, found.column
    return SyntaxDiagnostic(
        "syntax-error",
        place,
        found.message,
        display.note(error),
        offset=_offset(source, text, *place),
        source=error.source_line,
        opener=display.opener(error),
    )


def _unended(source: Source, text: str, one: Opened) -> SyntaxDiagnostic:
    # bash's warning, which it also prints when it runs the script
    name = one.what[2:]
    hint = f"the here-document `{name}` of line {one.line} has no end"
    message = f"here-document at line {one.line} delimited by end-of-file (wanted `{name}')"
    return SyntaxDiagnostic(
        "here-document",
        (one.line, one.column),
        message,
        hint,
        offset=_offset(source, text, one.line, one.column),
        severity="warning",
        source=one.source_line,
    )


def offset_in(text: str, line: int, column: int) -> int:
    """Return the offset of a place in the original text, ``\\r`` and a byte order mark included."""
    return _offset(Source(text), text, line, column)


def _offset(source: Source, text: str, line: int, column: int) -> int:
    # The source has neither a byte order mark nor a \r at the end of its lines.
    offset = source.offset(line, column) + text.startswith("\ufeff")
    if "\r\n" not in text:
        return offset
    return offset + sum(piece.endswith("\r") for piece in text.split("\n")[: line - 1])
