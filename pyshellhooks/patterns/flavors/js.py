"""Parser of ECMAScript's ``new RegExp(p)`` without flags, with V8's messages.

ECMA-262 22.2.1 with Annex B.1.2: text that is not a valid escape or quantifier is literal. Characters are UTF-16 code
units, so that ``.`` matches half of an emoji, as in a browser.

Known difference: ECMAScript resets the groups inside a repetition at each turn, ``regex`` does not; only a
back-reference to such a group shows it.
"""

from __future__ import annotations

import re

from ..ranges import ASCII_RANGES, Ranges, bracket, complement, merged
from ..tree import Anchor, BackReference, Bracket, Char, Concatenation, Group, Look, Node, PatternError, Repeat
from .reader import OPERATORS, Reader, sequence

_MAX_DEPTH = 200
_MOST_UNIT = 0xFFFF
_MOST_COUNT = 0xFFFF  # a larger count means unlimited, as regex.compile unrolls the required turns
_SPACE = (
    *((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
_CLASSES: dict[str, Ranges] = {"d": ASCII_RANGES["digit"], "w": ASCII_RANGES["word"], "s": _SPACE}
_CLASSES |= {letter.upper(): complement(ranges, _MOST_UNIT) for letter, ranges in _CLASSES.items()}
_BRACKETS: dict[str, Bracket] = {letter: bracket(ranges) for letter, ranges in _CLASSES.items()}
_DOT = bracket(complement(((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)), _MOST_UNIT))
_CONTROL = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}
_OPENING = re.compile(r"\?(?::|(?P<behind><?)(?P<sign>[=!])|(?P<named><))")
_BACK = re.compile(r"[1-9][0-9]*")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_HEX = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")
_UNICODE = re.compile(r"\\u(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{4}))")


def parse(pattern: str) -> Node:
    """Return the tree of an expression, in code units. Raise ``PatternError`` with V8's message."""
    return _Parser(code_units(pattern)).whole()


def code_units(text: str) -> str:
    """Return a text in ECMAScript's code units: two surrogates for each character beyond U+FFFF."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join([char if char <= "\uffff" else _surrogates(ord(char) - 0x10000) for char in text])


def _surrogates(code: int) -> str:
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


class _Parser(Reader):
    def __init__(self, units: str) -> None:
        super().__init__(units)
        self._open: list[int] = []  # the open capturing groups
        self._captures = 0
        self._seen: set[str] = set()
        self._unknown = -1  # the position of the first reference to an unknown name, V8's last check
        self._total, self._names = _scan_groups(units)

    def whole(self) -> Node:
        tree = self._alternation()
        if self._at < len(self._text):
            raise PatternError("Unmatched ')'", self._at)
        # A name may be defined after its reference, so that it is known only at the end.
        if self._unknown >= 0:
            raise PatternError("Invalid named capture referenced", self._unknown)
        return tree

    def _branch(self) -> Node:
        parts: list[Node] = []
        while (char := self._peek()) and char not in "|)":
            is_operator = char in OPERATORS or (char == "{" and self._counts(_count) is not None)
            if is_operator:
                raise PatternError("Nothing to repeat", self._at)
            atom, repeatable = self._term(char)
            if repeatable:
                atom = self._repeated(atom)
            parts.append(atom)
        return sequence(parts)

    def _term(self, char: str) -> tuple[Node, bool]:
        """Parse a term, and return whether it may be repeated."""
        if char == "(":
            return self._group()
        if char == "[":
            return self._class(), True
        if char == "\\":
            letter = self._peek(2)[1:]
            if letter not in ("b", "B"):
                return self._escape(letter), True
            self._at += 2
            return Anchor(letter), False
        self._at += 1
        if char == "^":
            return Anchor("`"), False
        if char == "$":
            return Anchor("'"), False
        if char == ".":
            return _DOT, True
        return Char(char), True

    def _repeated(self, atom: Node) -> Node:
        bounds = self._bounds()
        if bounds is None:
            return atom
        lazy = self._peek() == "?"
        self._at += lazy
        return Repeat(atom, *bounds, lazy)

    def _bounds(self) -> tuple[int, int | None] | None:
        """Parse a quantifier, or return None with nothing consumed."""
        start = self._at
        char = self._peek()
        if char in OPERATORS:
            self._at += 1
            return OPERATORS[char]
        counts = self._counts(_count) if char == "{" else None
        if counts is None:
            return None
        least, most, self._at = counts
        if most == _MOST_COUNT and "," in self._text[start : self._at]:
            return least, None
        if most is not None and most < least:
            raise PatternError("numbers out of order in {} quantifier", start)
        return least, most

    # Groups

    def _group(self) -> tuple[Node, bool]:
        start = self._at
        self._at += 1
        number, name, sign, behind = 0, "", "", ""
        if self._peek() != "?":
            number = self._capture()
        elif (opening := _OPENING.match(self._text, self._at)) is None:
            raise PatternError("Invalid group", start)
        else:
            self._at = opening.end()
            sign, behind = opening["sign"], opening["behind"]
            if opening["named"]:
                name = self._name("Invalid capture group name")
                number = self._capture()
        node = self._body(number)
        if self._peek() != ")":
            raise PatternError("Unterminated group", start)
        self._at += 1
        if name in self._seen:
            raise PatternError("Duplicate capture group name", start)
        if name:
            self._seen.add(name)
        if number:
            node = Group(number, node)
        elif sign:
            node = Look(node, ahead=not behind, negative=sign == "!")
        if behind and self._repeated(node) is not node:
            raise PatternError("Invalid quantifier", start)
        return node, not behind

    def _capture(self) -> int:
        self._captures += 1
        return self._captures

    def _body(self, number: int) -> Node:
        if self._depth >= _MAX_DEPTH:
            raise PatternError("Regular expression too large", self._at)
        self._depth += 1
        self._open.append(number)
        body = self._alternation()
        self._open.pop()
        self._depth -= 1
        return body

    def _name(self, mistake: str) -> str:
        """Parse ``name>``."""
        start = self._at
        end = self._text.find(">", start)
        if end < 0:
            raise PatternError(mistake, start)
        name = _plain_name(self._text[start:end])
        if not name:
            raise PatternError(mistake, start)
        self._at = end + 1
        return name

    def _reference(self, number: int) -> Node:
        if number in self._open:
            return Concatenation([])  # inside its own group, which has not matched yet
        return BackReference(number, optional=True)

    # Escapes

    def _escape(self, letter: str) -> Node:
        if letter in _BRACKETS:
            self._at += 2
            return _BRACKETS[letter]
        digits = _BACK.match(self._text, self._at + 1)
        if digits is not None and len(digits[0]) < 7 and int(digits[0]) <= self._total:
            self._at = digits.end()
            return self._reference(int(digits[0]))
        if letter == "k" and self._names:
            return self._named_reference()
        return Char(chr(self._escaped(inside=False)))

    def _named_reference(self) -> Node:
        start = self._at
        self._at += 2
        if self._peek() != "<":
            raise PatternError("Invalid named reference", start)
        self._at += 1
        name = self._name("Invalid named reference")
        if name not in self._names:
            if self._unknown < 0:
                self._unknown = start
            return Concatenation([])
        return self._reference(self._names[name])

    def _escaped(self, *, inside: bool) -> int:
        """Parse an escape of one code unit."""
        text, start = self._text, self._at
        letter = text[start + 1 : start + 2]
        if not letter:
            raise PatternError("\\ at end of pattern", start)
        self._at += 2
        if letter in _CONTROL:
            return _CONTROL[letter]
        if letter == "c":
            control = self._peek()
            # In a class, digits and the underscore are also allowed (Annex B, ClassControlLetter).
            is_other = inside and (control.isdigit() or control == "_")
            if control.isascii() and (control.isalpha() or is_other):
                self._at += 1
                return ord(control) & 31
            self._at -= 1  # the backslash is literal
            return 0x5C
        if (octal := _OCTAL.match(text, start + 1)) is not None:
            self._at = octal.end()
            return int(octal[0], 8)
        if (code := _HEX.match(text, start + 1)) is not None:
            self._at = code.end()
            return int(code[1] or code[2], 16)
        if letter == "k" and self._names:
            raise PatternError("Invalid escape", start)
        return ord(letter)

    # Classes

    def _class(self) -> Node:
        start = self._at
        self._at += 1
        negated = self._peek() == "^"
        self._at += negated
        ranges: list[tuple[int, int]] = []
        while self._peek() != "]":
            low_at = self._at
            low = self._member(start)
            if self._peek() != "-" or self._peek(2) == "-]":
                ranges += low
                continue
            self._at += 1
            high = self._member(start)
            if not isinstance(low, list) or not isinstance(high, list):
                ranges += [*low, (0x2D, 0x2D), *high]  # Annex B: next to a class the hyphen is literal
                continue
            first, last = low[0][0], high[0][0]
            if first > last:
                raise PatternError("Range out of order in character class", low_at)
            ranges.append((first, last))
        self._at += 1
        if negated:
            return bracket(complement(ranges, _MOST_UNIT))
        return bracket(merged(ranges))

    def _member(self, start: int) -> list[tuple[int, int]] | Ranges:
        """Parse a character (a list of one range) or a class (a tuple)."""
        char = self._peek()
        if not char:
            raise PatternError("Unterminated character class", start)
        if char == "\\":
            letter = self._peek(2)[1:]
            if letter in _CLASSES:
                self._at += 2
                return _CLASSES[letter]
            if letter == "b":
                self._at += 2
                return [(8, 8)]
            code = self._escaped(inside=True)
            return [(code, code)]
        self._at += 1
        return [(ord(char), ord(char))]


def _scan_groups(text: str) -> tuple[int, dict[str, int]]:
    """Return the number of capturing groups, and the numbers of named ones, as references may precede them."""
    count, at = 0, 0
    names: dict[str, int] = {}
    in_class = False
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "(":
            kind = text[at + 1 : at + 4]
            if not kind.startswith("?"):
                count += 1
            elif kind.startswith("?<") and kind not in ("?<=", "?<!"):
                count += 1
                end = text.find(">", at)
                name = _plain_name(text[at + 3 : end]) if end >= 0 else None
                names.setdefault(name or "", count)
        at += 1
    return count, names


def _plain_name(text: str) -> str | None:
    """Return a group's name with its ``\\u`` escapes decoded, None if it is invalid."""
    name = ""
    at = 0
    while at < len(text):
        if text[at] != "\\":
            name += text[at]
            at += 1
            continue
        match = _UNICODE.match(text, at)
        if match is None:
            return None
        code = int(match[1] or match[2], 16)
        if code > 0x10FFFF:
            return None
        name += chr(code)
        at = match.end()
    name = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    # Besides an identifier's characters: ``$``, and the joiners U+200C and U+200D after the first one.
    plain = name.replace("$", "_").replace("\u200c", "").replace("\u200d", "")
    if not plain.isidentifier() or name[0] in "\u200c\u200d":
        return None
    return name


def _count(digits: str) -> int | None:
    if not (digits.isascii() and digits.isdecimal()):
        return None
    if len(digits.lstrip("0")) > 10:  # ``int`` refuses thousands of digits
        return _MOST_COUNT
    return min(int(digits), _MOST_COUNT)
