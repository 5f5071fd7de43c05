"""Lexer of jq 1.8: text to tokens.

jq reads bytes, and its error messages count bytes. So the lexer's input is a text with one character for each byte of
the program's UTF-8 (``utf8_as_latin1``); for ASCII that is the same text. Non-ASCII characters may occur only in strings and
comments; a string's value is decoded again (``decode``).
"""

from __future__ import annotations

import re
from collections.abc import Callable

# The kind of a token, as in the grammar; its text; its start.
Token = tuple[str, str, int]

KEYWORDS = frozenset(
    "as import include module def if then else elif and or end reduce foreach try catch label break".split()
)
# OTHER is an operator or bracket of the language, or any other character, which is invalid.
_WORD = re.compile(
    r"""(?:[ \t\r\n]++|\#(?:[^\\\n]++|\\(?>\\|\r?\n)?+)*+\n?)*+
    (?:(?P<FIELD>\.[A-Za-z_]\w*+)
      |(?P<NAME>\$?[A-Za-z_]\w*+(?:::[A-Za-z_]\w*+)*+)
      |(?P<LITERAL>(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)
      |(?P<FORMAT>@\w++)
      |(?P<OTHER>\?//|//=?|[|+\-*/%=!<>]=|\.\.|.))""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_PIECE = re.compile(r"""(?P<PIECE>[^\\"]++|(?>\\[^u(]|\\u[a-zA-Z0-9]{0,4}+)++|\\\(|.)""", re.DOTALL)
_OPERATORS = frozenset("?// // //= |= += -= *= /= %= == != <= >= .. . ? = ; , : | + - * / % $ < >".split())
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_INTERPOLATION = "\\()"
_TURNS = 4096
_ESCAPES = {"\\": "\\", '"': '"', "/": "/", "b": "\b", "f": "\f", "t": "\t", "n": "\n", "r": "\r"}
_HEX = frozenset("0123456789abcdefABCDEF")


class Number(str):
    """The text of a number."""

    __slots__ = ()


class BadEscape(Exception):
    """A string of the program has an escape that is not in JSON; the message is jq's."""


def go_on() -> None:
    """Do nothing, in place of a run's check."""


def utf8_as_latin1(text: str) -> str:
    """Return a text with one character for each byte of the text's UTF-8."""
    if text.isascii():
        return text
    try:
        data = text.encode()
    except UnicodeEncodeError:
        from ..json.utf8 import replace_escaped

        # A surrogate that is not an escaped byte can't come from a shell; UTF-16 makes it U+FFFD as well.
        data = replace_escaped(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    return data.decode("latin-1")


def decode(raw: str) -> str:
    """Return the text whose UTF-8 bytes are the characters of ``raw``."""
    if raw.isascii():
        return raw
    return raw.encode("latin-1").decode("utf-8", "replace")


def tokens(text: str, check: Callable[[], None] = go_on) -> list[Token]:
    """Split a program, one character for each byte, into tokens; the last one is EOF."""
    found: list[Token] = []
    modes: list[str] = []  # of the open constructs: the closer of a bracket, an interpolation or a string
    match = _WORD.match
    at = 0
    while (word := match(text, at)) is not None:
        kind = word.lastgroup
        assert kind is not None
        spelled = word[kind]
        at = word.end()
        if kind == "OTHER":
            kind = spelled if spelled in _OPERATORS else _bracket(modes, spelled)
            if modes and modes[-1] == '"':
                match = _PIECE.match
        elif kind == "NAME":
            if spelled[0] == "$":
                kind = "BINDING" if spelled != "$__loc__" else spelled
            else:
                kind = spelled if spelled in KEYWORDS else "IDENT"
        elif kind == "PIECE":
            kind = _piece(modes, spelled)
            if modes[-1:] != ['"']:
                match = _WORD.match
        found.append((kind, spelled, at - len(spelled)))
        if not len(found) % _TURNS:
            check()
    found.append(("EOF", "", len(text)))
    return found


def _bracket(modes: list[str], mark: str) -> str:
    """Return the kind of a bracket or quote; a closing one without its opening one is an invalid character."""
    if mark in _CLOSERS:
        modes.append(_CLOSERS[mark])
        return mark
    if mark == '"':
        modes.append(mark)
        return "QQSTRING_START"
    if modes and modes[-1] == mark:
        modes.pop()
        return mark
    ends_interpolation = modes and modes[-1] == _INTERPOLATION
    if ends_interpolation and mark == ")":
        modes.pop()
        return "QQSTRING_INTERP_END"
    return "INVALID_CHARACTER"


def _piece(modes: list[str], piece: str) -> str:
    """Return the kind of a piece of a string."""
    if piece == '"':
        modes.pop()
        return "QQSTRING_END"
    if piece == "\\(":
        modes.append(_INTERPOLATION)
        return "QQSTRING_INTERP_START"
    return "QQSTRING_TEXT" if piece != "\\" else "INVALID_CHARACTER"


def unescape(raw: str, check: Callable[[], None]) -> str:
    r"""Return the text of a sequence of escapes, such as ``\n\u00e9``."""
    found: list[str] = []
    at = 0
    while at < len(raw):
        if not len(found) % _TURNS:
            check()
        letter = raw[at + 1]
        at += 2
        if letter != "u":
            if letter not in _ESCAPES:
                raise BadEscape("Invalid escape")
            found.append(_ESCAPES[letter])
            continue
        code = _code(raw, at)
        at += 4
        if 0xD800 <= code <= 0xDBFF:
            low = _low_surrogate(raw, at)
            at += 6
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
        found.append("\ufffd" if 0xDC00 <= code <= 0xDFFF else chr(code))
    return "".join(found)


def _code(raw: str, at: int) -> int:
    digits = raw[at : at + 4]
    if len(digits) < 4:
        raise BadEscape("Invalid \\uXXXX escape")
    if not _HEX.issuperset(digits):
        raise BadEscape("Invalid characters in \\uXXXX escape")
    return int(digits, 16)


def _low_surrogate(raw: str, at: int) -> int:
    digits = raw[at + 2 : at + 6]
    has_digits = len(digits) == 4 and _HEX.issuperset(digits)
    if raw[at : at + 2] == "\\u" and has_digits:
        code = int(digits, 16)
        if 0xDC00 <= code <= 0xDFFF:
            return code
    raise BadEscape("Invalid \\uXXXX\\uXXXX surrogate pair escape")
