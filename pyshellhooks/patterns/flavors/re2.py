"""Parser of RE2's syntax as in Go's regexp/syntax, with Go's messages."""

from __future__ import annotations

import re

from ..emit import RE2_MOST
from ..ranges import ASCII_RANGES, MOST, Ranges, bracket, complement, is_property
from ..tree import Anchor, Bracket, Char, Dot, IgnoreCase, Node, PatternError, Repeat
from .reader import OPERATORS, Reader, sequence

_MAX_DEPTH = 200
_PERL: dict[str, Ranges] = {
    "d": ASCII_RANGES["digit"],
    "w": ASCII_RANGES["word"],
    "s": ((0x09, 0x0A), (0x0C, 0x0D), (0x20, 0x20)),
}
_CONTROL = {"a": 0x07, "f": 0x0C, "t": 0x09, "n": 0x0A, "r": 0x0D, "v": 0x0B}
_NEWLINE = Bracket("\n", negated=True)
_PLACES = {"A": "`", "z": "'", "b": "b", "B": "B"}
_OCTAL = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
_HEX = re.compile(r"x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))")


def parse(pattern: str) -> Node:
    """Return the tree of an RE2 expression. Raise ``PatternError`` with Go's message and the offset."""
    return _Parser(pattern).whole()


class _Parser(Reader):
    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self._flags = frozenset[str]()
        self._names: set[str] = set()

    def whole(self) -> Node:
        tree = self._alternation()
        if self._at < len(self._text):
            raise PatternError(f"unexpected ): `{self._text}`", self._at)
        return tree

    def _branch(self) -> Node:
        parts: list[Node] = []
        repeatable = False
        repeated_from = -1  # the start of a repetition right before this one
        text = self._text
        while (char := text[self._at : self._at + 1]) and char not in "|)":
            start = self._at
            is_operator = char in OPERATORS or (char == "{" and self._counts(_count) is not None)
            if is_operator:
                least, most, lazy = self._operator(char)
                if not repeatable:
                    operator = text[start : self._at]
                    raise PatternError(f"missing argument to repetition operator: `{operator}`", start)
                # Go rejects ``a**``, which Perl accepts.
                if repeated_from >= 0:
                    nested = text[repeated_from : self._at]
                    raise PatternError(f"invalid nested repetition operator: `{nested}`", repeated_from)
                repeated_from = start
                parts[-1] = Repeat(parts[-1], least, most, lazy)
                continue
            repeated_from = -1
            if char == "\\" and text.startswith("Q", start + 1):
                quoted = self._quoted()
                if quoted:
                    parts += quoted
                    repeatable = True
                continue
            atom = self._atom(char)
            if atom is not None:  # a flag group can't be repeated
                parts.append(atom)
                repeatable = True
        return sequence(parts)

    def _operator(self, char: str) -> tuple[int, int | None, bool]:
        start = self._at
        counts = self._counts(_count) if char == "{" else None
        if counts is not None:
            least, most, self._at = counts
            if max(least, most or 0) > RE2_MOST or (most is not None and most < least):
                raise PatternError(f"invalid repeat count: `{self._text[start : self._at]}`", start)
        else:
            self._at += 1
            least, most = OPERATORS[char]
        lazy = self._peek() == "?"
        self._at += lazy
        return least, most, lazy

    def _atom(self, char: str) -> Node | None:
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == "\\":
            return self._escape()
        self._at += 1
        if char == ".":
            return Dot() if "s" in self._flags else _NEWLINE
        if char in "^$" and "m" in self._flags:
            return Anchor(char)
        if char == "^":
            return Anchor("`")
        if char == "$":
            return Anchor("'")
        return self._cased(Char(char))

    def _cased(self, node: Node) -> Node:
        if "i" not in self._flags:
            return node
        return IgnoreCase(node)

    # Groups

    def _group(self) -> Node | None:
        start = self._at
        self._at += 1
        outer = self._flags
        if self._peek() == "?":
            self._at += 1
            is_look_behind = self._peek(2) in ("<=", "<!")
            if self._peek() in ("P", "<") and not is_look_behind:
                self._name(start)
            elif self._flag_group(start):
                return None
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise PatternError("expression nests too deeply", start)
        body = self._alternation()
        self._depth -= 1
        if self._peek() != ")":
            raise PatternError(f"missing closing ): `{self._text}`", start)
        self._at += 1
        self._flags = outer
        return body

    def _name(self, start: int) -> None:
        self._at += self._peek() == "P"
        end = self._text.find(">", self._at)
        if self._peek() != "<":
            raise PatternError(f"invalid or unsupported Perl syntax: `{self._text[start : self._at + 1]}`", start)
        if end < 0:
            raise PatternError(f"invalid named capture: `{self._text[start:]}`", start)
        name = self._text[self._at + 1 : end]
        capture = self._text[start : end + 1]
        letters = name.replace("_", "")
        is_word = letters.isascii() and letters.isalnum()
        if not name or (letters and not is_word):
            raise PatternError(f"invalid named capture: `{capture}`", start)
        if name in self._names:
            raise PatternError(f"duplicate capture group name: `{name}`", start)
        self._names.add(name)
        self._at = end + 1

    def _flag_group(self, start: int) -> bool:
        """Parse ``i-s:`` or ``i)``; return whether the group ends right there."""
        flags = set(self._flags)
        negative = seen = False
        while True:
            char = self._peek()
            self._at += 1
            is_complete = seen or not negative  # a flag follows the hyphen
            if not char:
                raise PatternError(f"missing closing ): `{self._text}`", start)
            if char in "imsU":
                if negative:
                    flags.discard(char)
                else:
                    flags.add(char)
                seen = True
            elif char == "-" and not negative:
                negative, seen = True, False
            elif char in ":)" and is_complete:
                self._flags = frozenset(flags)
                return char == ")"
            else:
                # RE2 does not support (?= (?! (?<= (?<! (?> (?# (?P=
                end = self._at + (char == "<" and self._peek() in ("=", "!"))
                raise PatternError(f"invalid or unsupported Perl syntax: `{self._text[start:end]}`", start)

    # Classes and escapes

    def _class(self) -> Node:
        start = self._at
        self._at += 1
        negated = self._peek() == "^"
        self._at += negated
        ranges: list[tuple[int, int]] = []
        classes: list[str] = []
        first = True
        while first or self._peek() != "]":
            if self._at >= len(self._text):
                raise PatternError(f"missing closing ]: `{self._text[start:]}`", start)
            first = False
            self._member(start, ranges, classes)
        self._at += 1
        return self._cased(bracket(ranges, classes, negated))

    def _member(self, start: int, ranges: list[tuple[int, int]], classes: list[str]) -> None:
        if self._peek(2) == "[:":
            end = self._text.find(":]", self._at + 2)
            if end > 0:
                ranges += self._named_class(end)
                return
        letter = self._peek(2)[1:] if self._peek() == "\\" else ""
        if letter in ("p", "P"):
            classes.append(self._property(letter))
        elif letter.lower() in _PERL:
            self._at += 2
            members = _PERL[letter.lower()]
            ranges += members if letter.islower() else complement(members)
        else:
            ranges.append(self._range(start))

    def _named_class(self, end: int) -> Ranges:
        """Parse ``[:name:]``, whose last two characters are at ``end``."""
        start = self._at
        name = self._text[start + 2 : end]
        plain = name.removeprefix("^")
        if plain not in ASCII_RANGES:
            raise PatternError(f"invalid character class range: `{self._text[start : end + 2]}`", start)
        self._at = end + 2
        if name != plain:
            return complement(ASCII_RANGES[plain])
        return ASCII_RANGES[plain]

    def _range(self, start: int) -> tuple[int, int]:
        low_at = self._at
        low = self._class_char(start)
        if self._peek() != "-" or self._peek(2) in ("-", "-]"):
            return low, low
        self._at += 1
        high = self._class_char(start)
        if high < low:
            raise PatternError(f"invalid character class range: `{self._text[low_at : self._at]}`", low_at)
        return low, high

    def _class_char(self, start: int) -> int:
        if self._at >= len(self._text):
            raise PatternError(f"missing closing ]: `{self._text[start:]}`", start)
        if self._peek() == "\\":
            return self._escaped_char()
        self._at += 1
        return ord(self._text[self._at - 1])

    def _property(self, letter: str) -> str:
        """Parse ``\\p{name}``, and return it in an engine's syntax."""
        start = self._at
        if self._text[start + 2 : start + 3] == "{":
            end = self._text.find("}", start)
            if end < 0:
                raise PatternError(f"invalid character class range: `{self._text[start:]}`", start)
            name = self._text[start + 3 : end]
            self._at = end + 1
        else:
            name = self._text[start + 2 : start + 3]
            self._at = start + 3
        plain = name.removeprefix("^")
        if not is_property(plain):
            raise PatternError(f"invalid character class range: `{self._text[start : self._at]}`", start)
        negated = letter == "P"
        if plain != name:  # ``\P{^name}`` is ``\p{name}``
            negated = not negated
        return f"\\P{{{plain}}}" if negated else f"\\p{{{plain}}}"

    def _escape(self) -> Node:
        letter = self._peek(2)[1:]
        if letter in ("p", "P"):
            return self._cased(Bracket(classes=(self._property(letter),)))
        if letter.lower() in _PERL:
            self._at += 2
            return self._cased(bracket(_PERL[letter.lower()], negated=letter.isupper()))
        if letter in _PLACES:
            self._at += 2
            return Anchor(_PLACES[letter])
        return self._cased(Char(chr(self._escaped_char())))

    def _quoted(self) -> list[Node]:
        """Parse ``\\Q...\\E``; a repetition after it applies to the last character."""
        start = self._at + 2
        literal, mark, _ = self._text[start:].partition("\\E")
        self._at = start + len(literal) + len(mark)
        return [self._cased(Char(char)) for char in literal]

    def _escaped_char(self) -> int:
        text, start = self._text, self._at
        letter = text[start + 1 : start + 2]
        if not letter:
            raise PatternError("trailing backslash at end of expression: ``", start)
        if (octal := _OCTAL.match(text, start + 1)) is not None:
            self._at = octal.end()
            return int(octal[0], 8)
        digits = _HEX.match(text, start + 1)
        if digits is not None:
            code = int(digits[1] or digits[2], 16)
            if code <= MOST:
                self._at = digits.end()
                return code
        self._at += 2
        if letter in _CONTROL:
            return _CONTROL[letter]
        if letter.isascii() and not letter.isalnum():
            return ord(letter)
        raise PatternError(f"invalid escape sequence: `{text[start : self._at]}`", start)


def _count(text: str) -> int | None:
    if not text.isascii() or not text.isdecimal() or len(text) >= 9:
        return None
    if text.startswith("0") and text != "0":  # with a leading zero the brace is literal
        return None
    return int(text)
