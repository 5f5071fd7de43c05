"""Every key of a hook, with a value of every kind, under an event that exists and one that does not: never an exception."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pyshellhooks import dialects
from pyshellhooks.engine.config import loading

KEYS = (
    "additionalContextLimit agent allowedEnvVars args async asyncRewake command config cwd description disabled enabled env event executor failClosed "
    "headers hooks http id if ignore_error input loop_limit matcher mode model name onFailure on_error once prompt prompts "
    "rewakeMessage rewakeSummary sequential server shell statusMessage timeout timeout_ms tool type url working_dir"
).split()
VALUES: tuple[Any, ...] = ("", "block", "x", True, None, -1, {}, ["x"])
EVENTS = {"claude_code": "PreToolUse", "codex": "PreToolUse", "crush": "PreToolUse", "cursor": "preToolUse", "docker_agent": "pre_tool_use",
          "everruns": "pre_tool_use", "firebender": "preToolUse", "gemini": "BeforeTool"}  # fmt: skip


def configs(system: str, event: str, hook: dict[str, Any]) -> Iterator[Any]:
    """Yield configs with a hook where the system has it: in a group, flat, as a specification."""
    if system == "everruns":
        yield {"hooks": [{"event": event, "executor": {"type": "bash", "command": "x"}, **hook}]}
    elif system == "docker_agent":
        yield {"agents": {"root": {"hooks": {event: [{"hooks": [hook], **hook}]}}}}
    else:
        yield {"version": 1, "hooks": {event: [{"hooks": [hook], "matcher": "x"}]}}
        yield {"version": 1, "hooks": {event: [hook]}}


@pytest.mark.one_in(28, slow=4)
@pytest.mark.parametrize("kind", ["command", "http", "prompt", "nothing"])
@pytest.mark.parametrize("system", EVENTS)
def test_no_key_raises(system: str, kind: str) -> None:
    for event in (EVENTS[system], "NoSuchEvent", ""):
        for key in KEYS:
            for value in VALUES:
                hook = {"type": kind, "command": "x", "url": "http://x", "prompt": "x", key: value}
                for config in configs(system, event, hook):
                    text = json.dumps(config)
                    found = loading.load(dialects.get(system), [loading.Source("x.json", text, "named")])
                    assert found.diagnostics or event, "an event without a name is said"
