"""Lexer of Oniguruma's syntax for Perl with named groups (``ONIG_SYNTAX_PERL_NG``), which jq uses.

https://github.com/kkos/oniguruma/blob/master/doc/SYNTAX.md lists its operators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import errors as words
from .errors import OnigError
from .nodes import INFINITE

if TYPE_CHECKING:
    from ....cancel import CancelScope

# Options.
IGNORE_CASE, EXTENDED, DOT_ALL, ONE_LINE = 1, 2, 4, 8

# Kinds of tokens.
END, STRING, BYTE, CODE, DOT, TYPE, BACK, CALL, PLACE, REPEAT, INTERVAL, BAR, OPEN, CLOSE, CLASS = range(15)
QUOTE, PROPERTY, KEEP, NEWLINE, NOT_NEWLINE, ANYTHING, SEGMENT = range(15, 22)
CLASS_CHAR, CLASS_END, CLASS_RANGE, CLASS_POSIX = range(22, 26)

_MOST_REPEAT = 100_000
_MOST_BACK = 1000
_MOST_INT = 2**31 - 1
_MOST_ENCODED = 0x1FFFFF  # Oniguruma encodes all codes up to here in at most four bytes
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "a": "\a", "b": "\b", "e": "\x1b"}
_TYPES = {"w": ("word", False), "W": ("word", True), "d": ("digit", False), "D": ("digit", True)}
_TYPES |= {"s": ("space", False), "S": ("space", True)}
_PLACES = {"b": "word", "B": "not_word", "y": "segment", "Y": "not_segment", "A": "begin", "Z": "semi_end", "z": "end"}
_PLACES["G"] = "start"
_OTHERS = {"K": KEEP, "R": NEWLINE, "N": NOT_NEWLINE, "O": ANYTHING, "X": SEGMENT, "Q": QUOTE}
_HEX = "0123456789abcdefABCDEF"
_OCTAL = "01234567"
_CODE_DIGITS = {16: (_HEX, 8), 8: (_OCTAL, 11)}  # of a code in braces: the digits, and the most of them
_DIGITS = "0123456789"


def is_word(char: str) -> bool:
    """Return whether a character may be in a name."""
    from .sets import WORD, in_class

    if char.isascii():
        return char.isalnum() or char == "_"
    return in_class(WORD, char)


class Tokens:
    """Reader of a pattern's tokens; the last token is in ``kind`` and the attributes after it."""

    def __init__(self, pattern: str, options: int, scope: CancelScope | None = None) -> None:
        self.scope = scope
        self.fetched = 0
        self.pattern = pattern
        self.size = len(pattern)
        self.at = 0
        self.options = options
        self.groups = 0  # opened so far
        self.names: dict[str, list[int]] = {}
        self.kind = END
        self.char = ""  # STRING, CODE, CLASS_CHAR: the character; PLACE: its kind
        self.code = 0  # CODE: its code point, which may be beyond Unicode
        self.byte = 0
        self.base = 0  # the base of the number in the escape
        self.escaped = False  # CLASS_CHAR
        self.named = ("", False)  # TYPE, PROPERTY: the class, and whether it is negated
        self.counts = (0, 0)  # REPEAT, INTERVAL
        self.greedy = self.possessive = False
        self.numbers: list[int] = []  # BACK
        self.level: int | None = None
        self.name = ""  # CALL
        self.number: int | None = None
        self.more = False  # inside \x{41 42 ...}

    def peek(self) -> str:
        """Return the next character, "" at the end."""
        return self.pattern[self.at : self.at + 1]

    # Outside of brackets

    def fetch(self) -> int:
        """Read the next token and return its kind."""
        self.fetched += 1
        if not self.fetched & 2047 and self.scope is not None:
            self.scope.check()
        if self.more and self._next_code(False):
            return self.kind
        while self.at < self.size:
            char = self.pattern[self.at]
            self.at += 1
            self.kind, self.char, self.base = STRING, char, 0
            if char == "\\":
                self._escape()
            elif char == "(":
                if not self._open():
                    continue  # a comment
            elif char in _PLAIN:
                if not _PLAIN[char](self):
                    continue
            return self.kind
        self.kind = END
        return END

    def _dot(self) -> bool:
        self.kind = DOT
        return True

    def _repeat(self, least: int, most: int) -> bool:
        self.kind = REPEAT
        self.counts = (least, most)
        self._after_repeat()
        return True

    def _after_repeat(self) -> None:
        self.greedy, self.possessive = True, False
        following = self.peek()
        if following == "?":
            self.at += 1
            self.greedy = False
        elif following == "+":
            self.at += 1
            self.possessive = True

    def _brace(self) -> bool:
        """Read ``{n,m}``; any other brace is literal."""
        start = self.at
        low = self._count()
        if self.at == start:  # ``{,n}`` is text here, unlike in other flavours of Oniguruma
            return True
        high = low
        if self.peek() == ",":
            self.at += 1
            before = self.at
            high = self._count()
            if self.at == before:
                high = INFINITE
        if self.peek() != "}":
            self.at = start
            return True
        self.at += 1
        if high != INFINITE and low > high:
            raise OnigError(words.UPPER_SMALLER)
        self.kind = INTERVAL
        self.counts = (low, high)
        self._after_repeat()
        return True

    def _count(self) -> int:
        digits = self._digits(_DIGITS)
        number = int(digits[:12] or 0)
        if number > _MOST_REPEAT:
            raise OnigError(words.TOO_BIG_REPEAT)
        return number

    def _digits(self, allowed: str, most: int = 1 << 62) -> str:
        start = self.at
        while self.at < self.size and self.at - start < most and self.pattern[self.at] in allowed:
            self.at += 1
        return self.pattern[start : self.at]

    def _bar(self) -> bool:
        self.kind = BAR
        return True

    def _close(self) -> bool:
        self.kind = CLOSE
        return True

    def _class(self) -> bool:
        self.kind = CLASS
        return True

    def _line_begin(self) -> bool:
        self.kind = PLACE
        self.char = "begin" if self.options & ONE_LINE else "line_begin"
        return True

    def _line_end(self) -> bool:
        self.kind = PLACE
        self.char = "semi_end" if self.options & ONE_LINE else "line_end"
        return True

    def _hash(self) -> bool:
        if not self.options & EXTENDED:
            return True
        end = self.pattern.find("\n", self.at)
        self.at = self.size if end < 0 else end + 1
        return False

    def _blank(self) -> bool:
        return not self.options & EXTENDED

    def _open(self) -> bool:
        """Read ``(``, a call, or a comment, for which the result is False."""
        self.kind = OPEN
        pattern, at = self.pattern, self.at
        if pattern[at : at + 1] != "?" or at + 1 >= self.size:
            return True
        char = pattern[at + 1]
        if char == "#":
            self.at += 2
            self._comment()
            return False
        if char == "&":
            self.at += 2
            start = self.at
            end, _, _ = self.read_name("(", False)
            self._call(pattern[start:end], None)
        elif char == "R":
            # The parenthesis after it is not consumed: Oniguruma 6.9.10 reads it as a closing one.
            self.at += 2
            if self.peek() != ")":
                raise OnigError(words.UNDEFINED_OPTION)
            self._call("", 0)
        elif char.isdecimal() or (char in "+-" and pattern[at + 2 : at + 3].isdecimal()):
            self.at += 1
            start = self.at
            end, number, relative = self.read_name("(", True)
            if number is None:
                raise OnigError(words.INVALID_NAME)
            self._call_number(pattern[start:end], number, relative)
        return True

    def _comment(self) -> None:
        while self.at < self.size:
            char = self.pattern[self.at]
            self.at += 1
            if char == "\\":
                self.at += 1
            elif char == ")":
                return
        raise OnigError(words.END_IN_GROUP)

    def _call(self, name: str, number: int | None) -> None:
        self.kind, self.name, self.number = CALL, name, number

    def _call_number(self, name: str, number: int, relative: bool) -> None:
        if relative:
            number = self.absolute(number)
            if number < 0:
                raise OnigError(words.UNDEFINED_GROUP, name)
        self._call(name, number)

    def absolute(self, number: int) -> int:
        """Return the group number of a relative number at this position."""
        if number > 0:
            return self.groups + number
        return self.groups + 1 + number

    # Escapes

    def _escape(self) -> None:
        if self.at >= self.size:
            raise OnigError(words.END_AT_ESCAPE)
        char = self.pattern[self.at]
        self.at += 1
        self.char = char
        if char in _TYPES:
            self.kind, self.named = TYPE, _TYPES[char]
        elif char in _PLACES:
            self.kind, self.char = PLACE, _PLACES[char]
        elif char in _OTHERS:
            self.kind = _OTHERS[char]
        elif char in "xo":
            self._code(char, False)
        elif char in "123456789":
            self._number(char)
        elif char == "0":
            self._octal(2)
        elif char == "k":
            self._named_back()
        elif char == "g":
            self._named_call()
        elif char in "pP":
            self._property(char)
        else:
            self.at -= 1
            found = self._control()
            if found != char:
                self._set_code(ord(found))

    def _property(self, char: str) -> None:
        if self.peek() != "{":
            return
        self.at += 1
        negated = char == "P"
        if self.peek() == "^":
            self.at += 1
            negated = not negated
        self.kind, self.named = PROPERTY, ("", negated)

    def _control(self) -> str:
        """Read the character of an escape after its backslash, including ``\\cx``."""
        if self.at >= self.size:
            raise OnigError(words.END_AT_ESCAPE)
        char = self.pattern[self.at]
        self.at += 1
        if char != "c":
            return _CONTROLS.get(char, char)
        if self.at >= self.size:
            raise OnigError(words.END_AT_CONTROL)
        char = self.pattern[self.at]
        self.at += 1
        if char == "?":
            return "\x7f"
        if char == "\\":
            char = self._control()
        return chr(ord(char) & 0x9F)

    def _set_code(self, code: int) -> None:
        if code > _MOST_ENCODED:
            raise OnigError(words.INVALID_CODE)
        # Code points beyond Unicode, and surrogates, occur in no text.
        self.kind, self.code, self.char = CODE, code, chr(code) if code <= 0x10FFFF else "\udfff"

    def _code(self, char: str, in_class: bool) -> None:
        """Read ``\\xHH``, ``\\x{H...}`` or ``\\o{...}``."""
        if self.at >= self.size:
            return
        if self.pattern[self.at] == "{":
            self._code_in_braces(16 if char == "x" else 8, in_class)
        elif char == "x":
            digits = self._digits(_HEX, 2)
            self.kind, self.base, self.byte = BYTE, 16, int(digits or "0", 16)

    def _code_in_braces(self, base: int, in_class: bool) -> None:
        """Read ``{H...}``. Without a digit after it the brace is a character, and the escape stays as it is."""
        start = self.at
        self.at += 1
        digits = self._digits(*_CODE_DIGITS[base])
        if base == 8 and int(digits or "0", 8) >= 1 << 32:
            raise OnigError(words.TOO_BIG)
        following = _HEX if base == 16 else _DIGITS
        if self.peek() and self.peek() in following:
            raise OnigError(words.TOO_LONG_CODE)
        if not digits:
            self.at = start
            return
        self.base = base
        if self.at >= self.size:
            raise OnigError(words.INVALID_CODE)
        if self.pattern[self.at] == "}":
            self.at += 1
        else:
            self._check_codes(in_class)
            self.more = True
        self._set_code(int(digits, base))

    def _octal(self, most: int, in_class: bool = False) -> None:
        digits = self._digits(_OCTAL, most)
        code = int(digits or "0", 8)
        if code >= 256 and in_class:
            raise OnigError(words.TOO_BIG)
        self.kind, self.base, self.byte = BYTE, 8, code & 0xFF

    def _check_codes(self, in_class: bool) -> None:
        """Check the rest of ``\\x{41 42-45}`` after the first code; ``-`` is allowed only in brackets."""
        here = self.at
        allowed, most = _CODE_DIGITS[self.base]
        first = in_class
        digits_ended = False
        pending = False  # the end of a range must follow
        count = 0
        while self.at < self.size:
            char = self.pattern[self.at]
            self.at += 1
            if char in " \n":
                char = self._skip_code_blanks()
            elif digits_ended and char not in "}-":
                raise OnigError(words.TOO_LONG_CODE if char in allowed else words.INVALID_CODE)
            if char == "}":
                if pending or not count:
                    raise OnigError(words.INVALID_CODE)
                self.at = here
                return
            if char == "-":
                if not first or pending or self.at >= self.size:
                    raise OnigError(words.INVALID_CODE)
                digits_ended, pending, first = False, True, False
                continue
            self.at -= 1
            if not self._digits(allowed, most):
                raise OnigError(words.INVALID_CODE)
            count += 1
            digits_ended = True
            pending, first = False, not pending
        raise OnigError(words.INVALID_CODE)

    def _skip_code_blanks(self) -> str:
        """Skip the blanks between two codes and return the character after them."""
        while self.at < self.size:
            char = self.pattern[self.at]
            self.at += 1
            if char not in " \n":
                return char
        raise OnigError(words.INVALID_CODE)

    def _next_code(self, in_class: bool) -> bool:
        """Read the next code of ``\\x{41 42}``; return False at its end."""
        while self.at < self.size and self.pattern[self.at] in " \n":
            self.at += 1
        char = self.peek()
        if char == "}":
            self.at += 1
            self.more = False
            return False
        if char == "-" and in_class:
            self.at += 1
            self.kind = CLASS_RANGE
            return True
        digits = self._digits(*_CODE_DIGITS[self.base])
        if not digits:
            raise OnigError(words.INVALID_CODE)
        self._set_code(int(digits, self.base))
        return True

    def _number(self, char: str) -> None:
        """Read ``\\1``: a back-reference if such a group exists or may follow, else an octal escape."""
        self.at -= 1
        start = self.at
        number = int(self._digits(_DIGITS)[:10])
        if number <= _MOST_BACK and (number <= self.groups or number <= 9):
            self._back([number], None)
            return
        self.at = start
        if char in "89":
            self.at += 1
            return
        self._octal(3)

    def _back(self, numbers: list[int], level: int | None) -> None:
        self.kind, self.numbers, self.level = BACK, numbers, level

    def _named_back(self) -> None:
        opener = self.peek()
        if opener not in ("<", "'"):
            return
        self.at += 1
        numbers, level = self.read_reference(opener)
        self._back(numbers, level)

    def _named_call(self) -> None:
        opener = self.peek()
        if opener not in ("<", "'"):
            return
        self.at += 1
        start = self.at
        end, number, relative = self.read_name(opener, True)
        name = self.pattern[start:end]
        if number is None:
            self._call(name, None)
        else:
            self._call_number(name, number, relative)

    # Names

    def read_reference(self, opener: str) -> tuple[list[int], int | None]:
        """Read ``name>``, ``1>`` or ``-1+0>``; return the groups and the level."""
        start = self.at
        end, number, relative, level = self._name_with_level(opener)
        if number is None:
            name = self.pattern[start:end]
            if name not in self.names:
                raise OnigError(words.UNDEFINED_NAME, name)
            return list(self.names[name]), level
        if relative:
            number = self.absolute(number)
        if number <= 0:
            raise OnigError(words.INVALID_BACK)
        return [number], level

    def read_name(self, opener: str, numbers: bool) -> tuple[int, int | None, bool]:
        """Read a name up to its closer; return its end, its number or None, and whether that is relative."""
        closer = {"<": ">", "'": "'", "(": ")"}[opener]
        pattern, start = self.pattern, self.at
        char = self.peek()
        if char in ("", closer):
            raise OnigError(words.EMPTY_NAME)
        self.at += 1
        numeric, sign, wrong = False, "", ""
        digits_at = start
        if char in _DIGITS or char in "+-":
            numeric = numbers
            if not numbers:
                wrong = words.INVALID_NAME
            elif char in "+-":
                sign, digits_at = char, self.at
        elif not is_word(char):
            wrong = words.INVALID_NAME_CHAR
        if wrong:
            raise OnigError(wrong, pattern[start : self._skip_name(closer)])
        end = self.size
        while self.at < self.size:
            end = self.at
            char = pattern[self.at]
            self.at += 1
            if char in (closer, ")"):
                break
            numeric = numeric and char in _DIGITS  # Oniguruma ignores an error inside a name
        if char != closer:
            raise OnigError(words.INVALID_NAME, pattern[start:end])
        if not numeric:
            return end, None, False
        number = self._name_number(pattern[digits_at:end])
        if not number and sign:
            raise OnigError(words.INVALID_NAME, pattern[start:end])
        return end, -number if sign == "-" else number, bool(sign)

    def _skip_name(self, closer: str) -> int:
        end = self.at
        while self.at < self.size:
            end = self.at
            self.at += 1
            if self.pattern[end] in (closer, ")"):
                break
        return self.size if self.at >= self.size else end

    @staticmethod
    def _name_number(digits: str) -> int:
        number = int(digits[:12] or 0)
        if number > _MOST_INT:
            raise OnigError(words.TOO_BIG)
        return number

    def _name_with_level(self, opener: str) -> tuple[int, int | None, bool, int | None]:
        closer = {"<": ">", "'": "'", "(": ")"}[opener]
        pattern, start = self.pattern, self.at
        char = self.peek()
        if char in ("", closer):
            raise OnigError(words.EMPTY_NAME)
        self.at += 1
        sign = char if char in "+-" else ""
        numeric = bool(sign) or char in _DIGITS
        digits_at = self.at if sign else start
        wrong = "" if numeric or is_word(char) else words.INVALID_NAME_CHAR
        end = self.size
        while self.at < self.size:
            end = self.at
            char = pattern[self.at]
            self.at += 1
            if char in (closer, ")", "+", "-"):
                if numeric and end == digits_at:
                    wrong = words.INVALID_NAME
                break
            if numeric:
                if char not in _DIGITS:
                    wrong, numeric = words.INVALID_NAME, False
            elif not is_word(char):
                wrong = words.INVALID_NAME_CHAR
        if wrong:
            raise OnigError(wrong, pattern[start:end])
        level = None
        if char != closer:
            level = self._level(char, closer)
            if level is None and char in "+-" and self.at >= self.size:
                raise OnigError(words.INVALID_NAME_CHAR, pattern[start:end])
            if level is None:
                raise OnigError(words.INVALID_NAME, pattern[start : self.size])
        if not numeric:
            return end, None, False, level
        number = self._name_number(pattern[digits_at:end])
        if sign and not number:
            raise OnigError(words.INVALID_NAME, pattern[start:end])
        if sign == "-":
            number = -number
        return end, number, bool(sign), level

    def _level(self, sign: str, closer: str) -> int | None:
        if sign not in "+-" or self.peek() not in tuple(_DIGITS):
            return None
        level = self._name_number(self._digits(_DIGITS))
        if self.peek() != closer:
            return None
        self.at += 1
        return -level if sign == "-" else level

    def property_name(self) -> str:
        """Read ``name}`` and return the class."""
        from .sets import property_class

        start = self.at
        for at in range(start, self.size):
            char = self.pattern[at]
            if char == "}":
                self.at = at + 1
                name = property_class(self.pattern[start:at])
                if name is None:
                    raise OnigError(words.INVALID_PROPERTY, self.pattern[start:at])
                return name
            if char in "(){|":
                break
        raise OnigError(words.UNMATCHED_OPEN)

    # Inside of brackets

    def fetch_in_class(self, range_open: bool = False) -> int:
        """Read the next token of a bracket expression; ``range_open``: it is the end of a range."""
        if self.more and self._next_code(True):
            return self.kind
        if self.at >= self.size:
            self.kind = END
            return END
        char = self.pattern[self.at]
        self.at += 1
        self.kind, self.char, self.base, self.escaped = CLASS_CHAR, char, 0, False
        if char == "]":
            self.kind = CLASS_END
        elif char == "-":
            self.kind = CLASS_RANGE
        elif char == "\\":
            self._class_escape(range_open)
        elif char == "[" and self.peek() == ":" and self._is_posix():
            self.at += 1
            self.kind = CLASS_POSIX
        return self.kind

    def _class_escape(self, range_open: bool) -> None:
        if self.at >= self.size:
            raise OnigError(words.END_AT_ESCAPE)
        char = self.pattern[self.at]
        self.at += 1
        self.char, self.escaped = char, True
        if char in _TYPES:
            self.kind, self.named = TYPE, _TYPES[char]
        elif char in "pP":
            self._property(char)
        elif char in "xo":
            self._code(char, not range_open)
        elif char in _OCTAL:
            self.at -= 1
            self._octal(3, in_class=True)
        else:
            self.at -= 1
            found = self._control()
            if found != char:
                self._set_code(ord(found))

    def _is_posix(self) -> bool:
        """Return whether ``[:`` at the current position begins ``[:name:]``."""
        from .sets import in_class

        at = self.at + 1
        count = 0
        while at < self.size:
            char = self.pattern[at]
            at += 1
            if char == ":":
                return bool(count) and self.pattern[at : at + 1] == "]"
            if not (char == "^" and not count) and not in_class("alpha", char):
                return False
            count += 1
        return False


_PLAIN = {
    ".": Tokens._dot,
    "*": lambda tokens: tokens._repeat(0, INFINITE),
    "+": lambda tokens: tokens._repeat(1, INFINITE),
    "?": lambda tokens: tokens._repeat(0, 1),
    "{": Tokens._brace,
    "|": Tokens._bar,
    ")": Tokens._close,
    "[": Tokens._class,
    "^": Tokens._line_begin,
    "$": Tokens._line_end,
    "#": Tokens._hash,
    " ": Tokens._blank,
    "\t": Tokens._blank,
    "\n": Tokens._blank,
    "\r": Tokens._blank,
    "\f": Tokens._blank,
}
