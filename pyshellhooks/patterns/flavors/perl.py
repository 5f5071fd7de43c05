"""Parser of the part of Perl's syntax that has the same meaning on a linear engine (pcre2pattern(3)).

Other syntax raises ``UnsupportedError``. Look-around, back-references, ``\\K`` and possessive operators are accepted
and widened (to nothing, any text, the greedy operator): such a tree finds the lines that another engine must test.
"""

from __future__ import annotations

import re

from ..emit import UnsupportedError
from ..ranges import ASCII_RANGES, bracket
from ..tree import Anchor, Bracket, Char, Concatenation, Dot, Group, Node, Repeat, may_be_empty
from .reader import OPERATORS, Reader

_MOST_DEPTH = 40
_NAMED = {name: bracket(ranges).ranges for name, ranges in ASCII_RANGES.items() if name not in ("ascii", "cntrl")}
_CLASSES = {"d": "digit", "s": "space", "w": "word"}
_ANCHORS = {"A": "^", "z": "$", "Z": "$", "b": "b", "B": "B"}
_CONTROL = {"t": "\t", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}
_COUNT = re.compile(r"\{(\d{1,4})(?:(,)(\d{0,4}))?\}")
_HEX = re.compile(r"x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))")
_OPENING = re.compile(r"\?(?::|P?<(?![=!])\w+>|(>|=|!|<=|<!))")
_CLASS = re.compile(r"\[:(\w+):\]")


class PerlParser(Reader):
    """Recursive descent over one pattern. ``exact``: the tree is the pattern, without widening."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.ignore_case = pattern.startswith("(?i)")
        self._at = 4 if self.ignore_case else 0
        self._groups = 0
        self.exact = True

    def parse(self) -> Node:
        """Parse the whole pattern, as it applies to a single line."""
        tree = self._alternation()
        if self._at < len(self._text):
            raise UnsupportedError
        return tree

    def _branch(self) -> Node:
        parts: list[Node] = []
        while (char := self._peek()) and char not in "|)":
            parts.append(self._repeated(self._atom()))
        return Concatenation(parts)

    def _repeated(self, atom: Node) -> Node:
        bounds = self._bounds()
        if bounds is None:
            return atom
        if may_be_empty(atom):  # engines differ in the end of such a loop
            raise UnsupportedError
        mark = self._peek()
        lazy = mark == "?"
        if mark in ("?", "+"):
            self._at += 1
            self.exact &= lazy
        if self._peek() in ("*", "+", "?", "{"):
            raise UnsupportedError
        return Repeat(atom, *bounds, lazy)

    def _bounds(self) -> tuple[int, int | None] | None:
        """Parse a quantifier, or return None."""
        char = self._peek()
        match = _COUNT.match(self._text, self._at)
        if match is None:
            if char == "{":
                raise UnsupportedError
            if char not in OPERATORS:
                return None
            self._at += 1
            return OPERATORS[char]
        self._at = match.end()
        least = int(match[1])
        if match[2] is None:
            return least, least
        if not match[3]:
            return least, None
        most = int(match[3])
        if most < least:
            raise UnsupportedError
        return least, most

    def _atom(self) -> Node:
        char = self._text[self._at]
        self._at += 1
        if char == "\\":
            return self._escape()
        if char == "(":
            return self._group()
        if char == "[":
            return self._bracket()
        if char == ".":
            return Dot()
        if char in "^$":
            return Anchor(char)
        if char in "*+?{\n" or _is_invalid(char):
            raise UnsupportedError
        return Char(char)

    def _group(self) -> Node:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise UnsupportedError
        wider = ""
        if self._peek() in ("?", "*"):
            match = _OPENING.match(self._text, self._at)
            if match is None:
                raise UnsupportedError
            self._at = match.end()
            wider = match[1] or ""
        body = self._alternation()
        if self._peek() != ")":
            raise UnsupportedError
        self._at += 1
        self._depth -= 1
        if wider:
            self.exact = False
            if wider != ">":
                return Concatenation([])
        self._groups += 1
        return Group(self._groups, body)

    def _escape(self) -> Node:
        char = self._peek()
        self._at += 1
        if char in _ANCHORS:
            return Anchor(_ANCHORS[char])
        if char.lower() in _CLASSES:
            return Bracket("", _NAMED[_CLASSES[char.lower()]], (), char.isupper())
        if char == "K":
            self.exact = False
            return Concatenation([])
        if char in tuple("123456789"):
            # ``\10`` may be a reference or an octal character.
            if self._peek().isdecimal():
                raise UnsupportedError
            self.exact = False
            return Group(0, Repeat(Dot(), 0, None))
        self._at -= 1
        return Char(self._escaped_char())

    def _escaped_char(self) -> str:
        """Parse the character after a backslash."""
        match = _HEX.match(self._text, self._at)
        if match is not None:
            code = int(match[1] or match[2], 16)
            if code in (0, 10) or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                raise UnsupportedError
            self._at = match.end()
            return chr(code)
        char = self._peek()
        self._at += 1
        if char in _CONTROL:
            return _CONTROL[char]
        # A letter may have a meaning that this parser does not know.
        if char in ("", "\n") or char.isalnum() or not char.isascii():
            raise UnsupportedError
        return char

    def _bracket(self) -> Node:
        text = self._text
        negated = self._peek() == "^"
        self._at += negated
        chars: list[str] = []
        ranges: list[tuple[str, str]] = []
        first = True
        while first or self._peek() != "]":
            if self._at >= len(text):
                raise UnsupportedError
            first = False
            if match := _CLASS.match(text, self._at):
                ranges += _NAMED.get(match[1]) or self._unknown()
                self._at = match.end()
                continue
            if text[self._at] == "\\" and text[self._at + 1 : self._at + 2] in _CLASSES:
                ranges += _NAMED[_CLASSES[text[self._at + 1]]]
                self._at += 2
                continue
            low = self._member()
            is_range = self._peek() == "-" and text[self._at + 1 : self._at + 2] not in ("]", "")
            if is_range:
                self._at += 1
                high = self._member()
                if high < low:
                    raise UnsupportedError
                ranges.append((low, high))
            else:
                chars.append(low)
        self._at += 1
        return Bracket("".join(dict.fromkeys(chars)), tuple(ranges), (), negated)

    @staticmethod
    def _unknown() -> tuple[tuple[str, str], ...]:
        raise UnsupportedError

    def _member(self) -> str:
        char = self._peek()
        self._at += 1
        if char == "\\":
            if self._peek() == "n":
                self._at += 1
                return "\n"
            return self._escaped_char()
        begins_class = char == "[" and self._peek() in (":", ".", "=")
        if begins_class or _is_invalid(char):
            raise UnsupportedError
        return char


def _is_invalid(char: str) -> bool:
    """Return whether a character represents an invalid byte."""
    return "\ud800" <= char <= "\udfff"
