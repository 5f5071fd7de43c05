"""Output of selected lines: prefixes and colours."""

from __future__ import annotations

from ...streams.capture import LineWriter
from ...text import encode
from .settings import Settings

_DEFAULTS = {"mt": "", "ms": "01;31", "mc": "01;31", "sl": "", "cx": "", "fn": "35", "ln": "32", "bn": "32", "se": "36"}


class Palette:
    """The colours of GREP_COLORS (grep(1), ENVIRONMENT)."""

    __slots__ = ("_codes", "on")

    def __init__(self, spec: str, on: bool = True) -> None:
        self.on = on
        codes = dict(_DEFAULTS)
        for item in spec.split(":"):
            name, equals, value = item.partition("=")
            if equals and name in codes and all(c in "0123456789;" for c in value):
                codes[name] = value
                if name == "mt":
                    codes["ms"] = codes["mc"] = value
        self._codes = codes

    def paint(self, name: str, text: bytes) -> bytes:
        """Return a text with the escape sequences of a colour around it."""
        code = self._codes[name]
        if not self.on or not code:
            return text
        return b"\33[" + code.encode() + b"m\33[K" + text + b"\33[m\33[K"


PLAIN = Palette("", on=False)


class Printer:
    """Printer of the lines of one file with their prefixes."""

    __slots__ = ("_eol", "_name", "_out", "_palette", "_plain", "_settings", "_width", "bare", "head")

    def __init__(self, settings: Settings, out: LineWriter, palette: Palette, name: str | None, width: int) -> None:
        self._settings = settings
        self._out = out
        self._palette = palette
        self._eol = settings.eol
        self._width = width  # of numbers, with -T
        self._name = None if name is None else encode(name)
        # The prefix of each selected line, without its number; None with colours, -b or -T.
        self.head: bytes | None = None
        if not (palette.on or settings.byte_offset or settings.tab):
            self.head = b""
            if self._name is not None:
                self.head = self._name + (b"\0" if settings.null else b":")
        has_numbers = settings.line_number or settings.byte_offset
        self.bare = name is None and not has_numbers and not settings.tab
        self._plain = self.bare and not palette.on

    def line(self, text: bytes, separator: bytes, number: int, offset: int) -> None:
        """Write one line, passed without its end, with ``separator`` after each part of the prefix."""
        if self._plain:
            self._out.write(text + self._eol)
            return
        head = self.prefix(separator, number, offset)
        if not text:
            head = head.removesuffix(b"\t")  # -T does not end an empty line with a tab
        self._out.write(head + text + self._eol)

    @property
    def plain(self) -> bool:
        """Whether lines are written without prefixes and colours."""
        return self._plain

    def prefix(self, separator: bytes, number: int, offset: int) -> bytes:
        """Return the prefix of a line."""
        settings, paint = self._settings, self._palette.paint
        mark = paint("se", separator)
        out = b""
        if self._name is not None:
            out = paint("fn", self._name) + (b"\0" if settings.null else mark)
        if settings.line_number:
            out += paint("ln", b"%*d" % (self._width, number)) + mark
        if settings.byte_offset:
            out += paint("bn", b"%*d" % (self._width, offset)) + mark
        if settings.tab and out:
            return out + b"\t"
        return out

    def named(self, text: bytes) -> None:
        """Write a count after the file's name."""
        head = b""
        if self._name is not None:
            head = self._palette.paint("fn", self._name)
            head += b"\0" if self._settings.null else self._palette.paint("se", b":")
        self._out.write(head + text + b"\n")

    def name_only(self, name: str) -> None:
        """Write the file's name (-l, -L)."""
        end = b"\0" if self._settings.null else b"\n"
        self._out.write(self._palette.paint("fn", encode(name)) + end)

    def separator(self) -> None:
        """Write the line between groups of context."""
        text = self._settings.group_separator
        if text is not None:
            self._out.write(self._palette.paint("se", encode(text)) + b"\n")
