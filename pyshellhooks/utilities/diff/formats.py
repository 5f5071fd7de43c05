"""Custom output formats: ``--GTYPE-group-format``, ``--LTYPE-line-format`` and ``-D`` (diffutils manual 2.6, 2.7).

An unknown conversion is text, including its ``%``: no format is an error in GNU diff.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...command.flags import Options
from ...regexes import lazy_pattern
from ...text import encode, paced, parse_digits, pause
from .options import GROUPS, LINES, format_of
from .texts import Change, Tabs, Text, Write

_SPEC = lazy_pattern(
    rb"%(?P<flags>[-'0]*)(?P<width>[0-9]*)(?:\.(?P<digits>[0-9]*))?(?P<kind>[doxX])(?P<letter>[a-zA-Z])"
)
_CHARACTER = lazy_pattern(rb"%[-'0]*[0-9]*(?:\.[0-9]*)?c'(?:([^\\'])|\\([0-7]{1,3}))'")
_CONDITION = lazy_pattern(rb"%\((?:([0-9]+)|([eflmnEFLMN]))=(?:([0-9]+)|([eflmnEFLMN]))\?")
_LARGEST = 2**64 - 1


class Number:
    """A conversion such as ``%05dn``: which number, and its format. ``letter`` as in ``Group.value``."""

    __slots__ = ("_digits", "_kind", "_left", "_width", "_zeros", "letter")

    def __init__(self, width: int, digits: int | None, kind: bytes, flags: bytes, letter: str) -> None:
        self.letter = letter
        self._kind = b"%" + kind
        self._left = b"-" in flags
        self._zeros = b"0" in flags and digits is None
        self._width = width
        self._digits = digits

    def written(self, value: int) -> bytes:
        """Format a number as C's printf does."""
        text = self._kind % value
        if not value and self._digits == 0:
            text = b""  # C: a zero with a precision of zero has no characters
        text = text.rjust(self._digits or 0, b"0")
        if self._left:
            return text.ljust(self._width)
        return text.rjust(self._width, b"0" if self._zeros else b" ")


class Content:
    """``%l``, a line without its newline, or ``%L`` (``whole``), the line with its newline."""

    __slots__ = ("whole",)

    def __init__(self, whole: bool) -> None:
        self.whole = whole


class Lines:
    """``%<``, ``%=``, ``%>``: the lines of one side; ``format`` is the index of one of the three line formats."""

    __slots__ = ("format", "side")

    def __init__(self, side: int, format: int) -> None:
        self.side = side
        self.format = format


class Jump:
    """A jump to ``target``; with a ``condition`` only if its two sides differ: each is a number or a letter for one."""

    __slots__ = ("condition", "target")

    def __init__(self, condition: tuple[str | int, str | int] | None) -> None:
        self.condition = condition
        self.target = 0


Part = bytes | Number | Content | Lines | Jump
_SIDES = {b"<": Lines(0, 1), b"=": Lines(0, 0), b">": Lines(1, 2)}
_CONTENTS = {b"l": Content(False), b"L": Content(True)}


class Reader:
    """Parser of one format. ``most`` raises ``Stop`` for too large a width; ``groups``: it is a group format."""

    def __init__(self, text: str, most: Callable[[int], None], *, groups: bool) -> None:
        self._text = encode(text)
        self._most = most
        self._groups = groups
        self._parts: list[Part] = []
        self._literal = bytearray()
        self._open: list[tuple[bytes, Jump]] = []  # for each open if-then-else: the end of its part, the jump past it

    def parts(self) -> list[Part]:
        """Return the parts of the format in order."""
        text, at = self._text, 0
        while at < len(text):
            pause()
            char = text[at : at + 1]
            if self._open and char == self._open[-1][0]:
                self._close(*self._open.pop())
                at += 1
            elif char == b"%" and (end := self._conversion(at)):
                at = end
            else:
                self._literal += char
                at += 1
        self._flush()
        for _, jump in self._open:
            jump.target = len(self._parts)
        return self._parts

    def _flush(self) -> None:
        if self._literal:
            self._parts.append(bytes(self._literal))
            self._literal.clear()

    def _add(self, part: Part) -> None:
        self._flush()
        self._parts.append(part)

    def _close(self, char: bytes, jump: Jump) -> None:
        """End one part of an if-then-else: a colon ends the part that is printed if the numbers are equal."""
        self._flush()
        if char == b":":
            past = Jump(None)
            self._parts.append(past)
            self._open.append((b")", past))
        jump.target = len(self._parts)

    def _conversion(self, at: int) -> int:
        """Parse a conversion at a percent sign and return the position after it, or 0 if it is text."""
        text = self._text
        after = text[at + 1 : at + 2]
        if after == b"%":
            self._literal += b"%"
            return at + 2
        part = _SIDES.get(after) if self._groups else _CONTENTS.get(after)
        if part is not None:
            self._add(part)
            return at + 2
        if self._groups and (match := _CONDITION.match(text, at)):
            return self._condition(match.groups(), match.end())
        if match := _CHARACTER.match(text, at):
            plain, octal = match.groups()
            self._literal += plain or bytes([int(octal, 8) & 255])
            return match.end()
        match = _SPEC.match(text, at)
        letters = b"eflmnEFLMN" if self._groups else b"n"
        if match is None or match["letter"] not in letters:
            return 0
        self._add(self._number(match))
        return match.end()

    def _number(self, match: re.Match[bytes]) -> Number:
        width = parse_digits((match["width"] or b"0").decode())
        digits = None
        if match["digits"] is not None:  # "%.d" has a precision, of zero
            digits = parse_digits((match["digits"] or b"0").decode())
        self._most(max(width, digits or 0))
        return Number(width, digits, match["kind"], match["flags"], match["letter"].decode())

    def _condition(self, found: Sequence[bytes | None], end: int) -> int:
        sides: list[str | int] = []
        for number, letter in (found[:2], found[2:]):
            if letter:
                sides.append(letter.decode())
            else:
                sides.append(parse_digits((number or b"").decode()))
        if any(isinstance(side, int) and side > _LARGEST for side in sides):
            return 0
        jump = Jump((sides[0], sides[1]))
        self._add(jump)
        self._open.append((b":", jump))
        return end


class Group:
    """A group of lines that are equal or differ: its spans in both files."""

    __slots__ = ("spans",)

    def __init__(self, old: tuple[int, int], new: tuple[int, int]) -> None:
        self.spans = (old, new)

    def value(self, letter: str | int) -> int:
        """Return the number for a letter, or the number itself.

        The number of the line before the group (``e``), of its first line (``f``), of its last line (``l``), of the
        line after it (``m``), or the count of its lines (``n``). A capital letter is for the second file.
        """
        if isinstance(letter, int):
            return letter
        start, stop = self.spans[letter.isupper()]
        return {"e": start, "f": start + 1, "l": stop, "m": stop + 1, "n": stop - start}[letter.lower()]


class Formats:
    """The formats of a call. ``most`` as in ``Reader``; ``tabs``: the tab stops of -t, None without it."""

    def __init__(self, opts: Options, tabs: Tabs | None, most: Callable[[int], None]) -> None:
        formats = {name: format_of(opts, name) for name in (*LINES, *GROUPS)}
        changed = formats["changed_group_format"]
        old = _first(formats["old_group_format"], changed, "%<")
        new = _first(formats["new_group_format"], changed, "%>")
        same = _first(formats["unchanged_group_format"], "%=")
        lines = [_first(formats[name], "%l\n") for name in LINES]
        self.shows_same = bool(same) and (same != "%=" or bool(lines[0]))  # equal files also produce output
        self._tabs = tabs
        groups = (same, old, new, _first(changed, old + new))
        self._groups = [Reader(text, most, groups=True).parts() for text in groups]
        self._lines = [Reader(text, most, groups=False).parts() for text in lines]

    def print(self, texts: Sequence[Text], changes: Sequence[Change], write: Write) -> None:
        """Write all lines of two files, group by group."""
        seen = (0, 0)
        ends = (len(texts[0].lines), len(texts[1].lines))
        for change in paced(changes):
            if change.ignored:
                continue
            if seen != change.at:
                self._group(0, Group(*zip(seen, change.at, strict=True)), texts, write)
            if all(change.count):
                kind = 3
            elif change.count[0]:
                kind = 1
            else:
                kind = 2
            seen = (change.at[0] + change.count[0], change.at[1] + change.count[1])
            self._group(kind, Group(*zip(change.at, seen, strict=True)), texts, write)
        if seen != ends:
            self._group(0, Group(*zip(seen, ends, strict=True)), texts, write)

    def _group(self, kind: int, group: Group, texts: Sequence[Text], write: Write) -> None:
        parts, at = self._groups[kind], 0
        while at < len(parts):
            pause()
            part = parts[at]
            at += 1
            if isinstance(part, bytes):
                write(part)
            elif isinstance(part, Number):
                write(part.written(group.value(part.letter)))
            elif isinstance(part, Lines):
                self._print_lines(self._lines[part.format], texts[part.side], group.spans[part.side], write)
            elif isinstance(part, Jump):
                if part.condition is None or group.value(part.condition[0]) != group.value(part.condition[1]):
                    at = part.target

    def _print_lines(self, form: list[Part], text: Text, span: tuple[int, int], write: Write) -> None:
        for at in paced(range(*span)):
            written: list[bytes] = []
            for part in form:
                if isinstance(part, bytes):
                    written.append(part)
                elif isinstance(part, Number):
                    written.append(part.written(at + 1))
                elif isinstance(part, Content):
                    line = text.lines[at]
                    if self._tabs:
                        line = self._tabs.expanded(line)
                    written.append(line)
                    if part.whole and not text.lacks_newline(at):
                        written.append(b"\n")
            write(b"".join(written))


def _first(*texts: str | None) -> str:
    """Return the first text that is not None, or an empty one."""
    return next((text for text in texts if text is not None), "")
