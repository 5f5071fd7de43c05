"""Syntax tree of regular expressions: POSIX's, Perl's on a linear engine, and those of matchers.

Closed set: ``Node`` is the union. Characters are ``str`` of length one; an invalid byte is a surrogate.
"""

from __future__ import annotations

from collections.abc import Iterator


class PatternError(ValueError):
    """A pattern that does not compile. ``message`` is that of the syntax's original tool.

    ``offset`` counts characters from 0; -1 if that tool shows none.
    """

    def __init__(self, message: str, offset: int = -1) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class Char:
    """One character."""

    __slots__ = ("char",)

    def __init__(self, char: str) -> None:
        self.char = char


class Dot:
    """Any character."""

    __slots__ = ()


class Bracket:
    """A bracket expression, or ``\\w \\s`` and their complements.

    ``classes``: names of POSIX classes, and properties in the engines' syntax (``\\p{Lu}``).
    """

    __slots__ = ("chars", "classes", "negated", "ranges")

    def __init__(
        self,
        chars: str = "",
        ranges: tuple[tuple[str, str], ...] = (),
        classes: tuple[str, ...] = (),
        negated: bool = False,
    ) -> None:
        self.chars = chars
        self.ranges = ranges
        self.classes = classes
        self.negated = negated


class Anchor:
    """A position. ``kind`` is one of ``^ $ ` ' b B < >``. ``word``: the set of word characters, if not the default."""

    __slots__ = ("kind", "word")

    def __init__(self, kind: str, word: Bracket | None = None) -> None:
        self.kind = kind
        self.word = word


class Look:
    """Look-around: a body that must match, or with ``negative`` must not, after or before a position."""

    __slots__ = ("ahead", "body", "negative")

    def __init__(self, body: Node, *, ahead: bool = True, negative: bool = False) -> None:
        self.body = body
        self.ahead = ahead
        self.negative = negative


class IgnoreCase:
    """A part that ignores case, by the tables of the engine."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Group:
    """A numbered group."""

    __slots__ = ("body", "number")

    def __init__(self, number: int, body: Node) -> None:
        self.number = number
        self.body = body


class BackReference:
    """A reference to a group's text. ``optional``: it is empty if the group took no part (ECMAScript)."""

    __slots__ = ("number", "optional")

    def __init__(self, number: int, *, optional: bool = False) -> None:
        self.number = number
        self.optional = optional


class Repeat:
    """A repetition, from ``least`` to ``most`` times, without a limit for None. ``lazy``: the fewest first (Perl)."""

    __slots__ = ("body", "lazy", "least", "most")

    def __init__(self, body: Node, least: int, most: int | None, lazy: bool = False) -> None:
        self.body = body
        self.least = least
        self.most = most
        self.lazy = lazy


class Concatenation:
    """A sequence of parts; an empty one matches the empty text."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts


class Alternation:
    """Alternatives."""

    __slots__ = ("choices",)

    def __init__(self, choices: list[Node]) -> None:
        self.choices = choices


Node = Char | Dot | Bracket | Anchor | Look | IgnoreCase | Group | BackReference | Repeat | Concatenation | Alternation


def may_be_empty(node: Node) -> bool:
    """Return whether a node may match the empty text."""
    if isinstance(node, Char | Dot | Bracket):
        return False
    if isinstance(node, Group | IgnoreCase):
        return may_be_empty(node.body)
    if isinstance(node, Repeat):
        return not node.least or may_be_empty(node.body)
    if isinstance(node, Concatenation):
        return all(may_be_empty(part) for part in node.parts)
    if isinstance(node, Alternation):
        return any(may_be_empty(choice) for choice in node.choices)
    return True


def every_node(node: Node) -> Iterator[Node]:
    """Yield a node and all its descendants."""
    yield node
    if isinstance(node, Group | Repeat | Look | IgnoreCase):
        yield from every_node(node.body)
    elif isinstance(node, Concatenation | Alternation):
        for part in node.parts if isinstance(node, Concatenation) else node.choices:
            yield from every_node(part)
