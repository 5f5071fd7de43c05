"""Oniguruma's pass between parsing and compilation: it checks the tree, expands cases, and annotates nodes.

Only steps that change the meaning or reject a pattern are done here, no optimizations.
"""

from __future__ import annotations

from . import errors as words
from .errors import OnigError
from .folding import unfolded
from .nodes import (
    HOLLOW,
    HOLLOW_CAPTURES,
    HOLLOW_RECURSIVE,
    INFINITE,
    Atomic,
    Back,
    Call,
    Callout,
    Choice,
    Condition,
    Dot,
    Fail,
    Group,
    Keep,
    Look,
    Node,
    Pattern,
    Place,
    Repeat,
    Restore,
    Save,
    Scope,
    Sequence,
    Set,
    Text,
    children,
)
from .syntax import Unsupported

Span = tuple[int, int, bool]

UNBOUNDED = 1 << 60
_MOST_BEHIND = 65535
_MOST_STEPS = 100_000
_PLACES_BEHIND = frozenset(("line_begin", "line_end", "begin", "start", "word", "not_word", "segment", "not_segment"))


def tune(pattern: Pattern) -> None:
    """Check and annotate a tree, in place. Raise ``OnigError`` with Oniguruma's message."""
    backs = _check_backs(pattern)
    if pattern.calls:
        _resolve_calls(pattern)
    tuner = _Tuner(pattern)
    pattern.tree = tuner.tuned(pattern.tree, bool(pattern.calls), False)
    if backs:
        _watch(pattern)


def walk(node: Node) -> list[Node]:
    """Return a node and all its descendants, from the left."""
    nodes: list[Node] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        nodes.append(part)
        waiting += reversed(children(part))
    return nodes


def _check_backs(pattern: Pattern) -> bool:
    found = False
    for node in walk(pattern.tree):
        if isinstance(node, Back):
            found = True
            for number in node.numbers:
                if number > pattern.groups:
                    raise OnigError(words.INVALID_BACK)
                pattern.nodes[number].referenced = True
    return found


# Calls


def _resolve_calls(pattern: Pattern) -> None:
    calls = [node for node in walk(pattern.tree) if isinstance(node, Call)]
    for call in calls:
        number = call.number
        if number is None:
            numbers = pattern.names.get(call.name, [])
            if not numbers:
                raise OnigError(words.UNDEFINED_NAME, call.name)
            if len(numbers) > 1:
                raise OnigError(words.MANY_OF_NAME, call.name)
            number = numbers[0]
        elif number > pattern.groups:
            raise OnigError(words.UNDEFINED_GROUP, call.name)
        call.group = pattern.nodes[number]
        call.group.referenced = True
    _mark_called(pattern.tree)
    _mark_recursion(pattern)
    lengths = Lengths(pattern.nodes)
    for group in pattern.nodes.values():
        if group.recursive and group.called:
            _Endings(group, lengths).check()


def _mark_called(tree: Node) -> None:
    """Mark the groups that are called; calls inside ``(...){0}`` do not count."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Repeat) and not node.most:
            continue
        if isinstance(node, Call) and node.group is not None and not node.group.called:
            node.group.called = True
            # In the group's body calls inside ``{0}`` count as well.
            waiting += [part for part in walk(node.group.body) if isinstance(part, Call)]
        waiting += children(node)


def _mark_recursion(pattern: Pattern) -> None:
    reached = {number: _groups_below(group) for number, group in pattern.nodes.items()}
    changed = True
    while changed:
        changed = False
        for numbers in reached.values():
            before = len(numbers)
            for number in list(numbers):
                numbers |= reached[number]
            changed |= len(numbers) != before
    for number, group in pattern.nodes.items():
        circle = [other for other in reached[number] if number in reached[other]]
        group.recursive = any(pattern.nodes[other].called for other in circle)
    for group in pattern.nodes.values():
        for node in walk(group.body):
            if isinstance(node, Call) and node.group is not None and node.group.recursive:
                node.recursive |= group is node.group or group.number in reached[node.group.number]


def _groups_below(group: Group) -> set[int]:
    result: set[int] = set()
    for node in walk(group.body):
        if isinstance(node, Group):
            result.add(node.number)
        elif isinstance(node, Call) and node.group is not None:
            result.add(node.group.number)
    return result


_EXISTS, _MUST, _ENDLESS = 1, 2, 4


class _Endings:
    """Search for a recursion that can't end, or that begins with itself."""

    def __init__(self, group: Group, lengths: Lengths) -> None:
        self.group = group
        self.lengths = lengths
        self.open: set[int] = set()
        self.steps = 0

    def check(self) -> None:
        if self.of(self.group.body, True) & (_MUST | _ENDLESS):
            raise OnigError(words.NEVER_ENDING)

    def of(self, node: Node, head: bool) -> int:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Unsupported("a recursion of so many ways")
        if isinstance(node, Sequence):
            found = 0
            for part in node.parts:
                found |= self.of(part, head)
                if found & _ENDLESS:
                    return found
                head = head and not self.lengths.least(part)
            return found
        if isinstance(node, Choice):
            found, must = 0, _MUST
            for choice in node.choices:
                one = self.of(choice, head)
                if one & _ENDLESS:
                    return one
                found |= one & _EXISTS
                must &= one
            return found | must
        if isinstance(node, Repeat):
            if not node.most:
                return 0
            found = self.of(node.body, head)
            return found & ~_MUST if not node.least else found
        if isinstance(node, Call):
            assert node.group is not None
            return self.of(node.group, head)
        if isinstance(node, Group):
            return self._group(node, head)
        if isinstance(node, Condition):
            return self._condition(node, head)
        if isinstance(node, Look | Atomic | Scope):
            return self.of(node.body, head)
        return 0

    def _group(self, group: Group, head: bool) -> int:
        if group.number in self.open:
            return 0
        if group is self.group:
            return _EXISTS | _MUST | (_ENDLESS if head else 0)
        self.open.add(group.number)
        found = self.of(group.body, head)
        self.open.discard(group.number)
        return found

    def _condition(self, node: Condition, head: bool) -> int:
        found = self.of(node.test, head)
        if found & _ENDLESS:
            return found
        if node.yes is not None:
            found |= self.of(node.yes, head and not self.lengths.least(node.test))
            if found & _ENDLESS:
                return found
        if node.no is None:
            return found & ~_MUST
        one = self.of(node.no, head)
        if one & _ENDLESS:
            return one
        found |= one & _EXISTS
        return found if one & _MUST else found & ~_MUST


class Lengths:
    """Lengths of the matches of nodes. Those of groups are cached, as there may be many calls of a group."""

    def __init__(self, nodes: dict[int, Group]) -> None:
        self.nodes = nodes
        self._least: dict[int, int] = {}
        self._spans: dict[int, Span] = {}

    def least(self, node: Node) -> int:
        """Return 0 if a node may match the empty text, else a positive number."""
        if isinstance(node, Text):
            return len(node.text)
        if isinstance(node, Set | Dot):
            return 1
        if isinstance(node, Sequence):
            return max([self.least(part) for part in node.parts], default=0)
        if isinstance(node, Choice):
            return min([self.least(choice) for choice in node.choices])
        if isinstance(node, Repeat):
            return self.least(node.body) if node.least else 0
        if isinstance(node, Call):
            assert node.group is not None
            return self.least(node.group)
        if isinstance(node, Group):
            if node.number not in self._least:
                self._least[node.number] = 0  # inside itself
                self._least[node.number] = self.least(node.body)
            return self._least[node.number]
        if isinstance(node, Scope | Atomic):
            return self.least(node.body)
        if isinstance(node, Back):
            if node.test or node.inner:
                return 0
            return min([self.least(self.nodes[number]) for number in node.numbers])
        if isinstance(node, Condition):
            if node.no is None:
                return 0
            yes = max(self.least(part) for part in (node.test, node.yes) if part is not None)
            return min(yes, self.least(node.no))
        return UNBOUNDED if isinstance(node, Fail) else 0

    def span(self, node: Node) -> Span:
        """Return the minimum and the maximum number of characters, and whether the minimum is certain."""
        if isinstance(node, Text):
            if node.fold:
                raise OnigError(words.INVALID_LOOK_BEHIND)
            return len(node.text), len(node.text), True
        if isinstance(node, Set | Dot):
            return 1, 1, True
        if isinstance(node, Callout | Keep | Fail | Save | Restore):
            return 0, 0, True
        if isinstance(node, Place | Look):
            return 0, 0, False
        if isinstance(node, Sequence):
            return _in_turn([self.span(part) for part in node.parts])
        if isinstance(node, Choice):
            found = self.span(node.choices[0])
            for choice in node.choices[1:]:
                found = _either(found, self.span(choice))
            return found
        if isinstance(node, Repeat):
            if not node.most:
                return 0, 0, True
            least, most, sure = self.span(node.body)
            unbounded = most >= UNBOUNDED or node.most == INFINITE
            return least * node.least, UNBOUNDED if unbounded else most * node.most, sure
        if isinstance(node, Group):
            if node.number not in self._spans:
                self._spans[node.number] = (0, UNBOUNDED, False)  # inside itself
                least, most, _ = self.span(node.body)
                self._spans[node.number] = least, most, False
            return self._spans[node.number]
        if isinstance(node, Atomic | Scope):
            return self.span(node.body)
        if isinstance(node, Call):
            assert node.group is not None
            if node.recursive:
                return 0, UNBOUNDED, False
            return self.span(node.group)
        if isinstance(node, Back):
            return self._back(node)
        assert isinstance(node, Condition)
        yes = _in_turn([self.span(part) for part in (node.test, node.yes) if part is not None])
        return _either(yes, (0, 0, True) if node.no is None else self.span(node.no))

    def _back(self, back: Back) -> Span:
        if back.test:
            return 0, 0, False
        if back.inner:
            return 0, 0 if back.level is None else UNBOUNDED, False
        found = None
        for number in back.numbers:
            least, most, sure = self.span(self.nodes[number])
            one = least, most, sure and least == most
            found = one if found is None else _either(found, one)
        assert found is not None
        return found


def _in_turn(spans: list[Span]) -> Span:
    least, most, sure = 0, 0, True
    for span in spans:
        least, most, sure = min(least + span[0], UNBOUNDED), min(most + span[1], UNBOUNDED), sure and span[2]
    return least, most, sure


def _either(one: Span, other: Span) -> Span:
    if one[0] == other[0]:
        sure = one[2] or other[2]
    else:
        sure = one[2] if one[0] < other[0] else other[2]
    return min(one[0], other[0]), max(one[1], other[1]), sure


class _Tuner:
    def __init__(self, pattern: Pattern) -> None:
        self.lengths = Lengths(pattern.nodes)

    def tuned(self, node: Node, varies: bool, behind: bool) -> Node:
        """Return the node that replaces this one.

        ``varies``: its captures may be undone. ``behind``: it is in a look-behind.
        """
        if isinstance(node, Text):
            if node.fold and node.text:
                return unfolded(node.text, behind)
            return node
        if isinstance(node, Scope):
            node.body = self.tuned(node.body, varies, behind)
            return node if behind else node.body
        if isinstance(node, Look) and not node.ahead:
            return self._tune_look_behind(node, varies)
        if isinstance(node, Sequence):
            node.parts = [self.tuned(part, varies, behind) for part in node.parts]
        elif isinstance(node, Choice):
            node.choices = [self.tuned(choice, True, behind) for choice in node.choices]
        elif isinstance(node, Group):
            node.restored = varies or node.referenced or node.recursive
            node.body = self.tuned(node.body, varies, behind)
        elif isinstance(node, Repeat):
            if node.most and not self.lengths.least(node.body):
                node.hollow = _hollowness(node.body)
            node.body = self.tuned(node.body, varies or node.least != node.most, behind)
        elif isinstance(node, Look):
            node.body = self.tuned(node.body, varies or node.negative, behind)
        elif isinstance(node, Atomic):
            node.body = self.tuned(node.body, varies, behind)
        elif isinstance(node, Condition):
            node.test = self.tuned(node.test, True, behind)
            if node.yes is not None:
                node.yes = self.tuned(node.yes, True, behind)
            if node.no is not None:
                node.no = self.tuned(node.no, True, behind)
        return node

    def _tune_look_behind(self, look: Look, varies: bool) -> Node:
        used = _check_behind(look.body, look.negative)
        body = look.body = self.tuned(look.body, varies or look.negative, True)
        choices = body.choices if isinstance(body, Choice) else [body]
        for choice in choices:
            _shorten(choice)
        least, most, sure = self.lengths.span(body)
        if least > _MOST_BEHIND or _MOST_BEHIND < most < UNBOUNDED:
            raise OnigError(words.INVALID_LOOK_BEHIND)
        if not least and sure and not used:
            return Fail() if look.negative else Text("")
        if least != most:
            raise OnigError(words.INVALID_LOOK_BEHIND)
        look.body = _without_scopes(body)
        look.length = least
        return look


def _without_scopes(node: Node) -> Node:
    if isinstance(node, Scope):
        return _without_scopes(node.body)
    if isinstance(node, Sequence):
        node.parts = [_without_scopes(part) for part in node.parts]
    elif isinstance(node, Choice):
        node.choices = [_without_scopes(choice) for choice in node.choices]
    elif isinstance(node, Group | Repeat | Atomic):
        node.body = _without_scopes(node.body)
    elif isinstance(node, Condition):
        node.test = _without_scopes(node.test)
        if node.yes is not None:
            node.yes = _without_scopes(node.yes)
        if node.no is not None:
            node.no = _without_scopes(node.no)
    return node


def _check_behind(node: Node, negative: bool) -> bool:
    """Raise ``OnigError`` for nodes not allowed in a look-behind; return whether the pattern refers to its groups."""
    if not _is_allowed_behind(node, negative):
        raise OnigError(words.INVALID_LOOK_BEHIND)
    used = isinstance(node, Keep)
    if isinstance(node, Group):
        used = node.referenced or node.called
    elif isinstance(node, Call):
        used = node.recursive
    for part in children(node):
        used |= _check_behind(part, negative)
    return used


def _is_allowed_behind(node: Node, negative: bool) -> bool:
    if isinstance(node, Group):
        return not negative
    if isinstance(node, Restore):
        return not node.cutting
    if isinstance(node, Place):
        return node.kind in _PLACES_BEHIND
    if isinstance(node, Look):
        return not node.ahead and (negative or not node.negative)
    return True


def _shorten(node: Node) -> None:
    """Reduce repetitions at the start of a look-behind to their minimum: more turns change nothing."""
    parts = node.parts if isinstance(node, Sequence) else [node]
    for part, following in zip(parts, [*parts[1:], None], strict=True):
        if not isinstance(part, Repeat) or not isinstance(part.body, Text | Set | Dot | Back):
            return
        if following is not None and _is_final(part, following):
            return
        part.most = part.least
        if part.most:
            return
    if isinstance(node, Sequence):
        raise OnigError(words.UNDEFINED)  # nothing is left; Oniguruma has no message for it


def _is_final(repeat: Repeat, following: Node) -> bool:
    """Return whether Oniguruma makes a repetition possessive, since the next node can't begin with its body."""
    if not repeat.greedy or repeat.most != INFINITE or repeat.least > 1:
        return False
    body, head = repeat.body, _head(following)
    if head is None or not isinstance(body, Text | Set):
        return False
    return _exclude(body, head)


def _head(node: Node) -> Text | Set | None:
    if isinstance(node, Text):
        return node if node.text else None
    if isinstance(node, Set):
        return node
    if isinstance(node, Sequence):
        return _head(node.parts[0]) if node.parts else None
    if isinstance(node, Repeat):
        return _head(node.body) if node.least else None
    if isinstance(node, Group | Atomic):
        return _head(node.body)
    if isinstance(node, Look) and node.ahead and not node.negative:
        return _head(node.body)
    return None


def _exclude(one: Text | Set, other: Text | Set) -> bool:
    if isinstance(one, Text) and isinstance(other, Text):
        return any(a != b for a, b in zip(one.text.encode(), other.text.encode(), strict=False))
    if isinstance(one, Text):
        return isinstance(other, Set) and not other.chars.contains(one.text[0])
    if isinstance(other, Text):
        return not one.chars.contains(other.text[0])
    a, b = one.chars, other.chars
    if a.latin and b.latin:
        return a.negated is not b.negated
    if not a.mask() & b.mask():
        if a.latin or b.latin:
            other_chars = b if a.latin else a
            return other_chars.beyond() is False
        return a.beyond() is False or b.beyond() is False
    return False


def _hollowness(node: Node) -> int:
    """Return the kind of a repetition with this body, which may match the empty text."""
    if isinstance(node, Group):
        return HOLLOW_RECURSIVE if node.recursive else HOLLOW_CAPTURES
    if isinstance(node, Call):
        assert node.group is not None
        if node.recursive:
            return HOLLOW_RECURSIVE
        return _hollowness(node.group)
    if isinstance(node, Look):
        return HOLLOW
    if isinstance(node, Repeat) and not node.most:
        return HOLLOW
    return max([_hollowness(part) for part in children(node)], default=HOLLOW)


def _watch(pattern: Pattern) -> None:
    """Mark the repetitions that contain a group with a back-reference outside the repetition."""
    hollow: dict[int, Repeat] = {}
    backs: list[tuple[Back, list[Repeat]]] = []

    def visit(node: Node, empty: Repeat | None, around: list[Repeat]) -> None:
        if isinstance(node, Repeat):
            around = [*around, node]
            if node.hollow:
                empty = node
        elif isinstance(node, Look) and not node.negative:
            empty = None
        elif isinstance(node, Group) and node.referenced and empty is not None:
            hollow[node.number] = empty
        elif isinstance(node, Back):
            backs.append((node, around))
        for part in children(node):
            visit(part, empty, around)

    visit(pattern.tree, None, [])
    for back, around in backs:
        for number in back.numbers:
            repeat = hollow.get(number)
            if repeat is not None and repeat not in around:
                repeat.watched.append(number)
