"""Bytes that should be UTF-8, as jq reads them: what is not becomes U+FFFD."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .running import Run

_PIECE = 1 << 16
# One thing that is no character: a lead byte with the continuation bytes that it asks for as far as they are there
# (too small, too large or a surrogate: all of them are one mistake), or any other byte alone.
_WRONG = re.compile(rb"[\xc2-\xdf][\x80-\xbf]?|[\xe0-\xef][\x80-\xbf]{0,2}|[\xf0-\xf4][\x80-\xbf]{0,3}|[\x80-\xff]")
_WANTED = bytes(2 if 0xC2 <= b < 0xE0 else 3 if 0xE0 <= b < 0xF0 else 4 if 0xF0 <= b < 0xF5 else 1 for b in range(256))


def decode(run: Run, data: bytes) -> str:
    """Decode UTF-8 as jq does; it differs from Python's ``replace`` in how many U+FFFD a mistake gives."""
    if len(data) <= _PIECE:
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    out: list[str] = []
    at, end = 0, len(data)
    while at < end:
        run.check()
        at = _decode_piece(data, at, out)
    return "".join(out)


def _decode_piece(data: bytes, at: int, out: list[str]) -> int:
    """Decode one piece that ends between characters; give where the next one begins."""
    stop = min(at + _PIECE, len(data))
    if stop < len(data):
        for back in range(1, 4):  # a character that the cut would part belongs to the next piece
            if data[stop - back] >= 0xC0:
                stop -= back
                break
            if data[stop - back] < 0x80:
                break
    piece = data[at:stop]
    try:
        out.append(piece.decode())
        return stop
    except UnicodeDecodeError:
        pass
    begun = 0
    for wrong in _mistakes(piece, stop == len(data)):
        out.append(piece[begun : wrong[0]].decode() + "\ufffd")
        begun = wrong[1]
    out.append(piece[begun:].decode())
    return stop


def _mistakes(piece: bytes, last: bool) -> list[tuple[int, int]]:
    """Find what is no UTF-8, from and to."""
    found = []
    at = 0
    while match := _WRONG.search(piece, at):
        start, at = match.span()
        wanted = _WANTED[piece[start]]
        if last and wanted > len(piece) - start:
            # jq takes all that is left for one broken character where it is shorter than its lead byte says.
            found.append((start, len(piece)))
            break
        if at - start == wanted > 1 and _is_character(piece[start:at]):
            continue
        found.append((start, at))
    return found


def _is_character(sequence: bytes) -> bool:
    try:
        sequence.decode()
    except UnicodeDecodeError:
        return False
    return True
