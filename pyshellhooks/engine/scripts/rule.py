"""``reports``: the mark of a rule of ``check``, a function whose docstring documents the codes that it reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])
_ATTRIBUTE = "__codes__"


def reports(*codes: str) -> Callable[[_Function], _Function]:
    """Mark a function as a rule that reports these codes; docs/diagnostics.md shows its docstring at each of them."""

    def mark(rule: _Function) -> _Function:
        setattr(rule, _ATTRIBUTE, codes)
        return rule

    return mark


def codes_of(rule: Callable[..., Any]) -> tuple[str, ...]:
    """Return the codes that a rule reports; () for a function that is not marked as a rule."""
    codes: tuple[str, ...] = getattr(rule, _ATTRIBUTE, ())
    return codes


__all__ = ["codes_of", "reports"]
