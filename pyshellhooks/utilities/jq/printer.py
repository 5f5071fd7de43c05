"""Writes results as the options ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...text import encode
from .writer import Layout, pieces, write

if TYPE_CHECKING:
    from .arguments import Arguments
    from .colors import Paint
    from .running import Run

_LARGE = 1 << 16  # characters of a string that is written in pieces


class Unprintable(Exception):
    """``--raw-output0`` and a string with a NUL."""


class Printer:
    """Results to bytes."""

    __slots__ = ("_codes", "_end", "_layout", "_paint", "_raw", "_raw0", "_run", "_seq", "_unbuffered", "_write")

    def __init__(self, run: Run, arguments: Arguments) -> None:
        self._run = run
        self._write = run.call.out.write
        self._raw = arguments.raw
        self._raw0 = arguments.raw0
        self._seq = arguments.seq
        self._unbuffered = arguments.unbuffered
        self._end = b"\0" if arguments.raw0 else b"" if arguments.join else b"\n"
        self._layout = arguments.layout
        self._codes: tuple[str, ...] = ()
        self._paint: Paint | None = None
        if arguments.color or "JQ_COLORS" in run.call.env or run.call.stdout.isatty():
            self._choose_colors(arguments)

    def _choose_colors(self, arguments: Arguments) -> None:
        from .colors import DEFAULT_COLORS, Paint, read_colors

        call = self._run.call
        chosen = read_colors(call.env.get("JQ_COLORS"))
        if chosen is None:
            call.stderr.write(b"Failed to set $JQ_COLORS\n")
        wanted = arguments.color or (call.stdout.isatty() and not call.env.get("NO_COLOR"))
        if wanted and not arguments.plain:
            self._codes = chosen or DEFAULT_COLORS
            self._paint = Paint(self._layout, self._codes)

    def value(self, value: Any) -> None:
        """Write one result."""
        if type(value) is str and self._raw:
            self._write_raw(value)
        else:
            if self._seq:
                self._write(b"\x1e")
            if self._paint is not None:
                for text in self._paint.pieces(self._run, value):
                    self._write(text.encode())
                self._write(self._end)
            elif type(value) is list or type(value) is dict or (type(value) is str and len(value) > _LARGE):
                self._write_pieces(value)
            else:
                self._write(write(self._run, value, self._layout).encode() + self._end)
        if self._unbuffered:
            self._run.call.out.flush()

    def _write_raw(self, value: str) -> None:
        if self._layout.ascii:
            self._write(write(self._run, value, self._layout).encode() + self._end)
            return
        if self._raw0 and "\0" in value:
            raise Unprintable
        self._write(encode(value) + self._end)

    def on_one_line(self, value: Any) -> str:
        """Spell a value as ``debug`` shows it."""
        layout = Layout(None, self._layout.sort, self._layout.ascii)
        if self._paint is None:
            return write(self._run, value, layout)
        return "".join(type(self._paint)(layout, self._codes).pieces(self._run, value))

    def _write_pieces(self, value: Any) -> None:
        whole = None if type(value) is str else self._layout.whole(value, 0)
        if whole is not None:
            self._write(whole.encode() + self._end)
            return
        for text in pieces(self._run, value, self._layout):
            self._write(text.encode())
        self._write(self._end)


__all__ = ["Layout", "Printer", "Unprintable"]
