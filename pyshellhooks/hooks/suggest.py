"""``did you mean``: the nearest of the names that exist."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str:
    """Give the name that was probably meant, or ``""``.

    Letter case and separators do not count, but between names that differ in nothing else.
    """
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


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Give the hint, or ``""``."""
    meant = nearest(name, names)
    return f'did you mean "{meant}"?' if meant else ""


def _fold(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(".", "")
