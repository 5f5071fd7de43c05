"""What hooks are given: environment, argument vectors, and what handlers are asked (claude_code 2, 4, 5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookJob, HookRun
from pyshellhooks.jsontext.compact import JSON

BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls", "n": [1, {"a": "b"}]}}


def jobs(
    handler: dict[str, Any], event: str = "PreToolUse", fields: Mapping[str, Any] = BASH, **options: Any
) -> list[HookJob]:
    executor = RecordedExecutor()
    options = {"cwd": "/w", "env": {"HOME": "/h"}, "executor": executor, **options}
    config = {"hooks": {event: [{"hooks": [handler]}]}}
    HookEngine.load(config, "claude_code", **options).fire(event, **fields)
    return executor.jobs


def handler_payload(handler: dict[str, Any], event: str = "PreToolUse", **options: Any) -> Mapping[str, JSON]:
    seen: list[Mapping[str, JSON]] = []

    def answer(request: Mapping[str, JSON]) -> None:
        seen.append(request)

    config = {"hooks": {event: [{"hooks": [handler]}]}}
    options = {"cwd": "/w", "env": {}, **options}
    with HookEngine.load(config, "claude_code", handlers={handler["type"]: answer}, **options) as engine:
        engine.fire(event, **BASH)
    assert len(seen) == 1
    return seen[0]


def test_environment() -> None:
    env = {"CLAUDE_EFFORT": "low", "CLAUDE_PLUGIN_DATA": "/old", "KEPT": "1"}
    (job,) = jobs({"type": "command", "command": "x"}, env=env)
    assert dict(job.env) == {
        "KEPT": "1",
        "CLAUDECODE": "1",
        "CLAUDE_CODE_SESSION_ID": job.env["CLAUDE_CODE_SESSION_ID"],
        "CLAUDE_PROJECT_DIR": "/w",
    }
    assert job.env_file == "" and job.argv is None and job.timeout == 600


def test_plugin_environment() -> None:
    settings = {"plugin_root": "/p", "plugin_data": "/d", "user_config": {"team": "a", "level": 3, "none": None}}
    (job,) = jobs({"type": "command", "command": "x"}, settings=settings)
    assert job.env["CLAUDE_PLUGIN_ROOT"] == "/p" and job.env["CLAUDE_PLUGIN_DATA"] == "/d"
    assert job.env["CLAUDE_PLUGIN_OPTION_TEAM"] == "a" and job.env["CLAUDE_PLUGIN_OPTION_LEVEL"] == "3"
    assert job.env["CLAUDE_PLUGIN_OPTION_NONE"] == ""


def test_argument_vector() -> None:
    handler = {
        "type": "command",
        "command": "${CLAUDE_PROJECT_DIR}/x",
        "args": ["${CLAUDE_PLUGIN_ROOT}", "${user_config.k}", "${user_config.nope}", "$HOME", "${HOME}"],
    }
    (job,) = jobs(handler, settings={"plugin_root": "/p;rm", "user_config": {"k": "$(x)"}})
    assert job.argv == ("/w/x", "/p;rm", "$(x)", "${user_config.nope}", "$HOME", "${HOME}")


@pytest.mark.parametrize(("event", "name"), [("SessionStart", "CLAUDE_ENV_FILE"), ("Stop", ""), ("PreToolUse", "")])
def test_env_file(event: str, name: str) -> None:
    (job,) = jobs({"type": "command", "command": "x"}, event, {})
    assert job.env_file == name


@pytest.mark.parametrize(
    ("text", "seconds"), [("100", 0.1), ("", 1.5), ("x", 1.5), ("0", 1.5), ("-5", 1.5), ("9000000", 60)]
)
def test_budget_of_the_environment(text: str, seconds: float) -> None:
    env = {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": text}
    (job,) = jobs({"type": "command", "command": "x"}, "SessionEnd", {}, env=env)
    assert job.timeout == seconds


def test_http_request() -> None:
    handler = {
        "type": "http",
        "url": "http://h/x",
        "timeout": 7,
        "headers": {"Authorization": "Bearer $TOKEN", "X": "${OTHER}-${TOKEN}$", "Content-Type": "application/json"},
        "allowedEnvVars": ["TOKEN", "UNSET"],
    }
    request = handler_payload(handler, env={"TOKEN": "t", "OTHER": "secret"})
    assert request["method"] == "POST" and request["url"] == "http://h/x" and request["timeout"] == 7
    assert request["headers"] == {"Content-Type": "application/json", "Authorization": "Bearer t", "X": "-t$"}
    assert json.loads(request["body"])["tool_input"]["n"] == [1, {"a": "b"}]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("look at $ARGUMENTS now", "look at @ now"),
        ("$ARGUMENTS$ARGUMENTS", "@@"),
        ("look", "look\n\n@"),
        ("costs \\$5", "costs $5\n\n@"),
        ("\\$ARGUMENTS", "$ARGUMENTS\n\n@"),
    ],
)
@pytest.mark.parametrize("kind", ["prompt", "agent"])
def test_prompts(kind: str, prompt: str, expected: str) -> None:
    request = handler_payload({"type": kind, "prompt": prompt, "model": "m"})
    assert request["prompt"] == expected.replace("@", request["payload"])
    assert request["model"] == "m" and request["kind"] == kind and request["event"] == "PreToolUse"


def test_mcp_tool_request() -> None:
    handler = {
        "type": "mcp_tool",
        "server": "s",
        "tool": "t",
        "input": {
            "cmd": "run ${tool_input.command}!",
            "deep": ["${tool_input.n.1.a}", "${tool_input.n}", "${nope.x}", "${tool_input.n.9}", 5],
            "n": 1,
        },
    }
    request = handler_payload(handler)
    assert (request["server"], request["tool"]) == ("s", "t")
    assert request["input"] == {"cmd": "run ls!", "deep": ["b", '[1,{"a":"b"}]', "", "", 5], "n": 1}


def test_a_handler_that_raises_has_not_started() -> None:
    def broken(request: Mapping[str, JSON]) -> None:
        raise ConnectionError("refused")

    config = {"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "http://x"}]}]}}
    with HookEngine.load(config, "claude_code", handlers={"http": broken}) as engine:
        verdict = engine.fire("PreToolUse", **BASH)
    assert verdict.decision == "none" and verdict.hooks[0].ended == "not_started"
    assert any("refused" in notice for notice in verdict.notices)


def test_a_status_of_a_handler_is_an_error() -> None:
    config = {"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "http://x", "onFailure": "block"}]}]}}
    run = HookRun(status=1, stderr=b"503")
    with HookEngine.load(config, "claude_code", handlers={"http": lambda request: run}) as engine:
        verdict = engine.fire("PreToolUse", **BASH)
    assert verdict.decision == "deny" and "503" in verdict.reason


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ('{"b": 1.50, "a":  1e3}', '{"b":1.50,"a":1e3}'),
        ("not json", '"not json"'),  # decisions required fields
        ({"é": 1}, '{"é":1}'),
    ],
)
def test_tool_input_keeps_its_spelling(given: Any, seen: str) -> None:
    (job,) = jobs({"type": "command", "command": "x"}, fields={"tool_name": "Bash", "tool_input": given})
    assert f'"tool_input":{seen},' in job.stdin.decode()


def test_a_lone_surrogate_does_not_lose_the_hook() -> None:
    (job,) = jobs({"type": "command", "command": "x"}, fields={"tool_name": "Bash", "tool_input": {"a": "b\ud800"}})
    assert json.loads(job.stdin.decode("utf-8"))["tool_input"]["a"].startswith("b")


def test_names_of_other_systems_reach_matchers_under_neutral_events_only() -> None:
    config = {"hooks": {"PreToolUse": [{"matcher": "mcp__a__b|Agent", "hooks": [{"type": "command", "command": "x"}]}]}}
    executor = RecordedExecutor()
    engine = HookEngine.load(config, "claude_code", executor=executor)
    for name, runs in (("mcp_a_b", 1), ("transfer_task", 1), ("mcp_a_c", 0)):
        assert len(engine.fire("before_tool", tool_name=name).hooks) == runs
        assert len(engine.fire("PreToolUse", tool_name=name).hooks) == 0


def test_a_rule_sees_the_input_of_each_call() -> None:
    executor = RecordedExecutor()
    config = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "if": "Bash(rm *)"}]}]}}
    engine = HookEngine.load(config, "claude_code", executor=executor)
    ran = [
        len(engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": command}).hooks)
        for command in ("rm x", "ls", "rm x")
    ]
    assert ran == [1, 0, 1]
    text = '{"tool_name": "Bash", "tool_input": {"command": "rm x"}}'
    assert len(engine.fire("PreToolUse", text).hooks) == 1


@pytest.mark.parametrize(
    ("fields", "active"),
    [({}, False), ({"stop_hook_active": True}, True), ({"loop_count": 2}, True), ({"loop_count": 0}, False)],
)
def test_stop_hook_active(fields: dict[str, Any], active: bool) -> None:
    (job,) = jobs({"type": "command", "command": "x"}, "Stop", fields)
    assert json.loads(job.stdin)["stop_hook_active"] is active
