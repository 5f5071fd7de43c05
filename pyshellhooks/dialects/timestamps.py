"""Times as several systems write them in their payloads."""

from __future__ import annotations

import time


def timestamp(now: float) -> str:
    """Format a time as ``YYYY-MM-DDTHH:MM:SS.mmmZ``."""
    milliseconds = int(now * 1000)
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000))
    return f"{seconds}.{milliseconds % 1000:03d}Z"
