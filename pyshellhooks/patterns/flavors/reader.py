"""Base of the flavours' parsers: a position in a text, alternatives, and counts in braces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from ..tree import Alternation, Concatenation, Node

# Repetition operators: minimum and maximum, None for unlimited.
OPERATORS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class Reader(ABC):
    """Recursive descent over one pattern text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def _peek(self, length: int = 1) -> str:
        return self._text[self._at : self._at + length]

    def _alternation(self) -> Node:
        choices = [self._branch()]
        while self._peek() == "|":
            self._at += 1
            choices.append(self._branch())
        if len(choices) == 1:
            return choices[0]
        return Alternation(choices)

    @abstractmethod
    def _branch(self) -> Node:
        """Parse one alternative."""

    def _counts(self, number: Callable[[str], int | None]) -> tuple[int, int | None, int] | None:
        """Parse ``{n}``, ``{n,}`` or ``{n,m}``: minimum, maximum or None (unlimited), end; None for a literal brace."""
        end = self._text.find("}", self._at)
        if end < 0:
            return None
        least, comma, most = self._text[self._at + 1 : end].partition(",")
        low = number(least)
        if low is None:
            return None
        if not comma:
            return low, low, end + 1
        if not most:
            return low, None, end + 1
        high = number(most)
        return None if high is None else (low, high, end + 1)


def sequence(parts: list[Node]) -> Node:
    """Return the concatenation of parts, or the only part."""
    return parts[0] if len(parts) == 1 else Concatenation(parts)
