"""Steps from character to character in UTF-8, where a byte that belongs to none counts as one (as GNU's tools count)."""

from __future__ import annotations


def next_character(data: bytes, at: int) -> int:
    """Return the position after the character at ``at``; a byte that begins none counts as one."""
    lead = data[at] if at < len(data) else 0
    if lead < 0xC2:
        return at + 1
    stop = at + (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4)
    return stop if _is_character(data[at:stop]) else at + 1


def previous_character(data: bytes, at: int) -> int:
    """Return the start of the character before ``at``; a byte that belongs to none counts as one."""
    start = at - 1
    while start > max(0, at - 4) and 0x80 <= data[start] < 0xC0:
        start -= 1
    return start if start == at - 1 or _is_character(data[start:at]) else at - 1


def _is_character(data: bytes) -> bool:
    try:
        return len(data.decode("utf-8")) == 1
    except UnicodeDecodeError:
        return False
