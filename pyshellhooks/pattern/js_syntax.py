"""The syntax of ECMAScript's ``new RegExp(p)`` without flags: checked in V8's words, written for RE2 and ``regex``.

ECMA-262 22.2.1 with Annex B.1.2: what does not read as an escape or a quantifier is itself. Characters are UTF-16
code units, so that ``.`` is half of an emoji as it is in a browser.

Known difference: ECMAScript forgets the groups inside a repetition at each turn, ``regex`` does not; only a
back-reference to such a group can tell.
"""

from __future__ import annotations

from .regex_nodes import PatternError

_MAX_DEPTH = 200
_MOST_UNIT = 0xFFFF
_MOST_COUNT = 0xFFFF  # beyond it: "without end"; regex.compile would write a required text out in full
_DIGIT = ((0x30, 0x39),)
_WORD = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE = (
    *((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
_LINE_ENDS = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_CLASSES = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_CONTROL = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}
_HEX = "0123456789abcdefABCDEF"
_OCTAL = "01234567"
_DIGITS = "0123456789"
_GENERAL_EDGES = {
    "b": "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))",
    "B": "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))",
}

Ranges = tuple[tuple[int, int], ...]


def translate(pattern: str) -> tuple[str, str | None, bool]:
    """Check an expression and write it for ``regex`` and for RE2; ``PatternError`` in V8's words.

    The text for RE2 is None where RE2 cannot say it (look-around, back-references). The last value is true where
    RE2 is right on ASCII only: its ``\\B`` matches between the bytes of a character.
    """
    units = code_units(pattern)
    general = _Translator(units, linear=False)
    text = general.whole()
    linear = _Translator(units, linear=True).whole() if general.regular and units == pattern else None
    return text, linear, general.has_inner_edge


def code_units(text: str) -> str:
    """Write a text as ECMAScript holds it: two surrogates for each character beyond U+FFFF."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join([char if char <= "\uffff" else _surrogates(ord(char) - 0x10000) for char in text])


def _surrogates(code: int) -> str:
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


class _Translator:
    def __init__(self, units: str, *, linear: bool) -> None:
        self._text = units
        self._at = 0
        self._linear = linear
        self._depth = 0
        self._open: list[int] = []  # the capturing groups around this place
        self._captures = 0
        self._seen: set[str] = set()
        self._unknown = -1  # where the first reference to an unknown name is; V8 tells it last
        self._total, self._names = _scan_groups(units)
        self.regular = True  # no look-around, no back-reference
        self.has_inner_edge = False

    def whole(self) -> str:
        out = self._alternation()
        if self._at < len(self._text):
            raise PatternError("Unmatched ')'", self._at)
        if self._unknown >= 0:
            raise PatternError("Invalid named capture referenced", self._unknown)
        return out

    def _peek(self, length: int = 1) -> str:
        return self._text[self._at : self._at + length]

    def _alternation(self) -> str:
        branches = [self._branch()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._branch())
        return "|".join(branches)

    def _branch(self) -> str:
        out: list[str] = []
        while (char := self._peek()) and char not in "|)":
            start = self._at
            if char in "*+?" or (char == "{" and self._counts() is not None):
                raise PatternError("Nothing to repeat", start)
            atom, repeatable = self._term(char)
            if repeatable:
                atom = self._repeated(atom)
            out.append(atom)
        return "".join(out)

    def _term(self, char: str) -> tuple[str, bool]:
        """Return one term, and whether it may be repeated."""
        if char == "^":
            self._at += 1
            return r"\A", False
        if char == "$":
            self._at += 1
            return (r"\z" if self._linear else r"\Z"), False
        if char == "(":
            return self._group()
        if char == "\\":
            letter = self._peek(2)[1:]
            if letter and letter in "bB":
                self._at += 2
                self.has_inner_edge = self.has_inner_edge or letter == "B"
                return (f"\\{letter}" if self._linear else _GENERAL_EDGES[letter]), False
            return self._escape(letter), True
        if char == "[":
            return self._set(self._class()), True
        self._at += 1
        return (self._set(_complement(_LINE_ENDS)) if char == "." else self._char(ord(char))), True

    def _repeated(self, atom: str) -> str:
        start = self._at
        char = self._peek()
        if char and char in "*+?":
            self._at += 1
            operator = char
        elif char == "{" and (counts := self._counts()) is not None:
            least, most, self._at = counts
            if 0 <= most < least:
                raise PatternError("numbers out of order in {} quantifier", start)
            operator = f"{{{least},{most if most >= 0 else ''}}}"
        else:
            return atom
        if self._peek() == "?":
            self._at += 1
            operator += "?"
        return f"(?:{atom}){operator}"

    def _counts(self) -> tuple[int, int, int] | None:
        """Read ``{n}``, ``{n,}``, ``{n,m}``: least, most (-1 none) and the end; None where the brace is itself."""
        end = self._text.find("}", self._at)
        least, comma, most = self._text[self._at + 1 : end].partition(",")
        if end < 0 or not _is_number(least) or (most and not _is_number(most)):
            return None
        low = _count(least)
        if not comma:
            return low, low, end + 1
        high = _count(most) if most else -1
        return low, (-1 if high == _MOST_COUNT else high), end + 1

    # Groups

    def _group(self) -> tuple[str, bool]:
        start = self._at
        self._at += 1
        opening, repeatable, number, name = "(?:", True, 0, ""
        if self._peek() != "?":
            number = self._capture()
        elif self._peek(2) in ("?:", "?=", "?!"):
            opening = "(" + self._peek(2)
            self._at += 2
        elif self._peek(3) in ("?<=", "?<!"):
            opening = "(" + self._peek(3)
            repeatable = False
            self._at += 3
        elif self._peek(2) == "?<":
            self._at += 2
            name = self._name("Invalid capture group name")
            number = self._capture()
        else:
            raise PatternError("Invalid group", start)
        self.regular = self.regular and opening == "(?:"
        body = self._body(number)
        if self._peek() != ")":
            raise PatternError("Unterminated group", start)
        self._at += 1
        if name in self._seen:
            raise PatternError("Duplicate capture group name", start)
        if name:
            self._seen.add(name)
        if not repeatable and self._repeated("") != "":
            raise PatternError("Invalid quantifier", start)
        if number and not self._linear:
            opening = "("
        return f"{opening}{body})", repeatable

    def _capture(self) -> int:
        self._captures += 1
        return self._captures

    def _body(self, number: int) -> str:
        if self._depth >= _MAX_DEPTH:
            raise PatternError("Regular expression too large", self._at)
        self._depth += 1
        self._open.append(number)
        body = self._alternation()
        self._open.pop()
        self._depth -= 1
        return body

    def _name(self, mistake: str) -> str:
        """Read ``name>``."""
        start = self._at
        end = self._text.find(">", start)
        name = _plain_name(self._text[start:end]) if end >= 0 else None
        if not name:
            raise PatternError(mistake, start)
        self._at = end + 1
        return name

    def _reference(self, number: int) -> str:
        self.regular = False
        if number in self._open:
            return "(?:)"  # inside its own group it has matched nothing yet
        return f"(?({number})\\{number}|)"

    # Escapes

    def _escape(self, letter: str) -> str:
        if letter and letter in "dDsSwW":
            self._at += 2
            return self._set(_shorthand(letter))
        if letter and letter in "123456789":
            end = self._at + 1
            while end < len(self._text) and self._text[end] in _DIGITS:
                end += 1
            digits = self._text[self._at + 1 : end]
            if len(digits) < 7 and int(digits) <= self._total:
                self._at = end
                return self._reference(int(digits))
        if letter == "k" and self._names:
            return self._named_reference()
        return self._char(self._escaped(inside=False))

    def _named_reference(self) -> str:
        start = self._at
        self._at += 2
        if self._peek() != "<":
            raise PatternError("Invalid named reference", start)
        self._at += 1
        name = self._name("Invalid named reference")
        if name not in self._names:
            self._unknown = start if self._unknown < 0 else self._unknown
            return ""
        return self._reference(self._names[name])

    def _escaped(self, *, inside: bool) -> int:
        """Read an escape of one code unit."""
        text, start = self._text, self._at
        letter = text[start + 1 : start + 2]
        if not letter:
            raise PatternError("\\ at end of pattern", start)
        self._at += 2
        if letter in _CONTROL:
            return _CONTROL[letter]
        if letter == "c":
            control = self._peek()
            word = control.isascii() and (control.isalnum() or control == "_")
            if word and (inside or control.isalpha()):
                self._at += 1
                return ord(control) & 31
            self._at -= 1  # the backslash is itself
            return 0x5C
        if letter in _OCTAL:
            most = 3 if letter <= "3" else 2
            end = start + 2
            while end < len(text) and end <= start + most and text[end] in _OCTAL:
                end += 1
            self._at = end
            return int(text[start + 1 : end], 8)
        digits = {"x": 2, "u": 4}.get(letter, 0)
        value = self._peek(digits)
        if digits and len(value) == digits and all(digit in _HEX for digit in value):
            self._at += digits
            return int(value, 16)
        if letter == "k" and self._names:
            raise PatternError("Invalid escape", start)
        return ord(letter)

    # Classes

    def _class(self) -> Ranges:
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
            if isinstance(low, list) and isinstance(high, list):
                if low[0][0] > high[0][0]:
                    raise PatternError("Range out of order in character class", low_at)
                ranges.append((low[0][0], high[0][0]))
            else:  # Annex B: beside a class the hyphen is itself
                ranges += [*low, (0x2D, 0x2D), *high]
        self._at += 1
        return _complement(tuple(ranges)) if negated else _merge(ranges)

    def _member(self, start: int) -> list[tuple[int, int]] | Ranges:
        """Read a character (a list of one) or a class (a tuple)."""
        char = self._peek()
        if not char:
            raise PatternError("Unterminated character class", start)
        if char == "\\":
            letter = self._peek(2)[1:]
            if letter and letter in "dDsSwW":
                self._at += 2
                return _shorthand(letter)
            if letter == "b":
                self._at += 2
                return [(8, 8)]
            code = self._escaped(inside=True)
            return [(code, code)]
        self._at += 1
        return [(ord(char), ord(char))]

    # Writing

    def _char(self, code: int) -> str:
        char = chr(code)
        if char.isascii() and (char.isalnum() or char == "_"):
            return char
        if 0xD800 <= code <= 0xDFFF:
            self.regular = False  # not a character for RE2
        return f"\\x{{{code:x}}}" if self._linear else f"\\U{code:08x}"

    def _set(self, ranges: Ranges) -> str:
        if not ranges:
            return r"[^\x00-\x{10FFFF}]" if self._linear else "(?!)"
        pairs = [f"\\x{{{a:x}}}-\\x{{{b:x}}}" if self._linear else f"\\U{a:08x}-\\U{b:08x}" for a, b in ranges]
        return f"[{''.join(pairs)}]"


def _scan_groups(text: str) -> tuple[int, dict[str, int]]:
    """Count the capturing groups of a pattern and number the named ones: references may come before them."""
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
        elif char == "(" and text[at + 1 : at + 2] != "?":
            count += 1
        elif char == "(" and text.startswith("?<", at + 1) and text[at + 3 : at + 4] not in ("=", "!"):
            count += 1
            end = text.find(">", at)
            name = _plain_name(text[at + 3 : end]) if end >= 0 else None
            names.setdefault(name or "", count)
        at += 1
    return count, names


def _plain_name(text: str) -> str | None:
    """Read a group's name, with its ``\\u`` escapes; None if it is none."""
    name = ""
    at = 0
    while at < len(text):
        if text[at] != "\\":
            name += text[at]
            at += 1
            continue
        braced = text.startswith("\\u{", at)
        end = text.find("}", at) if braced else at + 6
        digits = text[at + 3 : end] if braced else text[at + 2 : end]
        right = bool(digits) and all(digit in _HEX for digit in digits) and (braced or len(digits) == 4)
        if text[at + 1 : at + 2] != "u" or end < 0 or not right or int(digits, 16) > 0x10FFFF:
            return None
        name += chr(int(digits, 16))
        at = end + braced
    name = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    plain = name.replace("$", "_").replace("\u200c", "").replace("\u200d", "")
    return name if plain.isidentifier() and name[0] not in "\u200c\u200d" else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _count(digits: str) -> int:
    return _MOST_COUNT if len(digits.lstrip("0")) > 10 else min(int(digits), _MOST_COUNT)


def _shorthand(letter: str) -> Ranges:
    ranges = _CLASSES[letter.lower()]
    return ranges if letter.islower() else _complement(ranges)


def _merge(ranges: list[tuple[int, int]] | Ranges) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _complement(ranges: Ranges) -> Ranges:
    others: list[tuple[int, int]] = []
    after = 0
    for low, high in _merge(ranges):
        if low > after:
            others.append((after, low - 1))
        after = high + 1
    if after <= _MOST_UNIT:
        others.append((after, _MOST_UNIT))
    return tuple(others)
