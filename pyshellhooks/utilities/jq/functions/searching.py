"""Search for all positions, including overlapping ones, of a string in a string or an array in an array.

No single call in C takes longer than linear time in the length of the text. ``str.find`` is linear, but compares the
whole searched string at each match; ``str.rfind`` is not linear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..json.values import equal

if TYPE_CHECKING:
    from ..running import Run

_PIECE = 1 << 16  # positions, or characters, between two checks of the run


def string_positions(run: Run, text: str, wanted: str) -> list[int]:
    """Return every position of ``wanted``, an empty list for an empty one.

    If two positions are at most half its length apart, ``wanted`` is periodic, and their distance is the period: from
    there on the positions come in runs, whose ends are found by comparing the text with itself.
    """
    length = len(wanted)
    result: list[int] = []
    if not length:
        return result
    period = 0
    reported = turns = 0
    at = text.find(wanted)
    while at >= 0:
        begin = at + 1
        result.append(at)
        end = at + length
        if period and end < len(text) and text[end] == text[end - period]:
            last = _repeats(run, text, end, period) - length
            for piece in range(at + period, last + 1, period * _PIECE):
                result.extend(range(piece, min(last + 1, piece + period * _PIECE), period))
                run.check()
            begin = result[-1] + length - period + 1
        following = text.find(wanted, begin)
        if not period and 0 < following - at <= max(1, length // 2):
            period = following - at
        at = following
        turns += 1
        if length > 4096 or not turns & 1023:
            run.check()
        if len(result) - reported > _PIECE:
            run.made(40 * (len(result) - reported))
            reported = len(result)
    return result


def _repeats(run: Run, text: str, at: int, period: int) -> int:
    """Return the end of the text from ``at`` on that equals the text ``period`` characters before."""
    size = 64
    while size:
        end = min(at + size, len(text))
        if end > at and text[at:end] == text[at - period : end - period]:
            at = end
            size = min(2 * size, _PIECE)
            run.check()
        else:
            size = min(size, end - at) // 2
    return at


def first_position(text: str, wanted: str) -> int | None:
    """Return the first position, None if there is none."""
    if not wanted:
        return None
    at = text.find(wanted)
    return None if at < 0 else at


def last_position(text: str, wanted: str) -> int | None:
    """Return the last position, None if there is none."""
    if not wanted:
        return None
    at = text[::-1].find(wanted[::-1])
    return None if at < 0 else len(text) - len(wanted) - at


def array_positions(run: Run, items: list[Any], wanted: list[Any]) -> list[int]:
    """Return every position of an array in an array, an empty list for an empty one."""
    result: list[int] = []
    if not wanted:
        return result
    first = wanted[0]
    others = len(wanted)
    turns = 0
    for at in range(len(items) - others + 1):
        turns += 1
        if not turns & 1023:
            run.check()
        if not equal(items[at], first, run):
            continue
        for place in range(1, others):
            turns += 1
            if not turns & 1023:
                run.check()
            if not equal(items[at + place], wanted[place], run):
                break
        else:
            result.append(at)
    return result
