"""Character classes of Rust's regex crate, written for RE2 or for ``regex``.

A class is an expression that matches one character. A plain one is text for between brackets; what has set
operations, or is the negation of something nested, is look-around before a character, so not for RE2.
"""

from __future__ import annotations

from functools import lru_cache

from .regex_nodes import PatternError

Ranges = tuple[tuple[int, int], ...]

_MOST = 0x10FFFF
_UPPER, _LOWER, _DIGIT = (0x41, 0x5A), (0x61, 0x7A), (0x30, 0x39)
_ASCII_SPACE: Ranges = ((0x09, 0x0D), (0x20, 0x20))
_ASCII_WORD: Ranges = (_DIGIT, _UPPER, (0x5F, 0x5F), _LOWER)
_NAMED: dict[str, Ranges] = {
    "alnum": (_DIGIT, _UPPER, _LOWER),
    "alpha": (_UPPER, _LOWER),
    "ascii": ((0x00, 0x7F),),
    "blank": ((0x09, 0x09), (0x20, 0x20)),
    "cntrl": ((0x00, 0x1F), (0x7F, 0x7F)),
    "digit": (_DIGIT,),
    "graph": ((0x21, 0x7E),),
    "lower": (_LOWER,),
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": _ASCII_SPACE,
    "upper": (_UPPER,),
    "word": _ASCII_WORD,
    "xdigit": (_DIGIT, (0x41, 0x46), (0x61, 0x66)),
}
_SPACE: Ranges = (
    *(*_ASCII_SPACE, (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
)
# UTS 18: Alphabetic, marks, decimal digits, connectors, joiners. What is Alphabetic beyond letters, marks and Nl:
_LETTER_LIKE: Ranges = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
_JOINERS: Ranges = ((0x200C, 0x200D),)
_WORD_CATEGORIES = r"\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}"
# Yes-or-no properties that the crate and the regex module both know; others there are blocks or POSIX names.
_BINARY = frozenset(
    "alphabetic alpha asciihexdigit ahex bidicontrol bidic bidimirrored bidim caseignorable ci cased "
    "changeswhencasefolded cwcf changeswhencasemapped cwcm changeswhenlowercased cwl changeswhentitlecased cwt "
    "changeswhenuppercased cwu dash defaultignorablecodepoint di deprecated dep diacritic dia emoji emojicomponent "
    "emojimodifier emojimodifierbase emojipresentation extendedpictographic extender ext graphemebase grbase "
    "graphemeextend grext hexdigit hex idcontinue idc idstart ids ideographic ideo joincontrol joinc "
    "logicalorderexception loe lowercase lower math noncharactercodepoint nchar patternsyntax patsyn "
    "patternwhitespace patws quotationmark qmark radical sentenceterminal sterm softdotted sd terminalpunctuation "
    "term unifiedideograph uideo uppercase upper variationselector vs whitespace wspace space xidcontinue xidc "
    "xidstart xids".split()
)
_KEYS = {"gc": "gc", "generalcategory": "gc", "sc": "sc", "script": "sc", "scx": "scx", "scriptextensions": "scx"}
_NO_PROPERTY = "Unicode property not found"
_NO_VALUE = "Unicode property value not found"
_NOT_UTF8 = "pattern can match invalid UTF-8"


class CharSet:
    """A class: ``members`` is text for between brackets, else ``text`` is an expression of one character."""

    __slots__ = ("members", "text")

    def __init__(self, members: str | None, text: str = "") -> None:
        self.members = members
        self.text = text


class SetWriter:
    """Write classes for one engine. ``regular``: nothing so far that RE2 could not say."""

    __slots__ = ("_linear", "mistake", "regular")

    def __init__(self, *, linear: bool) -> None:
        self._linear = linear
        self.regular = True
        self.mistake: PatternError | None = None  # the crate tells these only when all else is well

    def range(self, low: int, high: int) -> CharSet:
        """Return the characters from low to high."""
        return CharSet(self._ranges(((low, high),)))

    def named(self, name: str) -> CharSet | None:
        """Return ``alpha`` or ``^alpha``, or None."""
        ranges = _NAMED.get(name.removeprefix("^"))
        if ranges is None:
            return None
        return CharSet(self._ranges(_complement(ranges) if name.startswith("^") else ranges))

    def shorthand(self, letter: str, unicode: bool, at: int) -> CharSet:
        """Return ``\\d``, ``\\S`` and their like."""
        kind = letter.lower()
        negated = letter != kind
        if negated and not unicode:
            self._complain(_NOT_UTF8, at)
        if not unicode or kind == "s":
            plain = {"d": (_DIGIT,), "w": _ASCII_WORD, "s": _SPACE if unicode else _ASCII_SPACE}[kind]
            return CharSet(self._ranges(_complement(plain) if negated else plain))
        if kind == "d":
            return CharSet(r"\P{Nd}" if negated else r"\p{Nd}")
        return CharSet(None, f"[^{self._word(True)}]") if negated else CharSet(self._word(True))

    def property(self, name: str, negated: bool, unicode: bool, at: int) -> CharSet:
        """Return ``\\p{name}``."""
        if not unicode:
            self._complain("Unicode not allowed here", at)
        if "!=" in name:
            name = name.replace("!=", "=", 1)
            negated = not negated
        try:
            known = property_text(name)
        except PatternError as error:
            self._complain(error.message, at)
            known = "L"
        return CharSet(f"\\{'P' if negated else 'p'}{{{known}}}")

    def union(self, items: list[CharSet], flags: frozenset[str]) -> CharSet:
        """Return what is in any of them."""
        members = "".join([item.members for item in items if item.members is not None])
        others = [item.text for item in items if item.members is None]
        if not others:
            return CharSet(members)
        if members:
            others.append(self._bracket(CharSet(members), flags))
        return CharSet(None, others[0] if len(others) == 1 else f"(?:{'|'.join(others)})")

    def negate(self, chars: CharSet, flags: frozenset[str]) -> CharSet:
        """Return all that is not in it."""
        if chars.members is not None:
            body = f"[^{chars.members}]" if chars.members else "(?s:.)"
            return CharSet(None, f"(?i:{body})" if "i" in flags else body)
        self.regular = False
        return CharSet(None, f"(?:(?!{chars.text})(?s:.))")

    def operate(self, left: CharSet, operator: str, right: CharSet, flags: frozenset[str]) -> CharSet:
        """Return the intersection (``&&``), difference (``--``) or symmetric difference (``~~``)."""
        self.regular = False
        one, other = self._bracket(left, flags), self._bracket(right, flags)
        if operator == "&&":
            return CharSet(None, f"(?:(?={other}){one})")
        if operator == "--":
            return CharSet(None, f"(?:(?!{other}){one})")
        return CharSet(None, f"(?:(?!{other}){one}|(?!{one}){other})")

    def write(self, chars: CharSet, flags: frozenset[str], at: int) -> str:
        """Write a whole class as an atom."""
        text = self._bracket(chars, flags)
        if "u" in flags:
            return text
        if not self._linear and _goes_beyond_ascii(text):
            self._complain(_NOT_UTF8, at)
        if "i" in flags:  # K and S have a third case beyond ASCII
            self.regular = False
            return rf"(?:(?=[\x00-\x7f]){text})"
        return text

    def literal(self, code: int, flags: frozenset[str]) -> str:
        """Write one character."""
        char = chr(code)
        text = char if char.isascii() and char.isalnum() else self._char(code)
        if "i" not in flags:
            return text
        if "u" in flags:
            return f"(?i:{text})"
        return f"[{char.lower()}{char.upper()}]" if char.isascii() and char.isalpha() else text

    def dot(self, flags: frozenset[str], at: int) -> str:
        """Write ``.``."""
        if "u" not in flags:
            self._complain(_NOT_UTF8, at)
        if "s" in flags:
            return "(?s:.)"
        return r"[^\r\n]" if "R" in flags else r"[^\n]"

    def edge(self, kind: str, flags: frozenset[str]) -> str:
        """Write an edge of a word: ``b B < >`` or, one side only, ``( )``."""
        if self._linear and kind in "bB":
            return f"\\{kind}"
        self.regular = False if self._linear else self.regular
        word = f"[{self._word('u' in flags)}]"
        return {
            "b": f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))",
            "B": f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))",
            "<": f"(?:(?<!{word})(?={word}))",
            ">": f"(?:(?<={word})(?!{word}))",
            "(": f"(?<!{word})",
            ")": f"(?!{word})",
        }[kind]

    def _complain(self, message: str, at: int) -> None:
        if self.mistake is None:
            self.mistake = PatternError(message, at)

    def _bracket(self, chars: CharSet, flags: frozenset[str]) -> str:
        if chars.members is None:
            return chars.text
        if not chars.members:
            return r"[^\x00-\x{10FFFF}]" if self._linear else "(?!)"
        return f"(?i:[{chars.members}])" if "i" in flags else f"[{chars.members}]"

    def _word(self, unicode: bool) -> str:
        if not unicode:
            return self._ranges(_ASCII_WORD)
        return _WORD_CATEGORIES + self._ranges(_LETTER_LIKE + _JOINERS)

    def _ranges(self, ranges: Ranges) -> str:
        return "".join([f"{self._char(a)}-{self._char(b)}" if a != b else self._char(a) for a, b in ranges])

    def _char(self, code: int) -> str:
        return f"\\x{{{code:x}}}" if self._linear else f"\\U{code:08x}"


@lru_cache(maxsize=64)
def property_text(name: str) -> str:
    """Return a property as the ``regex`` module writes it (and RE2, where it knows it)."""
    for separator in (":", "="):
        key, found, value = name.partition(separator)
        if found:
            known = _KEYS.get(_loose(key))
            if known is None:
                raise PatternError(_NO_PROPERTY)
            if not _exists(f"{known}={value}"):
                raise PatternError(_NO_VALUE)
            return f"{known}={value}"
    plain = _loose(name)
    if not plain:
        raise PatternError(_NO_PROPERTY)
    if plain in ("any", "ascii", "assigned"):
        return {"any": "Any", "ascii": "ASCII", "assigned": "Assigned"}[plain]
    if plain in _BINARY and _exists(name):
        return name
    if plain != _squeeze(name):
        name = plain  # without the "is"
    for key in ("gc", "sc"):
        if _exists(f"{key}={name}"):
            # RE2 knows the short and the canonical names; those mean the same everywhere.
            return name
    raise PatternError(_NO_PROPERTY)


def _loose(name: str) -> str:
    plain = _squeeze(name)
    return plain.removeprefix("is") if plain != "isc" else plain


def _squeeze(name: str) -> str:
    return name.replace(" ", "").replace("_", "").replace("-", "").lower()


def _exists(name: str) -> bool:
    import regex

    if not all(char.isascii() and (char.isalnum() or char in " _-=") for char in name):
        return False
    try:
        regex.compile(f"\\p{{{name}}}")
    except regex.error:
        return False
    return True


@lru_cache(maxsize=64)
def _goes_beyond_ascii(text: str) -> bool:
    import regex

    return regex.search(text, "".join(map(chr, range(0x80, 0x100)))) is not None


def _complement(ranges: Ranges) -> Ranges:
    others: list[tuple[int, int]] = []
    after = 0
    for low, high in ranges:
        if low > after:
            others.append((after, low - 1))
        after = high + 1
    return (*others, (after, _MOST))
