"""How long Oniguruma may search: a bound from the pattern alone.

Oniguruma backtracks. For a pattern without repetition inside repetition the number of ways through it is a polynomial
of the text's length, and ``bound`` gives it. A repetition adds a factor only where what it repeats may also
begin what follows; ``\\s+-rf`` has one way through, ``.*a.*b`` has many.
"""

from __future__ import annotations

_ALL = (1 << 129) - 1  # bit 128 stands for all that is not ASCII
_NEWLINE = 1 << 10


def _mask(characters: str) -> int:
    mask = 0
    for character in characters:
        mask |= 1 << min(ord(character), 128)
    return mask


_DIGITS = _mask("0123456789")
_WORD = _mask("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") | _DIGITS | 1 << 128
_SPACE = _mask(" \t\n\r\f\v") | 1 << 128
_CLASSES = {
    "d": _DIGITS | 1 << 128,
    "w": _WORD,
    "s": _SPACE,
    "h": _mask("0123456789abcdefABCDEF"),
    "D": _ALL & ~_DIGITS,
    "W": _ALL & ~(_WORD & ~(1 << 128)),
    "S": _ALL & ~(_SPACE & ~(1 << 128)),
    "H": _ALL,
}
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}


class _Unknown(Exception):
    """A construct about which nothing is known."""


class _Item:
    """One thing matched: the characters it may begin with, and whether it may match nothing."""

    __slots__ = ("first", "nullable", "repeats")

    def __init__(self, first: int, nullable: bool = False, repeats: bool = False) -> None:
        self.first = first
        self.nullable = nullable
        self.repeats = repeats  # a repetition, whose ways through depend on what follows


class _Reader:
    __slots__ = ("ambiguous", "at", "choices", "depth", "fold", "pattern", "plain")

    def __init__(self, pattern: str, fold: bool) -> None:
        self.pattern = pattern
        self.at = 0
        self.fold = fold
        self.depth = 0
        self.ambiguous = 0
        self.plain = 0  # repetitions with one way through
        self.choices = 0

    def alternatives(self, follow: int | None) -> tuple[int, bool, bool]:
        """Read up to ``)`` or the end: first characters, nullable, and whether first characters were disjoint.

        ``follow`` is what may come after; None: nothing need.
        """
        first = 0
        nullable = False
        disjoint = True
        bars = 0
        while True:
            begins, empty = self.sequence(follow)
            disjoint = disjoint and not (first & begins) and not empty
            first |= begins
            nullable = nullable or empty
            if self.pattern[self.at : self.at + 1] != "|":
                # At each of these two ways may go on; where first characters differ only one does.
                self.choices += 0 if disjoint else bars
                return first, nullable, disjoint
            bars += 1
            self.at += 1

    def sequence(self, follow: int | None) -> tuple[int, bool]:
        items: list[_Item] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            items.append(self.item())
        # From the end: does what follows a repetition tell where it ended?
        for item in reversed(items):
            if item.repeats and follow is not None:
                if item.first & follow:
                    self.ambiguous += 1
                else:
                    self.plain += 1
            elif item.repeats:
                self.plain += 1
            if not item.nullable:
                follow = item.first
            elif follow is not None:
                follow |= item.first
        first = 0
        for item in items:
            first |= item.first
            if not item.nullable:
                return first, False
        return first, True

    def item(self) -> _Item:
        item, simple = self.atom()
        while self.at < len(self.pattern) and self.pattern[self.at] in "*+?{":
            quantifier = self.quantifier()
            if quantifier is None:
                break
            least, many = quantifier
            if many:
                if not simple or item.repeats or item.nullable:
                    raise _Unknown
                item = _Item(item.first, least == 0, True)
            elif least == 0:
                self.choices += 1
                item = _Item(item.first, True, item.repeats)
        return item

    def quantifier(self) -> tuple[int, bool] | None:
        """Read ``*``, ``+``, ``?`` or ``{m,n}`` with its lazy or possessive mark: (0 if nullable, repeats)."""
        pattern = self.pattern
        mark = pattern[self.at]
        if mark == "{":
            end = pattern.find("}", self.at)
            body = pattern[self.at + 1 : end] if end > 0 else ""
            low, comma, high = body.partition(",")
            if not (low or comma) or not (low or "0").isdecimal() or (high and not high.isdecimal()):
                if body or end > 0:
                    raise _Unknown
                return None
            self.at = end + 1
            found = (int(low or 0), bool(comma) or int(low or 0) > 16)
        else:
            self.at += 1
            found = (1 if mark == "+" else 0, mark != "?")
        if pattern[self.at : self.at + 1] in ("?", "+") and pattern[self.at : self.at + 1]:
            self.at += 1
        return found

    def atom(self) -> tuple[_Item, bool]:
        """Read one atom; the flag says that repeating it is understood."""
        character = self.pattern[self.at]
        self.at += 1
        if character == "(":
            return self.group()
        if character == "[":
            return _Item(self.bracket()), True
        if character == ".":
            return _Item(_ALL & ~_NEWLINE), True
        if character == "^":
            return _Item(0, True), False
        if character == "$":
            # Ends a line: what may repeat up to it tells where it ended, unless it takes newlines.
            return _Item(_NEWLINE), False
        if character == "\\":
            return self.escape()
        if character in "*+?":
            raise _Unknown
        return _Item(self.folded(character)), True

    def folded(self, character: str) -> int:
        return _mask(character + character.upper() + character.lower()) if self.fold else _mask(character)

    def group(self) -> tuple[_Item, bool]:
        self.depth += 1
        if self.depth > 20:
            raise _Unknown
        pattern = self.pattern
        if pattern.startswith("?:", self.at):
            self.at += 2
        elif pattern.startswith("?<", self.at) and pattern[self.at + 2 : self.at + 3] not in ("=", "!", ""):
            self.at = pattern.find(">", self.at) + 1
            if not self.at:
                raise _Unknown
        elif pattern.startswith("?", self.at):
            raise _Unknown
        before = self.ambiguous + self.plain
        optional = self.choices
        # What follows the group is not known here: all of it may follow.
        first, nullable, disjoint = self.alternatives(_ALL)
        if pattern[self.at : self.at + 1] != ")":
            raise _Unknown
        self.at += 1
        self.depth -= 1
        repeatable = disjoint and before == self.ambiguous + self.plain
        if repeatable and optional != self.choices and nullable:
            repeatable = False
        return _Item(first, nullable), repeatable

    def escape(self) -> tuple[_Item, bool]:
        character = self.pattern[self.at : self.at + 1]
        self.at += 1
        if character in _CLASSES:
            return _Item(_CLASSES[character]), True
        if character in ("b", "B", "A", "z", "Z"):
            return _Item(_ALL if character in "bB" else _NEWLINE, character in "bBA"), False
        if character in _ESCAPES:
            return _Item(_mask(_ESCAPES[character])), True
        if not character or character.isalnum():
            raise _Unknown
        return _Item(self.folded(character)), True

    def bracket(self) -> int:
        pattern = self.pattern
        negated = pattern.startswith("^", self.at)
        self.at += negated
        mask = 0
        opened = self.at
        last = ""
        while True:
            character = pattern[self.at : self.at + 1]
            if not character or character == "[" or pattern.startswith("&&", self.at):
                raise _Unknown
            self.at += 1
            if character == "]" and self.at - 1 > opened:
                break
            if character == "\\":
                item, _ = self.escape()
                mask |= item.first
                last = ""
            elif character == "-" and last and pattern[self.at : self.at + 1] not in ("]", "\\", "[", ""):
                high = pattern[self.at]
                self.at += 1
                for code in range(min(ord(last), 128), min(ord(high), 128) + 1):
                    mask |= self.folded(chr(code)) if code < 128 else 1 << 128
                last = ""
            else:
                mask |= self.folded(character)
                last = character
        return _ALL & ~mask | 1 << 128 if negated else mask


def bound(pattern: str, flags: str) -> tuple[int, int] | None:
    """Give ``(factor, degree)`` of the polynomial that bounds a search, or None where there may be none."""
    if len(pattern) > 2000 or "x" in flags:
        return None
    reader = _Reader(pattern, "i" in flags)
    try:
        reader.alternatives(None)
    except (_Unknown, IndexError):
        return None
    if reader.at != len(pattern) or reader.choices > 10:
        return None
    anchored = pattern.startswith(("^", "\\A")) and "|" not in pattern
    return len(pattern) << reader.choices, reader.ambiguous + (reader.plain > 0) + (not anchored)
