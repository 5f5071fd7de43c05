"""Words of an awk program (POSIX XCU awk, "Lexical Conventions").

Whether ``/`` divides or begins a regular expression only the parser knows: it asks for one with ``regex()``.
"""

from __future__ import annotations

from ...text import decode, encode, pause
from .values import AwkError

KEYWORDS = frozenset(
    "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete "
    "in getline print printf switch case default".split()
)
# Name: least and most arguments.
BUILTINS: dict[str, tuple[int, int]] = {
    **{name: (1, 1) for name in ("int", "sqrt", "exp", "log", "sin", "cos", "compl", "strtonum", "system", "typeof")},
    **{name: (1, 1) for name in ("tolower", "toupper", "isarray", "mkbool")},
    **{name: (2, 64) for name in ("and", "or", "xor")},
    **{name: (1, 3) for name in ("asort", "asorti")},
    **{name: (2, 3) for name in ("sub", "gsub", "match", "substr")},
    **{name: (2, 4) for name in ("split", "patsplit")},
    **{name: (2, 2) for name in ("atan2", "index", "lshift", "rshift")},
    "close": (1, 2),
    "fflush": (0, 1),
    "gensub": (3, 4),
    "length": (0, 1),
    "mktime": (1, 2),
    "rand": (0, 0),
    "sprintf": (0, 1000),
    "srand": (0, 1),
    "strftime": (0, 3),
    "systime": (0, 0),
}
_OPERATORS = (
    *(
        "**=",
        "&&",
        "||",
        "++",
        "--",
        "+=",
        "-=",
        "*=",
        "/=",
        "%=",
        "^=",
        "**",
        "==",
        "<=",
        ">=",
        "!=",
        "!~",
        ">>",
        "|&",
    ),
    *"{}()[];,+-*/%^!<>|&?:~$=@",
)
_SINGLE = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92, '"': 34}
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")


def unescape(text: str, warn: list[str]) -> bytes:
    """Replace the escapes of a string; what is none loses its backslash with a warning (gawk manual 3.2)."""
    if "\\" not in text:
        return encode(text)
    out = bytearray()
    at = 0
    while at < len(text):
        pause()
        found = text.find("\\", at)
        if found < 0 or found + 1 >= len(text):  # a backslash at the end is dropped (gawk)
            out += encode(text[at:] if found < 0 else text[at:found])
            break
        out += encode(text[at:found])
        at = found + 2
        char = text[found + 1]
        if char in _SINGLE:
            out.append(_SINGLE[char])
        elif char in "01234567":
            end = found + 2
            while end < min(found + 4, len(text)) and text[end] in "01234567":
                end += 1
            out.append(int(text[found + 1 : end], 8) & 255)
            at = end
        elif char == "x" and at < len(text) and text[at] in _HEX:
            end = at + 1
            if end < len(text) and text[end] in _HEX:
                end += 1
            out.append(int(text[at:end], 16))
            at = end
        elif char != "\n":
            message = "no hex digits in `\\x' escape sequence"
            if char != "x":
                message = f"escape sequence `\\{char}' treated as plain `{char}'"
            if message not in warn:
                warn.append(message)
            out += encode(char)
    return bytes(out)


class Source:
    """The program: fragments, each with the name that messages give it."""

    __slots__ = ("_starts", "text")

    def __init__(self, fragments: tuple[tuple[str, str], ...]) -> None:
        self._starts: list[tuple[int, str]] = []
        lines = 0
        texts: list[str] = []
        for text, name in fragments:
            self._starts.append((lines, name))
            texts.append(text)
            lines += text.count("\n") + 1
        self.text = "\n".join(texts)

    def where(self, line: int) -> str:
        """Name a line, counted from 0 over all fragments: ``cmd. line:3`` or ``x.awk:3``."""
        first, name = self._starts[0]
        for start, other in self._starts:
            if start <= line:
                first, name = start, other
        return f"{name}:{line - first + 1}"


class Lexer:
    """One token at a time. ``kind`` is the token itself, or ``number string name call builtin newline end``."""

    __slots__ = ("at", "end", "kind", "line", "source", "start", "text", "value", "warnings")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.end = len(self.text)
        self.at = 0
        self.start = 0  # of the token
        self.line = 0  # of the token
        self.kind = ""
        self.value: str | bytes | float = ""
        self.warnings: list[str] = []

    def where(self) -> str:
        """Name the token's line."""
        return self.source.where(self.line)

    def error(self, message: str, start: int = -1) -> AwkError:
        """Return a syntax error that points at the token."""
        text, start = self.text, self.start if start < 0 else start
        begin = text.rfind("\n", 0, start) + 1
        end = text.find("\n", start)
        excerpt = text[begin : end if end >= 0 else len(text)]
        pad = "".join(["\t" if char == "\t" else " " for char in text[begin:start]])
        line = self.line + (self.kind == "newline")  # gawk has read on by then
        return AwkError(f"{pad}^ {message}", self.source.where(line), "syntax", excerpt=excerpt)

    def peek(self) -> str:
        """Return the character behind the token, empty at the end."""
        return self.text[self.at : self.at + 1]

    def save(self) -> tuple[int, int, int, str, str | bytes | float]:
        """Remember the place."""
        return self.at, self.start, self.line, self.kind, self.value

    def restore(self, place: tuple[int, int, int, str, str | bytes | float]) -> None:
        """Go back to it."""
        self.at, self.start, self.line, self.kind, self.value = place

    def advance(self) -> str:
        """Read the next token; give its kind."""
        pause()
        text = self.text
        if self.kind == "newline":
            self.line += 1
        self._skip_blanks()
        at = self.start = self.at
        if at >= self.end:
            self.kind = "end"
        elif text[at] == "\n":
            self.at += 1
            self.kind = "newline"
        elif text[at] in _LETTERS:
            self._word()
        elif text[at] in _DIGITS or (text[at] == "." and text[at + 1 : at + 2] in _DIGITS):
            self._number()
        elif text[at] == '"':
            self._string()
        else:
            for operator in _OPERATORS:
                if text.startswith(operator, at):
                    self.at += len(operator)
                    self.kind = {"**": "^", "**=": "^="}.get(operator, operator)
                    return self.kind
            if text[at] == "\\":
                raise self.error("backslash not last character on line")
            shown = decode(encode(text[at])[:1])  # gawk looks at bytes
            raise self.error(f"invalid char '{shown}' in expression")
        return self.kind

    def _skip_blanks(self) -> None:
        text = self.text
        while self.at < self.end:
            char = text[self.at]
            if char in " \t\r":
                self.at += 1
            elif char == "#":
                end = text.find("\n", self.at)
                self.at = self.end if end < 0 else end
            elif char == "\\" and text.startswith("\n", self.at + 1):
                self.at += 2
                self.line += 1
            elif char == "\\" and text.startswith("\r\n", self.at + 1):
                self.at += 3
                self.line += 1
            else:
                return

    def _word(self) -> None:
        text, at = self.text, self.at
        while at < self.end and (text[at] in _LETTERS or text[at] in _DIGITS):
            at += 1
        word = text[self.at : at]
        self.at = at
        self.value = word
        if word in KEYWORDS:
            self.kind = "function" if word == "func" else word
        elif word in BUILTINS:
            self.kind = "builtin"
        else:
            self.kind = "call" if text.startswith("(", at) else "name"

    def _number(self) -> None:
        text, at, end = self.text, self.at, self.end
        self.kind = "number"
        if text[at] == "0" and text[at + 1 : at + 2] in ("x", "X") and text[at + 2 : at + 3] in _HEX and at + 2 < end:
            stop = at + 2
            while stop < end and text[stop] in _HEX:
                stop += 1
            self.value = float(int(text[at + 2 : stop], 16))
            self.at = stop
            return
        stop = at
        while stop < end and text[stop] in _DIGITS:
            stop += 1
        if text[at] == "0" and stop - at > 1 and text[stop : stop + 1] not in (".", "e", "E"):
            digits = text[at:stop]
            if all(digit in "01234567" for digit in digits):
                self.value = float(int(digits, 8))
                self.at = stop
                return
        if text[stop : stop + 1] == ".":
            stop += 1
            while stop < end and text[stop] in _DIGITS:
                stop += 1
        if text[stop : stop + 1] in ("e", "E"):
            exponent = stop + 1
            if text[exponent : exponent + 1] in ("+", "-"):
                exponent += 1
            if exponent < end and text[exponent] in _DIGITS:
                while exponent < end and text[exponent] in _DIGITS:
                    exponent += 1
                stop = exponent
        self.value = float(text[at:stop])
        self.at = stop

    def _string(self) -> None:
        text, at = self.text, self.at + 1
        while True:
            if at >= self.end or text[at] == "\n":
                raise self.error("unterminated string")
            if text[at] == '"':
                break
            at += 2 if text[at] == "\\" else 1
        body = text[self.at + 1 : at]
        warnings: list[str] = []
        self.kind = "string"
        self.value = unescape(body, warnings)
        self.warnings += [f"{self.where()}: warning: {message}" for message in warnings]
        self.line += body.count("\n")
        self.at = at + 1

    def regex(self) -> bytes:
        """Read a regular expression whose ``/`` is the current token (``/`` or ``/=``); the parser advances after it."""
        text = self.text
        at = begin = self.start + 1
        bracket = -1  # where an open bracket expression began
        parts: list[str] = []
        while True:
            if at >= self.end or text[at] == "\n":
                raise self.error("unterminated regexp", self.start + 1)
            char = text[at]
            if char == "\\" and at + 1 < self.end:
                following = text[at + 1]
                if following in "/\n":
                    parts.append(text[begin:at] + following.strip("\n"))
                    self.line += following == "\n"
                    begin = at + 2
                at += 2
                continue
            if bracket >= 0:
                if char == "[" and text[at + 1 : at + 2] in (":", ".", "="):
                    close = text.find(text[at + 1] + "]", at + 2)
                    if close > 0 and "\n" not in text[at:close]:
                        at = close + 2
                        continue
                if char == "]" and at > bracket:
                    bracket = -1
            elif char == "[":
                bracket = at + 1  # a ] that stands here is literal
                if text.startswith("^", bracket):
                    bracket += 1
            elif char == "/":
                break
            at += 1
        parts.append(text[begin:at])
        self.at = at + 1
        return encode("".join(parts))
