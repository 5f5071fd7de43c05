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
    return "\ufffd" if 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 else char


def _window(line: str, column: int) -> tuple[str, int]:
    """Return the part of a line that is shown, and the offset of the place in it (from 0)."""
    at = min(max(column - 1, 0), len(line))
    begin = at - _BEFORE if at > _BEFORE and len(line) > _WIDEST else 0
    text = "".join(map(_visible, line[begin : begin + _WIDEST]))
    if begin:
        text = "…" + text
    return text + ("…" if begin + _WIDEST < len(line) else ""), at - begin + bool(begin)


def excerpt(line: str, column: int, end: int = 0) -> str:
    """Return a line and, below it, a caret under a column: both indented, without a newline at the end.

    ``end``: the column after the last one that gets a caret.
    """
    text, at = _window(line, column)
    under = ""
    for char in text[:at]:
        if char == "\t":
            under += char
        elif not combining(char):
            under += "  " if east_asian_width(char) in "WF" else " "
    meant = text[at : at + max(end - column, 1)] or " "
    carets = sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in meant)
    return f"    {text}\n    {under}{'^' * max(carets if end > column else 1, 1)}"


def marked(line: str, column: int) -> str:
    """Return a line with ``<HERE>`` at the place, for output in which a caret below it would not be aligned."""
    text, at = _window(line.replace("\t", " "), column)
    return f"{text[:at]}<HERE>{text[at:]}"


def note(error: ShellSyntaxError) -> str:
    """Return the hint, and the open constructs around the one that it names."""
    about = error.diagnostic.hint
    around = [construct for construct in error.opened if not construct.what.startswith("<<")][:-1][-_INNERMOST:]
    if around:
        about += "; inside " + ", in ".join(
            f"`{construct.what}` of line {construct.line}" for construct in reversed(around)
        )
    return about


def opener(error: ShellSyntaxError) -> Opened | None:
    """Return the open construct that the note names, if it is on another line than the error; else None."""
    opened = [construct for construct in error.opened if not construct.what.startswith("<<")]
    return opened[-1] if opened and opened[-1].line != error.diagnostic.line else None


def fault(error: ShellSyntaxError) -> str:
    """Return the syntax error of a hook's command in two lines, for a notice."""
    diagnostic = error.diagnostic
    about = note(error)
    message = diagnostic.message.removeprefix("syntax error").lstrip(": ")
    first = f"syntax error: line {diagnostic.line}, column {diagnostic.column}: {message}"
    line, column = error.source_line, diagnostic.column
    opened = opener(error)
    if opened is not None and not line.strip():
        line, column = opened.source_line, opened.column
    return f"{first}{f' ({about})' if about else ''}\n    {marked(line, column)}"
