"""Docker Agent's hooks on recorded runs."""

from __future__ import annotations

from typing import Any

from pyshellhooks import HookEngine, Verdict
from pyshellhooks.dialects.docker_agent import tables
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookRun

#: What an event needs, of the fields that are not what a test is about.
CALL = {"tool_name": "shell", "tool_input": {"cmd": "ls"}, "tool_output": "done", "message": "m"}


def engine(event: str, *runs: HookRun, edition: str = "documented", matcher: str = "", **more: Any) -> HookEngine:
    """Make an engine whose hooks ``0``, ``1``, ... end as recorded."""
    hooks: list[Any] = [{"type": "command", "command": str(number)} for number in range(max(1, len(runs)))]
    entries = [{"matcher": matcher, "hooks": hooks}] if tables.EVENTS[event].subject else hooks
    recorded = RecordedExecutor({str(number): run for number, run in enumerate(runs)})
    return HookEngine.load(
        {"hooks": {event: entries}}, f"docker_agent@{edition}", executor=recorded, cwd="/w", env={}, **more
    )


def stdin(event: str, edition: str = "documented", name: str = "", **fields: Any) -> str:
    made = engine(event, edition=edition)
    made.fire(name or event, **fields)
    executor = made.executor
    assert isinstance(executor, RecordedExecutor)
    return executor.jobs[0].stdin.decode()


def fire(event: str, *runs: HookRun, edition: str = "documented", strict: bool = False, **fields: Any) -> Verdict:
    known = tables.EVENTS[event].places
    right = {name: value for name, value in CALL.items() if name in known}
    verdict: Verdict = engine(event, *runs, edition=edition, strict=strict).fire(event, {**right, **fields})
    return verdict


def out(text: str, **more: Any) -> HookRun:
    return HookRun(stdout=text.encode(), **more)


def inner(fields: str) -> str:
    return '{"hook_specific_output":{' + fields + "}}"
