"""Character classes of glibc's C.UTF-8 (POSIX XBD 7.3.1), as predicates on a character.

Beyond ASCII they use glibc's tables (glibc.py). An invalid byte (a surrogate) is in no class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .case_mapping import lower
from .glibc import has

Predicate = Callable[[str], bool]

_BLANK = frozenset("\t \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000")
_SPACE = _BLANK | frozenset("\n\v\f\r\u2028\u2029")


def is_alpha(char: str) -> bool:
    """Return whether a character is a letter, or beyond ASCII a digit of another script."""
    if char <= "\x7f":
        return char.isalpha()
    return has("alpha", char)


def is_alnum(char: str) -> bool:
    """Return whether a character is a letter or a digit."""
    if char <= "\x7f":
        return char.isalnum()
    return has("alpha", char)  # glibc counts the digits of other scripts as letters


def is_upper(char: str) -> bool:
    """Return whether a character is an upper-case letter."""
    if char <= "\x7f":
        return char.isupper()
    return has("upper", char)


def is_lower(char: str) -> bool:
    """Return whether a character is a lower-case letter."""
    if char <= "\x7f":
        return char.islower()
    return has("lower", char)


def is_punct(char: str) -> bool:
    """Return whether a character is visible, and neither a letter nor a digit."""
    if char > "\x7f":
        return has("punct", char)
    return "!" <= char <= "~" and not char.isalnum()


def is_graph(char: str) -> bool:
    """Return whether a character is visible."""
    return is_alnum(char) or is_punct(char)


def is_print(char: str) -> bool:
    """Return whether a character is visible, or a blank other than the tab."""
    if char == "\t":
        return False
    return is_graph(char) or char in _BLANK


def is_cntrl(char: str) -> bool:
    """Return whether a character is a control character, or Unicode's line or paragraph separator."""
    return char < " " or "\x7f" <= char < "\xa0" or char in "\u2028\u2029"


CLASSES: dict[str, Predicate] = {
    "alnum": is_alnum,
    "alpha": is_alpha,
    "blank": _BLANK.__contains__,
    "cntrl": is_cntrl,
    "digit": frozenset("0123456789").__contains__,
    "graph": is_graph,
    "lower": is_lower,
    "print": is_print,
    "punct": is_punct,
    "space": _SPACE.__contains__,
    "upper": is_upper,
    "xdigit": frozenset("0123456789abcdefABCDEF").__contains__,
}
# The last two exist only in globs (bash).
GLOB_CLASSES: dict[str, Predicate] = {
    **CLASSES,
    "ascii": str.isascii,
    "word": lambda char: char == "_" or is_alnum(char),
}


def is_utf8(env: Mapping[str, str]) -> bool:
    """Return whether the locale is UTF-8: it is unless a variable selects C (rule 11)."""
    for variable in ("LC_ALL", "LC_CTYPE", "LANG"):
        name = env.get(variable)
        if name:  # the first that is not empty decides (POSIX XBD 8.2)
            return name not in ("C", "POSIX")
    return True


class CharSet:
    """The characters, ranges of code points and classes of a bracket expression."""

    __slots__ = ("_chars", "_known", "_negated", "_predicates", "_ranges", "_ignore_case")

    def __init__(
        self,
        chars: frozenset[str],
        ranges: tuple[tuple[str, str], ...],
        predicates: tuple[Predicate, ...],
        negated: bool,
        ignore_case: bool = False,
    ) -> None:
        # To ignore case, bash compares in lower case, but tests classes on the character itself.
        if ignore_case:
            chars = frozenset(map(lower, chars))
            ranges = tuple((lower(low), lower(high)) for low, high in ranges)
        self._chars = chars
        self._ranges = ranges
        self._predicates = predicates
        self._negated = negated
        self._ignore_case = ignore_case
        self._known: dict[str, bool] = {}

    def has(self, char: str) -> bool:
        """Return whether the set matches a character."""
        answer = self._known.get(char)
        if answer is None:
            answer = self._matches(char)
            # A text of many different characters must not fill the memory.
            if len(self._known) < 1024:
                self._known[char] = answer
        return answer

    def _matches(self, char: str) -> bool:
        compared = lower(char) if self._ignore_case else char
        if compared in self._chars:
            return not self._negated
        for low, high in self._ranges:
            if low <= compared <= high:
                return not self._negated
        is_in_class = any(predicate(char) for predicate in self._predicates)
        return is_in_class is not self._negated
