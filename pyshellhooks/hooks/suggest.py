"""Suggestions (``did you mean``): the nearest existing name to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable

# Letters of a word that may have one letter missing, extra or swapped; one replaced (``context`` is not ``content``);
# two wrong.
_SHORTEST, _LONGER, _LONGEST = 5, 8, 11
_WORD = 1000  # characters; a longer text is not a name
#: Keys of remarks that people write for people.
_ANNOTATIONS = frozenset(
    {"author", "comment", "comments", "description", "id", "name", "note", "notes", "title", "version"}
)


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the name that was probably meant, or ``""``.

    Letter case and separators count only between names that differ in nothing else.
    """
    if len(name) > _WORD:
        return ""
    from difflib import SequenceMatcher, get_close_matches

    folded: dict[str, list[str]] = {}
    for known in names:
        folded.setdefault(_fold(known), []).append(known)
    match = get_close_matches(_fold(name), folded, n=1, cutoff=0.7)
    if not match:
        return ""

    def likeness(known: str) -> tuple[float, float]:
        written = name.replace("-", "_")
        without_case = SequenceMatcher(None, known.lower(), written.lower()).ratio()
        return without_case, SequenceMatcher(None, known, written).ratio()

    return max(folded[match[0]], key=likeness)


def misspelt(name: str, names: Iterable[str]) -> str:
    """Return the name of which this one is certainly a misspelling, or ``""``.

    Much stricter than ``nearest``, for the result is an error: it permits other letter case and separators, and one
    wrong letter, two in a long word, but not the first one. A plural is another word (``messages``).
    """
    folded = _fold(name)
    allowed = 2 if len(folded) >= _LONGEST else 1
    change = 1 if len(folded) >= _LONGER else 2
    candidates: list[tuple[int, str]] = []
    for known in names:
        word = _fold(known)
        if word == folded:
            return known
        if folded == word + "s" or word == folded + "s":
            return ""
        if min(len(word), len(folded)) < _SHORTEST or word[0] != folded[:1]:
            continue
        if abs(len(word) - len(folded)) <= allowed:
            wrong = _distance(word, folded, change)
            if wrong <= allowed:
                candidates.append((wrong, known))
    return min(candidates)[1] if candidates else ""


def _distance(word: str, other: str, change: int) -> int:
    """Count the letters to add, drop, swap with the next one, or change (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + change * (a != b))
            swaps = i > 1 and j > 1 and a == other[j - 2] and word[i - 2] == b
            if swaps:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the hint with the nearest name, or ``""``."""
    meant = nearest(name, names)
    return f'did you mean "{meant}"?' if meant not in ("", name) else ""


def is_annotation(key: str, names: Iterable[str]) -> bool:
    """Return whether a key that is not in ``names`` is a remark: ``description``, ``_comment``, ``//``.

    ``_timeout`` is not: it may be meant as the key ``timeout``.
    """
    bare = key.lower().lstrip("_$#/ ").rstrip("_0123456789")
    if bare in _ANNOTATIONS:
        return True
    return key.startswith(("_", "$", "#", "//")) and not nearest(bare, names)


def _fold(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(".", "")
