"""Patterns that are nothing but texts: those are found without an engine."""

from __future__ import annotations

from ..text import encode, paced
from .emit import Options
from .regex_nodes import Alternation, Char, Concatenation, Node

_CHOICES = 4


def literal_of(tree: Node, options: Options) -> bytes | None:
    """Return the bytes a pattern is, where it is nothing but them."""
    text = None if options.ignore_case or options.word else characters_of(tree)
    if text is None:
        return None
    return encode(text) if options.utf8 else text.encode("latin-1")


def literals_of(tree: Node, options: Options) -> list[bytes]:
    """Return the bytes that a pattern is a choice of, where it is nothing but that, and of a few; else none."""
    choices = tree.choices if isinstance(tree, Alternation) else []
    found = [literal_of(part, options) for part in choices[: _CHOICES + 1]]
    known = [literal for literal in found if literal]
    return known if len(known) == len(choices) <= _CHOICES else []


def characters_of(tree: Node) -> str | None:
    """Return the text a pattern is, where it is nothing but characters."""
    parts = tree.parts if isinstance(tree, Concatenation) else [tree]
    chars = [part.char for part in parts if isinstance(part, Char)]
    return "".join(chars) if len(chars) == len(parts) else None


def literal_tree(text: str) -> Node:
    """Return the tree of a fixed string (grep -F)."""
    return Concatenation([Char(char) for char in paced(text)])
