"""Conversions of small configs of Claude Code and of other systems, for the tests of this directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pyshellhooks import dialects
from pyshellhooks.convert import Conversion, convert
from pyshellhooks.engine.config.loading import Source

ENV = {"PATH": "/usr/bin:/bin"}
DENY = "echo no >&2; exit 2"


def claude(command: str = DENY, matcher: str | None = None, event: str = "PreToolUse", **fields: Any) -> dict[str, Any]:
    """Return a config of Claude Code with one hook."""
    group = {} if matcher is None else {"matcher": matcher}
    hook = {"type": "command", "command": command, **fields}
    return {"hooks": {event: [{**group, "hooks": [hook]}]}}


def to(
    target: str, config: Any, source: str = "claude_code", *, wrap: bool = False, at: Path | None = None
) -> Conversion:
    """Convert a config: an object, or a text."""
    text = config if isinstance(config, str) else json.dumps(config, indent=1)
    dialect = dialects.get(source)
    name = (at or Path("/nowhere")) / dialect.file_names[0]
    return convert(Source(name.as_posix(), text), dialect, dialects.get(target), wrap=wrap, env=ENV)


def losses(conversion: Conversion) -> list[tuple[str, str, str]]:
    """Return severity, subject and message of each loss."""
    return [(loss.diagnostic.severity, loss.about, loss.diagnostic.message) for loss in conversion.losses]


def matcher_of(conversion: Conversion) -> Any:
    """Return the matcher of the only group or hook; None if it has none."""
    return _first(conversion.config, "matcher")


def hook_of(conversion: Conversion) -> dict[str, Any]:
    """Return the first object with a command."""
    pending: list[Any] = [conversion.config]
    while pending:
        value = pending.pop(0)
        if isinstance(value, dict):
            if "command" in value:
                return value
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    raise AssertionError("no hook")


def _first(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        if key in value:
            return value[key]
        value = list(value.values())
    if isinstance(value, list):
        return next((found for item in value if (found := _first(item, key)) is not None), None)
    return None
