"""What the parsers of the flavours share: a place in a text, alternatives, and counts in braces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from .regex_nodes import Alternation, Concatenation, Node

# What is repeated by how much: the fewest times, and the most, None without a bound.
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
        return choices[0] if len(choices) == 1 else Alternation(choices)

    @abstractmethod
    def _branch(self) -> Node:
        """Read one alternative."""

    def _counts(self, number: Callable[[str], int | None]) -> tuple[int, int | None, int] | None:
        """Read ``{n}``, ``{n,}`` or ``{n,m}``: least, most (None without a bound) and the end; None where the brace is itself."""
        end = self._text.find("}", self._at)
        if end < 0:
            return None
        least, comma, most = self._text[self._at + 1 : end].partition(",")
        low = number(least)
        high = number(most) if most else None
        if low is None or (most and high is None):
            return None
        return low, (high if comma else low), end + 1


def sequence(parts: list[Node]) -> Node:
    """Return the parts one after the other: the only one, if there is one."""
    return parts[0] if len(parts) == 1 else Concatenation(parts)
