"""``did you mean``: the nearest of the names that exist."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str:
    """Give the name that was probably meant, or ``""``. Letter case and separators do not count."""
    from difflib import get_close_matches

    folded = {_fold(known): known for known in names}
    match = get_close_matches(_fold(name), folded, n=1, cutoff=0.7)
    return folded[match[0]] if match else ""


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Give the hint, or ``""``."""
    meant = nearest(name, names)
    return f'did you mean "{meant}"?' if meant else ""


def _fold(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(".", "")
