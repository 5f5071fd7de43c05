"""Regular expressions in awk's syntax (gawk manual 3), compiled by ``pyshellhooks.patterns``."""

from __future__ import annotations

import re

from ...patterns.engines import Regex, compile_posix
from ...patterns.tree import PatternError
from ...regexes import lazy_pattern
from ...text import pause
from .values import AwkError

_ESCAPE = lazy_pattern(rb"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.?))", re.DOTALL)
_MEANT = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_MEANT |= {b"8": b"8", b"9": b"9", b"y": rb"\b", b"": rb"\\"}  # a backslash at the end is literal
_PLAIN = lazy_pattern(rb"[A-Za-z0-9 _,:;=<>@#%&!~'\"/-]+")
_KNOWN = 512  # maximum number of cached expressions of a run


def to_posix(text: bytes) -> bytes:
    """Replace awk's escapes and keep those of regular expressions: ``\\y`` is a word boundary, ``\\b`` a backspace."""

    def replaced(match: re.Match[bytes]) -> bytes:
        pause()
        octal, hexadecimal, char = match.groups()
        if char is None:
            return bytes((int(octal, 8) & 255 if octal else int(hexadecimal, 16),))
        return _MEANT.get(char, b"\\" + char)

    return _ESCAPE.sub(replaced, text) if b"\\" in text else text


class Regexes:
    """The compiled expressions of a run."""

    __slots__ = ("_known", "ignore_case", "utf8")

    def __init__(self, utf8: bool) -> None:
        self.utf8 = utf8
        self.ignore_case = False
        self._known: dict[tuple[bytes, bool, bool], Regex] = {}

    def literal(self, text: bytes) -> bytes | None:
        """Return the text of an expression that matches only this ASCII text, else None."""
        if not self.ignore_case and _PLAIN.fullmatch(text):
            return text
        return None

    def get(self, text: bytes, captures: bool = False) -> Regex:
        """Compile an expression; raise ``AwkError`` if it is invalid. Groups are captured only with ``captures``."""
        key = (text, captures, self.ignore_case)
        found = self._known.get(key)
        if found is None:
            pattern = to_posix(text).decode("utf-8", "surrogateescape")
            try:
                found = compile_posix(
                    pattern,
                    extended=True,
                    dialect="awk",
                    ignore_case=self.ignore_case,
                    captures=captures,
                    utf8=self.utf8,
                )
            except PatternError as error:
                shown = text.decode("utf-8", "replace")
                raise AwkError(f"invalid regexp: {error.message}: /{shown}/") from None
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[key] = found
        return found
