"""Capital and small letters one for one, as glibc's towupper and towlower have them in C.UTF-8.

Python makes ``SS`` of a sharp s, two characters of a dotted capital I, and another small sigma at the end of a word.
``ascii_only``: the locale is C, and no other letter has a case.
"""

from __future__ import annotations

from ..text import paced
from .glibc import has

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER = {code + 32: code for code in _LOWER}


def lower(text: str, ascii_only: bool = False) -> str:
    """Return a text in small letters."""
    if text.isascii():
        return text.lower()
    if ascii_only:
        return text.translate(_LOWER)
    return "\u03c3".join([part.lower() for part in text.replace("\u0130", "i").split("\u03a3")])


def upper(text: str, ascii_only: bool = False) -> str:
    """Return a text in capital letters."""
    if ascii_only:
        return text.translate(_UPPER)
    changed = text.upper()
    if len(changed) == len(text):
        return changed
    return "".join([_capital(char) for char in paced(text)])


def _capital(char: str) -> str:
    found = char.upper()
    if len(found) != 1:
        found = char.title()  # a Greek letter with an iota below has a capital of one character, which is a title's
    return found if len(found) == 1 else char


def capital(text: str, ascii_only: bool = False) -> str:
    """Return a text with a capital first letter."""
    return upper(text[:1], ascii_only) + text[1:]


def swapped(text: str) -> str:
    """Return a text with small letters for capital ones and the other way round."""
    if text.isascii():
        return text.swapcase()
    return "".join([_other(char) for char in paced(text)])


def _other(char: str) -> str:
    if char <= "\x7f":
        return char.swapcase()
    return lower(char) if has("upper", char) else upper(char)
