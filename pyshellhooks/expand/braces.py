"""Brace expansion, on the syntax tree and before all other expansions (bash "Brace Expansion")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import Stop
from ..regexes import lazy_pattern
from ..syntax import nodes as n
from ..text import PIECE, paced, parse_digits

_NUMBERS = lazy_pattern(r"([-+]?\d+)\.\.([-+]?\d+)(?:\.\.([-+]?\d+))?\Z")
_LETTERS = lazy_pattern(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?\Z")

_ATOM = lazy_pattern(r"[{},$]|[^{},$]+")
_NAME = lazy_pattern(r"\w*", re.ASCII)
_PADDED = lazy_pattern(r"-?0\d")
# Characters for which a word of text may not be exactly one field: patterns, tildes, assignments, letter sequences.
_SPECIAL = lazy_pattern(r"[*?\[\]()~=\\]|[A-Za-z]\.\.")

_DEPTH = 100

# A word as a row of atoms: unquoted text split at the characters of braces, or a whole part of another kind.
Atom = str | n.WordPart


def may_expand(word: n.Word) -> bool:
    """Return whether a word may have a brace expansion, by a cheap test."""
    opened = False
    for part in word.parts:
        if type(part) is n.Literal:
            if "{" in part.text:
                opened = True
            if opened and "}" in part.text:
                return True
    return False


def count_words(word: n.Word) -> int:
    """Return the number of words after brace expansion, without creating them."""
    return _count(_atoms(word)) if may_expand(word) else 1


def expand_braces(word: n.Word) -> list[n.Word]:
    """Return the words after brace expansion; the word itself without braces."""
    if not may_expand(word):
        return [word]
    atoms = _atoms(word)
    if _first(atoms) is None:
        return [word]
    return [_word(row, word) for row in _rows(atoms)]


def each_word(word: n.Word) -> Iterator[str | n.Word]:
    """Yield the words after brace expansion one by one, as text if each is exactly one field without expansions."""
    atoms = _atoms(word)
    is_short = word.end - word.pos <= PIECE
    text = _literal_text(atoms) if is_short else None
    if text is None or _SPECIAL.search(text):
        for row in _rows(atoms):
            yield _word(row, word)
        return
    for row in _rows(text):
        if row:  # an empty word is removed, as it is not quoted
            yield row


def _literal_text(atoms: list[Atom]) -> str | None:
    texts = [atom for atom in atoms if isinstance(atom, str)]
    return "".join(texts) if len(texts) == len(atoms) else None


def _atoms(word: n.Word) -> list[Atom]:
    atoms: list[Atom] = []
    for part in word.parts:
        if type(part) is n.Literal:
            atoms += [match.group() for match in paced(_ATOM.finditer(part.text))]
        else:
            atoms.append(part)
    return atoms


def _word(row: list[Atom], origin: n.Word) -> n.Word:
    parts: list[n.WordPart] = []
    text = ""
    for atom in row:
        if isinstance(atom, str):
            if not text and parts:
                parts[-1], atom = _lengthened(parts[-1], atom)
            text += atom
            continue
        if text:
            parts.append(n.Literal(text, origin.pos, origin.end))
            text = ""
        parts.append(atom)
    if text:
        parts.append(n.Literal(text, origin.pos, origin.end))
    return n.Word(tuple(parts), origin.pos, origin.end)


def _lengthened(part: n.WordPart, text: str) -> tuple[n.WordPart, str]:
    """Move the start of a text into the ``$name`` before it: bash expands braces in text, before parameters."""
    if type(part) is not n.Parameter or part.braced or not part.name.isidentifier():
        return part, text
    taken = _NAME.match(text)
    assert taken is not None
    if not taken.group():
        return part, text
    longer = n.Parameter(part.name + taken.group(), part.pos, part.end, line=part.line)
    return longer, text[taken.end() :]


def _first(atoms: Any) -> tuple[int, int, list[int], range | None] | None:
    """Return the first brace that expands: the indexes of its ends and commas, and its sequence or None."""
    for at, (close, commas) in paced(sorted(_pairs(atoms).items())):
        if commas:
            return at, close, commas, None
        sequence = _sequence(atoms[at + 1 : close])
        if sequence is not None:
            return at, close, commas, sequence
    return None


def _pairs(atoms: Any) -> dict[int, tuple[int, list[int]]]:
    """Return the closing brace and the commas of each opening brace, by index."""
    groups: dict[int, tuple[int, list[int]]] = {}
    opened: list[tuple[int, list[int]]] = []
    for at, atom in enumerate(paced(atoms)):
        if atom == "{":
            opened.append((at, []))
            if len(opened) > _DEPTH:
                raise Stop("limit", f"more than {_DEPTH} braces are nested in each other")
        elif not opened:
            continue
        elif atom == "}":
            start, commas = opened.pop()
            is_parameter = start > 0 and atoms[start - 1] == "$"  # ``${`` begins no brace expansion (bash)
            if not is_parameter:
                groups[start] = (at, commas)
        elif atom == ",":
            opened[-1][1].append(at)
    return groups


def _count(atoms: Any) -> int:
    brace = _first(atoms)
    if brace is None:
        return 1
    at, close, commas, sequence = brace
    if sequence is None:
        own = sum(map(_count, _alternatives(atoms, at, close, commas)))
    else:
        own = _length(sequence)
    return own * _count(atoms[close + 1 :])


def _length(sequence: range) -> int:
    return (sequence[-1] - sequence[0]) // sequence.step + 1  # len() fails beyond sys.maxsize


def _rows(atoms: Any) -> Iterator[Any]:
    """Yield the rows after brace expansion of a row of atoms; for a str, strs."""
    brace = _first(atoms)
    if brace is None:
        yield atoms
        return
    at, close, commas, sequence = brace
    head, tail = atoms[:at], atoms[close + 1 :]
    items: Iterator[Any]
    if sequence is None:
        items = (row for part in _alternatives(atoms, at, close, commas) for row in _rows(part))
    else:
        items = _items(sequence, atoms[at + 1 : close])
    for item in items:
        for rest in _rows(tail):
            yield head + item + rest


def _alternatives(atoms: Any, at: int, close: int, commas: list[int]) -> list[Any]:
    edges = [at, *commas, close]
    return [atoms[left + 1 : right] for left, right in paced(zip(edges, edges[1:], strict=False))]


def _sequence(atoms: Any) -> range | None:
    """Parse ``1..9`` or ``a..e..2``, with letters as their codes. Return None if it is not a sequence."""
    if len(atoms) > 200 or not all(isinstance(atom, str) for atom in atoms):
        return None
    text = "".join(atoms)
    if len(text) > 200:
        return None
    match = _NUMBERS.match(text)
    if match:
        first, last = parse_digits(match[1]), parse_digits(match[2])
    else:
        match = _LETTERS.match(text)
        if match is None:
            return None
        first, last = ord(match[1]), ord(match[2])
    step = abs(parse_digits(match[3] or "1")) or 1  # bash ignores the sign of a step, and a step of 0
    # bash expands no sequence with a number beyond 64 bits.
    if max(abs(first), abs(last), step) >= 1 << 63:
        return None
    if first <= last:
        return range(first, last + 1, step)
    return range(first, last - 1, -step)


def _items(sequence: range, atoms: Any) -> Iterator[Any]:
    """Yield the values of a sequence, as texts or as rows of atoms like their source."""
    text = "".join(atoms)
    match = _NUMBERS.match(text)
    if match is None:
        for code in sequence:
            if chr(code) == "\\":
                # bash drops the backslash, as it quotes nothing; a word that consists of it becomes an empty word.
                yield [n.Quoted("", "'", 0, 0)]
            else:
                yield [chr(code)]
        return
    width = 0
    # A leading zero pads all numbers to the same width (bash).
    if any(_PADDED.match(match[i]) for i in (1, 2)):
        width = max(len(match[1]), len(match[2]))
    for value in sequence:
        digits = f"{value:0{width}d}"
        yield digits if isinstance(atoms, str) else [*digits]
