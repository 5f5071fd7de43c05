"""The builtins of jq that are functions of values, by family.

``find`` imports a family only when one of its builtins is called; the index says which. ``tests/unit/utilities/jq`` holds
the index to what the families declare.
"""

from __future__ import annotations

from importlib import import_module

from ..registry import Function
from .index import INDEX


def find(key: str) -> Function | None:
    """Return the builtin of a name and arity (``split/1``), or None."""
    family = INDEX.get(key)
    if family is None:
        return None
    found: Function = import_module(f"{__name__}.{family}").function.functions[key]
    return found
