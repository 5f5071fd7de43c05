"""Which possessive groups of a regular expression mean the same on every Python.

Before 3.11.5 and 3.12.0rc2 a possessive group keeps what its last turn took before it failed: ``(?:ab?c)*+`` finds all of
``aca`` (https://github.com/python/cpython/issues/106052, and issues/100061 of an assertion in it). Before 3.12.8 and 3.13.1
one with a group that captures may raise ``SystemError`` (issues/101955). Debian 12 has 3.11.2. Atomic groups are right
everywhere, and so is ``(?>ab?c)*+``: it goes back by itself before it fails.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Item = tuple[Any, Any]

_HINT = re.compile(r"[*+?}]\+|\(\?>")
_NEVER_MOVE = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN, codes.AT)
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


class Found:
    """A pattern of the code, and where it stands."""

    def __init__(self, path: Path, line: int, text: str | bytes, flags: int) -> None:
        self.path = path
        self.line = line
        self.text = text
        self.flags = flags

    def __repr__(self) -> str:
        return f"{self.path.name}:{self.line}"


def patterns(path: Path) -> Iterator[Found]:
    """Yield the texts of a file that are patterns with a possessive quantifier or an atomic group."""
    source = path.read_text(encoding="utf-8")
    if not _HINT.search(source):  # most files: parsing all of them takes eight seconds
        return
    module = ast.parse(source)
    flags: dict[ast.AST, int] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            spelled = " ".join(ast.unparse(given) for given in [*node.args[1:], *(one.value for one in node.keywords)])
            names = [name for name in ("VERBOSE", "DOTALL", "ASCII", "MULTILINE", "IGNORECASE") if name in spelled]
            for argument in node.args[:1]:
                flags[argument] = sum(getattr(re, name) for name in names)
    inside = {id(part) for node in ast.walk(module) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(module):
        text = _text(node)
        if (
            id(node) in inside
            or text is None
            or not _HINT.search(text if isinstance(text, str) else text.decode("latin-1"))
        ):
            continue
        found = Found(path, node.lineno, text, flags.get(node, 0))  # type: ignore[attr-defined]
        try:
            possessive_groups(parsed(found))
        except re.error:
            continue  # not a pattern
        yield found


def _text(node: ast.AST) -> str | bytes | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.JoinedStr):  # what is put in stands for one character
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    return None


def parsed(found: Found) -> Any:
    """Parse a pattern as ``re`` does."""
    return parser.parse(found.text, found.flags)


def possessive_groups(items: Iterable[Item]) -> list[Any]:
    """Return what is repeated possessively and is not one character."""
    found: list[Any] = []
    for code, given in items:
        if code is codes.POSSESSIVE_REPEAT and not _is_one_character(given[2]):
            found.append(given[2])
        for part in _below(given):
            found += possessive_groups(part)
    return found


def _below(given: Any) -> Iterator[Any]:
    if isinstance(given, parser.SubPattern):
        yield given
    elif isinstance(given, tuple | list):
        for part in given:
            yield from _below(part)


def _is_one_character(items: Any) -> bool:
    return len(items) == 1 and items[0][0] in (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)


def captures(items: Iterable[Item]) -> bool:
    """Say whether a group in it captures."""
    for code, given in items:
        if code is codes.SUBPATTERN and given[0] is not None:
            return True
        if any(captures(part) for part in _below(given)):
            return True
    return False


def fails_in_place(items: Iterable[Item]) -> bool:
    """Say whether it can fail only before anything in it has told ``re`` where it is."""
    return _Turn().take(items)


class _Turn:
    """One turn of a possessive group."""

    def __init__(self) -> None:
        self.begun = False  # a character is taken
        self.moved = False  # what fails now fails elsewhere

    def take(self, items: Iterable[Item]) -> bool:
        """Go through a sequence; False where it may fail elsewhere."""
        return all(self._take_one(code, given) for code, given in items)

    def _take_one(self, code: Any, given: Any) -> bool:
        if code in _NEVER_MOVE:
            self.begun = True
            return not self.moved
        if code is codes.SUBPATTERN:
            return self.take(given[3])
        if code in _REPEATS:
            fine = given[0] == 0 or not self.begun
            self.begun = self.moved = True
            return fine
        if code is codes.ATOMIC_GROUP:
            fine = not self.begun
            self.begun = self.moved = True
            return fine
        if code is codes.BRANCH and not self.begun:
            turns = [(turn := _Turn(), turn.take(choice)) for choice in given[1]]
            self.begun, self.moved = True, any(turn.moved for turn, _ in turns)
            return all(fine for _, fine in turns)
        return False
