"""Writes results as the options ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...text import encode
from . import output
from .output import compact

if TYPE_CHECKING:
    from ...command import Call
    from .arguments import Arguments


class Unprintable(Exception):
    """``--raw-output0`` and a string with a NUL."""


class Printer:
    """Results to bytes."""

    __slots__ = ("_arguments", "_ascii", "_call", "_colors", "_end", "_indent", "_raw", "_seq", "_sort", "_write")

    def __init__(self, call: Call, arguments: Arguments) -> None:
        self._call = call
        self._arguments = arguments
        self._write = call.out.write
        self._raw = arguments.raw
        self._ascii = arguments.ascii
        self._sort = arguments.sort
        self._seq = arguments.seq
        self._indent = arguments.indent
        self._end = b"" if arguments.join else b"\n"
        if arguments.raw0:
            self._end = b"\0"
        self._colors: tuple[str, ...] | None = None
        color = arguments.color
        if color is None and call.stdout.isatty():
            color = not call.env.get("NO_COLOR")
        if "JQ_COLORS" in call.env:
            chosen = output.read_colors(call.env["JQ_COLORS"])
            if chosen is None:
                call.stderr.write(b"Failed to set $JQ_COLORS\n")
        else:
            chosen = output.DEFAULT_COLORS
        if color and not arguments.plain:
            self._colors = chosen or output.DEFAULT_COLORS

    def value(self, value: Any) -> None:
        """Write a result that is Python data."""
        if type(value) is str and self._raw and not self._ascii:
            self._string(value)
        else:
            self.text(compact(value))

    def text(self, text: str) -> None:
        """Write a result that is compact JSON text."""
        if text[0] == '"' and self._raw:
            if self._ascii:
                self._finish(output.to_ascii(text).encode())
            else:
                self._string(output.unspell(text))
            return
        if self._sort and text[0] in "[{":
            text = output.sort_keys(text)
        if self._ascii:
            text = output.to_ascii(text)
        if self._indent and text[0] in "[{":
            output.bound(text, self._indent, self._call.limits.string)
        if self._colors is not None:
            text = output.paint(text, self._indent, self._colors)
        elif self._indent is not None:
            text = output.lay_out(text, self._indent)
        if self._seq:
            self._write(b"\x1e")
        self._finish(text.encode())

    def _string(self, value: str) -> None:
        if self._arguments.raw0 and "\0" in value:
            raise Unprintable
        self._finish(encode(value))

    def _finish(self, data: bytes) -> None:
        self._write(data + self._end)
        if self._arguments.unbuffered:
            self._call.out.flush()
