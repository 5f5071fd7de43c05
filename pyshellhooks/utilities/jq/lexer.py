"""The words of jq 1.8: text to tokens."""

from __future__ import annotations

import re
from json import loads


class NotUnderstood(Exception):
    """The text is no program that this grammar knows."""


class BadEscape(NotUnderstood):
    """A string literal has an escape that JSON does not know: no jq takes it."""


class Number(str):
    """A number as it is spelled."""

    __slots__ = ()


_KEYWORDS = frozenset(
    (
        "as",
        "import",
        "include",
        "module",
        "def",
        "if",
        "then",
        "else",
        "elif",
        "and",
        "or",
        "end",
        "reduce",
        "foreach",
        "try",
        "catch",
        "label",
        "break",
    )
)
_SPACE = re.compile(r"(?:[ \t\r\n]+|#(?:\\(?:\\|\r?\n)|[^\n])*\n?)+")
_WORD = re.compile(
    r"""(?P<op>\?//=?|//=|\|=|\+=|-=|\*=|/=|%=|==|!=|<=|>=|//|\.\.)
      | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<field>\.[A-Za-z_][A-Za-z_0-9]*)
      | (?P<name>(?:[A-Za-z_][A-Za-z_0-9]*::)*[A-Za-z_][A-Za-z_0-9]*)
      | (?P<variable>\$(?:[A-Za-z_][A-Za-z_0-9]*::)*[A-Za-z_][A-Za-z_0-9]*)
      | (?P<format>@[A-Za-z0-9_]+)
      | (?P<char>[.?=;,:|+\-*/%<>\[\]{}()])""",
    re.VERBOSE,
)
_PLAIN = re.compile(r'[^\\"]+')
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


class Token:
    """One word; a string's ``parts`` are texts and, between them, the tokens of what is interpolated."""

    __slots__ = ("at", "kind", "parts", "text")

    def __init__(self, kind: str, text: str, parts: list[str | list[Token]] | None = None, at: int = -1) -> None:
        self.kind = kind
        self.text = text
        self.parts = parts
        self.at = at  # where a name stands


class Lexer:
    """Reads a program, or an interpolation, whose brackets pair."""

    __slots__ = ("at", "depth", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def tokens(self, closer: str = "") -> list[Token]:
        """Read to the end, or to the ``)`` that ends an interpolation; brackets must pair."""
        found: list[Token] = []
        open_: list[str] = []
        text = self.text
        while True:
            space = _SPACE.match(text, self.at)
            if space:
                self.at = space.end()
            if self.at >= len(text):
                if open_ or closer:
                    raise NotUnderstood("unclosed")
                found.append(Token("end", ""))
                return found
            if text[self.at] == '"':
                found.append(self.string())
                continue
            match = _WORD.match(text, self.at)
            if match is None:
                raise NotUnderstood(f"character {text[self.at]!r}")
            self.at = match.end()
            word = match.group()
            kind = match.lastgroup or ""
            if word == "?//=":  # jq's lexer takes the longest of its own tokens: ?// and =
                self.at -= 1
                word = "?//"
            if word in _CLOSERS:
                open_.append(_CLOSERS[word])
            elif word in ")]}" and kind == "char":
                if not open_ and word == closer:
                    found.append(Token("end", ""))
                    return found
                if not open_ or open_.pop() != word:
                    raise NotUnderstood("unpaired")
            if kind == "name" and word in _KEYWORDS:
                kind = "keyword"
            elif kind == "char":
                kind = "op"
            found.append(Token(kind, word, None, match.start()))

    def string(self) -> Token:
        """Read a string literal; interpolations become token lists."""
        text = self.text
        self.at += 1
        self.depth += 1
        if self.depth > 100:
            raise NotUnderstood("too deep")
        parts: list[str | list[Token]] = []
        raw = ""
        while True:
            if self.at >= len(text):
                raise NotUnderstood("unclosed string")
            plain = _PLAIN.match(text, self.at)
            if plain:
                raw += plain.group().replace("\n", "\\n").replace("\t", "\\t")
                self.at = plain.end()
                continue
            if text[self.at] == '"':
                self.at += 1
                break
            following = text[self.at + 1 : self.at + 2]
            if following == "(":
                parts.append(_unescape(raw))
                raw = ""
                self.at += 2
                parts.append(self.tokens(")"))
                continue
            raw += text[self.at : self.at + 2]
            self.at += 2
        self.depth -= 1
        parts.append(_unescape(raw))
        return Token("string", "", parts)


def _unescape(raw: str) -> str:
    try:
        value = loads(f'"{raw}"', strict=False)
    except ValueError:
        raise BadEscape("escape") from None
    assert isinstance(value, str)
    return value


def first_word(program: str) -> str:
    """Give the first word of a program, past space and comments: where ``import`` would have to stand."""
    space = _SPACE.match(program)
    match = _WORD.match(program, space.end() if space else 0)
    return match.group() if match and match.lastgroup == "name" else ""
