"""Syntax tree of a regular expression in Oniguruma's syntax.

The parser builds it, ``tuning`` checks and annotates it in place, and it is emitted for an engine or compiled for
the machine. Closed set: ``Node`` is the union.
"""

from __future__ import annotations

from .sets import CharSet

INFINITE = -1  # Repeat.most without a limit

# Kinds of repetitions by whether the body may match the empty text; an empty turn ends the repetition.
SOLID, HOLLOW, HOLLOW_CAPTURES, HOLLOW_RECURSIVE = range(4)


class Text:
    """A sequence of characters. ``fold``: their case is ignored, and ``tuning`` must still expand them."""

    __slots__ = ("fold", "text")

    def __init__(self, text: str, fold: bool = False) -> None:
        self.text = text
        self.fold = fold


class Set:
    """Any character of a set."""

    __slots__ = ("chars",)

    def __init__(self, chars: CharSet) -> None:
        self.chars = chars


class Dot:
    """Any character, with ``newline`` including a newline."""

    __slots__ = ("newline",)

    def __init__(self, newline: bool) -> None:
        self.newline = newline


class Place:
    r"""A position: ``begin`` (\A) ``end`` (\z) ``semi_end`` (\Z) ``line_begin`` ``line_end`` ``start`` (\G)
    ``word`` (\b) ``not_word`` ``segment`` (\y) ``not_segment``."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Sequence:
    """A sequence of parts."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts


class Choice:
    """Alternatives; the first that leads to a match. ``lasting``: an enclosing atomic group does not remove them."""

    __slots__ = ("choices", "lasting")

    def __init__(self, choices: list[Node], lasting: bool = False) -> None:
        self.choices = choices
        self.lasting = lasting


class Group:
    """A numbered group; number 0 is the whole expression if a call refers to it."""

    __slots__ = ("body", "called", "number", "recursive", "referenced", "restored")

    def __init__(self, number: int, body: Node) -> None:
        self.number = number
        self.body = body
        self.referenced = False  # by a back-reference
        self.called = False
        self.recursive = False  # calls itself
        self.restored = False  # entering it again resets its span, and backtracking restores it


class Repeat:
    """A repetition, from ``least`` to ``most`` times."""

    __slots__ = ("body", "greedy", "hollow", "least", "most", "watched")

    def __init__(self, body: Node, least: int, most: int, greedy: bool = True) -> None:
        self.body = body
        self.least = least
        self.most = most
        self.greedy = greedy
        self.hollow = SOLID
        self.watched: list[int] = []  # groups whose change makes an empty turn count


class Scope:
    """``(?i:...)``: a separate part. ``tuning`` removes the node."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Atomic:
    """An atomic group: its first match is final."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Look:
    """Look-around. ``length``: how many characters a look-behind steps back."""

    __slots__ = ("ahead", "body", "length", "negative")

    def __init__(self, body: Node, ahead: bool, negative: bool) -> None:
        self.body = body
        self.ahead = ahead
        self.negative = negative
        self.length = 0


class Back:
    r"""A back-reference; of several groups with one name the first that matches. ``test``: only tests if one is set.

    ``inner``: it is inside or before its group. ``level``: the level of a recursion (``\k<name+0>``).
    """

    __slots__ = ("fold", "inner", "level", "numbers", "test")

    def __init__(self, numbers: list[int], fold: bool, level: int | None, inner: bool, test: bool = False) -> None:
        self.numbers = numbers
        self.fold = fold
        self.level = level
        self.inner = inner
        self.test = test


class Call:
    """A call of a group's expression. ``group`` is resolved after parsing."""

    __slots__ = ("group", "name", "number", "recursive")

    def __init__(self, name: str, number: int | None) -> None:
        self.name = name
        self.number = number
        self.group: Group | None = None
        self.recursive = False


class Condition:
    """``(?(test)yes|no)``."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, test: Node, yes: Node | None, no: Node | None) -> None:
        self.test = test
        self.yes = yes
        self.no = no


class Keep:
    r"""``\K``: the match begins here."""

    __slots__ = ()


class Fail:
    """A node that never matches."""

    __slots__ = ()


class Callout:
    """A callout: without effect, ``(?{...})``, or ``(*FAIL)``."""

    __slots__ = ("fails",)

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails


class Save:
    """Save the position (``what`` is ``place``) or the end of the readable text (``limit``) under a number."""

    __slots__ = ("number", "what")

    def __init__(self, what: str, number: int) -> None:
        self.what = what
        self.number = number


class Restore:
    """Set ``what``, ``place`` or ``limit``, to the saved value; number -1 is the end of the text.

    Backtracking does not undo it: that is how the absence operator ``(?~...)`` works. ``cutting``: the effect lasts
    after the operator.
    """

    __slots__ = ("cutting", "number", "what")

    def __init__(self, what: str, number: int, cutting: bool = False) -> None:
        self.what = what
        self.number = number
        self.cutting = cutting


Node = (
    Text
    | Set
    | Dot
    | Place
    | Sequence
    | Choice
    | Group
    | Repeat
    | Scope
    | Atomic
    | Look
    | Back
    | Call
    | Condition
    | Keep
    | Fail
    | Callout
    | Save
    | Restore
)


def children(node: Node) -> list[Node]:
    """Return the parts of a node; a call has none."""
    if isinstance(node, Sequence):
        return node.parts
    if isinstance(node, Choice):
        return node.choices
    if isinstance(node, Group | Repeat | Scope | Atomic | Look):
        return [node.body]
    if isinstance(node, Condition):
        return [part for part in (node.test, node.yes, node.no) if part is not None]
    return []


class Pattern:
    """A parsed pattern: the tree, the groups, and their names in the order of their first use."""

    __slots__ = ("calls", "groups", "names", "nodes", "tree")

    def __init__(self, tree: Node, groups: int, names: dict[str, list[int]], calls: int) -> None:
        self.tree = tree
        self.groups = groups
        self.names = names
        self.calls = calls
        self.nodes: dict[int, Group] = {}
