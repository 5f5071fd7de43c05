"""Making ``AgentHooks``: what it takes by itself, wrong options, and what cancels it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agent_runs import SHELL, hooks_of

from pyshellhooks import ConfigError, HookEngine, MemoryFS
from pyshellhooks.agent import AgentHooks
from pyshellhooks.engine import RecordedExecutor


def test_files_of_the_user_and_of_a_project(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    for folder, word in ((home, "user"), (project, "project")):
        (folder / ".claude").mkdir(parents=True)
        entry = {"hooks": [{"type": "command", "command": f"echo {word} >&2; exit 2"}]}
        (folder / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": [entry]}}))
    (project / ".git").mkdir()
    env = {"HOME": str(home), "USERPROFILE": str(home), "PATH": ""}

    def denied(**options: Any) -> tuple[str | None, list[str]]:
        told: list[str] = []
        with AgentHooks(cwd=str(project), env=env, on_notice=told.append, **options) as hooks:
            return hooks.before("Bash", SHELL).denied, told

    said, told = denied()
    assert said is None
    assert any("this file is not trusted" in notice for notice in told)
    assert denied(trust_project=True)[0] == "project"
    assert denied(user=True)[0] == "user"
    assert set((denied(user=True, trust_project=True)[0] or "").split()) == {"user", "project"}


# The event of each method, and a call of it.
METHODS: dict[str, Callable[[AgentHooks, dict[str, str]], object]] = {
    "SessionStart": lambda hooks, fields: hooks.start(**fields),
    "UserPromptSubmit": lambda hooks, fields: hooks.prompt("x", **fields),
    "PreToolUse": lambda hooks, fields: hooks.before("Bash", SHELL, **fields),
    "PostToolUse": lambda hooks, fields: hooks.after("Bash", SHELL, "done", **fields),
    "Stop": lambda hooks, fields: hooks.stop(**fields),
    "SessionEnd": lambda hooks, fields: hooks.end(**fields),
}


@pytest.mark.parametrize("event", METHODS)
def test_its_directory_is_in_each_payload(event: str) -> None:
    """A call's own ``cwd`` comes first, and without either it is the engine's."""
    executor = RecordedExecutor()
    entries = {event: [{"hooks": [{"type": "command", "command": "x"}]}]}
    engine = HookEngine.load(
        {"hooks": entries}, "claude_code", cwd="/engine", env={}, fs=MemoryFS({"/engine/x": ""}), executor=executor
    )
    METHODS[event](AgentHooks(engine, cwd="/given"), {})
    METHODS[event](AgentHooks(engine, cwd="/given"), {"cwd": "/own"})
    METHODS[event](AgentHooks(engine), {})
    told = [json.loads(job.stdin)["cwd"] for job in executor.jobs]
    assert told == ["/given", "/own", "/engine"]


@pytest.mark.parametrize("run", ["asyncio", "trio"])
@pytest.mark.parametrize("make", ["engine", "hooks", "hooks of an engine"])
def test_async_with(run: str, make: str, tmp_path: Path) -> None:
    engine = HookEngine.load({"hooks": {}}, "claude_code", cwd=str(tmp_path), env={}, spawn=False)
    options: dict[str, Any] = {"cwd": str(tmp_path), "env": {"HOME": str(tmp_path), "PATH": ""}}

    async def main() -> Any:
        if make == "engine":
            async with engine as found:
                return found
        hooks = AgentHooks(engine) if make == "hooks of an engine" else AgentHooks(on_notice=lambda _: None, **options)
        async with hooks as same:
            assert same is hooks
            assert (await hooks.abefore("Bash", SHELL)).denied is None
        return hooks.engine

    closed = asyncio.run(main()) if run == "asyncio" else pytest.importorskip("trio").run(main)
    if make == "hooks of an engine":  # who made it closes it
        assert closed.fire("before_tool", tool_name="Bash", tool_input=SHELL).decision == "none"
    else:
        with pytest.raises(RuntimeError, match="closed"):
            closed.fire("before_tool", tool_name="Bash", tool_input=SHELL)


def test_nothing_found_is_a_notice(tmp_path: Path) -> None:
    told: list[str] = []
    AgentHooks(cwd=str(tmp_path), env={"HOME": str(tmp_path), "PATH": ""}, on_notice=told.append)
    assert any("no hook config" in notice for notice in told)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"engine": "crush.json"}, TypeError, "HookEngine.load"),
        ({"ask": "dney"}, ValueError, 'did you mean "deny"'),
        ({"ask": "defer", "on_ask": lambda *_: True}, ValueError, "pass one of them"),
        ({"on_ask": "yes"}, TypeError, "on_ask must be a function"),
        ({"on_notice": 1}, TypeError, "on_notice must be a function"),
        ({"user": "no"}, TypeError, "user must be True or False"),
        ({"trust_project": "no"}, TypeError, "trust_project must be True, False"),
        ({"trust_projekt": True}, TypeError, 'did you mean "trust_project"'),
        ({"tools": {"execute": "shel"}}, ValueError, "shell"),
        (
            {"engine": HookEngine("crush"), "tools": {"execute": "shell"}},
            TypeError,
            "tools= can't be combined with engine=",
        ),
        ({"engine": HookEngine("crush"), "user": True}, TypeError, "user= can't be combined with engine="),
        ({"engine": HookEngine("crush"), "strict": True}, TypeError, "strict= can't be combined with engine="),
    ],
)
def test_wrong_options_raise_when_it_is_made(
    options: dict[str, Any], error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        AgentHooks(
            **{"cwd": str(tmp_path), "env": {"HOME": str(tmp_path)}, **options} if "engine" not in options else options
        )


def test_tools_that_no_guard_reaches_are_reported() -> None:
    entry = {"matcher": "Bash", "hooks": [{"type": "command", "command": "exit 2"}]}
    told: list[str] = []
    config = {"hooks": {"PreToolUse": [entry]}}
    AgentHooks(HookEngine.load(config, "claude_code"), on_notice=told.append).check_tools(["read_file"])
    assert told
    with pytest.raises(ConfigError):
        AgentHooks(HookEngine.load(config, "claude_code", strict=True)).check_tools(
            [{"name": "frob", "input_schema": {"properties": {"cmd": {"type": "string"}, "shell": {}}}}]
        )


def test_cancelling_passes() -> None:
    hooks = hooks_of({"PreToolUse": "sleep 20"})

    async def main() -> None:
        task = asyncio.ensure_future(hooks.abefore("Bash", SHELL))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_cancelling_passes_under_trio() -> None:
    trio = pytest.importorskip("trio")
    hooks = hooks_of({"PreToolUse": "sleep 20"})

    async def main() -> bool:
        with trio.move_on_after(0.2) as scope:
            await hooks.abefore("Bash", SHELL)
        return bool(scope.cancelled_caught)

    assert trio.run(main)
