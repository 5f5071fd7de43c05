"""Helpers of ``s``, ``y`` and ``l`` for one line."""

from __future__ import annotations

from ...patterns.case_mapping import lower, upper
from ...patterns.engines import Spans
from ...regexes import lazy_pattern
from ...text import decode, encode, paced, pause
from .escapes import read_escape
from .script import Replacement


def characters(text: str) -> list[str]:
    """Return the characters of one side of ``y``."""
    out: list[str] = []
    at = 0
    while at < len(text):
        pause()
        char = text[at]
        at += 1
        if char == "\\" and at < len(text):
            found = read_escape(text, at)
            if found is not None:
                char, at = found
            else:
                char = text[at]
                at += 1
        out.append(char)
    return out


def replacement(text: str, posix: bool = False) -> Replacement:
    """Parse the replacement of ``s``; --posix has no case operators."""
    parts: list[bytes | int | str] = []
    literal: list[str] = []

    def add(part: int | str) -> None:
        if literal:
            parts.append(encode("".join(literal)))
            literal.clear()
        parts.append(part)

    at = 0
    while at < len(text):
        pause()
        char = text[at]
        at += 1
        if char == "&":
            add(0)
        elif char != "\\" or at >= len(text):
            literal.append(char)
        else:
            char = text[at]
            if char in "0123456789":
                add(int(char))
            elif char in "ULEul" and not posix:
                add(char)
            else:
                found = read_escape(text, at)
                if found is not None:
                    literal.append(found[0])
                    at = found[1]
                    continue
                literal.append(char)
            at += 1
    if literal:
        parts.append(encode("".join(literal)))
    return Replacement(parts)


def expand(replacement: Replacement, data: bytes, spans: Spans) -> bytes:
    """Return the replacement for one match; case operators work on characters (GNU sed manual 3.3)."""
    if replacement.literal is not None:
        return replacement.literal
    out: list[bytes] = []
    mode = once = ""
    for part in replacement.parts:
        if isinstance(part, str):
            if part in "ULE":
                mode = "" if part == "E" else part
                once = ""
            else:
                once = part
            continue
        if isinstance(part, int):
            # After s// the last regex may have fewer groups than the replacement names.
            low, high = spans[part] if part < len(spans) else (-1, -1)
            part = data[low:high] if low >= 0 else b""
        if not part:
            continue
        if mode or once:
            text = decode(part)
            if mode:
                text = upper(text) if mode == "U" else lower(text)
            if once:
                first = upper(text[0]) if once == "u" else lower(text[0])
                text = first + text[1:]
                once = ""
            part = encode(text)
        out.append(part)
    return b"".join(out)


def visible(data: bytes, width: int, end: bytes) -> bytes:
    """Format a line as ``l`` does: escapes and a final ``$``, in rows of ``width`` (0: one row) that end in ``end``."""
    if width > 0:
        most = max(width - 1, 1)
    else:
        most = 4 * len(data)
    out: list[bytes] = []
    column = 1 if width == 1 else 0
    for match in paced(_RUN.finditer(data)):
        run = match[0]
        text = run if len(run) > 1 else _SHOWN[run[0]]
        room = max(most - column, 0)
        if len(text) <= room:
            out.append(text)
            column += len(text)
            continue
        rows = [b"", text]  # an escape sequence is not split across rows
        if len(run) > 1:
            rows = [run[:room], *[run[at : at + most] for at in range(room, len(run), most)]]
        out.append((b"\\" + end).join(rows))
        column = len(rows[-1])
    return b"".join(out) + b"$" + end


_RUN = lazy_pattern(rb"[ -\[\]-~]+|[^ -\[\]-~]")
_NAMED = {7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 92: b"\\\\"}


def _shown(byte: int) -> bytes:
    if byte in _NAMED:
        return _NAMED[byte]
    if 32 <= byte < 127:
        return bytes([byte])
    return b"\\%03o" % byte


# sed prints non-ASCII characters as bytes, even valid ones.
_SHOWN = [_shown(byte) for byte in range(256)]
