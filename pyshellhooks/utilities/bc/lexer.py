"""The words of a bc program (POSIX XCU bc, "Lexical Conventions"; GNU bc 1.07)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...errors import Stop
from ...regexes import lazy_pattern
from ...text import pause

KEYWORDS = frozenset(
    "define break quit length return for if while sqrt scale ibase obase auto else read random halt last history "
    "warranty continue print limits void".split()
)
_NAME = lazy_pattern("[a-z][a-z0-9_]*")
_NUMBER = lazy_pattern(r"[0-9A-Z]+\.?[0-9A-Z]*|\.[0-9A-Z]+")
_OPERATOR = lazy_pattern(r"&&|\|\||[-+*/%^<>=!]=|\+\+|--|[-+*/%^<>=!(){}\[\],;&]")
_REST = lazy_pattern(r"[0-9A-Z.]*")

STANDARD_INPUT = "(standard_in)"


class Token:
    """One word: ``kind`` is name, number, string, newline, end, or the operator or keyword itself."""

    __slots__ = ("kind", "text")

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text


class Source:
    """A file of the program: what it is called in messages, and its lines."""

    def __init__(self, name: str, lines: Iterator[str]) -> None:
        self.name = name
        self.lines = lines


class Lexer:
    """Gives tokens, reading a line only when the one before is used up."""

    def __init__(self, sources: Iterator[Source], complain: Callable[[str], None], most: int) -> None:
        self._sources = sources
        self._source: Source | None = None
        self._complain = complain
        self._text = ""
        self._at = 0
        self._most = most
        self.line = 1
        self.name = STANDARD_INPUT
        self.failed = False  # a character that cannot be: what is being read will not run

    def more(self) -> bool:
        """Take in the next line; False at the end of everything."""
        while True:
            if self._source is None:
                self._source = next(self._sources, None)
                if self._source is None:
                    return False
                self.name = self._source.name
                self.line = 1
            line = next(self._source.lines, None)
            if line is not None:
                self._text = self._text[self._at :] + line
                self._at = 0
                if len(self._text) > self._most:
                    raise Stop("limit", f"a bc token is longer than {self._most} bytes", "string")
                return True
            self._source = None

    def raw_line(self) -> str | None:
        """Return the rest of the line, or the next one: what ``read()`` reads."""
        if self._at >= len(self._text) and not self.more():
            return None
        line = self._text[self._at :]
        self._at = len(self._text)
        return line

    def next(self) -> Token:
        """Return the next token."""
        while True:
            pause()
            if self._at >= len(self._text) and not self.more():
                self.line = 1  # as GNU's, which starts counting for the next file
                return Token("end", "")
            text, at = self._text, self._at
            char = text[at]
            if char == "\n":
                self._at += 1
                self.line += 1
                return Token("newline", "\n")
            if char in " \t" or text.startswith("\\\n", at):
                self.line += char == "\\"
                self._at += 1 + (char == "\\")
            elif char == "#":
                end = text.find("\n", at)
                self._at = len(text) if end < 0 else end
            elif text.startswith("/*", at):
                if not self._skip_comment():
                    return Token("end", "")
            else:
                found = self._word()
                if found is not None:
                    return found

    def _skip_comment(self) -> bool:
        start = 2
        while (end := self._text.find("*/", self._at + start)) < 0:
            start = max(2, len(self._text) - self._at - 1)
            if not self.more():
                self._complain("EOF encountered in a comment.\n")
                return False
        self.line += self._text.count("\n", self._at, end)
        self._at = end + 2
        return True

    def _word(self) -> Token | None:
        text, at = self._text, self._at
        if found := _NAME.match(text, at):
            self._at = found.end()
            word = found.group()
            return Token(word if word in KEYWORDS else "name", word)
        if found := _NUMBER.match(text, at):
            return self._number(found.group())
        if text[at] == ".":
            self._at += 1
            return Token("last", ".")
        if text[at] == '"':
            return self._string()
        if found := _OPERATOR.match(text, at):
            if found.group() != "&":
                self._at = found.end()
                return Token(found.group(), found.group())
        self._at += 1
        self.illegal(text[at])
        return None

    def illegal(self, char: str) -> None:
        """Report a character that no bc program has."""
        self.failed = True
        shown = char if char.isprintable() or not char.isascii() else f"\\{ord(char):03o}"
        self._complain(f"{self.name} {self.line}: illegal character: {shown}\n")

    def _number(self, word: str) -> Token:
        self._at += len(word)
        while self._text.startswith("\\\n", self._at):
            self._at += 2
            self.line += 1
            if self._at >= len(self._text):
                self.more()
            found = _REST.match(self._text, self._at)
            assert found is not None
            word += found.group()
            self._at = found.end()
        before, _, after = word.partition(".")
        return Token("number", before.lstrip("0") + (f".{after}" if after else "") or "0")

    def _string(self) -> Token | None:
        start = self._at + 1
        while (end := self._text.find('"', start)) < 0:
            held = len(self._text) - self._at
            if not self.more():
                self._at += 1
                self.illegal('"')
                return None
            start = self._at + held
        content = self._text[self._at + 1 : end]
        self.line += content.count("\n")
        self._at = end + 1
        return Token("string", content)
