"""Typed hooks: every event's payload and output, for people who write hooks in Python (docs/typed-hooks.md).

One module for each system (``pyshellhooks.types.claude_code``), one class for each event::

    from pyshellhooks.types.claude_code import PreToolUse

    event = PreToolUse.read()
    if "rm -rf" in event.tool_input.get("command", ""):
        event.deny("no rm -rf")

``pyshellhooks.types.verdict`` is what ``pyshellhooks fire --json`` prints. This package imports nothing by itself; the
modules import pydantic.
"""

from __future__ import annotations

from ..errors import AnswerError

__all__ = ["AnswerError"]
