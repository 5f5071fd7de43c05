"""The syntax of Rust's regex crate: checked in the words of regex-syntax 0.8, written for RE2 and ``regex``.

https://docs.rs/regex/1/regex/#syntax. Classes are Unicode's unless ``(?-u)``; set operations and nested classes
become look-around on one character, which RE2 cannot say. As nobody asks where a match ends, lazy is greedy.

Known difference: the crate's limit of 10 MiB for a compiled expression; here such an expression compiles.
"""

from __future__ import annotations

from .regex_nodes import PatternError
from .rust_classes import CharSet, SetWriter

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
_EDGE_NAMES = {"start": "<", "end": ">", "start-half": "(", "end-half": ")"}
_OPERATORS = ("&&", "--", "~~")


def translate(pattern: str) -> tuple[str, str | None, bool]:
    """Check an expression and write it for ``regex`` and for RE2; ``PatternError`` in the crate's words.

    The text for RE2 is None where RE2 cannot say it. The last value is true where RE2 is right on ASCII only: its
    ``\\b`` knows no other letters.
    """
    general = _Translator(pattern, linear=False)
    text = general.whole()
    writer = _Translator(pattern, linear=True)
    linear = writer.whole()
    return text, linear if writer.sets.regular else None, general.ascii_edges


class _Translator:
    def __init__(self, pattern: str, *, linear: bool) -> None:
        self._text = pattern
        self._at = 0
        self._flags = frozenset("u")
        self._names: set[str] = set()
        self._depth = 0
        self._linear = linear
        self.sets = SetWriter(linear=linear)
        self.ascii_edges = False

    def whole(self) -> str:
        out = self._alternation()
        if self._at < len(self._text):
            raise PatternError("unopened group", self._at)
        if self.sets.mistake is not None:
            raise self.sets.mistake
        return out

    def _peek(self, length: int = 1) -> str:
        return self._text[self._at : self._at + length]

    def _skip_space(self) -> None:
        """Pass over white space and comments where ``(?x)`` is on."""
        if "x" not in self._flags:
            return
        while (char := self._peek()) and (char.isspace() or char == "#"):
            end = self._text.find("\n", self._at) if char == "#" else self._at
            self._at = len(self._text) if end < 0 else end + 1

    def _step(self) -> bool:
        """Go on by one character and the space after it; false at the end."""
        self._at += 1
        self._skip_space()
        return self._at < len(self._text)

    def _alternation(self) -> str:
        branches = [self._branch()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._branch())
        return "|".join(branches)

    def _branch(self) -> str:
        out: list[str] = []
        repeatable = False
        while True:
            self._skip_space()
            char = self._peek()
            if not char or char in "|)":
                return "".join(out)
            if char in "*+?{":
                if not repeatable:
                    raise PatternError(_NO_OPERAND, self._at)
                out[-1] = f"(?:{out[-1]}){self._operator(char)}"
                continue
            atom = self._atom(char)
            repeatable = atom is not None
            if atom is not None:
                out.append(atom)

    def _operator(self, char: str) -> str:
        if char == "{":
            return self._counted()
        self._at += 1
        self._at += self._peek() == "?"
        return char

    def _counted(self) -> str:
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
        if self._step() and self._peek() == "?":
            self._at += 1
        # regex.compile would write a required text out in full, so counts end somewhere.
        upper = "" if most is None or most > _WRITTEN_COUNT else most
        return f"{{{min(least, _WRITTEN_COUNT)},{upper}}}"

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

    def _atom(self, char: str) -> str | None:
        if char == "(":
            return self._group()
        if char == "[":
            start = self._at
            return self.sets.write(self._class(), self._flags, start)
        if char == "\\":
            return self._escape()
        self._at += 1
        if char == ".":
            return self.sets.dot(self._flags, self._at - 1)
        if char in "^$":
            return self._line_edge(char)
        return self.sets.literal(ord(char), self._flags)

    def _line_edge(self, char: str) -> str:
        if "m" not in self._flags:
            return r"\A" if char == "^" else self._text_end()
        if "R" not in self._flags:
            return f"(?m:{char})"
        self.sets.regular = False
        return r"(?:\A|(?<=\n)|(?<=\r)(?!\n))" if char == "^" else r"(?:\Z|(?=\r)|(?<!\r)(?=\n))"

    def _text_end(self) -> str:
        return r"\z" if self._linear else r"\Z"

    # Groups

    def _group(self) -> str | None:
        start = self._at
        self._step()
        outer = self._flags
        if any(self._text.startswith(sign, self._at) for sign in ("?=", "?!", "?<=", "?<!")):
            raise PatternError(_LOOKAROUND, start)
        if self._peek(3) == "?P<" or self._peek(2) == "?<":
            self._at = self._text.index("<", self._at) + 1
            self._name()
        elif self._peek() == "?":
            self._at += 1
            if self._at >= len(self._text):
                raise PatternError("unclosed group", start)
            if self._flag_group():
                return None
        if self._depth >= _MAX_DEPTH:
            raise PatternError("exceed the maximum number of nested parentheses/brackets (200)", start)
        self._depth += 1
        body = self._alternation()
        self._depth -= 1
        if self._peek() != ")":
            raise PatternError("unclosed group", start)
        self._at += 1
        self._flags = outer
        return f"(?:{body})"

    def _name(self) -> None:
        start = self._at
        while (char := self._peek()) and char != ">":
            first = self._at == start
            if not (char == "_" or (char.isalpha() if first else char in ".[]" or char.isalnum())):
                raise PatternError("invalid capture group character", self._at)
            self._at += 1
        if not char:
            raise PatternError("unclosed capture group name", self._at)
        name = self._text[start : self._at]
        if not name:
            raise PatternError("empty capture group name", start)
        if name in self._names:
            raise PatternError("duplicate capture group name", start)
        self._names.add(name)
        self._at += 1

    def _flag_group(self) -> bool:
        """Read ``i-s:`` or ``i)``; True if it ends right there."""
        start = self._at
        flags = set(self._flags)
        seen: set[str] = set()
        while (char := self._peek()) and char not in ":)":
            if char not in _FLAGS + "-":
                raise PatternError("unrecognized flag", self._at)
            if char in seen:
                again = "flag negation operator repeated" if char == "-" else "duplicate flag"
                raise PatternError(again, self._text.index(char, start))  # the first of the two
            if char != "-":
                (flags.discard if "-" in seen else flags.add)(char)
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

    def _escape(self) -> str:
        start = self._at
        letter = self._peek(2)[1:]
        if letter and letter in "AzbB<>":
            self._at += 2
            return self._edge(letter, start)
        item = self._escaped()
        if isinstance(item, int):
            return self.sets.literal(item, self._flags)
        return self.sets.write(item, self._flags, start)

    def _edge(self, letter: str, start: int) -> str:
        if letter == "A":
            return r"\A"
        if letter == "z":
            return self._text_end()
        if letter == "b" and self._peek() == "{":
            letter = self._special_edge(start) or "b"
        # RE2 knows ASCII words only, and its \B matches between the bytes of a character.
        self.ascii_edges = self.ascii_edges or letter == "B" or "u" in self._flags
        return self.sets.edge(letter, self._flags)

    def _special_edge(self, start: int) -> str | None:
        """Read ``{start}`` and the like; None where the brace is a repetition's."""
        text, brace = self._text, self._at
        if brace + 1 >= len(text):
            raise PatternError(
                "found either the beginning of a special word boundary or a bounded repetition on a \\b with an "
                "opening brace, but no closing brace",
                start,
            )
        end = brace + 1
        while end < len(text) and text[end].isascii() and (text[end].isalpha() or text[end] == "-"):
            end += 1
        if end == brace + 1:
            return None
        if text[end : end + 1] != "}":
            raise PatternError(
                "special word boundary assertion is either unclosed or contains an invalid character", brace
            )
        name = text[brace + 1 : end]
        if name not in _EDGE_NAMES:
            raise PatternError(
                "unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half",
                brace + 1,
            )
        self._at = end + 1
        return _EDGE_NAMES[name]

    def _escaped(self) -> int | CharSet:
        """Read an escape that is a character or a class."""
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
            return self.sets.shorthand(letter, "u" in self._flags, start)
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

    def _property(self, negated: bool, start: int) -> CharSet:
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
        return self.sets.property(name, negated, "u" in self._flags, start)

    # Classes

    def _class(self) -> CharSet:
        start = self._at
        if self._depth >= _MAX_DEPTH:
            raise PatternError("exceed the maximum number of nested parentheses/brackets (200)", start)
        self._depth += 1
        self._step()
        negated = self._peek() == "^"
        if negated:
            self._step()
        items: list[CharSet] = []
        while self._peek() == "-":
            items.append(self.sets.range(0x2D, 0x2D))
            self._step()
        if not items and self._peek() == "]":
            items.append(self.sets.range(0x5D, 0x5D))
            self._step()
        left: CharSet | None = None
        operator = ""
        while True:
            self._skip_space()
            char = self._peek()
            if not char:
                raise PatternError("unclosed character class", start)
            if char == "]" or self._peek(2) in _OPERATORS:
                union = self.sets.union(items, self._flags)
                left = union if left is None else self.sets.operate(left, operator, union, self._flags)
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
        return self.sets.negate(left, self._flags) if negated else left

    def _named_class(self) -> CharSet | None:
        end = self._text.find(":]", self._at + 2)
        name = self._text[self._at + 2 : end]
        if self._peek(2) != "[:" or end < 0:
            return None
        found = self.sets.named(name)
        if found is not None:
            self._at = end + 2
        return found

    def _range(self, start: int) -> CharSet:
        low_at = self._at
        low = self._member(start)
        self._skip_space()
        if not self._peek():
            raise PatternError("unclosed character class", start)
        if self._peek() != "-" or self._after_space(self._at + 1) in ("]", "-"):
            if low is None:
                raise PatternError("invalid escape sequence found in character class", low_at)
            return self.sets.range(low, low) if isinstance(low, int) else low
        self._step()
        high_at = self._at
        high = self._member(start)
        for end, at in ((low, low_at), (high, high_at)):
            if not isinstance(end, int):
                raise PatternError("invalid range boundary, must be a literal", at)
        assert isinstance(low, int) and isinstance(high, int)
        if high < low:
            raise PatternError("invalid character class range, the start must be <= the end", low_at)
        return self.sets.range(low, high)

    def _after_space(self, at: int) -> str:
        here, self._at = self._at, at
        self._skip_space()
        char = self._peek()
        self._at = here
        return char

    def _member(self, start: int) -> int | CharSet | None:
        """Read a character, a class, or an edge, which is nothing that can be in a class."""
        char = self._peek()
        if not char:
            raise PatternError("unclosed character class", start)
        if char != "\\":
            self._at += 1
            return ord(char)
        if self._peek(2)[1:] not in tuple("AzbB<>"):
            return self._escaped()
        self._at += 2
        if self._text[self._at - 1] == "b" and self._peek() == "{":
            self._special_edge(self._at - 2)
        return None
