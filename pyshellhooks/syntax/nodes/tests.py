"""The expressions of ``[[ … ]]``."""

from __future__ import annotations

from typing import TypeAlias

from .base import Node
from .words import Word


class TestWord(Node):
    """A lone word: true if it is not empty."""

    __test__ = False
    __slots__ = ("word",)

    def __init__(self, word: Word) -> None:
        self.word = word
        self.pos = word.pos
        self.end = word.end


class TestUnary(Node):
    """``-f word`` and the like; ``op`` with its dash."""

    __test__ = False
    __slots__ = ("op", "word")

    def __init__(self, op: str, word: Word, pos: int, end: int) -> None:
        self.op = op
        self.word = word
        self.pos = pos
        self.end = end


class TestBinary(Node):
    """``left op right``; op ``= == != =~ < > -eq -ne -lt -le -gt -ge -nt -ot -ef``."""

    __test__ = False
    __slots__ = ("left", "op", "right")

    def __init__(self, op: str, left: Word, right: Word) -> None:
        self.op = op
        self.left = left
        self.right = right
        self.pos = left.pos
        self.end = right.end


class TestNot(Node):
    """``! test``."""

    __test__ = False
    __slots__ = ("operand",)

    def __init__(self, operand: Test, pos: int) -> None:
        self.operand = operand
        self.pos = pos
        self.end = operand.end


class TestAnd(Node):
    """``left && right``."""

    __test__ = False
    __slots__ = ("left", "right")

    def __init__(self, left: Test, right: Test) -> None:
        self.left = left
        self.right = right
        self.pos = left.pos
        self.end = right.end


class TestOr(Node):
    """``left || right``."""

    __test__ = False
    __slots__ = ("left", "right")

    def __init__(self, left: Test, right: Test) -> None:
        self.left = left
        self.right = right
        self.pos = left.pos
        self.end = right.end


Test: TypeAlias = TestWord | TestUnary | TestBinary | TestNot | TestAnd | TestOr
