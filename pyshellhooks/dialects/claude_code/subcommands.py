"""The simple commands in a shell text, as far as an ``if`` rule needs them (claude_code 3). Text only, no shell.

A rule decides whether a guard runs. So whatever is not plainly understood is not judged: ``Unclear`` makes the guard
run. Quotes are taken away, since ``"git" push`` is ``git push``.
"""

from __future__ import annotations

import re

Word = tuple[str, bool, int]  # without quotes; whether the shell would expand it; where it begins

_BLANK = " \t"
_ENDS = ";&|\n()"
_DEPTH = 50  # substitutions in each other
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=")
# Words that stand before a command and are none.
_LEADING = frozenset(["!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "time"])


class Unclear(Exception):
    """The text can't be taken apart."""


class Subcommand:
    """One simple command: without quotes, as it is spelled, and whether only a running shell knows what it starts."""

    __slots__ = ("dynamic", "raw", "text")

    def __init__(self, words: list[Word], raw: str) -> None:
        self.dynamic = words[0][1]
        self.text = " ".join(word for word, _, _ in words)
        self.raw = raw

    def __repr__(self) -> str:
        return f"Subcommand({self.text!r})"


def subcommands(text: str) -> list[Subcommand]:
    """Return every simple command, those inside ``$( )``, backticks and subshells too. Raises ``Unclear``."""
    found: list[Subcommand] = []
    _Splitter(text, found, 0).commands("")
    return found


def expands(text: str) -> bool:
    """Say whether a running shell makes something else of a text: ``$( )``, backticks, ``$VAR``."""
    return "`" in text or re.search(r"\$[({A-Za-z_0-9@*#?!$-]", text) is not None


class _Splitter:
    """Reads one text from left to right."""

    __slots__ = ("at", "depth", "found", "text")

    def __init__(self, text: str, found: list[Subcommand], depth: int) -> None:
        if depth > _DEPTH:
            raise Unclear("substitutions nest too deeply")
        self.text = text
        self.at = 0
        self.found = found
        self.depth = depth

    def commands(self, closing: str) -> None:
        """Read commands up to the closing parenthesis, or to the end where there is none."""
        words: list[Word] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in _BLANK or self.text.startswith("\\\n", self.at):
                self.at += 1 if char in _BLANK else 2
            elif char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif char in _ENDS:
                self.finish(words)
                words = []
                self.at += 1
                if char == ")" and closing:
                    return
                if char == "(":
                    self.depth += 1
                    if self.depth > _DEPTH:
                        raise Unclear("subshells nest too deeply")
                    self.commands(")")
                    self.depth -= 1
                elif char == ")":
                    raise Unclear("a ) that closes nothing")
            elif char in "<>":
                self.redirection()
            else:
                start = self.at
                word, dynamic = self.word()
                # Digits before an operator are its descriptor.
                if not (word.isdigit() and self.text[self.at : self.at + 1] in ("<", ">")):
                    words.append((word, dynamic, start))
        if closing:
            raise Unclear("a ( that is not closed")
        self.finish(words)

    def finish(self, words: list[Word]) -> None:
        """Take what stands before the command away, and keep the rest."""
        first = 0
        while first < len(words) and (words[first][0] in _LEADING or _ASSIGNMENT.match(words[first][0])):
            first += 1
        if words and words[0][0] == "case":
            raise Unclear("a case")
        if first < len(words):
            self.found.append(Subcommand(words[first:], self.text[words[first][2] : self.at].strip()))

    def redirection(self) -> None:
        """Skip an operator and the file behind it, which may hold a substitution."""
        operator = re.compile(r"<<<|<<-?|<>|>>|<&|>&|>\||<\(|>\(|&>|<|>").match(self.text, self.at)
        assert operator is not None
        if operator[0] in ("<<", "<<-"):
            raise Unclear("a here-document")
        self.at = operator.end()
        if operator[0] in ("<(", ">("):
            self.substitution()
            return
        while self.at < len(self.text) and self.text[self.at] in _BLANK:
            self.at += 1
        if self.at < len(self.text) and self.text[self.at] not in _ENDS and self.text[self.at] not in "<>":
            self.word()

    def word(self) -> tuple[str, bool]:
        """Read one word without its quotes, and say whether the shell would expand it."""
        parts: list[str] = []
        dynamic = False
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in _BLANK or char in _ENDS or char in "<>":
                break
            if char == "'":
                parts.append(self.until("'"))
            elif char == '"':
                inner, expanded = self.double()
                parts.append(inner)
                dynamic = dynamic or expanded
            elif char == "\\":
                if not self.text.startswith("\\\n", self.at):
                    parts.append(self.text[self.at + 1 : self.at + 2])
                self.at += 2
            elif char == "`" or char == "$":
                parts.append(self.dollar())
                dynamic = dynamic or len(parts[-1]) > 1
            else:
                # What a running shell would spell otherwise: a file name pattern, a brace list, a home.
                dynamic = dynamic or char in "*?[{" or (char == "~" and not parts)
                parts.append(char)
                self.at += 1
        word = "".join(parts)
        return word, dynamic and word not in ("[", "[[")

    def until(self, quote: str) -> str:
        """Read a quoted text whose quote stands here."""
        end = self.text.find(quote, self.at + 1)
        if end < 0:
            raise Unclear(f"a {quote} that is not closed")
        found = self.text[self.at + 1 : end]
        self.at = end + 1
        return found

    def double(self) -> tuple[str, bool]:
        """Read a text in double quotes."""
        self.at += 1
        parts: list[str] = []
        dynamic = False
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                return "".join(parts), dynamic
            if char == "\\" and self.text[self.at + 1 : self.at + 2] in tuple('"\\$`\n'):
                parts.append(self.text[self.at + 1].strip("\n"))
                self.at += 2
            elif char == "`" or char == "$":
                parts.append(self.dollar())
                dynamic = dynamic or len(parts[-1]) > 1
            else:
                parts.append(char)
                self.at += 1
        raise Unclear('a " that is not closed')

    def dollar(self) -> str:
        """Read an expansion as it is spelled; the commands inside count too."""
        start = self.at
        if self.text[start] == "`":
            inner, self.at = _backticks(self.text, start)
            self.inner(inner)
        elif self.text.startswith("$(", start):  # $(( )) too: it holds substitutions, its own words match nothing
            self.at += 2
            self.substitution()
        elif self.text.startswith("${", start):
            end = self.text.find("}", start)
            if end < 0:
                raise Unclear("a ${ that is not closed")
            body = self.text[start + 2 : end]
            if "$(" in body or "`" in body or "${" in body or '"' in body or "'" in body:
                raise Unclear("a substitution inside ${ }")
            self.at = end + 1
        elif self.text.startswith("$'", start):
            raise Unclear("a text in $' '")
        else:
            name = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])?").match(self.text, start)
            assert name is not None
            self.at = name.end()
        return self.text[start : self.at]

    def substitution(self) -> None:
        """Read commands up to the parenthesis that closes, in the same text."""
        inner = _Splitter(self.text, self.found, self.depth + 1)
        inner.at = self.at
        inner.commands(")")
        self.at = inner.at

    def inner(self, text: str) -> None:
        """Read the commands of another text."""
        _Splitter(text, self.found, self.depth + 1).commands("")


def _backticks(text: str, start: int) -> tuple[str, int]:
    at = start + 1
    parts: list[str] = []
    while at < len(text):
        if text[at] == "`":
            return "".join(parts), at + 1
        if text[at] == "\\" and text[at + 1 : at + 2] in ("`", "\\", "$"):
            at += 1
        parts.append(text[at : at + 1])
        at += 1
    raise Unclear("a ` that is not closed")
