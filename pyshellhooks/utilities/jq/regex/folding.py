"""Case-insensitive matching: texts and sets are expanded to all their cases.

As in Oniguruma a character matches all with the same simple folding, and the two or three characters that it folds to:
``ß`` matches ``ss``, and ``ss`` matches ``ß``. Texts are expanded from the left, with the longest folding first. So the
engines get sets and alternatives, and need no flag.
"""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from .nodes import Choice, Node, Sequence, Set, Text
from .sets import CharSet

# The blocks with cased letters.
_BLOCKS = (
    (0x41, 0x24F),
    (0x250, 0x2AF),
    (0x345, 0x346),
    (0x370, 0x587),
    (0x10A0, 0x10FF),
    (0x13A0, 0x13FD),
    (0x1C80, 0x1CBF),
    (0x1D79, 0x1D8E),
    (0x1E00, 0x1FFF),
    (0x2126, 0x2184),
    (0x24B6, 0x24E9),
    (0x2C00, 0x2D2D),
    (0xA640, 0xA7F6),
    (0xAB53, 0xABBF),
    (0xFB00, 0xFB17),
    (0xFF21, 0xFF5A),
    (0x10400, 0x104FB),
    (0x10570, 0x105BB),
    (0x10C80, 0x10CF2),
    (0x10D50, 0x10D85),
    (0x118A0, 0x118DF),
    (0x16E40, 0x16E7F),
    (0x1E900, 0x1E943),
)
# New in Unicode 16, which Python 3.11 does not have.
_NEWER = {0xA7CB: 0x264, 0xA7CC: 0xA7CD, 0xA7DA: 0xA7DB, 0xA7DC: 0x19B, 0x1C89: 0x1C8A}
_NEWER |= {code: code + 32 for code in range(0x10D50, 0x10D66)}
# The longer foldings to ASCII, so that ASCII texts do not need the other tables.
_ASCII_LONG = {"ss": "\xdf\u1e9e", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02", "st": "\ufb05\ufb06"}
_ASCII_LONG |= {"ffi": "\ufb03", "ffl": "\ufb04"}
_ASCII_EXTRA = {"k": "kK\u212a", "s": "sS\u017f"}


class _Tables:
    __slots__ = ("all", "long", "same", "to")

    def __init__(self) -> None:
        self.to: dict[str, str] = {}  # from a character to its folding
        self.same: dict[str, str] = {}  # from a simple folding to all characters with it, itself first
        self.long: dict[str, str] = {}  # from a longer folding to the characters with it
        for low, high in _BLOCKS:
            for code in range(low, high + 1):
                char = chr(code)
                folding = chr(_NEWER[code]) if code in _NEWER else char.casefold()
                if folding == char:
                    continue
                self.to[char] = folding
                if len(folding) > 1:
                    self.long[folding] = self.long.get(folding, "") + char
                else:
                    self.same[folding] = self.same.get(folding, folding) + char
        self.all = "".join({*self.to, *self.same})


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    return _Tables()


def alike(char: str) -> str:
    """Return the characters with the same simple folding, including the character itself."""
    if char.isascii():
        lower = char.lower()
        if lower in _ASCII_EXTRA:
            return _ASCII_EXTRA[lower]
        return lower + char.upper() if char.isalpha() else char
    tables = _tables()
    folding = tables.to.get(char, char)
    if len(folding) == 1:
        return tables.same.get(folding, char)
    return char


def _simple(char: str) -> str:
    if char.isascii():
        return char.lower()
    folding = _tables().to.get(char, char)
    return folding if len(folding) == 1 else char


def unfolded(text: str, behind: bool) -> Node:
    """Return a node that matches a text in any case; ``behind``: in a look-behind, which has no longer foldings."""
    parts: list[Node] = []
    long = _ASCII_LONG if text.isascii() else _tables().long
    at = 0
    while at < len(text):
        size = 1 if behind else _long_folding_at(text, at, long)
        parts.append(_unfolded_one(text[at : at + size], behind))
        at += size
    out: list[Node] = []
    for part in parts:
        if isinstance(part, Text) and out and isinstance(out[-1], Text):
            out[-1] = Text(out[-1].text + part.text)
        else:
            out.append(part)
    return out[0] if len(out) == 1 else Sequence(out)


def _long_folding_at(text: str, at: int, long: Container[str]) -> int:
    """Return the length of the folding of one character at a place, such as ``ss`` of ß; 1 without one."""
    for length in (3, 2):
        if at + length > len(text):
            continue
        if "".join(map(_simple, text[at : at + length])) in long:
            return length
    return 1


def _unfolded_one(text: str, behind: bool) -> Node:
    if len(text) == 1:
        folding = "" if text.isascii() else _tables().to.get(text, "")
        if len(folding) < 2:
            same = alike(text)
            return Text(text) if len(same) == 1 else Set(_set_of(same))
        others = _tables().long[folding]
        single: Node = Set(_set_of(others)) if len(others) > 1 else Text(text)
        return single if behind else Choice([single, _each(folding)])
    folding = "".join(map(_simple, text))
    others = (_ASCII_LONG if folding in _ASCII_LONG else _tables().long)[folding]
    return Choice([_each(folding), Set(_set_of(others))])


def _each(folding: str) -> Node:
    return Sequence([Set(_set_of(alike(char))) for char in folding])


def _set_of(chars: str) -> CharSet:
    return CharSet([(code, code) for code in sorted(map(ord, chars))])


def folded(chars: CharSet) -> Node:
    """Return a node that matches a set in any case: a larger set, and then its members' longer foldings."""
    if not chars.classes and all(high < 128 for _, high in chars.ranges):
        return _folded_ascii(chars)  # without the tables, which take long to make
    tables = _tables()
    base = CharSet(chars.ranges, chars.classes)
    members = _members(base, tables.all)
    extra: list[tuple[int, int]] = []
    for same in tables.same.values():
        if not members.isdisjoint(same):
            extra += _singles(same, members)
    foldings: list[str] = []
    for folding, same in tables.long.items():
        if not members.isdisjoint(same):
            foldings.append(folding)
            extra += _singles(same, members)
    _extend(chars, extra)
    if chars.negated or not foldings:
        return Set(chars)
    foldings.sort(key=len)
    return Choice([Set(chars), *map(_each, foldings)])


def _folded_ascii(chars: CharSet) -> Node:
    mask = CharSet(chars.ranges).mask()
    extra: list[tuple[int, int]] = []
    for code in range(128):
        if mask >> code & 1:
            extra += _singles(alike(chr(code)), ())
    _extend(chars, extra)
    return Set(chars)


def _singles(chars: str, known: Container[str]) -> list[tuple[int, int]]:
    """Return a range for each of some characters that is not known yet."""
    return [(ord(char), ord(char)) for char in chars if char not in known]


def _members(base: CharSet, chars: str) -> set[str]:
    if not base.classes:
        return {char for char in chars if any(low <= ord(char) <= high for low, high in base.ranges)}
    import regex

    return set(regex.findall(base.regex_text(), chars))


def _extend(chars: CharSet, extra: list[tuple[int, int]]) -> None:
    ranges: list[tuple[int, int]] = []
    for low, high in sorted({*chars.ranges, *extra}):
        if ranges and low <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], max(high, ranges[-1][1]))
        else:
            ranges.append((low, high))
    chars.ranges = ranges


def folding_of(char: bytes) -> str:
    """Return the full folding of a character in UTF-8."""
    text = char.decode("utf-8", "surrogateescape")
    if text.isascii():
        return text.lower()
    return _tables().to.get(text, text)
