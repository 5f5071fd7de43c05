"""Escapes in JSON strings, as jq 1.8 parses them, with its error messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]

from .reading import Mistake
from .utf8 import replace_escaped

_whole: Callable[..., re.Match[str]] = re.compile(  # type: ignore[assignment]
    r"(?>[^\\]++|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u(?![dD][89abAB])[0-9a-fA-F]{4}|\\[^u])*+", re.DOTALL
).match
_escape = re.compile(
    r'\\(?:["\\/bfnrt]|u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?![dD][89abAB])([0-9a-fA-F]{4})))'
    r"|[\x00-\x1f]|\\",
    re.DOTALL,
)
_four_hex = re.compile(r"[0-9a-fA-F]{4}").match
_surrogate = re.compile(r"\\u[dD]").search
# Half a surrogate pair, or its look-alike after an escaped backslash.
_half_pair = re.compile(
    r"\\(?:\\u[dD]|u[dD][89abAB](?!..\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..\\)u[dD][c-fC-F])", re.DOTALL
).search
_escaped_byte = re.compile("[\udc80-\udcff]").search
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def has_half_pair(text: str) -> bool:
    """Return whether a text may contain an escape that is half a surrogate pair."""
    return _surrogate(text) is not None and _half_pair(text) is not None


def unescape(parts: list[str], check: Callable[[], object]) -> str:
    """Unescape a string, given the parts between its quotes. Raise ``Mistake`` for the first error."""
    if len(parts) == 1 and len(parts[0]) <= 1 << 16:
        return _finished([_unescape_part(parts[0])], check)
    made: list[str] = []
    carried = ""
    for part in parts:
        for at in range(0, len(part), 1 << 16):
            check()
            piece = carried + part[at : at + (1 << 16)]
            end = _whole(piece).end()
            # An escape has at most 12 characters: a longer rest contains an error.
            if len(piece) - end >= 12:
                end = len(piece)
            made.append(_unescape_part(piece[:end]))
            carried = piece[end:]
    if carried:
        made.append(_unescape_part(carried))
    return _finished(made, check)


def _finished(made: list[str], check: Callable[[], object]) -> str:
    text = made[0] if len(made) == 1 else "".join(made)
    if not text.isascii() and _escaped_byte(text):
        return replace_escaped(text, check)
    return text


def _unescape_part(raw: str) -> str:
    if not has_half_pair(raw):
        try:
            value, _end = scanstring(raw + '"', 0, True)
        except ValueError:
            pass
        else:
            return str(value)
    return _escape.sub(_replace_escape, raw)


def _replace_escape(match: re.Match[str]) -> str:
    text = match.group()
    if len(text) == 1:
        raise Mistake(_wrong_escape(match.string[match.start() :]))
    if text[1] != "u":
        return _SIMPLE[text[1]]
    code = match.group(1)
    if code is not None:
        point = int(code, 16)
        return "\ufffd" if 0xDC00 <= point <= 0xDFFF else chr(point)
    high, low = int(text[2:6], 16), int(text[8:12], 16)
    return chr(0x10000 + (high - 0xD800 << 10) + (low - 0xDC00))


def _wrong_escape(text: str) -> str:
    """Return jq's message for a wrong escape or control character at the start of a text."""
    if text[0] != "\\":
        return "Invalid string: control characters from U+0000 through U+001F must be escaped"
    if text[1] != "u":
        return "Invalid escape"
    if _four_hex(text, 2):
        return "Invalid \\uXXXX\\uXXXX surrogate pair escape"
    if len(text[2:6].encode("utf-8", "surrogateescape")) < 4:
        return "Invalid \\uXXXX escape"
    return "Invalid characters in \\uXXXX escape"
