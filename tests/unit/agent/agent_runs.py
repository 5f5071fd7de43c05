"""Hooks of Claude Code for tests of ``AgentHooks``."""

from __future__ import annotations

import json
from typing import Any

from pyshellhooks import HookEngine
from pyshellhooks.agent import AgentHooks

SHELL = {"command": "rm -rf /"}


def hooks_of(config: dict[str, str], **options: Any) -> AgentHooks:
    """Make hooks of Claude Code: one command for each event, for every tool."""
    entries = {event: [{"hooks": [{"type": "command", "command": command}]}] for event, command in config.items()}
    told: list[str] = options.pop("told", [])
    engine = HookEngine.load({"hooks": entries}, "claude_code", cwd="/", env={"PATH": ""}, spawn=False)
    return AgentHooks(engine, on_notice=told.append, **options)


def output(**fields: Any) -> str:
    return f"printf %s '{json.dumps({'hookSpecificOutput': fields})}'"
