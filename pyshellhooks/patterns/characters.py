"""Steps between characters in UTF-8 bytes; an invalid byte counts as one character (as in GNU's tools)."""

from __future__ import annotations

from collections.abc import Iterable

from ..text import decode, encode


def as_text(data: bytes, start: int, utf8: bool) -> tuple[str, int, bool]:
    """Return data as text, the position in it of a position in the data, and whether the two are always the same."""
    if not utf8 or data.isascii():
        return data.decode("latin-1"), start, True
    return decode(data), len(decode(data[:start])), False


def byte_spans(spans: Iterable[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Return spans of characters in a text as spans of bytes; (-1, -1) is that of a group that took no part."""
    converted: list[tuple[int, int]] = []
    for low, high in spans:
        if low < 0:
            converted.append((-1, -1))
        else:
            converted.append((len(encode(text[:low])), len(encode(text[:high]))))
    return converted


def is_valid(data: bytes) -> bool:
    """Return whether bytes are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def next_character(data: bytes, at: int) -> int:
    """Return the position after the character at ``at``; an invalid byte counts as one."""
    lead = data[at] if at < len(data) else 0
    if lead < 0xC2:  # ASCII, or a byte that begins no character: 0xC0 and 0xC1 would be overlong forms of ASCII
        return at + 1
    if lead < 0xE0:
        stop = at + 2
    elif lead < 0xF0:
        stop = at + 3
    else:
        stop = at + 4
    return stop if is_valid(data[at:stop]) else at + 1


def previous_character(data: bytes, at: int) -> int:
    """Return the start of the character before ``at``; an invalid byte counts as one."""
    start = at - 1
    while start > max(0, at - 4) and 0x80 <= data[start] < 0xC0:
        start -= 1
    if start == at - 1 or is_valid(data[start:at]):
        return start
    return at - 1
