"""The edition ``current`` of Docker Agent (docker_agent 10); conformance/cases/docker_agent/current.toml has its rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pyshellhooks import Decision, HookEngine, Verdict, dialects
from pyshellhooks.dialects.docker_agent import DockerAgent
from pyshellhooks.dialects.docker_agent.current_tables import CAPABILITIES, EVENTS
from pyshellhooks.hooks.model import HookRun, HookSpec

CURRENT = dialects.get("docker_agent@current")
CALL = {"tool_name": "shell", "tool_input": {"cmd": "ls"}}


def config(event: str, *hooks: Mapping[str, Any]) -> str:
    entries = [{"hooks": list(hooks)}] if EVENTS[event].subject else list(hooks)
    return json.dumps({"agents": {"root": {"hooks": {event: entries}}}})


def test_the_editions_have_their_own_events() -> None:
    assert len(CURRENT.events) == 28
    assert len(dialects.get("docker_agent").events) == 7
    assert isinstance(CURRENT, DockerAgent)
    assert CURRENT.full_name == "docker_agent@current"


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_has_schemas_and_a_sample_that_fires(event: str) -> None:
    assert CURRENT.schema("input", event)["title"] == f"Docker Agent input of {event}"
    assert CURRENT.schema("output", event)["title"] == f"Docker Agent output of {event}"
    with HookEngine.load(text=config(event, {"type": "command", "command": "true"}), dialect=CURRENT) as engine:
        assert engine.listens(event)
        verdict = engine.fire(event, CALL if EVENTS[event].subject else {})
    assert verdict.decision is Decision.NONE
    assert [hook.ended for hook in verdict.hooks] == ["ok"]


@pytest.mark.parametrize("event", [name for name, words in CAPABILITIES.items() if "block" in words])
def test_a_deny_survives_its_own_rendering(event: str) -> None:
    fields = CALL if EVENTS[event].subject else {}
    rendered = CURRENT.answer(event, Verdict(event, Decision.DENY, reason="no"), fields)
    run = HookRun("exited", rendered.exit_code, stdout=rendered.stdout.encode(), stderr=rendered.stderr.encode())
    outcome = CURRENT.parse(run, HookSpec(event, "x"), make(event, fields))
    assert (outcome.decision, outcome.reason) == (Decision.DENY, "no")


def make(event: str, fields: Mapping[str, Any]) -> Any:
    with HookEngine.load(text=config(event, {"type": "command", "command": "true"}), dialect=CURRENT) as engine:
        return engine.systems[0].make_views(EVENTS[event], False, fields, None).event


def test_a_builtin_gets_its_arguments_and_the_payload() -> None:
    requests: list[Mapping[str, Any]] = []

    def answer(request: Mapping[str, Any]) -> str:
        requests.append(request)
        return '{"decision": "block", "reason": "no"}'

    hook = {"type": "builtin", "command": "redact_secrets", "args": ["a"]}
    text = config("tool_guard", hook)
    with HookEngine.load(text=text, dialect=CURRENT, handlers={"builtin": answer}) as engine:
        verdict = engine.fire("tool_guard", CALL)
    assert verdict.decision is Decision.DENY
    [request] = requests
    assert (request["kind"], request["command"], request["args"]) == ("builtin", "redact_secrets", ["a"])
    assert json.loads(request["input"])["tool_name"] == "shell"


def test_a_host_tool_passes_three_events() -> None:
    hooks = {
        event: [{"hooks": [{"type": "command", "command": f"echo {event} >> seen"}]}]
        for event in ("pre_tool_use", "tool_guard", "tool_input_transform")
    }
    text = json.dumps({"agents": {"root": {"hooks": hooks}}})
    with HookEngine.load(text=text, dialect=CURRENT) as engine:
        events = [row.native for _, row, _ in engine._native_events("before_tool", CALL)]
    assert events == ["tool_input_transform", "tool_guard", "pre_tool_use"]


def test_a_rewrite_is_rendered_as_a_patch() -> None:
    verdict = Verdict("pre_tool_use", updated_input_text='{"cmd":"ls","n":1}')
    rendered = CURRENT.answer("pre_tool_use", verdict, CALL)
    assert json.loads(rendered.stdout)["hook_specific_output"]["updated_input"] == {"n": 1}


def test_a_response_and_messages_are_rendered() -> None:
    response = CURRENT.answer(
        "tool_response_transform", Verdict(updated_output_text='"b"'), {**CALL, "tool_response": "a"}
    )
    assert json.loads(response.stdout)["hook_specific_output"]["updated_tool_response"] == "b"
    messages = [{"role": "user", "content": "b"}]
    changed = CURRENT.answer(
        "before_llm_call", Verdict(effects={"llm_request": {"messages": messages}}), {"messages": []}
    )
    assert json.loads(changed.stdout)["hook_specific_output"]["updated_messages"] == messages
