"""Messages on standard error: lines as wide as the terminal, clickable paths, and progress."""

from __future__ import annotations

import re
import shutil
import sys
from threading import Event, Thread
from time import monotonic
from types import TracebackType

from ..host import current
from ..text import visible

SLOW = 1.0  # seconds after which progress is shown
AGAIN = 0.2  # seconds between updates


def relative_paths(text: str) -> str:
    """Make the paths below the current directory relative: short, and a terminal can still open them."""
    try:
        here = current().getcwd().rstrip("/")
    except OSError:  # the current directory was removed
        return text
    if not here:
        return text
    return re.sub(rf"(?<![\w./-]){re.escape(here)}/", "", text)


def wrapped(text: str, stream: object) -> str:
    """Break the lines of a text between words if the stream is a terminal; a longer word stays whole.

    Control characters are shown as escapes, because the text may come from an untrusted config.
    """
    text = visible(text, "\t\n")
    isatty = getattr(stream, "isatty", None)
    if isatty is None or not isatty():
        return text
    import textwrap

    width = max(24, shutil.get_terminal_size().columns)
    lines: list[str] = []
    unbroken = text.split("\n")
    for number, line in enumerate(unbroken):
        pointers = [near for near in unbroken[number : number + 2] if _is_pointer(near)]
        if pointers:  # a source line and its caret line are cut at the same places
            lines.append(_cut(line, pointers[0].find("^"), width))
            continue
        if len(line) <= width:
            lines.append(line)
            continue
        rest = line.lstrip(" ")
        indent = " " * (len(line) - len(rest))
        lines += textwrap.wrap(
            rest, width, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip
    return "\n".join(lines)


def _cut(line: str, place: int, width: int) -> str:
    """Cut a source line, or the caret line below it, so that the place of the caret is visible."""
    start = 0
    if place >= width - 1:
        start = place - width // 2
    shown = line[start : start + width]
    if "^" in shown:
        return shown
    # The source line: mark the cuts.
    if start:
        shown = "…" + shown[1:]
    if start + width < len(line):
        shown = shown[:-1] + "…"
    return shown


def _is_pointer(line: str) -> bool:
    """Return whether a line consists of carets that point into the line above it."""
    return "^" in line and not line.strip(" \t^~")


def print_error(text: str) -> None:
    """Write a message to standard error, if there is one."""
    stream = sys.stderr
    if stream is not None:
        stream.write(wrapped(text, stream) + "\n")
        stream.flush()


class Progress:
    """A progress line on standard error, shown after a second and erased at the end.

    ``step`` may be set to show the current step. Nothing is written if standard error is not a terminal.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.step = ""
        self._done = Event()
        self._thread: Thread | None = None
        self._shown = 0

    def __enter__(self) -> Progress:
        if sys.stderr is not None and sys.stderr.isatty():
            self._thread = Thread(target=self._watch, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        if self._shown:
            self._write("\r" + " " * self._shown + "\r")

    def _watch(self) -> None:
        began = monotonic()
        wait = SLOW
        while not self._done.wait(wait):
            wait = AGAIN
            room = shutil.get_terminal_size().columns - 1
            line = f"{self.what} {self.step}".rstrip()[: max(0, room - 8)] + f" ({monotonic() - began:.0f} s)"
            self._write("\r" + line[:room].ljust(self._shown))
            self._shown = max(self._shown, len(line[:room]))

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:  # the terminal is closed
            self._done.set()
