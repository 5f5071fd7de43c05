"""Output of results in the format of the options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...text import encode
from .json.writer import Layout, pieces, write

if TYPE_CHECKING:
    from .arguments import Arguments
    from .colors import Paint
    from .running import Run

_LARGE = 1 << 16  # characters of a string that is written in pieces


class Unprintable(Exception):
    """With ``--raw-output0`` a result is a string that contains NUL."""


def spell_at_once(run: Run, value: Any, layout: Layout, raw: bool) -> bytes | None:
    """Render a result without color; None if it is large, to be written in pieces. ``raw``: strings without quotes."""
    kind = type(value)
    if kind is str:
        if raw:
            if not layout.ascii:
                return encode(value)
            return write(run, value, layout).encode()
        if len(value) > _LARGE:
            return None
    elif kind is list or kind is dict:
        whole = layout.whole(value, 0)
        return None if whole is None else whole.encode()
    return write(run, value, layout).encode()


class Printer:
    """Writer of a command's results."""

    __slots__ = ("_codes", "_end", "_layout", "_paint", "_raw", "_raw0", "_run", "_seq", "_unbuffered", "_write")

    def __init__(self, run: Run, arguments: Arguments) -> None:
        self._run = run
        self._write = run.call.out.write
        self._raw = arguments.raw
        self._raw0 = arguments.raw0
        self._seq = arguments.seq
        self._unbuffered = arguments.unbuffered
        if arguments.raw0:
            self._end = b"\0"
        elif arguments.join:
            self._end = b""
        else:
            self._end = b"\n"
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
        is_raw = self._raw and type(value) is str
        ends_in_nul = self._raw0 and not self._layout.ascii
        if is_raw and ends_in_nul and "\0" in value:
            raise Unprintable  # its NUL would look like the end of the result
        if self._seq and not is_raw:
            self._write(b"\x1e")
        whole = None
        if is_raw or self._paint is None:
            whole = spell_at_once(self._run, value, self._layout, self._raw)
        if whole is not None:
            self._write(whole + self._end)
        else:
            paint = self._paint
            if paint is None:
                parts = pieces(self._run, value, self._layout)
            else:
                parts = paint.pieces(self._run, value)
            for text in parts:
                self._write(text.encode())
            self._write(self._end)
        if self._unbuffered:
            self._run.call.out.flush()

    def on_one_line(self, value: Any) -> str:
        """Render a value on one line, as ``debug`` does."""
        layout = Layout(None, self._layout.sort, self._layout.ascii)
        if self._paint is None:
            return write(self._run, value, layout)
        return "".join(type(self._paint)(layout, self._codes).pieces(self._run, value))


__all__ = ["Layout", "Printer", "Unprintable"]
