"""Regular expressions as awk spells them (gawk manual 3), compiled by ``pyshellhooks.pattern``."""

from __future__ import annotations

from ...pattern.engines import Regex, compile_posix
from ...pattern.regex_nodes import PatternError
from ...regexes import lazy_pattern
from ...text import pause
from .values import AwkError

_SINGLE = {97: 7, 98: 8, 102: 12, 110: 10, 114: 13, 116: 9, 118: 11}  # \a \b \f \n \r \t \v
_HEX = frozenset(b"0123456789abcdefABCDEF")
_PLAIN = lazy_pattern(rb"[A-Za-z0-9 _,:;=<>@#%&!~'\"/-]+")
_KNOWN = 512  # compiled expressions a run remembers


def to_posix(text: bytes) -> bytes:
    """Replace awk's escapes, leave those of regular expressions: ``\\y`` is a word's edge, ``\\b`` a backspace."""
    if b"\\" not in text:
        return text
    out = bytearray()
    at, end = 0, len(text)
    while at < end:
        pause()
        byte = text[at]
        at += 1
        if byte != 92 or at >= end:
            out.append(byte)
            if byte == 92:
                out.append(92)  # a lone one at the end is itself
            continue
        byte = text[at]
        at += 1
        if byte in _SINGLE:
            out.append(_SINGLE[byte])
        elif 48 <= byte <= 55:
            stop = at
            while stop < min(at + 2, end) and 48 <= text[stop] <= 55:
                stop += 1
            out.append(int(text[at - 1 : stop], 8) & 255)
            at = stop
        elif byte == 120 and at < end and text[at] in _HEX:
            stop = at + 1
            if stop < end and text[stop] in _HEX:
                stop += 1
            out.append(int(text[at:stop], 16))
            at = stop
        elif byte in b"89":
            out.append(byte)
        elif byte == 121:
            out += b"\\b"
        else:
            out += b"\\" + bytes((byte,))
    return bytes(out)


class Regexes:
    """The compiled expressions of a run."""

    __slots__ = ("_known", "ignore_case", "utf8")

    def __init__(self, utf8: bool) -> None:
        self.utf8 = utf8
        self.ignore_case = False
        self._known: dict[tuple[bytes, bool, bool], Regex] = {}

    def literal(self, text: bytes) -> bytes | None:
        """Return the bytes that an expression stands for, where it is nothing but ASCII text."""
        return text if not self.ignore_case and _PLAIN.fullmatch(text) else None

    def get(self, text: bytes, captures: bool = False) -> Regex:
        """Compile an expression; ``AwkError`` where it is none. Groups are found only with ``captures``."""
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
