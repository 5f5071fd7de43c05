"""Case conversion of single characters, as by glibc's towupper and towlower in C.UTF-8.

Python converts a sharp s to ``SS``, a dotted capital I to two characters, and a final sigma differently.
``ascii_only``: the locale is C, in which only ASCII letters have a case.
"""

from __future__ import annotations

from ..text import paced
from .glibc import has

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER = {code + 32: code for code in _LOWER}


def lower(text: str, ascii_only: bool = False) -> str:
    """Return a text in lower case."""
    if text.isascii():
        return text.lower()
    if ascii_only:
        return text.translate(_LOWER)
    # Python's ``lower`` makes a final sigma at the end of a word, glibc always the ordinary one.
    parts = text.replace("\u0130", "i").split("\u03a3")
    return "\u03c3".join([part.lower() for part in parts])


def upper(text: str, ascii_only: bool = False) -> str:
    """Return a text in upper case."""
    if ascii_only:
        return text.translate(_UPPER)
    changed = text.upper()
    # Only a character that becomes several ones differs from glibc's conversion.
    if len(changed) == len(text):
        return changed
    return "".join([_capital(char) for char in paced(text)])


def _capital(char: str) -> str:
    found = char.upper()
    if len(found) != 1:
        found = char.title()  # the single-character upper case of a Greek letter with iota subscript is its title case
    return found if len(found) == 1 else char


def capital(text: str, ascii_only: bool = False) -> str:
    """Return a text with its first letter in upper case."""
    return upper(text[:1], ascii_only) + text[1:]


def swapped(text: str) -> str:
    """Return a text with upper and lower case swapped."""
    if text.isascii():
        return text.swapcase()
    return "".join([_other(char) for char in paced(text)])


def _other(char: str) -> str:
    if char <= "\x7f":
        return char.swapcase()
    return lower(char) if has("upper", char) else upper(char)
