"""Incremental tokenizer of JSON texts, with positions and jq's error messages.

It is the base of two parsers, of values (``reader.py``) and of events (``streaming.py``).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final

from .numbers import read_number
from .reading import END, MORE, NOTHING, Mistake, ParseError

__all__ = ["END", "MORE", "NOTHING", "Mistake", "ParseError", "Tokens", "is_plain", "white"]

_SEPARATOR = "\x1e"  # RFC 7464
_NORMAL, _STRING, _WAITING = 0, 1, 2

# These match the empty text too.
_Match = Callable[..., re.Match[str]]
white: _Match = re.compile(r"[ \t\r\n]*+").match  # type: ignore[assignment]
_literal: _Match = re.compile(r'[^ \t\r\n\[\]{},:"]*+').match  # type: ignore[assignment]
_string: _Match = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL).match  # type: ignore[assignment]

_surrogate = re.compile(r"\\u[dD]").search
_escaped_byte = re.compile("[\udc80-\udcff]").search
_WORDS: Final[dict[str, tuple[str, Any]]] = {"t": ("true", True), "f": ("false", False), "nu": ("null", None)}


class Tokens(ABC):
    """Base of parsers that are fed a text in pieces and return each result when it is complete.

    ``text`` is the buffered text, ``start`` the number of dropped characters before it; ``at`` is the index of the next
    character. U+DC80 to U+DCFF are bytes of invalid UTF-8; columns count bytes.
    """

    __slots__ = (
        "_before",
        "_begun",
        "_check",
        "_column",
        "_limit",
        "_line",
        "_malformed",
        "_marked",
        "_state",
        "_token",
        "at",
        "ended",
        "failed",
        "parts",
        "last",
        "plain",
        "seq",
        "start",
        "text",
        "too_deep",
    )

    def __init__(self, check: Callable[[], object], seq: bool = False) -> None:
        self.text = ""
        self.start = 0
        self.at = 0
        self.parts: list[str] = []  # the parts of a string or literal that spans pieces
        self._token = 0  # the start of it
        self.seq = seq
        self.too_deep = False  # the text is nested deeper than jq's limit
        self.ended = False
        self.failed = False  # the last result was an error, after which jq skips the rest of its last read
        self._check = check
        self.last = False  # this is the last piece
        self._begun = False
        self._malformed = False
        self._state = _WAITING if seq else _NORMAL
        self.plain = False  # the buffered text has no strings that the standard library would parse differently
        self._limit = 0
        self._line = 1  # of ``_marked``, an index into the text
        self._column = 0
        self._marked = 0
        self._before = ""

    # -- for subclasses

    @abstractmethod
    def take(self, value: Any) -> None:
        """Take a scalar or a key."""

    @abstractmethod
    def mark(self, mark: str) -> None:
        """Take one of ``[ ] { } , :``; ``at`` is after it."""

    def open(self, mark: str) -> None:
        """Take ``[`` or ``{``, and nothing after it."""
        self.mark(mark)

    @abstractmethod
    def done(self) -> Any:
        """Return the complete result, or NOTHING."""

    @abstractmethod
    def rest(self) -> Any:
        """Return the result that the end of the text completes, or NOTHING."""

    @abstractmethod
    def depth(self) -> int:
        """Return the number of arrays and objects that are open."""

    def pending(self) -> int:
        """Return the number of characters of the incomplete result."""
        return self.position() - self._token if self.parts else 0

    def is_closing(self) -> bool:
        """Return whether a result of the last mark is left, and no text."""
        return False

    @abstractmethod
    def is_truncated(self, spaced: bool) -> bool:
        """Return whether a separator here truncates a value; ``spaced`` if white space precedes it."""

    @abstractmethod
    def is_number(self) -> bool:
        """Return whether the current value is a top-level number."""

    def report(self, message: str) -> Any:
        """Raise the error, or return a value for it."""
        raise ParseError(message)

    def reset(self) -> None:
        """Drop the incomplete result."""
        self.parts.clear()
        self._state = _NORMAL

    def is_normal(self) -> bool:
        """Return whether the state is neither in a string nor waiting for a separator."""
        return self._state == _NORMAL and not self._malformed

    # -- pieces

    def feed(self, text: str, last: bool = False) -> None:
        """Take one more piece of the text."""
        self.last = last
        if not self._begun and text:
            self._begun = True
            text = self._without_mark(text)
        at = self.at
        if at:
            self._account(at)
            self._before = self.text[at - 1]
            self.start += at
            text = self.text[at:] + text
            self.at = self._marked = 0
        elif self.text:
            text = self.text + text
        self.text = text
        self.plain = is_plain(text)
        self._find_limit()

    def _without_mark(self, text: str) -> str:
        """Remove a byte order mark; there is no recovery from an incomplete one."""
        first = text[0]
        if first == "\ufeff":
            self.start += 1
            return text[1:]
        if not ("\uf000" <= first <= "\uffff" or first == "\udcef"):
            return text
        data = text[:3].encode("utf-8", "surrogateescape")
        matched = 2 if data[1:2] == b"\xbb" else 1
        rest = data[matched:].decode("utf-8", "surrogateescape") + text[3:]
        if self.seq:
            self._state = _NORMAL  # jq does not wait for a separator then
        else:
            self._malformed = bool(rest)
        return rest

    def skip(self, position: int) -> None:
        """Continue at a position in the whole text; the skipped text does not count for lines and columns."""
        self._account(self.at)
        self.at = self._marked = position - self.start
        self.failed = False

    def position(self) -> int:
        """Return the number of characters of the whole text that were consumed."""
        return self.start + self.at

    def _account(self, at: int) -> None:
        text = self.text
        newlines = text.count("\n", self._marked, at)
        begin = self._marked
        if newlines:
            begin = text.rfind("\n", begin, at) + 1
            self._line += newlines
            self._column = 0
        part = text[begin:at]
        if part.isascii():
            self._column += len(part)
        else:
            self._column += len(part.encode("utf-8", "surrogateescape"))
        self._marked = at

    # -- the machine

    def resume(self) -> Any:
        """Return the next complete result, MORE or END. Raise ``ParseError`` for invalid JSON."""
        if self.ended:
            return END
        if self._malformed:
            raise ParseError("Malformed BOM")
        try:
            return self._resume()
        except Mistake as mistake:
            message = str(mistake)
        self._account(self.at)
        where = f"{message}{' at EOF' if self.ended else ''} at line {self._line}, column {self._column}"
        if self.ended:
            pass
        elif not self.seq:
            self.failed = True
        elif self.text[self.at - 1] != _SEPARATOR:
            where += " (need RS to resync)"
        try:
            return self.report(where)
        finally:
            self.reset()

    def _resume(self) -> Any:
        turns = 0
        limit = self._limit
        while True:
            turns += 1
            if not turns & 2047:
                self._check()
            at = self.at
            if at >= limit or self._state == _WAITING:
                if at < len(self.text) or limit < len(self.text):
                    found = self._separate(limit)
                    limit = self._limit
                elif not self.last:
                    return MORE
                else:
                    return self._finish()
            elif self._state == _STRING:
                found = self._read_string(at, limit)
            elif self.parts:
                found = self._read_literal(at, limit)
            else:
                mark = self.text[at]
                if mark in " \n\t\r":
                    self.at = white(self.text, at).end()
                    continue
                if mark == '"':
                    found = self._start_string(at + 1)
                elif mark in "[]{},:":
                    self.at = at + 1
                    self.mark(mark)
                    found = self.done()
                else:
                    found = self._read_literal(at, limit)
            if found is not NOTHING:
                return found

    def _find_limit(self) -> None:
        """Set the limit of the buffered text: a separator ends everything, including strings."""
        limit = self.text.find(_SEPARATOR, self.at) if self.seq else -1
        self._limit = len(self.text) if limit < 0 else limit

    def _start_string(self, at: int) -> Any:
        if self.plain:
            try:
                value, self.at = scanstring(self.text, at, True)
            except ValueError:
                pass  # it is incomplete in this piece, or invalid
            else:
                self.take(value)
                return self.done()
        self._state = _STRING
        self.at = at
        self._token = self.position()
        return NOTHING

    def _read_string(self, at: int, limit: int) -> Any:
        text = self.text
        end = _string(text, at, limit).end()
        self.parts.append(text[at:end])
        if end < limit and text[end] == '"':
            from .escapes import unescape

            self.at = end + 1
            value = unescape(self.parts, self._check)
            self.take(value)
            self.parts.clear()
            self._state = _NORMAL
            return self.done()
        self.at = limit
        if end < limit:
            # A backslash whose escaped character is in the next piece.
            if limit == len(text) and not self.last:
                self.at = end
                return MORE
            self.parts.append("\\")
        return NOTHING

    def _read_literal(self, at: int, limit: int) -> Any:
        text = self.text
        end = _literal(text, at, limit).end()
        if not self.parts:
            self._token = self.position()
        self.parts.append(text[at:end])
        self.at = end
        if end == limit:
            return NOTHING
        self.at = end + 1  # jq reports an error at the character after the literal
        self._take_literal()
        found = self.done()
        if found is NOTHING:
            self.at = end
            return found
        # jq takes that character, too, before it returns the value, which is lost if the character is an error.
        mark = text[end]
        if mark == '"':
            self._state = _STRING
            self._token = self.position()
        elif mark in "[{":
            self.open(mark)
        elif mark in "]},:":
            self.mark(mark)
        return found

    def _take_literal(self) -> None:
        parts = self.parts
        if not parts:
            return
        word = parts[0] if len(parts) == 1 else "".join(parts)
        self.take(_read_word(word))
        parts.clear()

    def _separate(self, limit: int) -> Any:
        """Process the separator at ``limit``, or wait for one."""
        text = self.text
        self.at = min(limit + 1, len(text))
        self._find_limit()
        if self._state == _WAITING:
            if limit < len(text):
                self._state = _NORMAL
            return NOTHING
        normal = self._state == _NORMAL
        before = text[limit - 1] if limit else self._before
        if self.is_truncated(normal and before != "" and before in " \t\r\n"):
            try:
                self._take_literal()
            except Mistake:
                pass
            else:
                if self.is_number():
                    raise Mistake("Potentially truncated top-level numeric value")
            raise Mistake("Truncated value")
        self._take_literal()
        if normal:
            found = self.done()
            if found is not NOTHING:
                return found
        self.reset()
        return NOTHING

    def _finish(self) -> Any:
        self.ended = True
        if self._state == _WAITING:
            raise Mistake("Unfinished abandoned text")
        if self._state == _STRING:
            raise Mistake("Unfinished string")
        self._take_literal()
        if self.depth():
            raise Mistake("Unfinished JSON term")
        found = self.rest()
        return END if found is NOTHING else found


def is_plain(text: str) -> bool:
    """Return whether the standard library parses the strings of a text as jq does: no half pairs, no invalid UTF-8."""
    if _surrogate(text):
        from .escapes import has_half_pair

        if has_half_pair(text):
            return False
    return text.isascii() or not _escaped_byte(text)


def _read_word(word: str) -> Any:
    """Return the value of a literal: true, false, null or a number."""
    first = word[0]
    found = _WORDS.get("nu" if word[:2] == "nu" else first)
    if found is not None:
        if word != found[0]:
            raise Mistake("Invalid literal")
        return found[1]
    if first == "'":
        raise Mistake("Invalid string literal; expected \", but got '")
    try:
        return read_number(word.partition("\0")[0])  # jq parses it as a C string
    except ValueError:
        raise Mistake("Invalid numeric literal") from None
