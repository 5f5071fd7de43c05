"""Lines without their delimiter, and the numbers that several filters read the same way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ..command.call import Call
from ..errors import Stop, UsageError
from ..streams.base import Stream
from .quoting import quote
from .records import blocks, split_blocks


def batches(call: Call, stream: Stream, delimiter: bytes = b"\n") -> Iterator[list[bytes]]:
    """Yield the lines of each block, without delimiters. A line past ``Limits.string`` is ``Stop``."""
    for pieces, _ in split_blocks(call, stream, delimiter):
        yield pieces


def lines(call: Call, stream: Stream, delimiter: bytes = b"\n") -> Iterator[bytes]:
    """Return lines without their delimiter."""
    return chain.from_iterable(batches(call, stream, delimiter))


def whole(call: Call, stream: Stream, what: str = "") -> bytes:
    """Return all that a stream has, for what must see the end first; ``Stop`` past a sixteenth of ``Limits.memory``."""
    held: list[bytes] = []
    size = 0
    for chunk in blocks(call, stream):
        held.append(chunk)
        size += len(chunk)
        bounded(call, size, what)
    return b"".join(held)


def bounded(call: Call, size: int, what: str = "") -> None:
    """Raise ``Stop`` if a utility holds more than a sixteenth of ``Limits.memory``."""
    if size > call.limits.memory // 16:
        raise Stop("limit", f"{what or call.name} holds more than {call.limits.memory // 16} bytes", "memory")


def number(call: Call, text: str, what: str, least: int = 0, most: int = 2**63 - 1) -> int:
    """Read a decimal number as gnulib's xdectoimax does; UsageError in its words. Without a negative ``least`` no sign."""
    digits = text.lstrip(" \t\n\v\f\r")
    negative = digits.startswith("-") and least < 0
    if digits[:1] in ("+", "-") and (negative or digits[0] == "+"):
        digits = digits[1:]
    if not (digits.isascii() and digits.isdigit()):
        raise UsageError(f"{what}: {quote(text, call.env)}", hint=False)
    value = int(digits) if len(digits) < 40 else 10**40
    value = -value if negative else value
    if not least <= value <= most:
        big = not -(2**30) <= value <= 2**30 - 1
        why = "Value too large for defined data type" if big else "Numerical result out of range"
        raise UsageError(f"{what}: {quote(text, call.env)}: {why}", hint=False)
    return value
