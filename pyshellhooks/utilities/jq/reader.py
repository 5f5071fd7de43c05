"""JSON texts to values, as jq 1.8 reads them: what it accepts, how it goes on, and how it words what is wrong.

``loads(text, check)`` reads one text, ``Parser`` a stream of them that comes in pieces::

    parser = Parser(check)
    parser.feed(piece)              # or parser.feed(piece, last=True)
    while (value := parser.next()) is not MORE and value is not END: ...

Two speeds. The standard library's scanner reads what lies whole in the piece at hand: a text, else the members of the
arrays and objects that go beyond it. The reader's own machine, token by token on its own stack, reads the rest: what
goes across pieces, what is nested deeply, what only jq accepts, and all that is wrong. So no call of the scanner is
longer than a piece, and values come out as soon as they are complete.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, Final

from ..support.gauge import LARGE
from .errors import JqError
from .reading import END, MORE, NOTHING, Mistake, ParseError
from .scanner import scan
from .tokens import Tokens, is_plain, white

if TYPE_CHECKING:
    from .running import Run

__all__ = ["END", "MORE", "ParseError", "Parser", "loads", "read_text", "read_values", "scan"]

DEPTH: Final = 10_000  # of jq's stack: an array takes one place, an object two
PIECE: Final = 1 << 16
WHOLE: Final = 1 << 21  # characters of a text that the scanner may read at once: about 30 ms without the GIL's release
_TRIES = 8  # of the scanner in one piece, in vain: each may cost a pass over the piece

_CUTS: Final = (",", "},", "],")  # where members may be cut off

_comma = re.compile(r"[ \t\r\n]*+,[ \t\r\n]*+").match
_number = re.compile(r"(0|-?[1-9][0-9]{0,14})[ \t\r\n]").match
_key = re.compile(r'"([^"\\\x00-\x1f]*+)"[ \t\r\n]*+:[ \t\r\n]*+').match


class Parser(Tokens):
    """The values of one or more texts; ``seq`` is for RFC 7464."""

    __slots__ = ("_bulk", "_cut", "_deep", "_opened", "_stack", "_tried", "_tries", "_value")

    def __init__(self, check: Callable[[], object], seq: bool = False) -> None:
        super().__init__(check, seq)
        # Arrays, objects, and the keys of the values to come.
        self._stack: list[Any] = []
        self._value: Any = NOTHING  # read, and not put into anything yet
        self._opened = 0  # where the outermost of them begins
        self._tries = 0
        self._tried = -1  # where the scanner failed
        self._bulk = 0  # arrays and objects of this piece of which it may still try to read many members at once
        self._cut = _CUTS[0]
        self._deep = _goes_deep()

    def feed(self, text: str, last: bool = False) -> None:
        """Take one more piece of the text."""
        super().feed(text, last)
        self._tries = _TRIES if self.plain else 0
        self._tried = -1
        self._bulk = _TRIES

    def next(self) -> Any:
        """Return the next value, MORE where more is to be fed, or END; raises ``ParseError``."""
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

    # -- what the tokens do

    def is_between(self) -> bool:
        """Say that nothing is begun."""
        return not self._stack and not self.held and self.is_normal()

    def depth(self) -> int:
        """Return the number of arrays and objects that are open."""
        return len(self._stack)

    def pending(self) -> int:
        """Return the number of characters of what is begun and can't be given yet."""
        return self.position() - self._opened if self._stack else super().pending()

    def reset(self) -> None:
        """Forget what is begun."""
        super().reset()
        self._stack.clear()
        self._value = NOTHING

    def take(self, value: Any) -> None:
        """Take a scalar or a key."""
        if self._value is not NOTHING:
            raise Mistake("Expected separator between values")
        self._value = value

    def done(self) -> Any:
        """Return the value that is complete, or NOTHING."""
        if self._stack:
            return NOTHING
        value = self._value
        self._value = NOTHING
        return value

    def rest(self) -> Any:
        """Return the value that the end of the text completes."""
        value = self.done()
        if self.seq and _is_number(value):
            raise Mistake("Potentially truncated top-level numeric value")
        return value

    def is_truncated(self, spaced: bool) -> bool:
        """Say whether a separator cuts something off."""
        return not spaced and bool(self._stack or self.held)

    def is_number(self) -> bool:
        """Say whether a number stands alone."""
        return not self._stack and _is_number(self._value)

    def mark(self, mark: str) -> None:
        """Take one of ``[ ] { } , :``, which stands before ``at``."""
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
        """Begin an array or object."""
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
        """Say whether what was scanned may be nested too deeply."""
        return _may_be_deep(self.text, start, end, DEPTH - len(self._stack))

    def _scan_at(self, at: int) -> int:
        """Scan a value into ``_value``; -1 where that can't be done."""
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
        """Read the array or object that begins before ``at``, if it lies whole in this piece."""
        end = self._scan_at(self.at - 1)
        if end < 0:
            return False
        self.at = end
        return True

    def _read_members(self) -> None:
        """Read members of the array or object at hand, as far as they lie whole in this piece."""
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
                    self._value = NOTHING  # a number may go on
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
        """Read all members up to a comma near the end of the piece in one scan.

        The last comma may belong to something inside: then brackets are left open, and the scan fails. One behind a
        closing bracket is the next to be tried; what did it is tried first in the pieces that follow.
        """
        text = self.text
        for cut in (self._cut, *(other for other in _CUTS if other != self._cut)):
            end = text.rfind(cut, self.at) + len(cut) - 1
            if end - self.at >= 256 and self._read_up_to(end, top):
                self._cut = cut
                return
        self._bulk -= 1

    def _read_up_to(self, comma: int, top: list[Any] | dict[str, Any]) -> bool:
        """Read the members before a comma, or all that are left if they end before it; say whether that could be done."""
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
        # A closing bracket is the machine's.
        self.at = at + end - 2 if is_closed else white(self.text, comma + 1).end()
        return True


def _goes_deep() -> bool:
    """Say that the scanner may go deeper than jq: before 3.12 it goes no deeper than Python's own stack."""
    return sys.version_info >= (3, 12) or sys.getrecursionlimit() > DEPTH // 3


def _may_be_deep(text: str, start: int, end: int, room: int) -> bool:
    """Say whether a part of a text has brackets enough to be nested too deeply."""
    return end - start >= room and text.count("[", start, end) + 2 * text.count("{", start, end) > room


def _is_number(value: Any) -> bool:
    return type(value) is int or isinstance(value, float)


def loads(text: str, check: Callable[[], object]) -> Any:
    """Read a text with one value; ``ParseError`` if it has none, or more."""
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
    """Yield the values of a text one after the other."""
    parser = Parser(check)
    for at in range(0, len(text) or 1, PIECE):
        check()
        parser.feed(text[at : at + PIECE], ends and at + PIECE >= len(text))
        while (value := parser.next()) is not MORE:
            if value is END:
                return
            yield value


def read_text(run: Run, text: str) -> Any:
    """``fromjson``: read a text with one value."""
    if len(text) > LARGE:
        run.made(4 * len(text))
    try:
        return loads(text, run.check)
    except ParseError as error:
        shown = text.partition("\0")[0]  # jq shows a C string
        run.text(len(shown))
        raise JqError(f"{error} (while parsing '{shown}')") from None


def read_values(run: Run, data: bytes) -> list[Any]:
    """Read all values of a file (``--slurpfile``, ``import`` of data); raises ``ParseError``."""
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
    """Say whether jq sees the end of a file: it does not look for one behind a last block that is full.

    A block has 4096 bytes, and what the character at its end needs.
    """
    from .utf8 import missing

    at = 0
    while at + 4096 <= len(data):
        at += 4096 + missing(data, at, at + 4096)
    return at != len(data)
