"""Brace expansion, on the tree and before everything else (bash "Brace Expansion")."""

from __future__ import annotations

import re

from ..errors import Stop
from ..syntax import nodes as n

_NUMBERS = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?\Z")
_LETTERS = re.compile(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?\Z")

# A word as a row of atoms: one unquoted character each, or a whole part of another kind.
Atom = str | n.WordPart


def may_expand(word: n.Word) -> bool:
    """Say cheaply whether a word could have a brace expansion."""
    opened = False
    for part in word.parts:
        if type(part) is n.Literal:
            if "{" in part.text:
                opened = True
            if opened and "}" in part.text:
                return True
    return False


def expand_braces(word: n.Word, limit: int) -> list[n.Word]:
    """Give the words that a word's braces make; itself where there are none."""
    if not may_expand(word):
        return [word]
    atoms: list[Atom] = []
    for part in word.parts:
        if type(part) is n.Literal:
            atoms.extend(part.text)
        else:
            atoms.append(part)
    rows = _expand(atoms, limit)
    if len(rows) == 1 and rows[0] == atoms:
        return [word]
    return [_word(row, word) for row in rows]


def _word(row: list[Atom], origin: n.Word) -> n.Word:
    parts: list[n.WordPart] = []
    text = ""
    for atom in row:
        if isinstance(atom, str):
            if not text and parts and _takes(parts[-1], atom):
                parts[-1] = _longer(parts[-1], atom)
            else:
                text += atom
        else:
            if text:
                parts.append(n.Literal(text, origin.pos, origin.end))
                text = ""
            parts.append(atom)
    if text:
        parts.append(n.Literal(text, origin.pos, origin.end))
    return n.Word(tuple(parts), origin.pos, origin.end)


def _takes(part: n.WordPart, char: str) -> bool:
    """bash expands braces in text: what comes to stand behind ``$name`` becomes part of the name."""
    return (
        type(part) is n.Parameter
        and not part.braced
        and part.name.isidentifier()
        and char.isascii()
        and (char == "_" or char.isalnum())
    )


def _longer(part: n.WordPart, char: str) -> n.Parameter:
    assert isinstance(part, n.Parameter)
    return n.Parameter(part.name + char, part.pos, part.end, line=part.line)


def _expand(atoms: list[Atom], limit: int) -> list[list[Atom]]:
    at = 0
    size = len(atoms)
    while at < size:
        if atoms[at] == "{" and not (at > 0 and atoms[at - 1] == "$"):
            close, commas = _matching(atoms, at)
            if close is not None:
                items = _items(atoms, at, close, commas, limit)
                if items is not None:
                    tails = _expand(atoms[close + 1 :], limit)
                    if len(items) * len(tails) > limit:
                        raise Stop("limit", f"a brace expansion makes more than {limit} words")
                    head = atoms[:at]
                    return [head + item + tail for item in items for tail in tails]
        at += 1
    return [atoms]


def _matching(atoms: list[Atom], start: int) -> tuple[int | None, list[int]]:
    depth = 0
    commas: list[int] = []
    for at in range(start, len(atoms)):
        atom = atoms[at]
        if atom == "{":
            depth += 1
        elif atom == "}":
            depth -= 1
            if depth == 0:
                return at, commas
        elif atom == "," and depth == 1:
            commas.append(at)
    return None, commas


def _items(atoms: list[Atom], start: int, close: int, commas: list[int], limit: int) -> list[list[Atom]] | None:
    if commas:
        edges = [start, *commas, close]
        rows: list[list[Atom]] = []
        for left, right in zip(edges, edges[1:], strict=False):
            rows.extend(_expand(atoms[left + 1 : right], limit))
        return rows
    inner = atoms[start + 1 : close]
    if not all(isinstance(a, str) for a in inner):
        return None
    text = "".join(inner)  # type: ignore[arg-type]
    sequence = _sequence(text, limit)
    return None if sequence is None else [list(item) for item in sequence]


def _sequence(text: str, limit: int) -> list[str] | None:
    match = _NUMBERS.match(text)
    if match:
        first, last = int(match[1]), int(match[2])
        step = abs(int(match[3] or 1)) or 1
        if abs(last - first) // step >= limit:
            raise Stop("limit", f"a brace expansion makes more than {limit} words")
        width = 0
        if any(re.match(r"-?0\d", match[i]) for i in (1, 2)):
            width = max(len(match[1]), len(match[2]))
        numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
        return [f"{value:0{width}d}" for value in numbers]
    match = _LETTERS.match(text)
    if match:
        low, high = ord(match[1]), ord(match[2])
        step = abs(int(match[3] or 1)) or 1
        letters = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
        return ["" if code == 92 else chr(code) for code in letters]  # the backslash quotes nothing: bash drops it
    return None
