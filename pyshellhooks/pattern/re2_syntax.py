"""The syntax of RE2 as Go's regexp/syntax reads it: validation in Go's words, translation to the ``regex`` module."""

from __future__ import annotations

from .emit import ASCII_CLASSES, RE2_MOST
from .harmless import ascii_mask
from .regex_nodes import PatternError

_MAX_DEPTH = 200
_PERL = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\t\n\f\r "}
_CONTROL = {"a": r"\x07", "f": r"\f", "t": r"\t", "n": r"\n", "r": r"\r", "v": r"\x0b"}
_CLASSES = {**ASCII_CLASSES, "ascii": r"\x00-\x7f", "word": "0-9A-Za-z_"}
_HEX = "0123456789abcdefABCDEF"
_MOST_CHAR = 0x10FFFF


def translate(pattern: str) -> str:
    """Check an RE2 expression and write it for ``regex``; PatternError with Go's message and the offset."""
    return _Translator(pattern).whole()


class _Translator:
    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._flags = frozenset[str]()
        self._names: set[str] = set()
        self._depth = 0

    def whole(self) -> str:
        out = self._alternation()
        if self._at < len(self._text):
            raise PatternError(f"unexpected ): `{self._text}`", self._at)
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
        repeatable = False
        repeated_from = -1  # where a repetition before this one starts
        while (char := self._peek()) and char not in "|)":
            start = self._at
            if char in "*+?" or (char == "{" and self._counts() is not None):
                if not repeatable:
                    raise PatternError(f"missing argument to repetition operator: `{self._operator()}`", start)
                operator = self._operator()
                if repeated_from >= 0:
                    nested = self._text[repeated_from : self._at]
                    raise PatternError(f"invalid nested repetition operator: `{nested}`", repeated_from)
                repeated_from = start
                out[-1] = f"(?:{out[-1]}){operator}"
                continue
            repeated_from = -1
            if self._peek(2) == "\\Q":
                out += (quoted := self._quoted())
                repeatable = repeatable or bool(quoted)
                continue
            atom = self._atom()
            if atom is not None:  # a flag group is nothing that could be repeated
                out.append(atom)
                repeatable = True
        return "".join(out)

    def _counts(self) -> tuple[int, int, int] | None:
        """Read ``{n}``, ``{n,}``, ``{n,m}``: least, most (-1 none) and the end; None where the brace is literal."""
        end = self._text.find("}", self._at)
        if end < 0:
            return None
        least, comma, most = self._text[self._at + 1 : end].partition(",")
        if not _is_number(least) or (most and not _is_number(most)):
            return None
        low = int(least)
        return low, (low if not comma else int(most) if most else -1), end + 1

    def _operator(self) -> str:
        start = self._at
        if self._peek() == "{":
            counts = self._counts()
            assert counts is not None
            least, most, self._at = counts
            if max(least, most) > RE2_MOST or 0 <= most < least:
                raise PatternError(f"invalid repeat count: `{self._text[start : self._at]}`", start)
        else:
            self._at += 1
        if self._peek() == "?":
            self._at += 1
        return self._text[start : self._at]

    def _atom(self) -> str | None:
        char = self._peek()
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == "\\":
            return self._escape()
        self._at += 1
        if char == ".":
            return "(?s:.)" if "s" in self._flags else r"[^\n]"
        if char == "^":
            return "(?m:^)" if "m" in self._flags else r"\A"
        if char == "$":
            return "(?m:$)" if "m" in self._flags else r"\Z"
        return self._literal(char)

    def _literal(self, char: str) -> str:
        text = char if char.isalnum() or char == "_" else f"\\U{ord(char):08x}"
        return f"(?i:{text})" if "i" in self._flags else text

    # Groups

    def _group(self) -> str | None:
        start = self._at
        self._at += 1
        outer = self._flags
        if self._peek() == "?":
            self._at += 1
            if self._peek() == "P" or (self._peek() == "<" and self._peek(2) not in ("<=", "<!")):
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
        return f"(?:{body})"

    def _name(self, start: int) -> None:
        self._at += self._peek() == "P"
        end = self._text.find(">", self._at)
        if self._peek() != "<":
            raise PatternError(f"invalid or unsupported Perl syntax: `{self._text[start : self._at + 1]}`", start)
        if end < 0:
            raise PatternError(f"invalid named capture: `{self._text[start:]}`", start)
        name = self._text[self._at + 1 : end]
        capture = self._text[start : end + 1]
        if not name or not all(c == "_" or (c.isascii() and c.isalnum()) for c in name):
            raise PatternError(f"invalid named capture: `{capture}`", start)
        if name in self._names:
            raise PatternError(f"duplicate capture group name: `{name}`", start)
        self._names.add(name)
        self._at = end + 1

    def _flag_group(self, start: int) -> bool:
        """Read ``i-s:`` or ``i)``; True if it ends right there."""
        flags = set(self._flags)
        negative = seen = False
        while True:
            char = self._peek()
            self._at += 1
            if char and char in "imsU":
                (flags.discard if negative else flags.add)(char)
                seen = True
            elif char == "-" and not negative:
                negative, seen = True, False
            elif char and char in ":)" and (seen or not negative):
                self._flags = frozenset(flags)
                return char == ")"
            elif not char:
                raise PatternError(f"missing closing ): `{self._text}`", start)
            else:
                # (?= (?! (?<= (?<! (?> (?# (?P= : RE2 has none of them.
                end = self._at + (char == "<" and self._peek() in ("=", "!"))
                raise PatternError(f"invalid or unsupported Perl syntax: `{self._text[start:end]}`", start)

    # Classes and escapes

    def _class(self) -> str:
        start = self._at
        self._at += 1
        negated = self._peek() == "^"
        self._at += negated
        members: list[str] = []
        first = True
        while first or self._peek() != "]":
            if self._at >= len(self._text):
                raise PatternError(f"missing closing ]: `{self._text[start:]}`", start)
            first = False
            members.append(self._member(start))
        self._at += 1
        text = "".join(members)
        body = f"[^{text}]" if negated else f"[{text}]"
        return f"(?i:{body})" if "i" in self._flags else body

    def _member(self, start: int) -> str:
        if self._peek(2) == "[:":
            end = self._text.find(":]", self._at + 2)
            if end > 0:
                name = self._text[self._at + 2 : end]
                whole = self._text[self._at : end + 2]
                plain = name.removeprefix("^")
                if plain not in _CLASSES:
                    raise PatternError(f"invalid character class range: `{whole}`", self._at)
                self._at = end + 2
                return _complement(_CLASSES[plain]) if name != plain else _CLASSES[plain]
        if self._peek() == "\\" and self._peek(2)[1:] in tuple("dwsDWSpP"):
            return self._class_escape(inside=True)
        low_at = self._at
        low = self._class_char(start)
        if self._peek() == "-" and self._peek(2) != "-]" and self._at + 1 < len(self._text):
            self._at += 1
            high = self._class_char(start)
            if high < low:
                raise PatternError(f"invalid character class range: `{self._text[low_at : self._at]}`", low_at)
            return f"\\U{low:08x}-\\U{high:08x}"
        return f"\\U{low:08x}"

    def _class_char(self, start: int) -> int:
        if self._at >= len(self._text):
            raise PatternError(f"missing closing ]: `{self._text[start:]}`", start)
        if self._peek() == "\\":
            return self._escaped_char()
        self._at += 1
        return ord(self._text[self._at - 1])

    def _class_escape(self, *, inside: bool) -> str:
        start = self._at
        letter = self._text[start + 1]
        if letter in "pP":
            return self._property(letter, start)
        self._at += 2
        members = _PERL[letter.lower()]
        if letter.islower():
            return members if inside else f"[{members}]"
        return _complement(members) if inside else f"[^{members}]"

    def _property(self, letter: str, start: int) -> str:
        if self._text[start + 2 : start + 3] == "{":
            end = self._text.find("}", start)
            if end < 0:
                raise PatternError(f"invalid character class range: `{self._text[start:]}`", start)
            name = self._text[start + 3 : end]
            self._at = end + 1
        else:
            name = self._text[start + 2 : start + 3]
            self._at = start + 3
        negated = name.startswith("^")
        plain = name.removeprefix("^")
        import regex

        try:
            regex.compile(f"\\p{{{plain}}}")
        except regex.error:
            raise PatternError(f"invalid character class range: `{self._text[start : self._at]}`", start) from None
        return f"\\{'P' if (letter == 'P') is not negated else 'p'}{{{plain}}}"

    def _escape(self) -> str:
        start = self._at
        letter = self._text[start + 1 : start + 2]
        if letter and letter in "dwsDWSpP":
            text = self._class_escape(inside=False)
            return f"(?i:{text})" if "i" in self._flags else text
        if letter in ("A", "z", "b", "B"):
            self._at += 2
            # Go's \b is ASCII.
            word = r"[0-9A-Za-z_]"
            edge = f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
            inner = f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"
            return {"A": r"\A", "z": r"\Z", "b": edge, "B": inner}[letter]
        return self._literal(chr(self._escaped_char()))

    def _quoted(self) -> list[str]:
        """Read ``\\Q...\\E``; a repetition after it is of the last character."""
        start = self._at + 2
        end = self._text.find("\\E", start)
        literal = self._text[start:] if end < 0 else self._text[start:end]
        self._at = len(self._text) if end < 0 else end + 2
        return [self._literal(char) for char in literal]

    def _escaped_char(self) -> int:
        text, start = self._text, self._at
        letter = text[start + 1 : start + 2]
        if not letter:
            raise PatternError("trailing backslash at end of expression: ``", start)
        self._at += 2
        if letter in _CONTROL:
            return ord({"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}[letter])
        if letter in "01234567" and (letter == "0" or text[self._at : self._at + 1] in tuple("01234567")):
            end = self._at
            while end < len(text) and end < start + 4 and text[end] in "01234567":
                end += 1
            self._at = end
            return int(text[start + 1 : end], 8)
        if letter == "x" and (value := self._hex()) is not None:
            return value
        if letter.isascii() and not letter.isalnum():
            return ord(letter)
        raise PatternError(f"invalid escape sequence: `{text[start : self._at]}`", start)

    def _hex(self) -> int | None:
        text = self._text
        if self._peek() == "{":
            end = text.find("}", self._at)
            digits = text[self._at + 1 : end] if end > 0 else ""
            after = end + 1
        else:
            digits = self._peek(2) if len(self._peek(2)) == 2 else ""
            after = self._at + 2
        if not digits or any(digit not in _HEX for digit in digits) or int(digits, 16) > _MOST_CHAR:
            return None
        self._at = after
        return int(digits, 16)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and (text == "0" or not text.startswith("0")) and len(text) < 9


def _complement(members: str) -> str:
    """Write all other characters, for use inside brackets."""
    mask = ascii_mask(members)
    others = "".join([f"\\x{code:02x}" for code in range(128) if not mask >> code & 1])
    return others + r"\x80-\U0010ffff"
