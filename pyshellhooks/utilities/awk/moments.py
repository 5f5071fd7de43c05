"""``strftime`` and ``mktime`` in the time zone of the call's environment, not the host's (gawk manual 9.1.5)."""

from __future__ import annotations

import time

from ...text import decode, encode
from ...times.days import days_of
from ...times.moments import instant, local
from ...times.moments import strftime as write

_FURTHEST = 1 << 40
_LAST = 67768036191676799  # the last second of the year 2147485547, the largest that fits C's struct tm


def strftime(form: bytes, seconds: float | None, zone: str | None) -> bytes:
    """Format a time (None: now)."""
    if seconds is None:
        seconds = float(int(time.time()))
    if seconds - seconds != 0.0 or abs(seconds) > _LAST:
        return b""
    return encode(write(decode(form), local(int(seconds // 1), 0, zone), extensions=""))


def mktime(text: bytes, zone: str | None) -> float:
    """Parse ``YYYY MM DD HH MM SS [DST]`` to seconds since the epoch; return -1 if it is invalid."""
    words = text.split()
    if len(words) < 6:
        return -1.0
    numbers: list[int] = []
    for word in words[:7]:
        digits = word[1:] if word[:1] in (b"-", b"+") else word
        if not digits.isdigit() or len(digits) > 9:
            return -1.0
        numbers.append(int(word))
    year, month, day, hour, minute, second = numbers[:6]
    wall = days_of(year, month, 1) * 86400 + (day - 1) * 86400 + hour * 3600 + minute * 60 + second
    if abs(wall) > _FURTHEST:
        return -1.0
    shown = instant(wall, zone)
    if len(numbers) > 6 and numbers[6] > 0 and not _is_summer(shown, zone):
        shown -= 3600
    return float(shown)


def _is_summer(seconds: int, zone: str | None) -> bool:
    """Return whether daylight saving time applies: the offset is larger than half a year before or after."""
    half = 15778476
    return local(seconds, 0, zone).offset > min(local(seconds + shift, 0, zone).offset for shift in (-half, half))
