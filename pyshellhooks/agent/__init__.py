"""Hooks for an agent's loop: ``start prompt before after call stop end``, and their async twins with ``a`` in front.

An agent, or an adapter for a framework, needs nothing else (docs/agent-loop.md). Every method returns a ``Gate``. No
method raises for a failure of the hooks: the gate of an event with guards is denied, other events report a notice.
"""

from __future__ import annotations

from ..engine import HookEngine
from ..errors import ConfigError
from ..hooks.tools import ToldKind
from .calls import copied, declared_name, json_text, parsed
from .gate import Gate
from .hooks import AgentHooks, OnAsk

__all__ = [
    "AgentHooks",
    "ConfigError",
    "Gate",
    "HookEngine",
    "OnAsk",
    "ToldKind",
    "copied",
    "declared_name",
    "json_text",
    "parsed",
]
