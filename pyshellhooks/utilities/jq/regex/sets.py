"""Character sets in Oniguruma's syntax, ``[...]``, ``\\w`` and ``\\p{...}``, and their text for the engines.

A set is a union of ranges and named classes, or its complement: the Perl syntax has no other operations. Named classes
are Unicode's, by the tables of the ``regex`` module and of RE2, whose version of Unicode may differ from the 16.0 of
Oniguruma 6.9.10.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ....patterns.ranges import ASCII_RANGES, LETTER_LIKE, MOST, SPACES, is_property, mask_of
from ....text import remembered

Ranges = Sequence[tuple[int, int]]

ALL_ASCII = (1 << 128) - 1

_UPPER_OTHERS = ((0x2160, 0x216F), (0x24B6, 0x24CF), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))


def _regex_ranges(ranges: Ranges) -> str:
    return "".join(
        [_regex_code(low) if low == high else _regex_code(low) + "-" + _regex_code(high) for low, high in ranges]
    )


def _regex_code(code: int) -> str:
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _re2_ranges(ranges: Ranges) -> str:
    return "".join([f"\\x{{{low:x}}}" if low == high else f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in ranges])


# Named classes: the inside of a bracket expression for ``regex`` and for RE2, which has only general categories and
# scripts (None: not supported).
_NAMED: dict[str, tuple[str, str | None]] = {
    "alnum": (r"\p{Alphabetic}\p{Nd}", None),
    "alpha": (r"\p{Alphabetic}", None),
    "ascii": (r"\x00-\x7f", r"\x00-\x7f"),
    "blank": (r"\t\p{Zs}", r"\t\p{Zs}"),
    "cntrl": (r"\p{Cc}", r"\p{Cc}"),
    "digit": (r"\p{Nd}", r"\p{Nd}"),
    "graph": (r"\p{graph}", None),
    "lower": (r"\p{Lowercase}", None),
    "print": (r"\p{print}", None),
    "punct": (r"\p{P}\p{S}", r"\p{P}\p{S}"),
    "space": (_regex_ranges(SPACES), _re2_ranges(SPACES)),
    "upper": (r"\p{Uppercase}", r"\p{Lu}" + _re2_ranges(_UPPER_OTHERS)),
    "word": (r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}", r"\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}" + _re2_ranges(LETTER_LIKE)),
    "xdigit": ("0-9A-Fa-f", "0-9A-Fa-f"),
}
POSIX_NAMES = frozenset(_NAMED)
# ``\w`` and ``\b`` outside brackets: in Oniguruma superscripts and fractions of Latin-1 are word characters, too.
WORD = "\\w"
_FRACTIONS = ((0xB2, 0xB3), (0xB9, 0xB9), (0xBC, 0xBE))
_NAMED[WORD] = (
    _NAMED["word"][0] + _regex_ranges(_FRACTIONS),
    f"{_NAMED['word'][1]}{_re2_ranges(_FRACTIONS)}",
)
# Properties whose names have another meaning in ``regex``.
_PROPERTIES = {"posixpunct": "punct", "newline": r"\n"}
_RENAMED = {"vs": "variationselector", "idc": "idcontinue"}
_CATEGORIES = frozenset(
    "c cc cf co cs l ll lm lo lt lu m mc me mn n nd nl no p pc pd pe pf pi po ps s sc sk sm so z zl zp zs".split()
)
# Names that only ``regex`` supports.
_FOREIGN = frozenset("h v in alphanumeric bidim bidimirrored hrkt katakanaorhiragana horizspace vertspace".split())
_MOST_NAME = 60


class CharSet:
    """A set of characters.

    ``stray``: the single bytes from 0x80 on, as a bit mask, that it matches in invalid UTF-8 (``[\\x80-\\xff]``).
    ``latin``: such a byte is tested as a character of Latin-1 (``\\w``).
    """

    __slots__ = ("classes", "latin", "negated", "ranges", "stray")

    def __init__(
        self,
        ranges: list[tuple[int, int]] | None = None,
        classes: list[tuple[str, bool]] | None = None,
        negated: bool = False,
        latin: bool = False,
    ) -> None:
        self.ranges = [] if ranges is None else ranges
        self.classes = [] if classes is None else classes  # name, and whether it is negated
        self.negated = negated
        self.stray = 0
        self.latin = latin

    def key(self) -> tuple[object, ...]:
        """Return a key that is equal for equal sets."""
        return tuple(self.ranges), tuple(self.classes), self.negated, self.stray, self.latin

    def mask(self) -> int:
        """Return the ASCII characters in the set, as a bit mask."""
        mask = 0
        for low, high in self.ranges:
            if low < 128:
                mask |= (1 << (min(high, 127) + 1)) - (1 << low)
        for name, negated in self.classes:
            part = class_mask(name)
            mask |= ALL_ASCII & ~part if negated else part
        return ALL_ASCII & ~mask if self.negated else mask

    def beyond(self) -> bool | None:
        """Return whether all or no characters beyond ASCII are in the set, None for some."""
        if self.classes or any(high > 127 for _, high in self.ranges):
            return None
        return self.negated

    def odd(self) -> bool:
        """Return whether the set has single bytes, which only ``machine`` can match."""
        return bool(self.stray)

    def regex_text(self) -> str:
        """Return the text of the set for ``regex``."""
        text = _regex_ranges(self.ranges)
        inverted: list[str] = []
        for name, negated in self.classes:
            inside = _class_texts(name)[0]
            if negated:
                inverted.append(f"[^{inside}]")
            else:
                text += inside
        if not inverted:
            if not text:
                return "(?s:.)" if self.negated else "(?!)"
            return f"[^{text}]" if self.negated else f"[{text}]"
        # Without nested sets: VERSION1 has wrong results for a negated set inside a negated one.
        if text:
            inverted.append(f"[{text}]")
        either = "|".join(inverted)
        if self.negated:
            return f"(?:(?!{either})(?s:.))"
        return f"(?:{either})"

    def re2_text(self) -> str | None:
        """Return the text of the set for RE2, None if it is not supported."""
        negated = self.negated
        is_one_class = len(self.classes) == 1 and not self.ranges
        if is_one_class and self.classes[0][1]:
            negated = not negated
            parts = [_class_texts(self.classes[0][0])[1]]
        elif any(inverted for _, inverted in self.classes):
            return None
        else:
            # Code points beyond Unicode occur in no text.
            ranges = [(low, min(high, MOST)) for low, high in self.ranges if low <= MOST]
            parts = [_re2_ranges(ranges), *[_class_texts(name)[1] for name, _ in self.classes]]
        if None in parts:
            return None
        text = "".join([part for part in parts if part])
        if not text:
            if negated:
                return r"[\x00-\x{10FFFF}]"
            return r"[^\x00-\x{10FFFF}]"
        return f"[^{text}]" if negated else f"[{text}]"

    def contains(self, char: str) -> bool:
        """Return whether a character is in the set."""
        code = ord(char)
        if code < 128:
            return bool(self.mask() >> code & 1)
        is_member = any(low <= code <= high for low, high in self.ranges)
        if not is_member:
            is_member = any(in_class(name, char) is not negated for name, negated in self.classes)
        return is_member is not self.negated

    def takes_stray(self, byte: int) -> bool:
        """Return whether the set matches a single byte that is not the start of a character."""
        if self.latin:
            return self.contains(chr(byte))
        return bool(self.stray >> byte & 1) is not self.negated


@lru_cache(maxsize=256)
def _compiled(name: str) -> Any:
    import regex

    return regex.compile(f"[{_class_texts(name)[0]}]")


def in_class(name: str, char: str) -> bool:
    """Return whether a character is in a named class."""
    return _compiled(name).match(char) is not None


@lru_cache(maxsize=256)
def class_mask(name: str) -> int:
    """Return the ASCII characters of a named class, as a bit mask."""
    if name == WORD:
        name = "word"
    if name in ASCII_RANGES:
        return mask_of(ASCII_RANGES[name])
    mask = 0
    for code in range(128):
        if in_class(name, chr(code)):
            mask |= 1 << code
    return mask


def _class_texts(name: str) -> tuple[str, str | None]:
    found = _NAMED.get(name)
    if found is not None:
        return found
    category = name[3:-1] if name.startswith(r"\p{") else ""
    if category not in _CATEGORIES:
        return name, None
    return name, r"\p{" + category.capitalize() + "}"


@remembered(256)
def property_class(name: str) -> str | None:
    """Return the named class of ``\\p{name}``, None if Oniguruma has no such property."""
    plain = name.replace(" ", "").replace("-", "").replace("_", "").lower()
    if plain in _PROPERTIES:
        return _PROPERTIES[plain]
    if plain in POSIX_NAMES and plain != "punct":
        return plain
    if len(plain) > _MOST_NAME or plain in _FOREIGN:
        return None
    if not plain.isascii() or not plain.isalnum():
        return None
    plain = _RENAMED.get(plain, plain)
    # ``regex`` also accepts some shorter forms, and blocks without their "in". Oniguruma has scripts, categories,
    # binary properties, and blocks with "in".
    forms = (f"script={plain}", f"gc={plain}", f"{plain}=yes")
    is_known = plain in ("any", "assigned") or any(is_property(form) for form in forms)
    if is_known or _is_block(plain):
        return rf"\p{{{plain}}}"
    return None


def _is_block(plain: str) -> bool:
    return plain.startswith("in") and is_property(f"blk={plain[2:]}")
