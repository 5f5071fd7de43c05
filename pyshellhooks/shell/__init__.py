"""The embedded shell: ``Shell`` runs scripts, ``Session`` keeps state between them, ``Dialogue`` is interactive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .execution import Process
from .result import Result, Script
from .shell import Shell

if TYPE_CHECKING:
    from .dialogue import Dialogue
    from .session import Session

__all__ = ["Dialogue", "Process", "Result", "Script", "Session", "Shell"]

_LATER = {"Dialogue": "dialogue", "Session": "session"}  # most programs use neither


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    attribute: object = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = attribute
    return attribute
