"""Parser of the syntax of Rust's regex crate, with the messages of regex-syntax 0.8.

https://docs.rs/regex/1/regex/#syntax. Classes are Unicode's unless ``(?-u)``; set operations and nested classes
become look-around on one character, which RE2 does not support.

Known difference: the crate has a limit of 10 MiB for a compiled expression; here such an expression compiles.
"""

from __future__ import annotations

import re

from ...text import EVERY, pause
from ..ranges import ASCII, bracket
from ..tree import (
    Alternation,
    Anchor,
    Bracket,
    Char,
    Concatenation,
    Dot,
    Group,
    IgnoreCase,
    Look,
    Node,
    PatternError,
    Repeat,
)
from . import rust_classes
from .reader import OPERATORS, Reader, sequence

_MAX_DEPTH = 200
_MOST_COUNT = 2**32 - 1
_WRITTEN_COUNT = 0xFFFF
_CONTROL = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}
_HEX = "0123456789abcdefABCDEF"
_FLAGS = "imsUuRx"
_LOOKAROUND = "look-around, including look-ahead and look-behind, is not supported"
_ESCAPE_END = "incomplete escape sequence, reached end of pattern prematurely"
_NO_OPERAND = "repetition operator missing expression"
_UNCLOSED_COUNT = "unclosed counted repetition"
_BAD_SCALAR = "hexadecimal literal is not a Unicode scalar value"
_EDGE_NAME = re.compile(r"[A-Za-z-]*")
_EDGE_NAMES = {"start": "<", "end": ">", "start-half": "(", "end-half": ")"}
_PLACES = frozenset("AzbB<>")
_SET_OPERATORS = ("&&", "--", "~~")
_NOT_UTF8 = "pattern can match invalid UTF-8"
# Word boundaries: tests for a word character, each with whether it looks ahead and whether it is negative.
_EDGES: dict[str, tuple[tuple[bool, bool], ...]] = {
    "<": ((False, True), (True, False)),
    ">": ((False, False), (True, True)),
    "(": ((False, True),),
    ")": ((True, True),),
}


_CR, _LF = Char("\r"), Char("\n")
_ANY_CASE = bracket(ASCII)  # K and S have a third case beyond ASCII
_LINES = {"^": Anchor("^"), "$": Anchor("$")}
_TEXT = {"^": Anchor("`"), "A": Anchor("`"), "$": Anchor("'"), "z": Anchor("'")}
_CRLF_LINES = {
    "^": Alternation(
        [_TEXT["^"], Look(_LF, ahead=False), Concatenation([Look(_CR, ahead=False), Look(_LF, negative=True)])]
    ),
    "$": Alternation([_TEXT["$"], Look(_CR), Concatenation([Look(_CR, ahead=False, negative=True), Look(_LF)])]),
}


class Parsed:
    """The result of parsing: the tree, the groups, their names, and whether it has literals and upper-case letters."""

    __slots__ = ("groups", "has_literal", "has_upper", "names", "tree")

    def __init__(self, parser: _Parser) -> None:
        self.tree = parser.whole()
        self.groups = parser.groups
        self.names = parser.names
        self.has_literal = parser.has_literal
        self.has_upper = parser.has_upper


def parse(pattern: str) -> Node:
    """Return the tree of an expression. Raise ``PatternError`` with the crate's message."""
    return _Parser(pattern).whole()


def parse_all(pattern: str, flags: str = "u", *, bytes_too: bool = False) -> Parsed:
    """Parse an expression with initial flags. Raise ``PatternError`` with the crate's message.

    ``bytes_too``: it may match invalid UTF-8, as in the crate's ``regex::bytes``.
    """
    return Parsed(_Parser(pattern, flags, bytes_too))


class _Parser(Reader):
    def __init__(self, pattern: str, flags: str = "u", bytes_too: bool = False) -> None:
        super().__init__(pattern)
        self._flags = frozenset(flags)
        self._bytes_too = bytes_too
        self._mistake: PatternError | None = None  # errors that the crate reports only without any others
        self.names: dict[str, int] = {}
        self.groups = 0
        self._turns = 0
        self.has_literal = self.has_upper = False

    def whole(self) -> Node:
        tree = self._alternation()
        if self._at < len(self._text):
            raise PatternError("unopened group", self._at)
        # regex-syntax finds these when it translates the tree, after the parse.
        if self._mistake is not None:
            raise self._mistake
        return tree

    def _complain(self, message: str, at: int) -> None:
        is_allowed = self._bytes_too and message is _NOT_UTF8
        if self._mistake is None and not is_allowed:
            self._mistake = PatternError(message, at)

    def _skip_space(self) -> None:
        """Skip white space and comments if ``(?x)`` is set."""
        if "x" not in self._flags:
            return
        while (char := self._peek()) and (char.isspace() or char == "#"):
            self._pace()
            if char != "#":
                self._at += 1
                continue
            end = self._text.find("\n", self._at)
            self._at = len(self._text) if end < 0 else end + 1

    def _pace(self) -> None:
        self._turns += 1
        if not self._turns % EVERY:
            pause()

    def _step(self) -> bool:
        """Advance by one character and the space after it; return False at the end."""
        self._pace()
        self._at += 1
        self._skip_space()
        return self._at < len(self._text)

    def _branch(self) -> Node:
        parts: list[Node] = []
        repeatable = False
        while True:
            self._skip_space()
            char = self._peek()
            if not char or char in "|)":
                return sequence(parts)
            self._pace()
            if char in "*+?{":
                if not repeatable:
                    raise PatternError(_NO_OPERAND, self._at)
                parts[-1] = Repeat(parts[-1], *self._operator(char))
                continue
            atom = self._atom(char)
            repeatable = atom is not None
            if atom is not None:
                parts.append(atom)

    def _operator(self, char: str) -> tuple[int, int | None, bool]:
        """Parse an operator; return its minimum, its maximum, and whether it is lazy."""
        if char == "{":
            least, most = self._counted()
        else:
            self._at += 1
            least, most = OPERATORS[char]
        marked = self._peek() == "?"
        self._at += marked
        return least, most, marked != ("U" in self._flags)

    def _counted(self) -> tuple[int, int | None]:
        start = self._at
        self._step()
        first_at = self._at
        least = self._decimal(start) if self._peek() != "," else -1
        most: int | None = least
        if self._peek() == ",":
            if not self._step():
                raise PatternError(_UNCLOSED_COUNT, start)
            if least < 0:
                raise PatternError("repetition quantifier expects a valid decimal", first_at)
            most = None if self._peek() == "}" else self._decimal(start)
        if self._peek() != "}":
            raise PatternError(_UNCLOSED_COUNT, start)
        if most is not None and most < least:
            raise PatternError("invalid repetition count range, the start must be <= the end", start)
        self._step()
        # regex.compile unrolls the required turns, so counts are limited.
        if most is not None and most > _WRITTEN_COUNT:
            most = None
        return min(least, _WRITTEN_COUNT), most

    def _decimal(self, start: int) -> int:
        text = self._text
        while self._peek().isspace():
            self._at += 1
        if self._at >= len(text):
            raise PatternError(_UNCLOSED_COUNT, start)
        end = self._at
        while end < len(text) and text[end] in "0123456789":
            end += 1
        digits = text[self._at : end]
        if not digits:
            raise PatternError("repetition quantifier expects a valid decimal", self._at)
        if len(digits.lstrip("0")) > 10 or int(digits) > _MOST_COUNT:
            raise PatternError("decimal literal invalid", self._at)
        self._at = end
        while self._peek().isspace():
            self._at += 1
        return int(digits)

    def _atom(self, char: str) -> Node | None:
        start = self._at
        if char == "(":
            return self._group()
        if char == "[":
            return self._one_of(self._class(), start)
        if char == "\\":
            return self._escape()
        self._at += 1
        if char == ".":
            return self._dot(start)
        if char in "^$":
            return self._line_edge(char)
        return self._literal(char)

    def _line_edge(self, char: str) -> Node:
        if "m" not in self._flags:
            return _TEXT[char]
        if "R" in self._flags:
            return _CRLF_LINES[char]
        return _LINES[char]

    def _dot(self, at: int) -> Node:
        if "u" not in self._flags:
            self._complain(_NOT_UTF8, at)
        if "s" in self._flags:
            return Dot()
        return Bracket("\r\n" if "R" in self._flags else "\n", negated=True)

    def _literal(self, char: str) -> Node:
        self._note(char)
        if "i" not in self._flags:
            return Char(char)
        if "u" in self._flags:
            return IgnoreCase(Char(char))
        if char.isascii() and char.isalpha():
            return Bracket(char.lower() + char.upper())
        return Char(char)

    def _note(self, char: str) -> None:
        self.has_literal = True
        self.has_upper |= char.isupper()

    def _one_of(self, chars: Node, at: int) -> Node:
        """Return a class as an atom."""
        ignore_case = "i" in self._flags
        chars = rust_classes.folded(chars, ignore_case)
        if "u" in self._flags:
            return chars
        if rust_classes.goes_beyond_ascii(chars):
            self._complain(_NOT_UTF8, at)
        return Concatenation([Look(_ANY_CASE), chars]) if ignore_case else chars

    # Groups

    def _group(self) -> Node | None:
        start = self._at
        self._step()
        outer = self._flags
        if any(self._text.startswith(sign, self._at) for sign in ("?=", "?!", "?<=", "?<!")):
            raise PatternError(_LOOKAROUND, start)
        number = 0
        if self._peek(3) == "?P<" or self._peek(2) == "?<":
            number = self.groups = self.groups + 1
            self._at = self._text.index("<", self._at) + 1
            self._name(number)
        elif self._peek() == "?":
            self._at += 1
            if self._at >= len(self._text):
                raise PatternError("unclosed group", start)
            if self._flag_group():
                return None
        else:
            number = self.groups = self.groups + 1
        if self._depth >= _MAX_DEPTH:
            raise PatternError("exceed the maximum number of nested parentheses/brackets (200)", start)
        self._depth += 1
        body = self._alternation()
        self._depth -= 1
        if self._peek() != ")":
            raise PatternError("unclosed group", start)
        self._at += 1
        self._flags = outer
        return Group(number, body) if number else body

    def _name(self, number: int) -> None:
        start = self._at
        while (char := self._peek()) and char != ">":
            self._pace()
            is_first = self._at == start
            is_valid = char == "_" or char.isalpha()
            if not is_first and not is_valid:
                is_valid = char.isalnum() or char in ".[]"
            if not is_valid:
                raise PatternError("invalid capture group character", self._at)
            self._at += 1
        if not char:
            raise PatternError("unclosed capture group name", self._at)
        name = self._text[start : self._at]
        if not name:
            raise PatternError("empty capture group name", start)
        if name in self.names:
            raise PatternError("duplicate capture group name", start)
        self.names[name] = number
        self._at += 1

    def _flag_group(self) -> bool:
        """Parse ``i-s:`` or ``i)``; return whether the group ends right there."""
        start = self._at
        flags = set(self._flags)
        seen: set[str] = set()
        while (char := self._peek()) and char not in ":)":
            if char not in _FLAGS + "-":
                raise PatternError("unrecognized flag", self._at)
            if char in seen:
                again = "flag negation operator repeated" if char == "-" else "duplicate flag"
                raise PatternError(again, self._text.index(char, start))  # the position of the first of the two
            if "-" in seen:
                flags.discard(char)
            elif char != "-":
                flags.add(char)
            seen.add(char)
            self._at += 1
        if not char:
            raise PatternError("expected flag but got end of regex", self._at)
        if self._text[self._at - 1] == "-":
            raise PatternError("dangling flag negation operator", self._at - 1)
        if char == ")" and not seen:
            raise PatternError(_NO_OPERAND, start - 1)
        self._flags = frozenset(flags)
        self._at += 1
        return char == ")"

    # Escapes

    def _escape(self) -> Node:
        start = self._at
        letter = self._peek(2)[1:]
        if letter in _PLACES:
            self._at += 2
            return self._edge(letter, start)
        item = self._escaped()
        if isinstance(item, int):
            return self._literal(chr(item))
        return self._one_of(item, start)

    def _edge(self, letter: str, start: int) -> Node:
        """Return an end of the text, or a word boundary: ``b B < >`` or, for one side only, ``( )``."""
        if letter in _TEXT:
            return _TEXT[letter]
        if letter == "b" and self._peek() == "{":
            letter = self._special_edge(start) or "b"
        unicode = "u" in self._flags
        if letter in "bB":
            return Anchor(letter, rust_classes.WORD if unicode else None)
        word = rust_classes.WORD if unicode else rust_classes.ASCII_WORD
        return Concatenation([Look(word, ahead=ahead, negative=negative) for ahead, negative in _EDGES[letter]])

    def _special_edge(self, start: int) -> str | None:
        """Parse ``{start}`` and similar; None if the brace begins a repetition."""
        text, brace = self._text, self._at
        if brace + 1 >= len(text):
            raise PatternError(
                "found either the beginning of a special word boundary or a bounded repetition on a \\b with an "
                "opening brace, but no closing brace",
                start,
            )
        match = _EDGE_NAME.match(text, brace + 1)
        assert match is not None  # it may be empty
        name, end = match[0], match.end()
        if end == brace + 1:
            return None
        if text[end : end + 1] != "}":
            raise PatternError(
                "special word boundary assertion is either unclosed or contains an invalid character", brace
            )
        if name not in _EDGE_NAMES:
            raise PatternError(
                "unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half",
                brace + 1,
            )
        self._at = end + 1
        return _EDGE_NAMES[name]

    def _escaped(self) -> int | Node:
        """Parse an escape that is a character or a class."""
        start = self._at
        letter = self._peek(2)[1:]
        if not letter:
            raise PatternError(_ESCAPE_END, start)
        self._at += 1
        if letter in "0123456789":
            raise PatternError("backreferences are not supported", start)
        if letter in "xuU":
            return self._hex({"x": 2, "u": 4, "U": 8}[letter])
        if letter in "pP":
            return self._property(letter == "P", start)
        self._at += 1
        if letter in "dDsSwW":
            if "u" not in self._flags and letter.isupper():
                self._complain(_NOT_UTF8, start)
            return rust_classes.shorthand(letter, "u" in self._flags)
        if letter in _CONTROL:
            return _CONTROL[letter]
        if letter.isascii() and not letter.isalnum() and letter not in "<>":
            return ord(letter)
        raise PatternError("unrecognized escape sequence", start)

    def _hex(self, length: int) -> int:
        if not self._step():
            raise PatternError(_ESCAPE_END, self._at)
        start = self._at
        digits = ""
        if self._peek() == "{":
            while self._step() and self._peek() != "}":
                digits += self._hex_digit()
            if self._at >= len(self._text):
                raise PatternError(_ESCAPE_END, start)
            if not digits:
                raise PatternError("hexadecimal literal empty", start)
            self._at += 1
            start += 1
        else:
            while len(digits) < length:
                if self._at >= len(self._text):
                    raise PatternError(_ESCAPE_END, self._at)
                digits += self._hex_digit()
                self._at += 1
                if len(digits) < length:
                    self._skip_space()
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise PatternError(_BAD_SCALAR, start)
        return code

    def _hex_digit(self) -> str:
        if self._peek() not in tuple(_HEX):
            raise PatternError("invalid hexadecimal digit", self._at)
        return self._peek()

    def _property(self, negated: bool, start: int) -> Node:
        if not self._step():
            raise PatternError(_ESCAPE_END, self._at)
        name = self._peek()
        if name == "{":
            name = ""
            while self._step() and self._peek() != "}":
                name += self._peek()
            if self._at >= len(self._text):
                raise PatternError(_ESCAPE_END, self._at)
        self._at += 1
        if "u" not in self._flags:
            self._complain("Unicode not allowed here", start)
        if "!=" in name:
            name = name.replace("!=", "=", 1)
            negated = not negated
        try:
            known = rust_classes.property_text(name)
        except PatternError as error:
            self._complain(error.message, start)
            known = "L"
        return Bracket(classes=(f"\\{'P' if negated else 'p'}{{{known}}}",))

    # Classes

    def _class(self) -> Node:
        start = self._at
        if self._depth >= _MAX_DEPTH:
            raise PatternError("exceed the maximum number of nested parentheses/brackets (200)", start)
        self._depth += 1
        self._step()
        negated = self._peek() == "^"
        if negated:
            self._step()
        ignore_case = "i" in self._flags
        items: list[Node] = []
        while self._peek() == "-":
            items.append(bracket(((0x2D, 0x2D),)))
            self._step()
        if not items and self._peek() == "]":
            items.append(bracket(((0x5D, 0x5D),)))
            self._step()
        left: Node | None = None
        operator = ""
        while True:
            self._pace()
            self._skip_space()
            char = self._peek()
            if not char:
                raise PatternError("unclosed character class", start)
            if char == "]" or self._peek(2) in _SET_OPERATORS:
                union = rust_classes.union(items, ignore_case)
                left = union if left is None else rust_classes.operate(left, operator, union, ignore_case)
                if char == "]":
                    break
                operator, items = self._peek(2), []
                self._at += 2
            elif char == "[":
                items.append(self._named_class() or self._class())
            else:
                items.append(self._range(start))
        self._at += 1
        self._depth -= 1
        return rust_classes.negate(left, ignore_case) if negated else left

    def _named_class(self) -> Node | None:
        end = self._text.find(":]", self._at + 2)
        name = self._text[self._at + 2 : end]
        if self._peek(2) != "[:" or end < 0:
            return None
        named_class = rust_classes.named(name)
        if named_class is not None:
            self._at = end + 2
        return named_class

    def _range(self, start: int) -> Node:
        low_at = self._at
        low = self._member(start)
        self._skip_space()
        if not self._peek():
            raise PatternError("unclosed character class", start)
        if self._peek() != "-" or self._after_space(self._at + 1) in ("]", "-"):
            if low is None:
                raise PatternError("invalid escape sequence found in character class", low_at)
            if not isinstance(low, int):
                return low
            self._note(chr(low))
            return bracket(((low, low),))
        self._step()
        high_at = self._at
        high = self._member(start)
        for end, at in ((low, low_at), (high, high_at)):
            if not isinstance(end, int):
                raise PatternError("invalid range boundary, must be a literal", at)
        assert isinstance(low, int) and isinstance(high, int)
        if high < low:
            raise PatternError("invalid character class range, the start must be <= the end", low_at)
        self._note(chr(low))
        self._note(chr(high))
        return bracket(((low, high),))

    def _after_space(self, at: int) -> str:
        here, self._at = self._at, at
        self._skip_space()
        char = self._peek()
        self._at = here
        return char

    def _member(self, start: int) -> int | Node | None:
        """Parse a character, a class, or a boundary, which gives None, as it is not allowed in a class."""
        char = self._peek()
        if not char:
            raise PatternError("unclosed character class", start)
        if char != "\\":
            self._at += 1
            return ord(char)
        if self._peek(2)[1:] not in _PLACES:
            return self._escaped()
        self._at += 2
        if self._text[self._at - 1] == "b" and self._peek() == "{":
            self._special_edge(self._at - 2)
        return None
