"""The subject of a search: a text as characters, in which jq counts offsets, and as UTF-8, for some engines."""

from __future__ import annotations

from collections.abc import Sequence

Spans = Sequence[tuple[int, int]]

_CONTINUATIONS = bytes(range(0x80, 0xC0))


class Subject:
    """A text to search, as characters and as UTF-8. Positions count bytes."""

    __slots__ = ("_byte", "_char", "_data", "ascii", "newline", "size", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.ascii = text.isascii()
        self.newline = text.endswith("\n")
        self._data: bytes | None = None
        self._byte = self._char = 0  # a position in bytes and in characters
        self.size = len(text) if self.ascii else len(self.data)

    @property
    def data(self) -> bytes:
        """The text in UTF-8."""
        if self._data is None:
            self._data = self.text.encode("utf-8", "replace")
        return self._data

    def chars(self, place: int) -> int:
        """Return how many characters begin before a position."""
        if self.ascii:
            return place
        if place >= self._byte:
            low, high = self._byte, place
        else:
            low, high = place, self._byte
        heads = len(self.data[low:high].translate(None, _CONTINUATIONS))
        self._char += heads if place >= self._byte else -heads
        self._byte = place
        return self._char

    def place(self, char: int) -> int:
        """Return the position of a character's start."""
        if self.ascii:
            return char
        if not self.is_head(self._byte):
            self._byte = self._char = 0
        if char >= self._char:
            self._byte += len(self.text[self._char : char].encode("utf-8", "replace"))
        else:
            self._byte -= len(self.text[char : self._char].encode("utf-8", "replace"))
        self._char = char
        return self._byte

    def is_head(self, place: int) -> bool:
        """Return whether a character begins at a position, or the text ends there."""
        return self.ascii or place >= self.size or self.data[place] & 0xC0 != 0x80
