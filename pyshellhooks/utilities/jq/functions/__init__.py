"""jq's builtins that are functions of values, in families.

``find`` imports a family, which it looks up in the index, only when one of its builtins is called.
``tests/unit/utilities/jq`` checks the index against the declarations in the families.
"""

from __future__ import annotations

from importlib import import_module

from ..compiler.registry import Function
from .index import INDEX


def find(key: str) -> Function | None:
    """Return the builtin of a name and arity (``split/1``), or None."""
    family = INDEX.get(key)
    if family is None:
        return None
    function: Function = import_module(f"{__name__}.{family}").function.functions[key]
    return function
