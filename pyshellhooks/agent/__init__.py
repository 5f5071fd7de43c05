"""The hooks of an agent, asked in the terms of its loop: ``start prompt before after call stop end``, and ``a…`` twins.

Who writes an agent, or an adapter for a framework, needs nothing else (docs/agent-loop.md). Every method gives a ``Gate``.
None raises for what goes wrong with the hooks: what guards something denies it, what guards nothing says so in a notice.
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
