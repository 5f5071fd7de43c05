"""Excerpts of a script that show the place of a syntax error."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

from ..errors import Opened, ShellSyntaxError

_WIDEST = 100  # characters of a line that are shown: a generated one can have thousands
_BEFORE = 60  # of them, before the place
_INNERMOST = 3  # constructs that are named around the one in the message


def _visible(char: str) -> str:
    # A script must not control the terminal: control characters become their pictures, undecodable bytes U+FFFD.
    code = ord(char)
    if code < 0x20 and char != "\t":
        return chr(0x2400 + code)
    is_control = 0x7F <= code < 0xA0
    is_surrogate = 0xD800 <= code < 0xE000
    return "\ufffd" if is_control or is_surrogate else char


def _window(line: str, column: int) -> tuple[str, int]:
    """Return the part of a line that is shown, and the offset of the place in it (from 0)."""
    at = min(max(column - 1, 0), len(line))
    begin = 0
    if at > _BEFORE and len(line) > _WIDEST:
        begin = at - _BEFORE
    text = "".join(map(_visible, line[begin : begin + _WIDEST]))
    if begin:
        text = "…" + text
    if begin + _WIDEST < len(line):
        text += "…"
    return text, at - begin + bool(begin)


def _width(char: str) -> int:
    """Return how many columns of a terminal a character takes."""
    if combining(char):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def excerpt(line: str, column: int, end: int = 0) -> str:
    """Return a line and, below it, a caret under a column: both indented, without a newline at the end.

    ``end``: the column after the last one that gets a caret.
    """
    text, at = _window(line, column)
    under = ""
    for char in text[:at]:
        under += "\t" if char == "\t" else " " * _width(char)  # a tab as wide as the one above it
    carets = 1
    if end > column:
        carets = max(sum(map(_width, text[at : at + end - column] or " ")), 1)
    return f"    {text}\n    {under}{'^' * carets}"


def marked(line: str, column: int) -> str:
    """Return a line with ``<HERE>`` at the place, for output in which a caret below it would not be aligned."""
    text, at = _window(line.replace("\t", " "), column)
    return f"{text[:at]}<HERE>{text[at:]}"


def note(error: ShellSyntaxError) -> str:
    """Return the hint, and the open constructs around the one that it names."""
    about = error.diagnostic.hint
    around = _open_constructs(error)[:-1][-_INNERMOST:]
    if around:
        shown = [f"`{construct.what}` of line {construct.line}" for construct in reversed(around)]
        about += "; inside " + ", in ".join(shown)
    return about


def _open_constructs(error: ShellSyntaxError) -> list[Opened]:
    """Return the open constructs from the outermost, without here-documents: their end is not part of the grammar."""
    return [construct for construct in error.opened if not construct.what.startswith("<<")]


def opener(error: ShellSyntaxError) -> Opened | None:
    """Return the open construct that the note names, if it is on another line than the error; else None."""
    opened = _open_constructs(error)
    if opened and opened[-1].line != error.diagnostic.line:
        return opened[-1]
    return None


def fault(error: ShellSyntaxError) -> str:
    """Return the syntax error of a hook's command in two lines, for a notice."""
    diagnostic = error.diagnostic
    about = note(error)
    message = diagnostic.message.removeprefix("syntax error").lstrip(": ")
    first = f"syntax error: line {diagnostic.line}, column {diagnostic.column}: {message}"
    if about:
        first += f" ({about})"
    line, column = error.source_line, diagnostic.column
    opened = opener(error)
    if opened is not None and not line.strip():
        line, column = opened.source_line, opened.column
    return f"{first}\n    {marked(line, column)}"
