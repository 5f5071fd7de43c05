"""The tree of a regular expression in Oniguruma's syntax.

The parser makes it, ``onig_tuning`` checks and annotates it in place, the engines write or compile it. Closed set:
``Node`` is the union.
"""

from __future__ import annotations

from .onig_sets import CharSet

INFINITE = -1  # Repeat.most without a bound

# What is known of a repetition whose body may match nothing: a turn that matched nothing ends it.
SOLID, HOLLOW, HOLLOW_CAPTURES, HOLLOW_RECURSIVE = range(4)


class Text:
    """Characters, one after the other. ``fold``: their case is still to be ignored (``onig_tuning`` unfolds them)."""

    __slots__ = ("fold", "text")

    def __init__(self, text: str, fold: bool = False) -> None:
        self.text = text
        self.fold = fold


class Set:
    """One character of a set."""

    __slots__ = ("chars",)

    def __init__(self, chars: CharSet) -> None:
        self.chars = chars


class Dot:
    """Any character; a newline too, if ``newline``."""

    __slots__ = ("newline",)

    def __init__(self, newline: bool) -> None:
        self.newline = newline


class Place:
    r"""A place: ``begin`` (\A) ``end`` (\z) ``semi_end`` (\Z) ``line_begin`` ``line_end`` ``start`` (\G) ``word`` (\b)
    ``not_word`` ``segment`` (\y) ``not_segment``."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Sequence:
    """One after the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts


class Choice:
    """The first of several that leads to a match. ``lasting``: its backtracking survives an atomic group around it."""

    __slots__ = ("choices", "lasting")

    def __init__(self, choices: list[Node], lasting: bool = False) -> None:
        self.choices = choices
        self.lasting = lasting


class Group:
    """A numbered group; number 0 is the whole expression where something calls it."""

    __slots__ = ("body", "called", "number", "recursive", "referenced", "restored")

    def __init__(self, number: int, body: Node) -> None:
        self.number = number
        self.body = body
        self.referenced = False  # by a back-reference
        self.called = False
        self.recursive = False  # calls itself
        self.restored = False  # entering it again forgets what it matched; backtracking brings that back


class Repeat:
    """From ``least`` to ``most`` times."""

    __slots__ = ("body", "greedy", "hollow", "least", "most", "watched")

    def __init__(self, body: Node, least: int, most: int, greedy: bool = True) -> None:
        self.body = body
        self.least = least
        self.most = most
        self.greedy = greedy
        self.hollow = SOLID
        self.watched: list[int] = []  # groups whose change makes a turn more than nothing


class Scope:
    """``(?i:...)``: a part of its own. ``onig_tuning`` takes it away."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Atomic:
    """What it matched first is final."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Look:
    """Look-around. ``length``: the characters that a look behind goes back."""

    __slots__ = ("ahead", "body", "length", "negative")

    def __init__(self, body: Node, ahead: bool, negative: bool) -> None:
        self.body = body
        self.ahead = ahead
        self.negative = negative
        self.length = 0


class Back:
    r"""What a group matched, again; of several with one name the first that fits. ``test``: only whether one matched.

    ``inner``: it stands in or before its group. ``level``: of which turn of a recursion (``\k<name+0>``).
    """

    __slots__ = ("fold", "inner", "level", "numbers", "test")

    def __init__(self, numbers: list[int], fold: bool, level: int | None, inner: bool, test: bool = False) -> None:
        self.numbers = numbers
        self.fold = fold
        self.level = level
        self.inner = inner
        self.test = test


class Call:
    """The expression of a group, here. ``group`` is known when all of the pattern was read."""

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
    """What matches nowhere."""

    __slots__ = ()


class Callout:
    """A callout: without effect, ``(?{...})``, or ``(*FAIL)``."""

    __slots__ = ("fails",)

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails


class Save:
    """Note the position (``what`` is ``place``) or how far the text may be read (``limit``) under a number."""

    __slots__ = ("number", "what")

    def __init__(self, what: str, number: int) -> None:
        self.what = what
        self.number = number


class Restore:
    """Set ``what``, ``place`` or ``limit``, to what was noted; number -1 is the end of the text.

    Backtracking does not undo it: that is how the absence operator ``(?~...)`` works. ``cutting``: it reaches beyond.
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
    """Return the parts of a node; not what a call calls."""
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
    """What was read: the tree, the groups, and their names in the order of their first use."""

    __slots__ = ("calls", "groups", "names", "nodes", "tree")

    def __init__(self, tree: Node, groups: int, names: dict[str, list[int]], calls: int) -> None:
        self.tree = tree
        self.groups = groups
        self.names = names
        self.calls = calls
        self.nodes: dict[int, Group] = {}
