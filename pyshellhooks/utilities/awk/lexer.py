"""Tokens of an awk program (POSIX XCU awk, "Lexical Conventions").

Only the parser can decide whether ``/`` divides or begins a regular expression: it calls ``regex()`` to read one.
"""

from __future__ import annotations

import re

from ...regexes import lazy_pattern
from ...text import decode, encode, pause
from .values import AwkError

KEYWORDS = frozenset(
    "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete "
    "in getline print printf switch case default".split()
)
# The minimum and maximum number of arguments of each function.
BUILTINS: dict[str, tuple[int, int]] = {
    **{name: (1, 1) for name in ("int", "sqrt", "exp", "log", "sin", "cos", "compl", "strtonum", "system", "typeof")},
    **{name: (1, 1) for name in ("tolower", "toupper", "isarray", "mkbool")},
    **{name: (2, 64) for name in ("and", "or", "xor")},
    **{name: (1, 3) for name in ("asort", "asorti")},
    **{name: (2, 3) for name in ("sub", "gsub", "match", "substr")},
    **{name: (2, 4) for name in ("split", "patsplit")},
    **{name: (2, 2) for name in ("atan2", "index", "lshift", "rshift")},
    "bindtextdomain": (1, 2),
    "dcgettext": (1, 3),
    "dcngettext": (3, 5),
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
_SINGLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"'}
_ESCAPE = lazy_pattern(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.?))", re.DOTALL)
_HEXADECIMAL = lazy_pattern(r"0[xX][0-9A-Fa-f]+")
_OCTAL = lazy_pattern(r"0[0-7]+(?![0-9.eE])")
_DECIMAL = lazy_pattern(r"[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_DIGITS = frozenset("0123456789")


def unescape(text: str, warn: list[str]) -> bytes:
    """Replace the escapes of a string; an unknown escape loses its backslash, with a warning (gawk manual 3.2)."""

    def replaced(match: re.Match[str]) -> str:
        pause()
        octal, hexadecimal, char = match.groups()
        if char is None:
            byte = int(octal, 8) & 255 if octal else int(hexadecimal, 16)
            return decode(bytes((byte,)))
        # A backslash at the end is dropped (gawk).
        if char in _SINGLE or char in ("", "\n"):
            return _SINGLE.get(char, "")
        message = "no hex digits in `\\x' escape sequence"
        if char != "x":
            message = f"escape sequence `\\{char}' treated as plain `{char}'"
        if message not in warn:
            warn.append(message)
        return str(char)

    return encode(_ESCAPE.sub(replaced, text))


class Source:
    """The program text: fragments, each with its name in messages."""

    __slots__ = ("_starts", "text")

    def __init__(self, fragments: tuple[tuple[str, str], ...]) -> None:
        self._starts: list[tuple[int, str]] = []
        lines = 0
        texts: list[str] = []
        for text, name in fragments:
            self._starts.append((lines, name))
            texts.append(text.replace("\\\r\n", "\\\n"))  # a continued line with a CRLF line end
            lines += text.count("\n") + 1
        self.text = "\n".join(texts)

    def where(self, line: int) -> str:
        """Return the name of a line, such as ``cmd. line:3`` or ``x.awk:3``; lines count from 0 over all fragments."""
        first, name = self._starts[0]
        for start, other in self._starts:
            if start <= line:
                first, name = start, other
        return f"{name}:{line - first + 1}"


class Lexer:
    """A reader of single tokens. ``kind`` is the token itself, or ``number string name call builtin newline end``."""

    __slots__ = ("_escapes", "at", "end", "kind", "line", "source", "start", "text", "value", "warnings")

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
        self._escapes: list[str] = []  # warnings that were given: each only once

    def where(self) -> str:
        """Return the name of the token's line."""
        return self.source.where(self.line)

    def error(self, message: str, start: int = -1) -> AwkError:
        """Return a syntax error that points at the token."""
        text = self.text
        if start < 0:
            start = self.start
        begin = text.rfind("\n", 0, start) + 1
        end = text.find("\n", start)
        if end < 0:
            end = len(text)
        excerpt = text[begin:end]
        pad = "".join(["\t" if char == "\t" else " " for char in text[begin:start]])
        line = self.line + (self.kind == "newline")  # gawk has read the next line by then
        return AwkError(f"{pad}^ {message}", self.source.where(line), "syntax", excerpt=excerpt)

    def peek(self) -> str:
        """Return the character after the token, or an empty string at the end."""
        return self.text[self.at : self.at + 1]

    def save(self) -> tuple[int, int, int, str, str | bytes | float]:
        """Return the current position, for ``restore``."""
        return self.at, self.start, self.line, self.kind, self.value

    def restore(self, place: tuple[int, int, int, str, str | bytes | float]) -> None:
        """Return to a saved position."""
        self.at, self.start, self.line, self.kind, self.value = place

    def advance(self) -> str:
        """Read the next token and return its kind."""
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
            shown = decode(encode(text[at])[:1])  # gawk's lexer reads bytes
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
            else:
                return

    def _word(self) -> None:
        text, at = self.text, self.at
        while at < self.end and (text[at] in _LETTERS or text[at] in _DIGITS):
            at += 1
        word = text[self.at : at]
        self.at = at
        self.value = word
        if word == "_" and text.startswith('"', at):
            self._string()  # a string marked for translation (gawk manual 13.4.1)
        elif word in KEYWORDS:
            self.kind = "function" if word == "func" else word
        elif word in BUILTINS:
            self.kind = "builtin"
        else:
            self.kind = "call" if text.startswith("(", at) else "name"

    def _number(self) -> None:
        self.kind = "number"
        for pattern, base in ((_HEXADECIMAL, 16), (_OCTAL, 8)):
            if (match := pattern.match(self.text, self.at)) is not None:
                self.value = float(int(match[0], base))
                break
        else:
            match = _DECIMAL.match(self.text, self.at)
            assert match is not None
            self.value = float(match[0])
        self.at = match.end()

    def _string(self) -> None:
        text, at = self.text, self.at + 1
        while True:
            if at >= self.end or text[at] == "\n":
                raise self.error("unterminated string")
            if text[at] == '"':
                break
            at += 2 if text[at] == "\\" else 1
        body = text[self.at + 1 : at]
        known = len(self._escapes)
        self.kind = "string"
        self.value = unescape(body, self._escapes)
        self.warnings += [f"{self.where()}: warning: {message}" for message in self._escapes[known:]]
        self.line += body.count("\n")
        self.at = at + 1

    def regex(self) -> bytes:
        """Read the regular expression that starts at the current token (``/`` or ``/=``); the parser then advances."""
        text = self.text
        at = begin = self.start + 1
        bracket = -1  # the position at which a ] is still literal, -1 outside of bracket expressions
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
                bracket = at + 1  # a ] at this position is literal
                if text.startswith("^", bracket):
                    bracket += 1
            elif char == "/":
                break
            at += 1
        parts.append(text[begin:at])
        self.at = at + 1
        return encode("".join(parts))
