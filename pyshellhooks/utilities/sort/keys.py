"""The keys of sort: parts of a line, and how they compare (POSIX XCU sort; GNU coreutils 9.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...command import RawArgument
from ...errors import UsageError
from ..support.quoting import quote

BLANKS = frozenset(b" \t\n")


def _is_dictionary(byte: int) -> bool:
    """Return whether -d compares a byte: letters, digits and blanks, in the C locale's sense."""
    char = chr(byte)
    if not char.isascii():
        return False
    return char.isalnum() or byte in BLANKS


_DICTIONARY = bytes(byte for byte in range(256) if not _is_dictionary(byte))  # the bytes that -d removes
_UNPRINTABLE = bytes(b for b in range(256) if not 32 <= b < 127)
_MONTHS = {
    month: number
    for number, month in enumerate(
        (b"JAN", b"FEB", b"MAR", b"APR", b"MAY", b"JUN", b"JUL", b"AUG", b"SEP", b"OCT", b"NOV", b"DEC"), 1
    )
}
_SCALES = {
    byte: power
    for power, letters in enumerate((b"Kk", b"M", b"G", b"T", b"P", b"E", b"Z", b"Y"), 1)
    for byte in letters
}
_END = 2**62
_OLD_KEY = re.compile(r"([0-9]+)(?:\.([0-9]+))?([bdfghinMRrV]*)")
_AT_ONCE = 100  # fields that one regular expression matches


class Key:
    """One ``-k``. Fields and characters are counted from 0; ``last_char`` 0 is the end of the field."""

    __slots__ = ("field", "char", "last_field", "last_char", "start_blanks", "end_blanks", "options", "reverse")

    def __init__(self) -> None:
        self.field = self.char = 0
        self.last_field = _END
        self.last_char = 0
        self.start_blanks = self.end_blanks = False
        self.options = ""
        self.reverse = False

    def inherit(self, options: str) -> None:
        """Use the global options if the key has no options."""
        has_blanks = self.start_blanks or self.end_blanks
        if not self.options and not self.reverse and not has_blanks:
            self.options = "".join(letter for letter in options if letter not in "br")
            self.reverse = "r" in options
            self.start_blanks = self.end_blanks = "b" in options

    def part(self, separator: int) -> Callable[[bytes], bytes] | None:
        """Return a function that cuts the key out of a line, or None if the key is the whole line."""
        starts_line = self.field == self.char == 0 and not self.start_blanks
        if starts_line and self.last_field == _END:
            return None

        start_of, limit_of = _start_of(self, separator), _limit_of(self, separator)

        def cut(line: bytes) -> bytes:
            start = start_of(line)
            return line[start : max(start, limit_of(line))]

        return cut


def _skip(line: bytes, at: int, blanks: bool) -> int:
    end = len(line)
    while at < end and (line[at] in BLANKS) is blanks:
        at += 1
    return at


def _passing(count: int) -> Callable[[bytes], int]:
    """Return a function that finds the end of ``count`` fields, each with the blanks before it."""
    times, last = divmod(count, _AT_ONCE)
    few = re.compile(rb"(?:[ \t\n]*[^ \t\n]*){%d}" % last).match
    many = re.compile(rb"(?:[ \t\n]*[^ \t\n]*){%d}" % _AT_ONCE).match

    def passing(line: bytes) -> int:
        at = 0
        for _ in range(times):
            if at >= len(line):
                break
            if found := many(line, at):
                at = found.end()
        if found := few(line, at):
            at = found.end()
        return at

    return passing


def _start_of(key: Key, separator: int) -> Callable[[bytes], int]:
    """Return a function that finds the start of the key."""
    passing = _passing(key.field)

    def start(line: bytes) -> int:
        at, end = 0, len(line)
        if separator < 0:
            at = passing(line) if key.field else 0
        else:
            for _ in range(key.field):
                if at >= end:
                    break
                found = line.find(separator, at)
                at = end if found < 0 else found + 1
        if key.start_blanks:
            at = _skip(line, at, True)
        return min(end, at + key.char)

    return start


def _limit_of(key: Key, separator: int) -> Callable[[bytes], int]:
    """Return a function that finds the end of the key."""
    if key.last_field == _END:
        return len
    count = key.last_field + (not key.last_char)
    passing = _passing(count)

    def limit(line: bytes) -> int:
        at, end = 0, len(line)
        fields = count
        if separator < 0:
            at = passing(line)
            fields = 0
        while at < end and fields:
            fields -= 1
            found = line.find(separator, at)
            at = end if found < 0 else found
            if at < end and (fields or key.last_char):
                at += 1
        if key.last_char:
            if key.end_blanks:
                at = _skip(line, at, True)
            at = min(end, at + key.last_char)
        return at

    return limit


def parse_key(argument: RawArgument) -> Key:
    """Parse ``F[.C][OPTS][,F[.C][OPTS]]``. Raise ``UsageError`` with GNU's messages."""
    text, env = argument.text, argument.env
    key = Key()

    def wrong(message: str) -> UsageError:
        return UsageError(f"{message}: invalid field specification {quote(text, env)}", 2, hint=False)

    def count(at: int, message: str) -> tuple[int, int]:
        start = at + text.startswith("+", at)
        end = start
        while end < len(text) and text[end] in "0123456789":
            end += 1
        if end == start:
            raise UsageError(f"{message}: invalid count at start of {quote(text[at:], env)}", 2, hint=False)
        return min(int(text[start:end][:30]), _END - 1), end

    def options(at: int, end: bool) -> int:
        while at < len(text) and text[at] in "bdfghinMRrV":
            if text[at] == "b":
                if end:
                    key.end_blanks = True
                else:
                    key.start_blanks = True
            elif text[at] == "r":
                key.reverse = True
            else:
                key.options += text[at]
            at += 1
        return at

    field, at = count(0, "invalid number at field start")
    if not field:
        raise wrong("field number is zero")
    key.field = field - 1
    if text[at : at + 1] == ".":
        char, at = count(at + 1, "invalid number after '.'")
        if not char:
            raise wrong("character offset is zero")
        key.char = char - 1
    at = options(at, False)
    if text[at : at + 1] == ",":
        last, at = count(at + 1, "invalid number after ','")
        if not last:
            raise wrong("field number is zero")
        key.last_field = last - 1
        if text[at : at + 1] == ".":
            key.last_char, at = count(at + 1, "invalid number after '.'")
        at = options(at, True)
    if at < len(text):
        raise wrong("stray character in field spec")
    return key


def old_key(start: str, end: str | None, env: Mapping[str, str]) -> Key | None:
    """Parse ``+F[.C][OPTS]`` and ``-F[.C][OPTS]``, which count from 0. Return None if the first is not such a key.

    ``+1 -2`` is ``-k 2,2``, ``+1.2 -3.4`` is ``-k 2.3,4.4`` (GNU coreutils manual, sort, obsolescent keys). ``end``
    begins with a hyphen and a digit.
    """
    match = _OLD_KEY.fullmatch(start, 1)
    if match is None:
        return None
    key = Key()
    key.field, key.char = _count(match[1]), _count(match[2])
    key.start_blanks = "b" in match[3]
    options = match[3]
    if end is not None and (last := _OLD_KEY.match(end, 1)) is not None:
        rest = end[last.end() :]
        lacks_number = rest[:1] == "." and last[2] is None and not last[3]
        if lacks_number:
            count = f"invalid count at start of {quote(rest[1:], env)}"
            raise UsageError(f"invalid number after '.': {count}", 2, hint=False)
        if rest:
            why = "stray character in field spec"
            raise UsageError(f"{why}: invalid field specification {quote(end, env)}", 2, hint=False)
        key.last_char = _count(last[2])
        # Without a character the key ends at the end of the previous field.
        key.last_field = max(0, _count(last[1]) - (not key.last_char))
        key.end_blanks = "b" in last[3]
        options += last[3]
    key.options = "".join(letter for letter in options if letter not in "br")
    key.reverse = "r" in options
    return key


def _count(digits: str | None) -> int:
    return min(int((digits or "0")[:30]), _END - 1)


def refuse_conflicts(options: str) -> None:
    """Raise if options exclude each other: numbers, months and comparisons of text."""
    if sum(letter in options for letter in "ghMn") + any(letter in options for letter in "diRV") > 1:
        shown = "".join(letter for letter in "dghiMnRV" if letter in options)
        if "d" in options:
            shown = shown.replace("i", "")  # -d implies -i
        raise UsageError(f"options '-{shown}' are incompatible", 2, hint=False)


def comparable(options: str, salt: bytes = b"", tail: bytes = b"") -> Callable[[bytes], Any] | None:
    """Return the key function for these options, or None to compare bytes."""
    if "n" in options:
        return numeric
    if "h" in options:
        return _human
    if "g" in options:
        return _general
    if "M" in options:
        return lambda text: _MONTHS.get(text.lstrip(b" \t\n")[:3].upper(), 0)
    steps: list[Callable[[bytes], bytes]] = []
    if "f" in options:
        steps.append(bytes.upper)
    if "d" in options:
        steps.append(lambda text: text.translate(None, _DICTIONARY))
    elif "i" in options:
        steps.append(lambda text: text.translate(None, _UNPRINTABLE))

    def changed(text: bytes) -> bytes:
        for step in steps:
            text = step(text)
        return text

    if "R" in options:
        from hashlib import md5

        # As in GNU's, so that the same --random-source gives the same order; ``tail`` is the suffix that strxfrm adds.
        return lambda text: md5(salt + changed(text) + tail, usedforsecurity=False).digest()
    if "V" in options:
        from ..support.versions import version_key

        return lambda text: version_key(changed(text))
    if len(steps) == 1:
        return steps[0]
    if not steps:
        return None
    return changed


def _split_number(text: bytes) -> tuple[bool, bytes, bytes, int]:
    """Return the sign, the integer and fraction digits of a leading number, and its end."""
    at = _skip(text, 0, True)
    negative = text[at : at + 1] == b"-"
    start = at = at + negative
    end = len(text)
    while at < end and 48 <= text[at] <= 57:
        at += 1
    whole = text[start:at]
    fraction = b""
    if text[at : at + 1] == b".":
        point = at = at + 1
        while at < end and 48 <= text[at] <= 57:
            at += 1
        fraction = text[point:at]
    return negative, whole, fraction, at


def numeric(text: bytes) -> Any:
    """Return the exact decimal number of ``-n``, 0 if the text has none."""
    if text.isdigit() and len(text) < 4000:
        return int(text)
    negative, whole, fraction, _ = _split_number(text)
    fraction = fraction.rstrip(b"0")
    if not fraction and len(whole) < 4000:
        value = int(whole or b"0")
        if negative:
            return -value
        return value
    from decimal import Decimal

    digits = (whole or b"0").decode() + "." + (fraction or b"0").decode()
    if negative:
        digits = "-" + digits
    return Decimal(digits)


def _human(text: bytes) -> Any:
    negative, whole, fraction, at = _split_number(text)
    value = numeric(text[:at])
    scale = 0
    if value and at < len(text):  # a zero has no unit
        scale = _SCALES.get(text[at], 0)
    # GNU compares the suffixes first, so that 1K is larger than 1023.
    return (-scale if negative else scale), value


def _general(text: bytes) -> Any:
    from ..support.longdouble import parse

    number, used = parse(text.decode("latin-1"))
    # GNU coreutils manual, sort -g: text without a number, then NaN, then numbers from minus to plus infinity.
    if not used:
        return (0, 0)
    if number.special == "nan":
        return (1, 0)
    if number.special:
        return (2, float("-inf") if number.negative else float("inf"))
    return (2, number.exact())
