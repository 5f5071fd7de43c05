r"""Decoding of ``$'…'`` (bash manual 3.1.2.4)."""

from __future__ import annotations

import re

from ... import text as border
from ...regexes import lazy_pattern

_ESCAPE = lazy_pattern(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2}|\{[0-9A-Fa-f]+\})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(\\\\|.))",
    re.DOTALL,
)
_SIMPLE = {
    "a": b"\a",
    "b": b"\b",
    "e": b"\x1b",
    "E": b"\x1b",
    "f": b"\f",
    "n": b"\n",
    "r": b"\r",
    "t": b"\t",
    "v": b"\v",
    "\\": b"\\",
    "'": b"'",
    '"': b'"',
    "?": b"?",
}


def decode_ansi(text: str) -> str:
    r"""Decode the inside of ``$'…'``.

    Escapes denote bytes, so ``$'\xc3\xa4'`` is one character: bytes are collected first and then decoded. An escape that
    means NUL ends the text, since a shell word can't hold one.
    """
    if "\\" not in text:
        return text
    out = bytearray()
    at = 0
    for match in border.paced(_ESCAPE.finditer(text)):
        out += border.encode(text[at : match.start()])
        piece = _bytes_of(match)
        if piece == b"\0":
            return border.decode(bytes(out))
        out += piece
        at = match.end()
    out += border.encode(text[at:])
    return border.decode(bytes(out))


def _bytes_of(match: re.Match[str]) -> bytes:
    simple, octal, hexadecimal, short, long, control = match.groups()
    if simple:
        return _SIMPLE[simple]
    if octal:
        return bytes((int(octal, 8) & 0xFF,))
    if hexadecimal:
        return bytes((int(hexadecimal.strip("{}"), 16) & 0xFF,))
    if control:
        if control[0] == "?":  # DEL is the control character of ``?``, as terminals show it: ^?
            return b"\x7f"
        first, *rest = border.encode(control[0])  # bash masks one byte, whatever character it belongs to
        return bytes((first & 0x1F, *rest))
    return utf8(int(short or long, 16))


def utf8(code: int) -> bytes:
    """Encode a code point; beyond Unicode's range as the long forms of the original UTF-8, as bash does."""
    if code < 0x80:
        return bytes((code,))
    if code > 0x7FFFFFFF:  # more than the 31 bits of six bytes
        return b""
    tail = []
    lead = 0x80
    limit = 0x40
    while code >= limit:
        tail.append(0x80 | (code & 0x3F))
        code >>= 6
        lead = (lead >> 1) | 0x80
        limit = 0x40 >> len(tail)
    return bytes((lead | code, *reversed(tail)))
