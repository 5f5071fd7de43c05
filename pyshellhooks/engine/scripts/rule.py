"""``reports``: the mark of a rule of ``check``, a function whose docstring documents the code that it reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Rule = TypeVar("_Rule", bound=Callable[..., Any])
_ATTRIBUTE = "_reported_code"


def reports(code: str) -> Callable[[_Rule], _Rule]:
    """Mark a function as a rule that reports a code; docs/diagnostics.md shows its docstring at the code."""

    def mark(rule: _Rule) -> _Rule:
        setattr(rule, _ATTRIBUTE, code)
        return rule

    return mark


def code_of(rule: Callable[..., Any]) -> str:
    """Return the code that a rule reports; ``""`` for a function that is not marked as a rule."""
    code: str = getattr(rule, _ATTRIBUTE, "")
    return code


__all__ = ["code_of", "reports"]
