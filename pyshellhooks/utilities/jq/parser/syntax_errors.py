"""Syntax errors of a jq program, with the messages of jq 1.8.2.

``explain`` parses a text with errors the way bison's parsers do. At an error it names the token and, if there are at
most four, the expected ones. Then it goes back to a state in which a rule of the grammar has ``error``, skips tokens
that can't follow, and continues. It reports no further error until three tokens were accepted.
"""

from __future__ import annotations

import re
from typing import Any

from ....errors import Stop
from ..errors import CompileError
from .lexer import BadEscape, Token, decode, unescape, utf8_as_latin1
from .syntax import PRODUCTIONS, Builder, Mistake, Program, row_of
from .tables import TOKENS

_NAMED = 4
_FULL = 10_000
_SILENT = 3
_TURNS = 4096
_LARGEST = 1 << 24  # characters of all messages together, if no run has limits
_SKIPPED = re.compile(r"[ \t\r\n]++|(?P<comment>#(?:[^\\\n]++|\\(?>\\|\r?\n)?+)*+)(?P<end>\n)?")
_CONTINUED = re.compile(r"\\\r?\n\Z")

Place = tuple[int, int]  # start and end, in bytes


class Mistaken(CompileError):
    """A program with errors: ``messages`` has them one by one, the text ends with their number."""

    def __init__(self, messages: list[str]) -> None:
        count = len(messages)
        super().__init__("\n".join([*messages, f"jq: {count} compile {'errors' if count > 1 else 'error'}"]))
        self.messages = messages


def compile_error(messages: list[str]) -> CompileError:
    """Return the exception for a program with these errors."""
    return Mistaken(messages)


def located(text: str, where: str, place: Place, message: str) -> str:
    """Return a message with its place, the line and a marker below it. ``text`` has a character for each byte."""
    start, end = place
    line = text.count("\n", 0, start)
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", start)
    if stop < 0:
        stop = len(text)
    end = min(end, max(stop, start + 1))
    mark = "^" * (end - start)
    shown = decode(text[begin:stop])
    return f"jq: error: {message} at {where}, line {line + 1}, column {start - begin + 1}:\n    {shown}\n    {mark.rjust(end - begin)}"


def explain(builder: Builder, words: list[Token]) -> Program:
    """Parse a text and raise its errors; return the program if it has none after all."""
    return _Reader(builder, words).read()


class _Reader:
    __slots__ = ("at", "builder", "messages", "place", "places", "silent", "size", "states", "values", "word", "words")

    def __init__(self, builder: Builder, words: list[Token]) -> None:
        self.builder = builder
        self.words = words
        self.at = 0
        self.word: Token | None = None  # read but not taken
        self.place: Place = (0, 0)  # of the last token read
        self.messages: list[str] = []
        self.size = 0
        self.silent = 0
        self.states = [0]
        self.values: list[Any] = []
        self.places: list[Place] = [(0, 0)]

    def fail(self, place: Place, message: str) -> None:
        message = located(self.builder.text, self.builder.where, place, message)
        self.messages.append(message)
        self.size += len(message)
        self.builder.check()
        if self.builder.run is not None:
            self.builder.run.text(self.size)
        elif self.size > _LARGEST:
            raise Stop("limit", "jq: too many mistakes", "string")

    def read(self) -> Program:
        program = self.run()
        if self.messages:
            raise Mistaken(self.messages)
        return program  # type: ignore[no-any-return]

    def run(self) -> Any:
        """Run the automaton; return the program, or None if it can't recover from an error."""
        turns = 0
        while True:
            turns += 1
            if not turns % _TURNS:
                self.builder.check()
            if len(self.states) >= _FULL:
                self.fail(self.place, "memory exhausted")
                return None
            row = row_of(self.states[-1])
            action = row[""]
            if any(symbol in _TOKENS for symbol in row):
                kind = self.look()
                action = row.get(kind, action)
                if action > 0:
                    if kind == "EOF":
                        return self.values[0]
                    self.take(action)
                    continue
            if action:
                self.reduce(-action)
            elif not self.recover(row):
                return None

    def look(self) -> str:
        """Return the kind of the next token; the text of one with bad escapes becomes empty."""
        if self.word is None:
            kind, raw, start = self.words[self.at]
            if self.at < len(self.words) - 1:
                self.place = (start, start + len(raw))
            else:
                self.place = _last_place(self.builder.text, self.place)
            if kind == "QQSTRING_TEXT" and raw[0] == "\\":
                try:
                    unescape(raw, self.builder.check)
                except BadEscape as bad:
                    self.fail(self.place, _escape_message(raw, str(bad)))
                    raw = ""
            self.word = (kind, raw, start)
            self.at += 1
        return self.word[0]

    def take(self, state: int) -> None:
        self.values.append(self.word)
        self.places.append(self.place)
        self.states.append(state)
        self.word = None
        if self.silent:
            self.silent -= 1

    def reduce(self, number: int) -> None:
        left, size, method = PRODUCTIONS[number]
        cut = len(self.states) - size
        parts = self.values[cut - 1 :]
        places = self.places[cut:]
        if places:
            place = places[0][0], places[-1][1]
        else:
            place = self.places[-1][1], self.places[-1][1]
        if method is None:
            value = parts[0]
        else:
            try:
                value = method(self.builder, parts)
            except Mistake as mistake:
                value = mistake.value
                self.fail(place if mistake.symbol is None else places[mistake.symbol], mistake.message)
        del self.states[cut:], self.places[cut:], self.values[cut - 1 :]
        self.states.append(row_of(self.states[-1])[left])
        self.places.append(place)
        self.values.append(value)

    def recover(self, row: dict[str, int]) -> bool:
        """Report an error and go back to a state that can recover from it; return False if there is none."""
        if not self.silent:
            self.fail(self.place, _unexpected(self.word, row))
        elif self.silent == _SILENT and self.word is not None:  # no token was accepted since the last error
            if self.word[0] == "EOF":
                return False
            self.word = None
        self.silent = _SILENT
        start = self.place[0]
        while row_of(self.states[-1]).get("error", 0) <= 0:
            if len(self.states) == 1:
                return False
            start = self.places.pop()[0]
            self.states.pop()
            self.values.pop()
        self.states.append(row_of(self.states[-1])["error"])
        self.places.append((start, self.place[1]))
        self.values.append(None)
        return True


_TOKENS = frozenset(TOKENS)


def _unexpected(word: Token | None, row: dict[str, int]) -> str:
    if word is None:
        return "syntax error"
    expected = [token for token in TOKENS if row.get(token) and token != "error"]
    message = f"syntax error, unexpected {_name(word[0])}"
    if expected and len(expected) <= _NAMED:
        message += f", expecting {' or '.join(map(_name, expected))}"
    return message


def _name(kind: str) -> str:
    if kind == "EOF":
        return "end of file"
    return f"'{kind}'" if len(kind) == 1 else kind


def _last_place(text: str, place: Place) -> Place:
    """Return the place of the lexer's last match before the end: the last token, or text that was skipped after it.

    Skipped text is white space, the newline after a comment, or a comment's last character; a backslash and the
    character that it escapes are one match.
    """
    at = place[1]
    while (skipped := _SKIPPED.match(text, at)) is not None:
        at = skipped.end()
        place = skipped.span()
        if skipped["comment"] is None:
            continue
        if skipped["end"] is not None:
            start = skipped.start("end")
            place = (start - 1 if text[start - 1] == "\r" else start, at)
        else:
            comment = skipped["comment"]
            continued = _CONTINUED.search(comment, max(0, len(comment) - 3))
            if continued is not None:
                place = (at - len(continued[0]), at)
            else:
                slashes = len(comment) - len(comment.rstrip("\\"))
                place = (at - (2 if slashes and not slashes % 2 else 1), at)
    return place


def _escape_message(raw: str, message: str) -> str:
    literal = utf8_as_latin1(decode(f'"{raw}"'))  # half a character is counted as U+FFFD, its decoded form
    line = literal.count("\n") + 1
    column = len(literal) - (literal.rfind("\n") + 1)
    return f"{message} at line {line}, column {column} (while parsing '{decode(literal)}')"
