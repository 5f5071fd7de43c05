"""The smallest config of each system around a case's hooks, so that most cases need not write one out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Hook = dict[str, Any]
_GROUP = ("matcher", "sequential")


def flat(event: str, hooks: list[Hook]) -> Hook:
    """Put the hooks under their event: Crush."""
    return {"hooks": {event: hooks}}


def versioned(event: str, hooks: list[Hook]) -> Hook:
    """The same with a version: Firebender, Cursor."""
    return {"version": 1, **flat(event, hooks)}


def grouped(event: str, hooks: list[Hook]) -> Hook:
    """Put each hook in a group of its own, unless it is a group already: Claude Code, Codex, Gemini CLI."""
    groups = []
    for hook in hooks:
        if "hooks" in hook:
            groups.append({**hook, "hooks": [{"type": "command", **inner} for inner in hook["hooks"]]})
            continue
        outer = {key: hook.pop(key) for key in _GROUP if key in hook}
        groups.append({**outer, "hooks": [{"type": "command", **hook}]})
    return {"hooks": {event: groups}}


def docker(event: str, hooks: list[Hook]) -> Hook:
    """Groups for the events about tools, flat lists for the others, of the first agent: Docker Agent."""
    if event in ("pre_tool_use", "post_tool_use"):
        found = grouped(event, hooks)["hooks"]
    else:
        found = {event: [{"type": "command", **hook} for hook in hooks]}
    return {"agents": {"root": {"hooks": found}}}


def everruns(event: str, hooks: list[Hook]) -> Hook:
    """Make specs; ``command`` and ``env`` go into their executor: Everruns."""
    specs = []
    for hook in hooks:
        inside = {key: hook.pop(key) for key in ("command", "env") if key in hook}
        spec: Hook = {"event": event, **hook}
        if inside:
            spec["executor"] = {"type": "bash", **inside}
        specs.append(spec)
    return {"hooks": specs}


def entries(event: str, hooks: list[Hook]) -> Hook:
    """Make a list of entries with names: Mistral Vibe."""
    return {"hooks": [{"name": f"hook-{number}", "type": event, **hook} for number, hook in enumerate(hooks)]}


SHAPES: dict[str, Callable[[str, list[Hook]], Hook]] = {
    "crush": flat,
    "gemini": grouped,
    "docker_agent": docker,
    "everruns": everruns,
    "firebender": versioned,
    "cursor": versioned,
    "claude_code": grouped,
    "codex": grouped,
    "qwen": grouped,
    "openhands": grouped,
    "deepagents": grouped,
    "copilot": versioned,
    "vibe": entries,
}
