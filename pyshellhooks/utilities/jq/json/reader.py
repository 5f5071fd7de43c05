"""Parser of JSON texts as in jq 1.8: the same accepted syntax, recovery and error messages.

``loads(text, check)`` parses one text, ``Parser`` a stream of them that is fed in pieces::

    parser = Parser(check)
    parser.feed(piece)              # or parser.feed(piece, last=True)
    while (value := parser.next()) is not MORE and value is not END: ...

It has two speeds. The standard library's scanner parses values that are complete in the current piece: a whole text, or
members of arrays and objects that continue in the next piece. The rest is parsed token by token with an explicit stack:
values across pieces, deeply nested ones, syntax that only jq accepts, and errors. So no call of the scanner is longer
than a piece, and values are returned as soon as they are complete.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, Final

from ...support.gauge import LARGE
from ..errors import JqError
from .reading import END, MORE, NOTHING, Mistake, ParseError
from .scanner import scan
from .tokens import Tokens, is_plain, white

if TYPE_CHECKING:
    from ..running import Run

__all__ = ["END", "MORE", "ParseError", "Parser", "loads", "read_text", "read_values", "scan"]

DEPTH: Final = 10_000  # of jq's stack: an array takes one entry, an object two
PIECE: Final = 1 << 16
WHOLE: Final = 1 << 21  # characters that the scanner may parse in one call: it holds the GIL for about 30 ms
_TRIES = 8  # failed calls of the scanner per piece: each may cost a pass over the piece

_CUTS: Final = (",", "},", "],")  # where a sequence of members may be cut

_comma = re.compile(r"[ \t\r\n]*+,[ \t\r\n]*+").match
_number = re.compile(r"(0|-?[1-9][0-9]{0,14})[ \t\r\n]").match
_key = re.compile(r'"([^"\\\x00-\x1f]*+)"[ \t\r\n]*+:[ \t\r\n]*+').match


class Parser(Tokens):
    """Parser of the values of one or more texts; with ``seq`` they are separated as in RFC 7464."""

    __slots__ = ("_bulk", "_cut", "_deep", "_opened", "_stack", "_tried", "_tries", "_value")

    def __init__(self, check: Callable[[], object], seq: bool = False) -> None:
        super().__init__(check, seq)
        # Open arrays and objects, and the keys whose values follow.
        self._stack: list[Any] = []
        self._value: Any = NOTHING  # parsed, but not yet added to a container
        self._opened = 0  # the start of the outermost open container
        self._tries = 0
        self._tried = -1  # the position at which the scanner failed
        self._bulk = 0  # how many more containers of this piece may try to parse many members at once
        self._cut = _CUTS[0]
        self._deep = _goes_deep()

    def feed(self, text: str, last: bool = False) -> None:
        """Take one more piece of the text."""
        super().feed(text, last)
        self._tries = _TRIES if self.plain else 0
        self._tried = -1
        self._bulk = _TRIES

    def next(self) -> Any:
        """Return the next value, MORE if the next piece must be fed, or END. Raise ``ParseError`` for invalid JSON."""
        if self._tries and self.is_between():
            text = self.text
            at = self.at
            try:
                if text[at] in " \n\t\r":
                    at += 1
                    if text[at] in " \n\t\r":
                        at = white(text, at).end()
                mark = text[at]
                if mark in "{[":
                    value, end = scan(text, at)
                    if not (self._deep and self._is_deep(at, end)):
                        self.at = end
                        return value
                    self._tried = at
                elif mark == '"':
                    value, self.at = scanstring(text, at + 1, True)
                    return value
                elif (number := _number(text, at)) is not None:
                    self.at = number.end()
                    return int(number.group(1))
            except (StopIteration, ValueError, RecursionError):
                self._tries -= 1
                self._tried = at
            except IndexError:
                pass
        return self.resume()

    # -- actions of tokens

    def is_between(self) -> bool:
        """Return whether no value has begun."""
        return not self._stack and not self.parts and self.is_normal()

    def depth(self) -> int:
        """Return the number of arrays and objects that are open."""
        return len(self._stack)

    def pending(self) -> int:
        """Return the number of characters of the incomplete value."""
        if self._stack:
            return self.position() - self._opened
        return super().pending()

    def reset(self) -> None:
        """Drop the incomplete value."""
        super().reset()
        self._stack.clear()
        self._value = NOTHING

    def take(self, value: Any) -> None:
        """Take a scalar or a key."""
        if self._value is not NOTHING:
            raise Mistake("Expected separator between values")
        self._value = value

    def done(self) -> Any:
        """Return the complete value, or NOTHING."""
        if self._stack:
            return NOTHING
        value = self._value
        self._value = NOTHING
        return value

    def rest(self) -> Any:
        """Return the value that the end of the text completes, or NOTHING."""
        value = self.done()
        if self.seq and _is_number(value):
            raise Mistake("Potentially truncated top-level numeric value")
        return value

    def is_truncated(self, spaced: bool) -> bool:
        """Return whether a separator here truncates a value."""
        return not spaced and bool(self._stack or self.parts)

    def is_number(self) -> bool:
        """Return whether the current value is a top-level number."""
        return not self._stack and _is_number(self._value)

    def mark(self, mark: str) -> None:
        """Take one of ``[ ] { } , :``; ``at`` is after it."""
        if mark == "," or mark == ":":
            if mark == ",":
                self._comma()
            else:
                self._colon()
        elif mark == "[" or mark == "{":
            self._open(mark)
            return
        elif mark == "]":
            self._close_array()
        else:
            self._close_object()
        if mark == "," and self._tries:
            self._read_members()

    def _open(self, mark: str) -> None:
        stack = self._stack
        if len(stack) >= DEPTH:
            self.too_deep = True
            raise Mistake("Exceeds depth limit for parsing")
        if self._value is not NOTHING:
            raise Mistake("Expected separator between values")
        if self._tries and self._leap():
            return
        self.open(mark)
        if self._tries:
            self.at = white(self.text, self.at).end()
            self._read_members()

    def open(self, mark: str) -> None:
        """Open an array or object."""
        if not self._stack:
            self._opened = self.position()
        self._stack.append([] if mark == "[" else {})

    def _colon(self) -> None:
        value = self._value
        stack = self._stack
        if value is NOTHING:
            raise Mistake("Expected string key before ':'")
        if not stack or type(stack[-1]) is not dict:
            raise Mistake("':' not as part of an object")
        if type(value) is not str:
            raise Mistake("Object keys must be strings")
        stack.append(value)
        self._value = NOTHING

    def _comma(self) -> None:
        stack = self._stack
        if self._value is NOTHING:
            raise Mistake("Expected value before ','")
        if not stack:
            raise Mistake("',' not as part of an object or array")
        top = stack[-1]
        if type(top) is list:
            top.append(self._value)
        elif type(top) is str:
            stack.pop()
            stack[-1][top] = self._value
        else:
            raise Mistake("Objects must consist of key:value pairs")
        self._value = NOTHING

    def _close_array(self) -> None:
        stack = self._stack
        if not stack or type(stack[-1]) is not list:
            raise Mistake("Unmatched ']'")
        top = stack[-1]
        if self._value is not NOTHING:
            top.append(self._value)
        elif top:
            raise Mistake("Expected another array element")
        self._value = stack.pop()

    def _close_object(self) -> None:
        stack = self._stack
        if not stack:
            raise Mistake("Unmatched '}'")
        top = stack[-1]
        if self._value is not NOTHING:
            if type(top) is not str:
                raise Mistake("Objects must consist of key:value pairs")
            stack.pop()
            stack[-1][top] = self._value
        elif type(top) is not dict:
            raise Mistake("Unmatched '}'")
        elif top:
            raise Mistake("Expected another key-value pair")
        self._value = stack.pop()

    # -- with the scanner

    def _is_deep(self, start: int, end: int) -> bool:
        """Return whether a scanned value may be nested too deeply."""
        return _may_be_deep(self.text, start, end, DEPTH - len(self._stack))

    def _scan_at(self, at: int) -> int:
        """Scan a value into ``_value`` and return its end; -1 if the scanner can't."""
        if at == self._tried or len(self._stack) > DEPTH // 2:
            return -1
        try:
            value, end = scan(self.text, at)
        except (StopIteration, ValueError, RecursionError):
            self._tries -= 1
            self._tried = at
            return -1
        if self._deep and self._is_deep(at, end):
            self._tried = at
            return -1
        self._value = value
        return end

    def _leap(self) -> bool:
        """Scan the array or object that begins before ``at``; return whether it is complete in this piece."""
        end = self._scan_at(self.at - 1)
        if end < 0:
            return False
        self.at = end
        return True

    def _read_members(self) -> None:
        """Scan members of the innermost container, as far as they are complete in this piece."""
        top = self._stack[-1]
        self.at = white(self.text, self.at).end()
        if self._bulk and len(self._stack) <= DEPTH // 2:
            self._read_many(top)
            if self._value is not NOTHING:
                return
        if type(top) is list:
            self._read_elements(top)
        else:
            self._read_pairs(top)

    def _read_elements(self, top: list[Any]) -> None:
        text = self.text
        at = self.at
        while True:
            end = self._scan_at(at)
            if end < 0:
                break
            comma = _comma(text, end)
            if comma is None:
                if text[end - 1] in ']}"':
                    at = end
                else:
                    self._value = NOTHING  # the number may continue
                break
            top.append(self._value)
            self._value = NOTHING
            at = comma.end()
        self.at = at

    def _read_pairs(self, top: dict[str, Any]) -> None:
        text = self.text
        at = self.at
        while (key := _key(text, at)) is not None:
            end = self._scan_at(key.end())
            if end < 0:
                break
            comma = _comma(text, end)
            if comma is None:
                if text[end - 1] in ']}"':
                    self._stack.append(key.group(1))
                    at = end
                else:
                    self._value = NOTHING
                break
            top[key.group(1)] = self._value
            self._value = NOTHING
            at = comma.end()
        self.at = at

    def _read_many(self, top: list[Any] | dict[str, Any]) -> None:
        """Scan all members up to a comma near the end of the piece in one call.

        If the last comma is inside a nested container, brackets are left open, and the scan fails. Then a comma after a
        closing bracket is tried; the kind that succeeds is tried first in the next pieces.
        """
        text = self.text
        for cut in (self._cut, *(other for other in _CUTS if other != self._cut)):
            end = text.rfind(cut, self.at) + len(cut) - 1
            if end - self.at >= 256 and self._read_up_to(end, top):
                self._cut = cut
                return
        self._bulk -= 1

    def _read_up_to(self, comma: int, top: list[Any] | dict[str, Any]) -> bool:
        """Scan the members before a comma, or all remaining ones if they end earlier; return whether that succeeded."""
        at = self.at
        brackets = "[]" if type(top) is list else "{}"
        part = f"{brackets[0]}{self.text[at:comma]}{brackets[1]}"
        try:
            members, end = scan(part, 0)
        except (StopIteration, ValueError, RecursionError):
            return False
        if not members or self._deep and self._is_deep(at, comma):
            return False
        is_closed = end < len(part)
        if isinstance(top, list):
            if is_closed:
                self._value = members.pop()
            top.extend(members)
        else:
            if is_closed:
                key, self._value = members.popitem()
                self._stack.append(key)
            top.update(members)
        # The closing bracket is left for ``mark``.
        self.at = at + end - 2 if is_closed else white(self.text, comma + 1).end()
        return True


def _goes_deep() -> bool:
    """Return whether the scanner may nest deeper than jq: before 3.12 Python's recursion limit bounds it."""
    return sys.version_info >= (3, 12) or sys.getrecursionlimit() > DEPTH // 3


def _may_be_deep(text: str, start: int, end: int, room: int) -> bool:
    """Return whether a part of a text has enough brackets to be nested too deeply."""
    if end - start < room:
        return False
    # An object counts twice, as its key is on the stack of jq's parser, too.
    return text.count("[", start, end) + 2 * text.count("{", start, end) > room


def _is_number(value: Any) -> bool:
    return type(value) is int or isinstance(value, float)


def loads(text: str, check: Callable[[], object]) -> Any:
    """Parse a text with one value. Raise ``ParseError`` if it has none, or several."""
    if len(text) <= WHOLE and is_plain(text):
        try:
            value, end = scan(text, white(text).end())
        except (StopIteration, ValueError, RecursionError):
            pass
        else:
            if end == len(text) or white(text, end).end() == len(text):
                if not (_goes_deep() and _may_be_deep(text, 0, end, DEPTH)):
                    return value
    reading = _values(text, check)
    value = next(reading, NOTHING)
    if value is NOTHING:
        raise ParseError("Expected JSON value")
    if next(reading, NOTHING) is not NOTHING:
        raise ParseError("Unexpected extra JSON values")
    return value


def _values(text: str, check: Callable[[], object], ends: bool = True) -> Iterator[Any]:
    """Yield the values of a text."""
    parser = Parser(check)
    for at in range(0, len(text) or 1, PIECE):
        check()
        parser.feed(text[at : at + PIECE], ends and at + PIECE >= len(text))
        while (value := parser.next()) is not MORE:
            if value is END:
                return
            yield value


def read_text(run: Run, text: str) -> Any:
    """``fromjson``: parse a text with one value."""
    if len(text) > LARGE:
        run.made(4 * len(text))
    try:
        return loads(text, run.check)
    except ParseError as error:
        shown = text.partition("\0")[0]  # jq prints it as a C string
        run.text(len(shown))
        raise JqError(f"{error} (while parsing '{shown}')") from None


def read_values(run: Run, data: bytes) -> list[Any]:
    """Parse all values of a file (``--slurpfile``, ``import`` of data). Raise ``ParseError`` for invalid JSON."""
    from .utf8 import decoder

    values: list[Any] = []
    decode = decoder()
    parser = Parser(run.check)
    size = len(data)
    ends = _is_end_seen(data)
    for at in range(0, size, PIECE):
        run.check()
        last = at + PIECE >= size
        parser.feed(decode(data[at : at + PIECE], last), last and ends)
        while (value := parser.next()) is not MORE and value is not END:
            values.append(value)
    return values


def _is_end_seen(data: bytes) -> bool:
    """Return whether jq detects the end of a file: it does not after a last block that is full.

    A block has 4096 bytes, and the rest of the character at its end.
    """
    from .utf8 import missing

    at = 0
    while at + 4096 <= len(data):
        at += 4096 + missing(data, at, at + 4096)
    return at != len(data)
