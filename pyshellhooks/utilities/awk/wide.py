"""A cache of the characters of long values, for loops that take one character at a time (gawk keeps wide strings)."""

from __future__ import annotations

_LONG = 64  # bytes; a shorter value is decoded each time


class Characters:
    """The text of the last two long values."""

    __slots__ = ("_data", "_data_before", "_text", "_text_before")

    def __init__(self) -> None:
        self._data = self._data_before = b""
        self._text: str | None = None
        self._text_before: str | None = None

    def of(self, data: bytes) -> str | None:
        """Return the text of a value in UTF-8, or None if each of its bytes is a character."""
        if len(data) < _LONG:
            return _decoded(data)
        if data is not self._data:
            if data is self._data_before:
                text = self._text_before
            else:
                text = _decoded(data)
            self._data_before, self._text_before = self._data, self._text
            self._data, self._text = data, text
        return self._text


def _decoded(data: bytes) -> str | None:
    if data.isascii():
        return None
    return data.decode("utf-8", "surrogateescape")
