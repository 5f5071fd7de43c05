"""``--stream``: JSON texts as events, ``[path, leaf]`` and, at the end of an array or object, ``[path]``.

Events are returned as tokens are read, so duplicate keys of an object all give events, and so do values before an
error. jq has a separate parser for this: it accepts ``[[1][2]]`` and ``{"a":"b":1}``, has some other messages, and no
limit of depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from .numbers import read_number
from .reading import NOTHING, Mistake, ParseError
from .tokens import Tokens

# The previous token, inside an array or object.
_NONE, _OPEN_ARRAY, _OPEN_OBJECT, _COLON, _COMMA, _VALUE = range(6)
_SCALARS: Final = (bool, type(None), int)
_WORDS: Final = {"true": True, "false": False, "null": None}

# A usual member: an optional plain key, a scalar, and the mark after it.
_member = re.compile(
    r'[ \t\r\n]*+(?:"([^"\\\x00-\x1f]*+)"[ \t\r\n]*+:[ \t\r\n]*+)?'
    r'(?:"([^"\\\x00-\x1f]*+)"|(-?[0-9][0-9.eE+-]*+)|(true|false|null))[ \t\r\n]*+([,\]}])'
).match


class Streamer(Tokens):
    """Parser of the events of one or more texts; with ``errors_as_values`` an error is the value ``[message, path]``.

    ``made`` counts the bytes of long paths: each event has its own.
    """

    __slots__ = ("_closed", "_errors_as_values", "_event", "_made", "_path", "_seen", "_value")

    def __init__(
        self,
        check: Callable[[], object],
        seq: bool = False,
        errors_as_values: bool = False,
        made: Callable[[int], object] | None = None,
    ) -> None:
        super().__init__(check, seq)
        self._made = made
        self._errors_as_values = errors_as_values
        # The current path: indexes and keys, None for a key that follows.
        self._path: list[Any] = []
        self._seen = _NONE
        self._value: Any = NOTHING
        self._event: Any = NOTHING
        self._closed: Any = NOTHING  # the event after that one

    def next(self) -> Any:
        """Return the next event, MORE if the next piece must be fed, or END. Raise ``ParseError`` for invalid JSON."""
        event = self._closed
        if event is not NOTHING:
            self._closed = NOTHING
            return event
        if self._seen == _COMMA and self.plain and self.is_normal() and not self.parts:
            event = self._read_member()
            if event is not NOTHING:
                return event
        return self.resume()

    def _read_member(self) -> Any:
        """Match a whole member and return its event; NOTHING for none, or before the bracket after the last member."""
        member = _member(self.text, self.at)
        if member is None:
            return NOTHING
        key, value, number, word, mark = member.groups()
        path = self._path
        last = path[-1]
        if (key is None) is not (type(last) is int):
            return NOTHING
        if number is not None:
            try:
                if len(number) < 16 and number.isdigit():
                    value = int(number)
                else:
                    value = read_number(number)
            except ValueError:
                return NOTHING
        elif word is not None:
            value = _WORDS[word]
        if mark != ",":
            path[-1] = last if key is None else key
            self._value = value
            self._seen = _VALUE
            self.at = member.end() - 1
            return NOTHING
        at = self._copy_path()
        if key is None:
            path[-1] = last + 1
        else:
            at[-1] = key
        self._seen = _COMMA
        self.at = member.end()
        return [at, value]

    def is_closing(self) -> bool:
        """Return whether an event of the last mark is left, and no text."""
        return self._closed is not NOTHING and self.at >= len(self.text)

    # -- actions of tokens

    def depth(self) -> int:
        """Return the number of arrays and objects that are open."""
        return len(self._path)

    def reset(self) -> None:
        """Drop the incomplete value."""
        super().reset()
        self._path = []
        self._seen = _NONE
        self._value = self._event = self._closed = NOTHING

    def report(self, message: str) -> Any:
        """Raise the error, or return it as a value."""
        if self._errors_as_values:
            return [message, self._path]
        raise ParseError(message)

    def take(self, value: Any) -> None:
        """Take a scalar or a key."""
        if self._value is not NOTHING or self._seen == _VALUE:
            raise Mistake("Expected separator between values")
        self._seen = _VALUE if self._path else _NONE
        self._value = value

    def done(self) -> Any:
        """Return the complete event, or NOTHING."""
        event = self._event
        if event is not NOTHING:
            self._event = NOTHING
        elif not self._path and self._value is not NOTHING:
            event = [[], self._value]
            self._value = NOTHING
        return event

    def rest(self) -> Any:
        """Return the event that the end of the text completes, or NOTHING."""
        return self.done()

    def is_truncated(self, spaced: bool) -> bool:
        """Return whether a separator here truncates a value."""
        value = self._value
        return bool(self._path) or value is not NOTHING and (type(value) in _SCALARS or isinstance(value, float))

    def is_number(self) -> bool:
        """Return whether the current value is a top-level number."""
        value = self._value
        return not self._path and (type(value) is int or isinstance(value, float))

    def mark(self, mark: str) -> None:
        """Take one of ``[ ] { } , :``."""
        if mark == "]":
            self._close_array()
        elif mark == "}":
            self._close_object()
        elif mark == ":":
            self._colon()
        else:
            if mark == ",":
                self._comma()
            else:
                self.open(mark)
            if self.plain and self._event is NOTHING:
                self._event = self._read_member()

    def open(self, mark: str) -> None:
        """Take ``[`` or ``{``, without matching members after it."""
        if mark == "[":
            self._open_array()
        else:
            self._open_object()

    def _open_array(self) -> None:
        if self._value is not NOTHING:
            raise Mistake("Expected a separator between values")
        self._expect_no_key("[")
        self._path.append(0)
        self._seen = _OPEN_ARRAY

    def _open_object(self) -> None:
        if self._seen == _VALUE:
            raise Mistake("Expected a separator between values")
        self._expect_no_key("{")
        self._path.append(None)
        self._seen = _OPEN_OBJECT

    def _expect_no_key(self, mark: str) -> None:
        if self._seen == _OPEN_OBJECT:
            raise Mistake(f"Expected string key after '{{', not '{mark}'")
        if self._seen == _COMMA and type(self._path[-1]) is not int:
            raise Mistake(f"Expected string key after ',' in object, not '{mark}'")

    def _colon(self) -> None:
        path = self._path
        if not path or type(path[-1]) is int:
            raise Mistake("':' not as part of an object")
        if self._value is NOTHING or self._seen == _NONE:
            raise Mistake("Expected string key before ':'")
        if type(self._value) is not str:
            raise Mistake("Object keys must be strings")
        if self._seen != _VALUE:
            raise Mistake("':' should follow a key")
        self._seen = _COLON
        path[-1] = self._value
        self._value = NOTHING

    def _comma(self) -> None:
        path = self._path
        if self._seen != _VALUE:
            raise Mistake("Expected value before ','")
        if not path:
            raise Mistake("',' not as part of an object or array")
        last = path[-1]
        if last is None:
            raise Mistake("Objects must consist of key:value pairs")
        if self._value is not NOTHING:
            self._event = [self._copy_path(), self._value]
            self._value = NOTHING
        path[-1] = last + 1 if type(last) is int else None
        self._seen = _COMMA

    def _close_array(self) -> None:
        path = self._path
        if not path:
            raise Mistake("Unmatched ']' at the top-level")
        if self._seen == _COMMA:
            raise Mistake("Expected another array element")
        if type(path[-1]) is not int:
            raise Mistake("Unmatched ']' in the middle of an object")
        self._close(_OPEN_ARRAY, [])

    def _close_object(self) -> None:
        path = self._path
        if not path:
            raise Mistake("Unmatched '}' at the top-level")
        if self._seen == _COMMA:
            raise Mistake("Expected another key:value pair")
        last = path[-1]
        if type(last) is int:
            raise Mistake("Unmatched '}' in the middle of an array")
        if self._value is not NOTHING:
            if last is None:
                raise Mistake("Objects must consist of key:value pairs")
        elif self._seen == _COLON:
            raise Mistake("Missing value in key:value pair")
        elif self._seen == _OPEN_ARRAY:
            raise Mistake("Unmatched '}' in the middle of an array")
        elif self._seen != _VALUE and self._seen != _OPEN_OBJECT:
            raise Mistake("Unmatched '}'")
        self._close(_OPEN_OBJECT, {})

    def _close(self, opened: int, empty: Any) -> None:
        """Close the array or object; if it has no members, ``empty`` is a leaf."""
        path = self._path
        if self._value is not NOTHING:
            at = self._copy_path()
            self._event = [at, self._value]
            self._closed = [at]
            self._value = NOTHING
        elif self._seen != opened:
            self._event = [self._copy_path()]
        path.pop()
        if self._seen == opened:
            self._event = [self._copy_path(), empty]
        self._seen = _VALUE if path else _NONE

    def _copy_path(self) -> list[Any]:
        path = self._path
        if len(path) > 128 and self._made is not None:
            self._check()
            self._made(8 * len(path))
        return path.copy()
