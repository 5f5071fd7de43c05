"""Parser of Oniguruma's regular expressions in jq's syntax: Perl's with named groups, on UTF-8.

``parse`` returns the tree; an invalid pattern raises ``OnigError`` with Oniguruma's message. In the tree, case is still
ignored by flags, and calls and references are unchecked: see ``tuning``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import errors as words
from .brackets import decoded, encoded_length, read_class
from .errors import OnigError
from .folding import folded
from .nodes import (
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
)
from .sets import WORD, CharSet
from .tokens import (
    ANYTHING,
    BACK,
    BAR,
    BYTE,
    CALL,
    CLASS,
    CLOSE,
    CODE,
    DOT,
    DOT_ALL,
    END,
    EXTENDED,
    IGNORE_CASE,
    INTERVAL,
    KEEP,
    NEWLINE,
    NOT_NEWLINE,
    ONE_LINE,
    OPEN,
    PLACE,
    PROPERTY,
    QUOTE,
    REPEAT,
    SEGMENT,
    STRING,
    TYPE,
    Tokens,
)

if TYPE_CHECKING:
    from ....cancel import CancelScope

_CALLOUTS = frozenset(("MISMATCH", "ERROR", "SKIP", "MAX", "COUNT", "TOTAL_COUNT", "CMP"))


class Unsupported(Exception):
    """An operator of Oniguruma that these engines do not support."""


def parse(pattern: str, options: int, scope: CancelScope | None = None) -> Pattern:
    """Parse a pattern. Raise ``OnigError`` if it is invalid, ``Unsupported`` for an unsupported operator."""
    return _Parser(Tokens(pattern, options | ONE_LINE, scope)).whole()


class _Parser:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.nodes: dict[int, Group] = {}
        self.calls = 0
        self.calls_whole = False
        self.marks = 0

    def whole(self) -> Pattern:
        tokens = self.tokens
        tokens.fetch()
        tree = self._choices(END)
        if self.calls_whole:
            tree = self.nodes[0] = Group(0, tree)
        pattern = Pattern(tree, tokens.groups, tokens.names, self.calls)
        pattern.nodes = self.nodes
        return pattern

    def _choices(self, term: int) -> Node:
        """Parse alternatives up to ``term``; the token after it is not read yet."""
        return _one_of(self._alternatives(term))

    def _alternatives(self, term: int) -> list[Node]:
        tokens = self.tokens
        options = tokens.options  # the change of (?i) lasts to the end of all alternatives
        choices = [self._branch(term)]
        while tokens.kind == BAR:
            tokens.fetch()
            choices.append(self._branch(term))
        if tokens.kind != term:
            raise OnigError(words.UNMATCHED_OPEN)
        tokens.options = options
        return choices

    def _branch(self, term: int) -> Node:
        tokens = self.tokens
        first = self._element(term)
        if tokens.kind in (END, term, BAR):
            return first
        parts = [first]
        while tokens.kind not in (END, term, BAR):
            part = self._element(term)
            if isinstance(part, Sequence):
                parts += part.parts
            else:
                parts.append(part)
        parts = merged(parts)
        if len(parts) == 1 and isinstance(parts[0], Text):
            return parts[0]
        return Sequence(parts)

    def _element(self, term: int) -> Node:
        """Parse an atom and its repetitions, and read the token after them."""
        tokens = self.tokens
        kind = tokens.kind
        if kind in (term, BAR, END):
            return Text("")
        if kind == OPEN:
            node = self._parenthesis()
            tokens.fetch()
            if node is None:
                return self._element(term)
        elif kind == CLOSE:
            raise OnigError(words.UNMATCHED_CLOSE)
        elif kind in (REPEAT, INTERVAL):
            raise OnigError(words.NO_TARGET)
        elif kind == BYTE:
            node = self._bytes()
        else:
            node = self._atom(kind)
            tokens.fetch()
        before: list[Node] = []
        if kind == QUOTE and tokens.kind in (REPEAT, INTERVAL) and isinstance(node, Text) and len(node.text) > 1:
            before = [Text(node.text[:-1], node.fold)]
            node = Text(node.text[-1], node.fold)
        while tokens.kind in (REPEAT, INTERVAL):
            if _is_invalid_target(node):
                raise OnigError(words.INVALID_TARGET)
            node = self._repeated(node)
            tokens.fetch()
        return Sequence([*before, node]) if before else node

    def _repeated(self, target: Node) -> Node:
        tokens = self.tokens
        least, most = tokens.counts
        if (least, most) == (1, 1):
            return target
        repeat = repeated(target, least, most, tokens.greedy)
        return Atomic(repeat) if tokens.possessive else repeat

    def _atom(self, kind: int) -> Node:
        tokens = self.tokens
        ignore_case = bool(tokens.options & IGNORE_CASE)
        if kind in (STRING, CODE):
            return Text(tokens.char, ignore_case)
        if kind == DOT:
            return Dot(bool(tokens.options & DOT_ALL))
        if kind == TYPE:
            return _class(*tokens.named)
        if kind == PLACE:
            return Place(tokens.char)
        if kind == CLASS:
            chars = read_class(tokens)
            return folded(chars) if ignore_case else Set(chars)
        if kind == PROPERTY:
            return _class(tokens.property_name(), tokens.named[1])
        if kind == BACK:
            inner = any(number <= tokens.groups and number not in self.nodes for number in tokens.numbers)
            return Back(tokens.numbers, ignore_case, tokens.level, inner)
        if kind == CALL:
            self.calls += 1
            self.calls_whole |= tokens.number == 0
            return Call(tokens.name, tokens.number)
        if kind == QUOTE:
            end = tokens.pattern.find("\\E", tokens.at)
            start, tokens.at = tokens.at, end + 2
            if end < 0:  # without ``\\E`` the quotation lasts to the end of the pattern
                end = tokens.at = tokens.size
            quoted = tokens.pattern[start:end]
            return Text(quoted, ignore_case)
        return _special(kind)

    def _bytes(self) -> Node:
        """Parse ``\\xE2\\x82\\xAC``: the bytes of one character; the token after it is read."""
        tokens = self.tokens
        data = bytearray((tokens.byte,))
        while len(data) < encoded_length(data[0]):
            if tokens.fetch() != BYTE:
                raise OnigError(words.SHORT_STRING)
            data.append(tokens.byte)
        tokens.fetch()
        return Text(decoded(bytes(data)), bool(tokens.options & IGNORE_CASE))

    # Parentheses

    def _parenthesis(self) -> Node | None:
        """Parse a group after its ``(``, up to its ``)``; None for options that apply from here on."""
        tokens = self.tokens
        if tokens.at >= tokens.size:
            raise OnigError(words.UNMATCHED_OPEN)
        char = tokens.peek()
        if char == "*":
            tokens.at += 1
            return self._named_callout()
        if char != "?":
            tokens.groups += 1
            return self._group(tokens.groups)
        tokens.at += 1
        char = self._char(words.END_IN_GROUP)
        if char == ":":
            return self._body()
        if char in "=!":
            return Look(self._body(), True, char == "!")
        if char == ">":
            return Atomic(self._body())
        if char == "'":
            return self._named_group("'")
        if char == "<":
            char = self._char(words.UNMATCHED_OPEN)
            if char in "=!":
                return Look(self._body(), False, char == "!")
            tokens.at -= 1
            return self._named_group("<")
        if char == "~":
            return self._absence()
        if char == "{":
            return self._callout()
        if char == "(":
            return self._condition()
        if char in "-imsx":
            return self._options(char)
        raise OnigError(words.UNDEFINED_OPTION)

    def _char(self, at_end: str) -> str:
        tokens = self.tokens
        if tokens.at >= tokens.size:
            raise OnigError(at_end)
        tokens.at += 1
        return tokens.pattern[tokens.at - 1]

    def _body(self) -> Node:
        self.tokens.fetch()
        return self._choices(CLOSE)

    def _group(self, number: int) -> Group:
        group = Group(number, Text(""))
        group.body = self._body()
        self.nodes[number] = group
        return group

    def _named_group(self, opener: str) -> Group:
        tokens = self.tokens
        start = tokens.at
        end, _, _ = tokens.read_name(opener, False)
        tokens.groups += 1
        tokens.names.setdefault(tokens.pattern[start:end], []).append(tokens.groups)
        return self._group(tokens.groups)

    def _options(self, char: str) -> Node | None:
        tokens = self.tokens
        options = tokens.options
        off = False
        while True:
            if char == "-":
                off = True
            elif char in "xis":
                bits = {"x": EXTENDED, "i": IGNORE_CASE, "s": DOT_ALL}[char]
                options = options & ~bits if off else options | bits
            elif char == "m":
                options = options | ONE_LINE if off else options & ~ONE_LINE
            elif char == ")":
                tokens.options = options
                return None
            elif char == ":":
                before = tokens.options
                tokens.options = options
                body = self._body()
                tokens.options = before
                return Scope(body)
            else:
                raise OnigError(words.UNDEFINED_OPTION)
            char = self._char(words.END_IN_GROUP)

    def _condition(self) -> Node:
        tokens = self.tokens
        char = self._char(words.END_IN_GROUP)
        if tokens.at >= tokens.size:
            raise OnigError(words.END_IN_GROUP)
        checker = self._checker(char)
        test: Node
        if checker is not None:
            test = checker
        elif char == "*":
            test = self._named_callout()
        elif char == "?" and tokens.peek() == "{":
            tokens.at += 1
            test = self._callout()
        else:
            tokens.at -= 1
            test = self._body()
        if tokens.at >= tokens.size:
            raise OnigError(words.END_IN_GROUP)
        if tokens.peek() == ")":
            if checker is None:
                raise OnigError(words.INVALID_CONDITION)
            tokens.at += 1
            return test
        yes_is_empty = tokens.peek() == "|"
        tokens.at += yes_is_empty
        tokens.fetch()
        choices = self._alternatives(CLOSE)
        if yes_is_empty:
            return Condition(test, None, _one_of(choices))
        if len(choices) == 1:
            return Condition(test, choices[0], None)
        return Condition(test, choices[0], _one_of(choices[1:]))

    def _checker(self, char: str) -> Back | None:
        """Parse ``1)``, ``<name>)`` and similar in a condition; None if the condition is an expression."""
        if char not in "0123456789-+<'":
            return None
        tokens = self.tokens
        enclosed = char in "<'"
        here = tokens.at
        if not enclosed:
            tokens.at -= 1
        try:
            numbers, level = tokens.read_reference(char if enclosed else "(")
        except OnigError as error:
            if enclosed or error.message in (words.INVALID_BACK,):
                raise
            tokens.at = here
            return None
        if enclosed and self._char(words.END_IN_GROUP) != ")":
            raise OnigError(words.END_IN_GROUP)
        inner = any(number <= tokens.groups and number not in self.nodes for number in numbers)
        return Back(numbers, False, level, inner, test=True)

    # Callouts

    def _callout(self) -> Node:
        """Parse ``(?{...}[tag]X)`` after its first brace; the callout has no effect."""
        tokens = self.tokens
        braces = 1
        while tokens.peek() == "{":
            braces += 1
            tokens.at += 1
        end = tokens.pattern.find("}" * braces, tokens.at)
        if end < 0:
            raise OnigError(words.INVALID_CALLOUT)
        tokens.at = end + braces
        char = self._tag(self._char(words.END_IN_GROUP))
        if char in "X<>":
            char = self._char(words.END_IN_GROUP)
        if char != ")":
            raise OnigError(words.INVALID_CALLOUT)
        return Callout()

    def _named_callout(self) -> Node:
        """Parse ``(*NAME)``: only FAIL is supported here."""
        tokens = self.tokens
        start = tokens.at
        if start >= tokens.size:
            raise OnigError(words.INVALID_CALLOUT)
        char = ""
        while char not in (")", "[", "{"):
            char = self._char(words.END_IN_GROUP)
        name = tokens.pattern[start : tokens.at - 1]
        if not _is_identifier(name):
            raise OnigError("invalid callout name")
        plain = char == ")"
        char = self._tag(char)
        if name in _CALLOUTS or (name == "FAIL" and not plain):
            raise Unsupported(f"(*{name})")
        if name != "FAIL":
            raise OnigError(words.UNDEFINED_CALLOUT)
        return Callout(fails=True)

    def _tag(self, char: str) -> str:
        """Parse ``[tag]`` if ``char`` is its bracket, and return the character after it."""
        if char != "[":
            return char
        tokens = self.tokens
        start = tokens.at
        end = tokens.pattern.find("]", start)
        if end < 0:
            end = tokens.size - 1
        tokens.at = end + 1
        if not _is_identifier(tokens.pattern[start:end]):
            raise OnigError("invalid callout tag name")
        return self._char(words.END_IN_GROUP)

    # Absence

    def _absence(self) -> Node:
        """Parse ``(?~absent)``, ``(?~|absent|expression)``, ``(?~|absent)`` or ``(?~|)``."""
        tokens = self.tokens
        bar = tokens.peek() == "|"
        if tokens.at >= tokens.size:
            raise OnigError(words.END_IN_GROUP)
        if bar:
            tokens.at += 1
            if tokens.at >= tokens.size:
                raise OnigError(words.END_IN_GROUP)
            if tokens.peek() == ")":
                tokens.at += 1
                mark = self._mark()
                undo = Sequence([Restore("limit", mark), Fail()])
                clear = Choice([Restore("limit", -1, cutting=True), undo], lasting=True)
                return Sequence([Save("limit", mark), clear])
        tokens.fetch()
        choices = self._alternatives(CLOSE)
        absent = choices[0] if bar else _one_of(choices)
        expression: Node | None = None
        if bar and len(choices) == 1:
            return self._absent_range(absent, None)
        if bar:
            expression = _one_of(choices[1:])
        simple = _simple_repeat(expression)
        if simple is None:
            return self._absent_range(absent, expression)
        repeat, possessive = simple
        mark = self._mark()
        engine = self._absent_engine(mark, absent, repeat.body, repeat.least, repeat.most, possessive, False)
        return Sequence([Save("limit", mark), engine, Restore("limit", mark)])

    def _mark(self) -> int:
        self.marks += 1
        return self.marks - 1

    def _absent_range(self, absent: Node, expression: Node | None) -> Node:
        limit, place = self._mark(), self._mark()
        engine = self._absent_engine(limit, absent, Dot(True), 0, INFINITE, True, expression is None)
        parts: list[Node] = [Save("limit", limit), Save("place", place), engine, Restore("place", place)]
        if expression is not None:
            last = self._mark()
            undo = Sequence([Restore("limit", last), Fail()])
            parts += [expression, Save("limit", last), Choice([Restore("limit", limit), undo])]
        return Sequence(parts)

    def _absent_engine(
        self, limit: int, absent: Node, step: Node, least: int, most: int, possessive: bool, cutting: bool
    ) -> Node:
        """Return a repetition of ``step`` that extends at most to the next match of ``absent``."""
        mark = self._mark()
        sequence = Sequence([Save("place", mark), absent, Restore("limit_from_place", mark, cutting), Fail()])
        repeat: Node = Repeat(Choice([sequence, step]), least, most)
        if possessive:
            repeat = Atomic(repeat)
        return Choice([repeat, Sequence([Restore("limit", limit), Fail()])], lasting=cutting)


def _class(name: str, negated: bool) -> Node:
    is_word = name == "word"
    return Set(CharSet(classes=[(WORD if is_word else name, False)], negated=negated, latin=is_word))


def _is_identifier(name: str) -> bool:
    if not name.isascii() or name[:1].isdigit():
        return False
    return name.replace("_", "a").isalnum()


def _one_of(choices: list[Node]) -> Node:
    return choices[0] if len(choices) == 1 else Choice(choices)


def merged(parts: list[Node]) -> list[Node]:
    """Join adjacent texts."""
    out: list[Node] = []
    for part in parts:
        last = out[-1] if out else None
        if isinstance(part, Text) and isinstance(last, Text) and part.fold == last.fold:
            out[-1] = Text(last.text + part.text, part.fold)
        else:
            out.append(part)
    return out


def _special(kind: int) -> Node:
    if kind == KEEP:
        return Keep()
    if kind == NEWLINE:
        others = CharSet([(10, 13), (0x85, 0x85), (0x2028, 0x2029)])
        return Condition(Text("\r\n"), None, Set(others))
    if kind == NOT_NEWLINE:
        return Dot(False)
    if kind == ANYTHING:
        return Dot(True)
    assert kind == SEGMENT
    return Atomic(Sequence([Dot(True), Repeat(Sequence([Place("not_segment"), Dot(True)]), 0, INFINITE)]))


def _is_invalid_target(node: Node) -> bool:
    """Return whether a node must not be repeated. Oniguruma allows any sequence."""
    if isinstance(node, Choice):
        return any(_is_invalid_target(choice) for choice in node.choices)
    return isinstance(node, Place | Look | Keep | Callout | Fail | Save | Restore)


# Oniguruma's simplification of a repetition of a repetition, by inner and outer kind: ? * + ?? *? +?
_REDUCED = {
    "?": ("inner", "*", "*", "??", "*?", ""),
    "*": ("inner", "inner", "inner", "+)??", "+)??", "inner"),
    "+": ("*", "*", "inner", "", "+)??", "inner"),
    "??": ("inner", "*?", "*?", "inner", "*?", "*?"),
    "*?": ("inner", "inner", "inner", "inner", "inner", "inner"),
    "+?": ("", "*", "+", "*?", "*?", "inner"),
}
_KINDS = {
    (0, 1, True): "?",
    (0, INFINITE, True): "*",
    (1, INFINITE, True): "+",
    (0, 1, False): "??",
    (0, INFINITE, False): "*?",
    (1, INFINITE, False): "+?",
}
_COUNTS = {kind: counts for counts, kind in _KINDS.items()}


def repeated(target: Node, least: int, most: int, greedy: bool) -> Node:
    """Return the repetition of a node, simplified as in Oniguruma, as the simplification may change the meaning."""
    if not isinstance(target, Repeat):
        return Repeat(target, least, most, greedy)
    outer = _KINDS.get((least, most, greedy))
    inner = _KINDS.get((target.least, target.most, target.greedy))
    if inner is not None and outer is None:
        if inner in "*+" and most > 1 and greedy:
            most = least or 1
        return Repeat(target, least, most, greedy)
    if inner is None or outer is None:
        if least == most and target.least == target.most and most != INFINITE:
            count = least * target.least
            if count >= 1 << 31:
                raise OnigError(words.TOO_BIG_REPEAT)
            return Repeat(target.body, count, count, greedy)
        return Repeat(target, least, most, greedy)
    result = _REDUCED[inner][tuple(_REDUCED).index(outer)]
    if result == "inner":
        return target
    if result == "+)??":
        return Repeat(Repeat(target.body, 1, INFINITE, True), 0, 1, False)
    if result:
        return Repeat(target.body, *_COUNTS[result])
    return Repeat(target, least, most, greedy)


def _simple_repeat(node: Node | None) -> tuple[Repeat, bool] | None:
    """Return a greedy repetition of one character, and whether it is possessive; ``\\O*`` for None."""
    if node is None:
        return Repeat(Dot(True), 0, INFINITE), False
    possessive = isinstance(node, Atomic)
    repeat = node.body if isinstance(node, Atomic) else node
    if not isinstance(repeat, Repeat) or not repeat.greedy:
        return None
    body = repeat.body
    is_character = isinstance(body, Set) or (isinstance(body, Text) and len(body.text) == 1)
    if not is_character:
        return None
    return repeat, possessive
