"""Parser of bracket expressions in Oniguruma's Perl syntax: ranges, escapes, named classes; no nested sets."""

from __future__ import annotations

from ....patterns.ranges import MOST
from . import errors as words
from .errors import OnigError
from .sets import POSIX_NAMES, CharSet
from .tokens import BYTE, CLASS_CHAR, CLASS_END, CLASS_POSIX, CLASS_RANGE, CODE, PROPERTY, TYPE, Tokens


def read_class(tokens: Tokens) -> CharSet:
    """Parse a bracket expression after its ``[``, up to its ``]``."""
    return _Reader(tokens).read()


class _Reader:
    """Parser of ``[...]``. ``pending`` has a single character until it is known whether it begins a range."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.chars = CharSet()
        self.state = "start"  # value, range, complete
        self.pending = 0
        self.pending_type = ""  # byte (a single byte), code, class

    def read(self) -> CharSet:
        tokens, chars = self.tokens, self.chars
        kind = tokens.fetch_in_class()
        negated = kind == CLASS_CHAR and tokens.char == "^" and not tokens.escaped
        if negated:
            kind = tokens.fetch_in_class()
        if kind == CLASS_END:
            if tokens.pattern.find("]", tokens.at) < 0:
                raise OnigError(words.EMPTY_CLASS)
            tokens.kind = CLASS_CHAR  # []...]
        while tokens.kind != CLASS_END:
            if not self._member():
                tokens.fetch_in_class(self.state == "range")
        if self.state == "value":
            self._next(0, self.pending_type)
        chars.negated = negated
        chars.ranges.sort()
        return chars

    def _member(self) -> bool:
        """Process a token; return whether the next token is already read."""
        tokens = self.tokens
        kind = tokens.kind
        if kind == CLASS_CHAR:
            self._next(ord(tokens.char), "byte" if tokens.char <= "\x7f" else "code")
        elif kind == CODE:
            self._next(tokens.code, "byte" if tokens.code < 128 else "code")
        elif kind == BYTE:
            return self._bytes()
        elif kind == CLASS_POSIX:
            self._posix()
            self._after_class()
        elif kind == TYPE:
            self.chars.classes.append(tokens.named)
            self._after_class()
        elif kind == PROPERTY:
            negated = tokens.named[1]
            self.chars.classes.append((tokens.property_name(), negated))
            self._after_class()
        elif kind == CLASS_RANGE:
            return self._dash()
        else:
            raise OnigError(words.CHAR_CLASS_END)
        return False

    def _dash(self) -> bool:
        tokens = self.tokens
        if self.state == "range":  # [!--]
            self._next(0x2D, "byte")
            return False
        if self.state == "start":
            tokens.fetch_in_class()
            self._next(0x2D, "byte")
            return True
        was_value = self.state == "value"
        tokens.fetch_in_class(was_value)
        if was_value and tokens.kind != CLASS_END and self.pending_type != "class":
            self.state = "range"
        else:
            # [x-], [\d-x], [a-c-x]: literal
            self._next(0x2D, "byte")
        return True

    def _bytes(self) -> bool:
        tokens = self.tokens
        base = tokens.base
        data = bytearray((tokens.byte,))
        length = encoded_length(data[0])
        while len(data) < length:
            if tokens.fetch_in_class() != BYTE or tokens.base != base:
                raise OnigError(words.SHORT_STRING)
            data.append(tokens.byte)
        if length == 1:
            self._next(data[0], "byte")
        else:
            self._next(ord(decoded(bytes(data))), "code")
        return False

    def _posix(self) -> None:
        tokens = self.tokens
        negated = tokens.peek() == "^"
        tokens.at += negated
        for name in POSIX_NAMES:
            if tokens.pattern.startswith(name + ":]", tokens.at):
                tokens.at += len(name) + 2
                self.chars.classes.append((name, negated))
                return
        raise OnigError(words.INVALID_POSIX)

    def _after_class(self) -> None:
        if self.state == "range":
            raise OnigError(words.RANGE_ENDS_IN_CLASS)
        if self.state == "value":
            self._add(self.pending, self.pending, self.pending_type)
        self.state, self.pending_type = "value", "class"

    def _next(self, code: int, kind: str) -> None:
        if self.state == "value":
            self._add(self.pending, self.pending, self.pending_type)
        elif self.state == "range":
            if self.pending > code:
                raise OnigError(words.EMPTY_RANGE)
            self._add(self.pending, code, kind if kind == self.pending_type else "both")
            self.state = "complete"
            self.pending, self.pending_type = code, kind
            return
        self.state = "value"
        self.pending, self.pending_type = code, kind

    def _add(self, low: int, high: int, kind: str) -> None:
        chars = self.chars
        if kind == "class":
            return
        if low > MOST:
            low = high = 0xDFFF  # like a code beyond Unicode, in no text
        high = min(high, MOST)
        if kind == "byte":
            if low < 128:
                chars.ranges.append((low, min(high, 127)))
        else:
            chars.ranges.append((low, high))
        if kind != "code" and high > 127:
            high = min(high, 255)
            chars.stray |= (1 << (high + 1)) - (1 << max(low, 128))


def encoded_length(lead: int) -> int:
    """Return the length of a character in bytes by its first byte, as in Oniguruma."""
    if lead < 0xC0 or lead > 0xF4:  # a continuation, or a byte that UTF-8 does not have
        return 1
    if lead < 0xE0:
        return 2
    if lead < 0xF0:
        return 3
    return 4


def decoded(data: bytes) -> str:
    """Return the character of bytes that were written as separate escapes."""
    if len(data) == 1 and data[0] > 0xF4:
        return "\udfff"  # a character for Oniguruma, but in no text
    if 0x80 <= data[0] < 0xC0 or any(byte & 0xC0 != 0x80 for byte in data[1:]):
        raise OnigError(words.INVALID_CODE)
    if len(data) == 1:
        code = data[0]
    else:
        code = data[0] & ((1 << (7 - len(data))) - 1)
    for byte in data[1:]:
        code = code << 6 | byte & 0x3F
    return chr(code) if code <= 0x10FFFF else "\udfff"
