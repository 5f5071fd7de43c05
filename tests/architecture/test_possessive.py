"""The expressions of the code mean the same on every Python 3.11 and later (possessive.py says what differs)."""

from __future__ import annotations

import re
import sys
from functools import cache
from itertools import product
from pathlib import Path
from re import _compiler as compiler  # type: ignore[attr-defined]
from typing import Any

import pytest
from possessive import Found, captures, codes, fails_in_place, parsed, patterns, possessive_groups
from rooms import ROOT, sources


@cache
def all_patterns() -> list[Found]:
    """Return the patterns of all files that have a possessive quantifier or an atomic group."""
    paths = (*sources(), *sorted((ROOT / "conformance").glob("*.py")))
    return [found for path in paths for found in patterns(path)]


@cache
def patterns_with_groups() -> list[Found]:
    """Return those that repeat a group possessively, not only one character."""
    return [found for found in all_patterns() if possessive_groups(parsed(found))]


# Each with whether it is right on 3.11.2, what it is given, and where its match ends.
FORMS = [
    (r"(?:ab?c)*+", False, "aca", 2),
    (r"(?>ab?c)*+", True, "aca", 2),
    (r"(?:ab)*+", True, "aba", 2),
    (r"(?:a|bc)++", True, "ab", 1),
    (r"(?:[a-z]++|_)*+", True, "a_b-", 3),
    (r"(?:_[a-z]*+)*+", True, "_a_-", 3),
    (r"(?:_[a-z]++)*+", False, "_a_-", 2),
    (r"(?:_[a-z]{2})*+", False, "_aa_a", 3),
    (r"(?:[a-z]++_)*+", False, "a_b", 2),
    (r'(?:[^"]++|"(?:[^"\\]++|\\.)*+")*+', False, 'a"b"c"d', 5),
    (r"(?:.(?!C))++", False, "ABCD", 1),
    (r"(?:(?!C).)++", False, "ABC", 2),
    (r"(?:\\(?:a|bc))*+", False, r"\a\b", 2),
    (r"x(?:\\(?>\\|\r?\n)?+)*+", True, "x\\\\\\\rx", 4),
    (r"(?:a?+)++", True, "aa", 2),
]


def _name(found: Any) -> str:
    return repr(found) if isinstance(found, Found) else str(found)


def test_there_is_something_to_check() -> None:
    assert len(all_patterns()) > 40
    assert len(patterns_with_groups()) > 20


@pytest.mark.parametrize(("text", "is_right", "given", "end"), FORMS, ids=_name)
def test_groups_that_are_called_right_match_here(text: str, is_right: bool, given: str, end: int) -> None:
    (group,) = possessive_groups(parsed(Found(Path(), 0, text, 0)))[:1]
    assert fails_in_place(group) is is_right
    match = re.match(text, given)
    if is_right or sys.version_info >= (3, 12):
        assert match is not None and match.end() == end


def test_possessive_groups_fail_in_place_and_capture_nothing() -> None:
    wrong = [
        found
        for found in patterns_with_groups()
        for group in possessive_groups(parsed(found))
        if captures(group) or not fails_in_place(group)
    ]
    assert not wrong, "write (?>…) for (?:…) before the quantifier, and capture around it"


def test_they_match_like_greedy_groups_in_atomic_ones() -> None:
    for found in patterns_with_groups():
        program = re.compile(found.text, found.flags)
        other = compiler.compile(_atomic(parsed(found)), found.flags)
        for size in range(1, 5):
            for chars in product(_alphabet(found), repeat=size):
                text: Any = "".join(chars) if isinstance(found.text, str) else "".join(chars).encode("latin-1")
                mine, its = program.search(text), other.search(text)
                assert (mine and mine.regs) == (its and its.regs), (found, text)


def _atomic(items: Any) -> Any:
    """Write each possessive quantifier as a greedy one in an atomic group, which every Python has right."""
    for at, (code, given) in enumerate(items):
        for part in _parts(given):
            _atomic(part)
        if code is codes.POSSESSIVE_REPEAT:
            inner = items[at : at + 1]
            inner[0] = (codes.MAX_REPEAT, given)
            items[at] = (codes.ATOMIC_GROUP, inner)
    return items


def _parts(given: Any) -> list[Any]:
    if isinstance(given, tuple | list):
        return [part for one in given for part in _parts(one)]
    return [given] if hasattr(given, "getwidth") else []


def _alphabet(found: Found) -> list[str]:
    """Return characters that the pattern tells apart, and pieces that it wants whole."""
    text = found.text if isinstance(found.text, str) else found.text.decode("latin-1")
    literals = {chr(code) for code in _literals(parsed(found)) if code < 0x110000}
    plain = sorted(literals & set("\"'\\`()[]{}:;#$=+-\n\r\t\0 \x07\x1b"))[:6]
    pieces = ["u12", "ud8", "34"] if "u" in literals else []
    return [*plain, *pieces, "a", "é" if isinstance(text, str) else "\xe9"][:9]


def _literals(items: Any) -> list[int]:
    found = [given for code, given in items if code in (codes.LITERAL, codes.NOT_LITERAL)]
    for code, given in items:
        if code is codes.IN:
            found += [one for kind, one in given if kind is codes.LITERAL]
        for part in _parts(given):
            found += _literals(part)
    return found
