"""Parser of POSIX basic and extended regular expressions with GNU's extensions (POSIX XBD 9; glibc regcomp).

The differences between grep, sed, awk and the shell's ``=~`` are a ``Dialect``: a set of switches, which correspond to
glibc's RE_ bits. Error messages are glibc's.
"""

from __future__ import annotations

from ...text import EVERY, pause
from ..charclass import CLASSES
from ..tree import (
    Alternation,
    Anchor,
    BackReference,
    Bracket,
    Char,
    Concatenation,
    Dot,
    Group,
    Node,
    PatternError,
    Repeat,
)
from .reader import OPERATORS

DUP_MAX = 0x7FFF
_MAX_DEPTH = 50  # parentheses; four Python frames each
_MOST_OPERATORS = 100  # nested ones after an atom; two Python frames each
_WORD = ("\\w", Bracket("_", (), ("alnum",))), ("\\W", Bracket("_", (), ("alnum",), True))
_SPACE = ("\\s", Bracket("", (), ("space",))), ("\\S", Bracket("", (), ("space",), True))
_ESCAPED_CLASSES: dict[str, Bracket] = dict((*_WORD, *_SPACE))
_ESCAPED_ANCHORS = frozenset("bB<>`'")
BRACKET_OPENERS = {"[:": ":]", "[.": ".]", "[=": "=]"}


class Dialect:
    """One tool's choices for syntax that POSIX leaves undefined.

    ``leading``: how an ERE's repetition operator with nothing before it is parsed: ``error``, ``skip`` or ``literal``.
    """

    __slots__ = (
        "interval_or_literal",
        "leading",
        "list_escapes",
        "lone_paren",
        "repeat_again",
        "strict_class",
        "three_hyphens",
    )

    def __init__(
        self,
        *,
        leading: str,
        lone_paren: bool,
        interval_or_literal: bool,
        repeat_again: bool = True,
        list_escapes: bool = False,
        strict_class: bool = False,
        three_hyphens: bool = False,
    ) -> None:
        self.leading = leading
        self.lone_paren = lone_paren  # an ERE's ) without ( is literal
        self.interval_or_literal = interval_or_literal  # an ERE's { without a valid interval is literal
        self.repeat_again = repeat_again  # a BRE's x** is allowed
        self.list_escapes = list_escapes  # a backslash escapes in brackets
        self.strict_class = strict_class  # [:space:] is an error
        self.three_hyphens = three_hyphens  # "---" in brackets is one hyphen, as in [+---/]


DIALECTS: dict[str, Dialect] = {
    "posix": Dialect(leading="error", lone_paren=True, interval_or_literal=False),
    "sed": Dialect(leading="error", lone_paren=False, interval_or_literal=False, repeat_again=False, strict_class=True),
    "grep": Dialect(leading="skip", lone_paren=True, interval_or_literal=True, strict_class=True),
    "awk": Dialect(leading="literal", lone_paren=True, interval_or_literal=True, list_escapes=True, three_hyphens=True),
}


class Parsed:
    """The parser's result: the tree, the number of groups, warnings to print (grep)."""

    __slots__ = ("groups", "referenced", "tree", "warnings")

    def __init__(self, tree: Node, groups: int, referenced: bool, warnings: list[str]) -> None:
        self.tree = tree
        self.groups = groups
        self.referenced = referenced  # it has back-references
        self.warnings = warnings


class Parser:
    """Recursive descent over one pattern text."""

    __slots__ = (
        "_at",
        "_closed",
        "_depth",
        "_dialect",
        "_extended",
        "_first_group",
        "_may_repeat_again",
        "_size",
        "_text",
        "groups",
        "referenced",
        "warnings",
    )

    def __init__(self, text: str, extended: bool, dialect: Dialect, first_group: int = 0) -> None:
        self._text = text
        self._size = len(text)
        self._at = 0
        self._extended = extended
        self._dialect = dialect
        self._may_repeat_again = extended or dialect.repeat_again
        self._depth = 0
        self._first_group = first_group
        self._closed: set[int] = set()
        self.groups = first_group
        self.referenced = False
        self.warnings: list[str] = []

    def parse(self) -> Node:
        """Parse the whole text."""
        tree = self._alternation()
        if self._at < self._size:
            raise PatternError("Unmatched ) or \\)", self._at)
        return tree

    # Both syntaxes have the same operators; in a BRE most of them have a backslash.

    def _looking_at(self, operator: str) -> bool:
        if self._extended:
            return self._text.startswith(operator, self._at)
        return self._text.startswith("\\" + operator, self._at)

    def _width(self) -> int:
        return 1 if self._extended else 2

    def _alternation(self) -> Node:
        # A back-reference may refer to groups that are complete in its own branch.
        before, complete = frozenset(self._closed), set(self._closed)
        choices = [self._branch()]
        while self._looking_at("|"):
            self._at += self._width()
            complete |= self._closed
            self._closed = set(before)
            choices.append(self._branch())
        self._closed |= complete
        if len(choices) == 1:
            return choices[0]
        return Alternation(choices)

    def _at_branch_end(self) -> bool:
        if self._at >= self._size or self._looking_at("|"):
            return True
        if not self._looking_at(")"):
            return False
        if self._depth > 0 or not self._extended:
            return True
        return not self._dialect.lone_paren

    def _branch(self) -> Node:
        parts: list[Node] = []
        while not self._at_branch_end():
            if not len(parts) % EVERY:
                pause()
            has_operand = bool(parts)
            if parts and isinstance(parts[-1], Anchor):
                # A BRE's $ is an anchor only at the end, so that one before an operator is literal.
                has_operand = parts[-1].kind == "$" and not self._extended
            atom = None if has_operand else self._leading_operator(parts)
            if atom is None:
                if self._at_branch_end():
                    break
                atom = self._atom(not parts)
            if not isinstance(atom, Anchor):
                atom = self._repeats(atom)
            parts.append(atom)
        return parts[0] if len(parts) == 1 else Concatenation(parts)

    def _leading_operator(self, parts: list[Node]) -> Node | None:
        """Parse a repetition operator that has nothing to repeat."""
        while True:
            operator = self._operator()
            if not operator:
                return None
            if not self._extended:
                if operator == "\\{" and not self._dialect.repeat_again:
                    raise PatternError("Invalid preceding regular expression", self._at)
                self._at += len(operator)
                return Char(operator[-1])
            leading = self._dialect.leading
            if leading == "error":
                raise PatternError("Invalid preceding regular expression", self._at)
            if leading == "literal":
                self._at += 1
                return Char(operator)
            at = self._at
            bounds = self._bounds(operator)
            if bounds is None:
                self._at = at + 1
                return Char(operator)
            shown = "{...}" if operator == "{" else operator
            self.warnings.append(f"{shown} at start of expression")
            # GNU grep applies the operator to ^ and $, and ignores it after all other anchors.
            last = parts[-1] if parts else None
            if isinstance(last, Anchor) and last.kind in "^$":
                parts[-1] = Repeat(last, *bounds)

    def _operator(self) -> str:
        text, at = self._text, self._at
        char = text[at : at + 1]
        if char == "*":
            return char
        if self._extended:
            return char if char and char in "+?{" else ""
        pair = text[at : at + 2]
        return pair if pair in ("\\+", "\\?", "\\{") else ""

    def _repeats(self, atom: Node) -> Node:
        operators = 0
        while operator := self._operator():
            if operators and not self._may_repeat_again and operator in ("*", "\\{"):
                raise PatternError("Invalid preceding regular expression", self._at)
            bounds = self._bounds(operator)
            if bounds is None:
                break
            atom = self._repeat(atom, *bounds)
            operators += 1
            if operators > _MOST_OPERATORS and isinstance(atom, Repeat) and isinstance(atom.body, Repeat):
                raise PatternError("Regular expression too big", self._at)
        return atom

    @staticmethod
    def _repeat(atom: Node, least: int, most: int | None) -> Node:
        # x** and x?* become x*, because engines reject or mishandle doubled operators, and hundreds nest too deeply.
        is_operator = least <= 1 and most in (1, None)
        if not isinstance(atom, Repeat) or not is_operator:
            return Repeat(atom, least, most)
        if atom.least > 1 or atom.most not in (1, None):
            return Repeat(atom, least, most)
        both_optional = atom.most == most == 1
        return Repeat(atom.body, min(atom.least, least), 1 if both_optional else None)

    def _bounds(self, operator: str) -> tuple[int, int | None] | None:
        """Parse an operator; None, with nothing consumed, if a ``{`` is literal after all."""
        if operator[-1] != "{":
            self._at += len(operator)
            return OPERATORS[operator[-1]]
        start = self._at
        self._at += len(operator)
        least, most, mark = self._interval(start)
        if -2 in (least, most):
            if self._extended and self._dialect.interval_or_literal:
                self._at = start
                return None
            raise PatternError("Invalid content of \\{\\}" if mark else "Unmatched \\{", start)
        if mark != "}" or (most is not None and least > most):
            raise PatternError("Invalid content of \\{\\}", start)
        if max(least, most or 0) > DUP_MAX:
            raise PatternError("Regular expression too big", start)
        return least, most

    def _interval(self, start: int) -> tuple[int, int | None, str]:
        """Parse the inside of braces: its bounds, as ``_number`` gives them, and the mark after the last one."""
        least, mark = self._number()
        if least == -1:  # GNU reads ``{,3}`` as ``{0,3}``
            if mark != ",":
                raise PatternError("Invalid content of \\{\\}" if mark else "Unmatched { or \\{", start)
            least = 0
        if least == -2 or mark != ",":
            return least, least, mark
        most, mark = self._number()
        if most == -1:
            return least, None, mark
        return least, most, mark

    def _number(self) -> tuple[int, str]:
        """Parse up to a comma or closing brace: the number (-1 none, -2 invalid) and that mark, "" at the end."""
        number = -1
        while self._at < self._size:
            pause()
            if self._looking_at("}"):
                self._at += self._width()
                return number, "}"
            char = self._text[self._at]
            self._at += 1
            if char == ",":
                return number, ","
            if number == -2 or char not in "0123456789":
                number = -2
            else:
                number = min(DUP_MAX + 1, max(number, 0) * 10 + int(char))
        return -2, ""

    def _atom(self, first: bool) -> Node:
        text = self._text
        char = text[self._at]
        if char == "\\":
            return self._escape()
        if self._extended and char == "(":
            return self._group()
        self._at += 1
        if char == "[":
            return self._bracket()
        if char == ".":
            return Dot()
        if char == "^" and (self._extended or first):
            return Anchor("^")
        if char == "$" and (self._extended or self._at_branch_end()):
            return Anchor("$")
        return Char(char)

    def _escape(self) -> Node:
        text = self._text
        if self._at + 1 >= self._size:
            raise PatternError("Trailing backslash", self._at)
        char = text[self._at + 1]
        if char == "(" and not self._extended:
            return self._group()
        self._at += 2
        if char in "123456789":
            number = int(char) + self._first_group
            if number not in self._closed:
                raise PatternError("Invalid back reference", self._at - 2)
            self.referenced = True
            return BackReference(number)
        if char in _ESCAPED_ANCHORS:
            return Anchor(char)
        return _ESCAPED_CLASSES.get("\\" + char) or Char(char)

    def _group(self) -> Node:
        start = self._at
        self._at += self._width()
        self.groups += 1
        number = self.groups
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise PatternError("Regular expression too big", start)
        body = self._alternation()
        self._depth -= 1
        if not self._looking_at(")"):
            raise PatternError("Unmatched ( or \\(", start)
        self._at += self._width()
        self._closed.add(number)
        return Group(number, body)

    def _bracket(self) -> Node:
        text = self._text
        start = self._at
        negated = text.startswith("^", self._at)
        if negated:
            self._at += 1
        chars: list[str] = []
        ranges: list[tuple[str, str]] = []
        classes: list[str] = []
        first = True
        while True:
            if self._at >= self._size:
                raise self._unclosed(start, first)
            if text[self._at] == "]" and not first:
                self._at += 1
                break
            first = False
            low = self._bracket_item(classes)
            if self._is_range():
                self._at += 1
                ranges.append((low, self._range_end(low, classes)))
            elif low:
                chars.append(low)
        if self._dialect.strict_class:
            self._check_class(text[start : self._at - 1], start - 1)
        return Bracket("".join(dict.fromkeys(chars)), tuple(ranges), tuple(classes), negated)

    def _range_end(self, low: str, classes: list[str]) -> str:
        """Parse the end of a range after its hyphen; ``low`` is its start, "" for a class."""
        if self._text.startswith("[:", self._at):
            raise PatternError("Invalid range end", self._at)
        high = self._bracket_item(classes)
        if not low or not high or high < low:
            raise PatternError("Invalid range end", self._at)
        if self._is_range():  # ``a-c-e``
            raise PatternError("Invalid range end", self._at)
        return high

    @staticmethod
    def _check_class(members: str, at: int) -> None:
        """Raise for ``[:space:]`` alone: its characters are hardly meant as such (GNU)."""
        if len(members) > 2 and members[0] == ":" == members[-1]:
            raise PatternError("character class syntax is [[:space:]], not [:space:]", at)

    @staticmethod
    def _unclosed(start: int, empty: bool) -> PatternError:
        if empty:  # glibc has another message for a bracket at the end of the pattern
            return PatternError("Invalid regular expression", start - 1)
        return PatternError("Unmatched [, [^, [:, [., or [=", start - 1)

    def _is_range(self) -> bool:
        text, at = self._text, self._at
        if not text.startswith("-", at):
            return False
        if self._dialect.three_hyphens and text.startswith("---", at):
            return False
        return text[at + 1 : at + 2] not in ("", "]")

    def _bracket_item(self, classes: list[str]) -> str:
        """Parse a member of a bracket expression; a class is added to ``classes``, and the result is ""."""
        text, at = self._text, self._at
        if at >= self._size:
            raise PatternError("Unmatched [, [^, [:, [., or [=", at)
        closer = BRACKET_OPENERS.get(text[at : at + 2])
        if closer is None:
            if self._dialect.list_escapes and text[at] == "\\" and at + 1 < self._size:
                at += 1
            is_long = self._dialect.three_hyphens and text.startswith("---", at)
            self._at = at + 3 if is_long else at + 1
            return text[at]
        end = text.find(closer, at + 3)
        if end < 0:
            raise PatternError("Unmatched [, [^, [:, [., or [=", at)
        name = text[at + 2 : end]
        self._at = end + 2
        if closer == ":]":
            if name not in CLASSES:
                raise PatternError("Invalid character class name", at)
            classes.append(name)
            return ""
        if len(name) != 1:
            raise PatternError("Invalid collation character", at)
        return name


def parse_posix(text: str, extended: bool, dialect: str = "posix", first_group: int = 0) -> Parsed:
    """Parse a pattern. Raise ``PatternError`` with glibc's message. Groups are numbered from ``first_group + 1``."""
    parser = Parser(text, extended, DIALECTS[dialect], first_group)
    tree = parser.parse()
    return Parsed(tree, parser.groups, parser.referenced, parser.warnings)
