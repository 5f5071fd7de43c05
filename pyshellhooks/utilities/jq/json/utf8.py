"""UTF-8 decoding as in jq: invalid bytes become U+FFFD, by jq's rule of how many bytes one replaces.

A reader of a stream first decodes with ``surrogateescape``, to preserve byte positions, and replaces the invalid bytes
in each string later.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Callable

_PIECE = 1 << 16  # characters of a text that one call processes

# A lead byte and its continuation bytes are replaced together; Python escapes each byte of an invalid sequence.
_bad = re.compile(
    "[\udcc2-\udcdf][\udc80-\udcbf]?|[\udce0-\udcef][\udc80-\udcbf]{0,2}|[\udcf0-\udcf4][\udc80-\udcbf]{0,3}"
    "|[\udc80-\udcff]"
)
_following = re.compile("[\udc80-\udcbf]").match
_four_following = re.compile("[\udc80-\udcbf]{4}").match
_lead = re.compile("[\udcc2-\udcf4]")


find_escaped = re.compile("[\udc80-\udcff]").search


def decode(data: bytes, check: Callable[[], object] | None = None) -> str:
    """Decode bytes."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    decode = decoder()
    pieces = [decode(data[at : at + _PIECE], at + _PIECE >= len(data)) for at in range(0, len(data), _PIECE)]
    return replace_escaped("".join(pieces), check)


def replace_escaped(text: str, check: Callable[[], object] | None = None) -> str:
    """Replace the escaped bytes of ``surrogateescape`` in a string; ``check`` is called regularly."""
    end = len(text)
    for match in _lead.finditer(text, max(0, end - 3)):
        byte = ord(match.group()) - 0xDC00
        length = _length_after(byte)
        start = match.start()
        if length > len(text[start:].encode("utf-8", "surrogateescape")):
            # At the very end jq treats a lead byte as a truncated sequence, whatever bytes follow it.
            return _replace(text[:start], check) + "\ufffd"
    return _replace(text, check)


def _length_after(lead: int) -> int:
    """Return the length of a character in UTF-8 by its first byte, which is not ASCII."""
    if lead < 0xE0:
        return 2
    if lead < 0xF0:
        return 3
    return 4


def _replace(text: str, check: Callable[[], object] | None) -> str:
    if len(text) <= _PIECE:
        return _bad.sub("\ufffd", text)
    pieces: list[str] = []
    start = 0
    while start < len(text):
        if check is not None:
            check()
        end = start + _PIECE
        # Cut before a character that can't continue a sequence.
        while end < len(text) and _following(text, end) and not _four_following(text, end - 3):
            end += 1
        pieces.append(_bad.sub("\ufffd", text[start:end]))
        start = end
    return "".join(pieces)


def decoder() -> Callable[[bytes, bool], str]:
    """Return an incremental decoder; it decodes invalid bytes to lone surrogates U+DC80 to U+DCFF."""
    return getincrementaldecoder("utf-8")("surrogateescape").decode


def missing(data: bytes, start: int, end: int) -> int:
    """Return the number of bytes that jq reads after ``end``, to complete the last character of a block.

    The block begins at ``start``. jq does not check that these bytes belong to the character.
    """
    at = end - 1
    while at > start and data[at] & 0xC0 == 0x80:
        at -= 1
    if at == end - 1 == start:
        return 0
    byte = data[at]
    if not 0xC2 <= byte < 0xF5:
        return 0
    length = _length_after(byte)
    return max(0, length - (end - at))
