"""The short way for the usual input of a hook: one object that is all there.

Its first piece is read and scanned before anything else is made. Whatever is not as usual (several values, a half
surrogate, a mistake) goes back to the stream, as it was, and ``inputs.py`` reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...streams import Stream
from .scanner import scan

if TYPE_CHECKING:
    from ...command import Call

_PIECE = 65536
_SHALLOW = 400  # brackets that no depth can hide in
MISSED = object()


class _Pieces(Stream):
    """A stream of which some pieces were read ahead."""

    __slots__ = ("_pieces", "_rest")

    def __init__(self, pieces: list[bytes], rest: Stream) -> None:
        super().__init__()
        self._pieces = pieces
        self._rest = rest

    def read(self, size: int = 65536, /) -> bytes:
        while self._pieces:
            piece = self._pieces.pop(0)
            if len(piece) > size:
                self._pieces.insert(0, piece[size:])
                piece = piece[:size]
            return piece
        return self._rest.read(size)


def scan_usual(data: bytes) -> tuple[Any, str, int]:
    """Scan the first value of a text where it is an object as hooks get them: the value, the text, where the value ends.

    MISSED stands for any other value, and for one that jq may read otherwise than the scanner does.
    """
    if data[:1] != b"{":
        return MISSED, "", 0
    try:
        text = data.decode()
        if "\\u" in text and ("\\ud" in text or "\\uD" in text):
            return MISSED, "", 0
        if len(text) > _SHALLOW and text.count("{") + text.count("[") > _SHALLOW:
            return MISSED, "", 0
        value, end = scan(text, 0)
    except (StopIteration, ValueError, RecursionError):
        return MISSED, "", 0
    return value, text, end


def is_blank(text: str, start: int) -> bool:
    """Say whether nothing stands behind a place of a text."""
    return len(text) <= start or not text[start:].strip(" \t\r\n")


class Ahead:
    """What was read ahead of one call's standard input."""

    __slots__ = ("_call", "_end", "_pieces", "_stdin", "_text")

    def __init__(self, call: Call) -> None:
        self._call = call
        self._stdin = call.stdin
        self._pieces: list[bytes] = []
        self._text = ""
        self._end = 0

    def value(self) -> Any:
        """Return the first value where it is an object that the scanner can read, else MISSED."""
        try:
            data = self._stdin.read(_PIECE)
        except OSError:
            return MISSED  # it will fail again, for those who word it
        self._pieces.append(data)
        value, self._text, self._end = scan_usual(data)
        return value

    def is_all(self) -> bool:
        """Say that nothing follows the value; reads on to see it."""
        if not is_blank(self._text, self._end):
            return False
        try:
            data = self._stdin.read(_PIECE)
        except OSError:
            return False
        if data:
            self._pieces.append(data)
        return not data

    def put_back(self) -> None:
        """Let what was read be read again."""
        if self._pieces:
            self._call.stdin = _Pieces(self._pieces, self._stdin).retain()
            self._pieces = []
