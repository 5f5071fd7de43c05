"""Character classes of Rust's regex crate, as trees that match one character.

A plain class is a bracket expression; one with set operations, or the negation of a nested class, is look-around before
a character, which RE2 does not support.
"""

from __future__ import annotations

from ...text import remembered
from ..emit import Options, RegexEmitter
from ..ranges import ASCII_RANGES, LETTER_LIKE, SPACES, bracket, complement, is_property
from ..tree import Alternation, Bracket, Concatenation, Dot, IgnoreCase, Look, Node, PatternError

# UTS 18: Alphabetic, marks, decimal digits, connectors, joiners.
WORD = bracket((*LETTER_LIKE, (0x200C, 0x200D)), (r"\p{L}", r"\p{M}", r"\p{Nd}", r"\p{Nl}", r"\p{Pc}"))
ASCII_WORD = bracket(ASCII_RANGES["word"])
_SHORTHANDS: dict[str, Bracket] = {
    "d": Bracket(classes=(r"\p{Nd}",)),
    "D": Bracket(classes=(r"\P{Nd}",)),
    "s": bracket(SPACES),
    "S": bracket(complement(SPACES)),
    "w": WORD,
    "W": Bracket("", WORD.ranges, WORD.classes, negated=True),
}
_ASCII_SHORTHANDS: dict[str, Bracket] = {}
for _letter, _name in (("d", "digit"), ("s", "space"), ("w", "word")):
    _ASCII_SHORTHANDS[_letter] = bracket(ASCII_RANGES[_name])
    _ASCII_SHORTHANDS[_letter.upper()] = bracket(complement(ASCII_RANGES[_name]))
# Binary properties that both the crate and the regex module support; the module's others are blocks or POSIX names.
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
_UPPER_HALF = "".join(map(chr, range(0x80, 0x100)))


def named(name: str) -> Bracket | None:
    """Return the class of a POSIX name, ``alpha`` or negated ``^alpha``, or None for an unknown one."""
    ranges = ASCII_RANGES.get(name.removeprefix("^"))
    if ranges is None:
        return None
    if name.startswith("^"):
        ranges = complement(ranges)
    return bracket(ranges)


def shorthand(letter: str, unicode: bool) -> Bracket:
    """Return the class of ``\\d``, ``\\S`` and so on."""
    shorthands = _SHORTHANDS if unicode else _ASCII_SHORTHANDS
    return shorthands[letter]


def folded(chars: Node, ignore_case: bool) -> Node:
    """Return a class for use with ``ignore_case``, which affects only a plain class."""
    if ignore_case and is_plain(chars):
        return IgnoreCase(chars)
    return chars


def is_plain(chars: Node) -> bool:
    """Return whether a class is a bracket expression that is not negated."""
    return isinstance(chars, Bracket) and not chars.negated


def union(items: list[Node], ignore_case: bool) -> Node:
    """Return the union of classes."""
    ranges: list[tuple[str, str]] = []
    classes: list[str] = []
    others: list[Node] = []
    for item in items:
        if isinstance(item, Bracket) and not item.negated:
            ranges += item.ranges
            classes += item.classes
        else:
            others.append(item)
    listed = Bracket("", tuple(ranges), tuple(classes))
    if not others:
        return listed
    if ranges or classes:
        others.append(folded(listed, ignore_case))
    if len(others) == 1:
        return others[0]
    return Alternation(others)


def negate(chars: Node, ignore_case: bool) -> Node:
    """Return the complement of a class."""
    if not isinstance(chars, Bracket) or chars.negated:
        return Concatenation([Look(chars, negative=True), Dot()])
    if not (chars.ranges or chars.classes):
        return Dot()
    body = Bracket("", chars.ranges, chars.classes, negated=True)
    return IgnoreCase(body) if ignore_case else body


def operate(left: Node, operator: str, right: Node, ignore_case: bool) -> Node:
    """Return the intersection (``&&``), difference (``--``) or symmetric difference (``~~``)."""
    first, other = folded(left, ignore_case), folded(right, ignore_case)
    if operator == "&&":
        return Concatenation([Look(other), first])
    difference: Node = Concatenation([Look(other, negative=True), first])
    if operator == "--":
        return difference
    return Alternation([difference, Concatenation([Look(first, negative=True), other])])


def goes_beyond_ascii(chars: Node) -> bool:
    """Return whether a class has characters from U+0080 to U+00FF."""
    import regex

    text = RegexEmitter(Options(utf8=False, first=True)).emit(chars)
    return regex.search(text, _UPPER_HALF) is not None


@remembered(64)
def property_text(name: str) -> str:
    """Return a property in the syntax of the ``regex`` module (and RE2, if it supports it)."""
    for separator in (":", "="):
        key, found, value = name.partition(separator)
        if found:
            known = _KEYS.get(_loose(key))
            if known is None:
                raise PatternError(_NO_PROPERTY)
            if not is_property(f"{known}={value}"):
                raise PatternError(_NO_VALUE)
            return f"{known}={value}"
    plain = _loose(name)
    if not plain:
        raise PatternError(_NO_PROPERTY)
    if plain in ("any", "ascii", "assigned"):
        return {"any": "Any", "ascii": "ASCII", "assigned": "Assigned"}[plain]
    if plain in _BINARY and is_property(name):
        return name
    if plain != _squeeze(name):
        name = plain  # without the "is"
    for key in ("gc", "sc"):
        if is_property(f"{key}={name}"):
            # RE2 supports the short and the canonical names, which have the same meaning everywhere.
            return name
    raise PatternError(_NO_PROPERTY)


def _loose(name: str) -> str:
    plain = _squeeze(name)
    if plain == "isc":  # a property of its own (ISO_Comment), not ``c`` after ``is``
        return plain
    return plain.removeprefix("is")


def _squeeze(name: str) -> str:
    return name.replace(" ", "").replace("_", "").replace("-", "").lower()
