"""Fast path for a hook's usual input: one object that a single read returns completely.

The first piece is read and scanned before any other object is built. Any other input (several values, half a surrogate
pair, a syntax error) is put back into the stream unchanged, and ``inputs.py`` reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...streams import Stream
from .json.scanner import scan

if TYPE_CHECKING:
    from ...command import Call

_PIECE = 65536
_SHALLOW = 400  # with at most this many brackets, no value is nested too deeply for the scanner
MISSED = object()


class _Pieces(Stream):
    """A stream that first returns the pieces that were read ahead."""

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
    """Scan a text that starts with an object, and return the object, the text and the position where the object ends.

    The value is MISSED for any other first value, and for one that jq may parse differently from the scanner.
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
    """Return whether only white space follows a position of a text."""
    return len(text) <= start or not text[start:].strip(" \t\r\n")


class Ahead:
    """The bytes of one call's standard input that were read ahead."""

    __slots__ = ("_call", "_end", "_pieces", "_stdin", "_text")

    def __init__(self, call: Call) -> None:
        self._call = call
        self._stdin = call.stdin
        self._pieces: list[bytes] = []
        self._text = ""
        self._end = 0

    def value(self) -> Any:
        """Return the first value if it is an object that the scanner can read, else MISSED."""
        try:
            data = self._stdin.read(_PIECE)
        except OSError:
            return MISSED  # inputs.py reads again, gets the same error and reports it
        self._pieces.append(data)
        value, self._text, self._end = scan_usual(data)
        return value

    def is_all(self) -> bool:
        """Return whether nothing follows the value; this reads another piece to find out."""
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
        """Put the pieces back, so that the call's standard input starts with them again."""
        if self._pieces:
            self._call.stdin = _Pieces(self._pieces, self._stdin).retain()
            self._pieces = []
