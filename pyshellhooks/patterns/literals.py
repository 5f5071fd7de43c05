"""Patterns that are literal texts, which can be searched without an engine."""

from __future__ import annotations

from ..text import encode, paced
from .emit import Options
from .tree import Alternation, Char, Concatenation, Node

_CHOICES = 4


def literal_of(tree: Node, options: Options) -> bytes | None:
    """Return the bytes of a literal pattern, None for other patterns."""
    if options.ignore_case or options.word:
        return None
    text = characters_of(tree)
    if text is None:
        return None
    return encode(text) if options.utf8 else text.encode("latin-1")


def literals_of(tree: Node, options: Options) -> list[bytes]:
    """Return the bytes of each choice if a pattern is a choice of a few literals, else an empty list."""
    if not isinstance(tree, Alternation) or len(tree.choices) > _CHOICES:
        return []
    literals: list[bytes] = []
    for choice in tree.choices:
        literal = literal_of(choice, options)
        if not literal:
            return []
        literals.append(literal)
    return literals


def characters_of(tree: Node) -> str | None:
    """Return the text of a pattern of characters only, None for other patterns."""
    if isinstance(tree, Char):
        return tree.char
    if not isinstance(tree, Concatenation):
        return None
    chars = [part.char for part in tree.parts if isinstance(part, Char)]
    return "".join(chars) if len(chars) == len(tree.parts) else None


def literal_tree(text: str) -> Node:
    """Return the tree of a fixed string (grep -F)."""
    return Concatenation([Char(char) for char in paced(text)])
