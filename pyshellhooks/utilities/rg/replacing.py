"""``-r``: replacements of matches (``$1``, ``$name``, ``${name}``, ``$$``)."""

from __future__ import annotations

from ...errors import Stop
from ...patterns.engines import Spans
from ...regexes import lazy_pattern
from ...text import paced

_PLACE = lazy_pattern(rb"\$(?:(\$)|\{([^}]*)\}|([0-9A-Za-z_]+))")
_NAME = lazy_pattern(rb"[0-9A-Za-z_]+")


class Replacement:
    """A text with references to groups. An unknown or unmatched group is empty."""

    __slots__ = ("_most", "_parts")

    def __init__(self, text: bytes, names: dict[str, int], most: int) -> None:
        self._most = most  # bytes
        self._parts: list[bytes | int] = []
        at = 0
        for match in paced(_PLACE.finditer(text)):
            self._parts.append(text[at : match.start()])
            at = match.end()
            if match[1]:
                self._parts.append(b"$")
            elif match[2] is not None and not _NAME.fullmatch(match[2]):
                self._parts.append(match[0])  # text, not a reference
            else:
                group = _group((match[2] or match[3]).decode(), names)
                if group >= 0:
                    self._parts.append(group)
        self._parts.append(text[at:])

    def applied(self, text: bytes, matches: list[Spans]) -> tuple[bytes, list[tuple[int, int]]]:
        """Replace the matches in a text. Return it and the spans of the replacements."""
        out = bytearray()
        places: list[tuple[int, int]] = []
        at = 0
        for spans in paced(matches):
            low, high = spans[0]
            out += text[at:low]
            start = len(out)
            for part in self._parts:
                if isinstance(part, bytes):
                    out += part
                elif part < len(spans) and spans[part][0] >= 0:
                    out += text[spans[part][0] : spans[part][1]]
            if len(out) > self._most:
                raise Stop("limit", f"a line is longer than {self._most} bytes", "string")
            places.append((start, len(out)))
            at = high
        out += text[at:]
        return bytes(out), places


def _group(name: str, names: dict[str, int]) -> int:
    if not name.isdecimal():
        return names.get(name, -1)
    if len(name) > 9:
        return -1  # no pattern has so many groups; int() refuses thousands of digits
    return int(name)
