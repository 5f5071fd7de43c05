"""What is Pydantic AI's own: prompts in parts, arguments that a person changes, validation, native tools, output types."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: python -m tests.adapters.run pydantic-ai")

from pydantic_ai import Agent, ImageUrl, ToolReturn
from pydantic_ai.capabilities import NativeTool
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.native_tools import WebSearchTool
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved

from pyshellhooks.adapters.pydantic_ai import ShellHooks
from tests.adapters.drivers.pydantic_ai import Runs, scripted

pytestmark = pytest.mark.not_on_windows("needs-tools")


def run(agent: Agent[None, Any], *words: Any, **named: Any) -> Any:
    """Run an agent; ``run_sync`` leaves its event loop open."""
    return asyncio.run(agent.run(*words, **named))


@pytest.mark.parametrize("way", ["text", "parts", "history"])
def test_a_blocked_prompt_does_not_stay(tmp_path: Path, way: str) -> None:
    seen: list[str] = []
    agent = Agent(scripted(["done"], seen), capabilities=[ShellHooks(engine(tmp_path, common.PROMPT))])
    secret = "it is hunter2"
    if way == "text":
        result = run(agent, secret)
    elif way == "parts":
        result = run(agent, ["look", ImageUrl("https://example.com/a.png"), secret])
    else:
        result = run(agent, message_history=[ModelRequest(parts=[UserPromptPart(secret)])])
    assert "no secrets here" in result.output and seen == []
    assert "hunter2" not in str(result.all_messages())
    assert run(agent, "go on", message_history=result.all_messages()).output == "done"


def test_hooks_see_a_call_again_that_a_person_changed(tmp_path: Path) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK, common.NO_RM), ask="defer")
    one = Runs(story)
    one.run()
    (call,) = one.open.approvals
    changed = DeferredToolResults(
        approvals={call.tool_call_id: ToolApproved(override_args={"command": "rm -rf build"})}
    )
    run(one.agent, message_history=one.messages, deferred_tool_results=changed)
    assert story.ran == [] and "rm is off" in story.seen[-1]


def test_arguments_that_a_hook_rewrites_are_validated(tmp_path: Path) -> None:
    hooks = common.claude(
        "PreToolUse",
        """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
        "updatedInput": {"command": "ls", "times": "many"}}}'""",
    )
    ran = []

    def repeat(command: str, times: int) -> str:
        ran.append((command, times))
        return "ran"

    agent = Agent(
        scripted([[("repeat", {"command": "x", "times": 2})], "done"], []),
        tools=[repeat],
        capabilities=[ShellHooks(engine(tmp_path, hooks))],
    )
    assert run(agent, "go").output == "done"
    assert ran == []


def test_native_tools_are_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    for strict in (False, True):
        hooks = ShellHooks(engine(tmp_path, common.PROMPT, strict=strict))
        agent = Agent(TestModel(call_tools=[]), capabilities=[hooks, NativeTool(WebSearchTool())])
        with caplog.at_level(logging.WARNING, "pyshellhooks"):
            if strict:
                with pytest.raises(ConfigError, match="web_search runs at the model's provider"):
                    run(agent, "go")
            else:
                with pytest.raises(Exception, match="TestModel"):  # which has no such tool
                    run(agent, "go")
    assert "web_search runs at the model's provider" in caplog.text


def test_hooks_see_a_tool_return_as_the_model_does(tmp_path: Path) -> None:
    def look() -> ToolReturn[str]:
        return ToolReturn("seen", metadata={"secret": 1})

    agent = Agent(
        scripted([[("look", {})], "done"], []), tools=[look], capabilities=[ShellHooks(engine(tmp_path, common.SEES))]
    )
    assert run(agent, "go").output == "done"
    assert log(tmp_path) == ["seen"]


def test_an_agent_of_another_output_type_stops(tmp_path: Path) -> None:
    stop = common.claude("Stop", "jq -r .last_assistant_message >> log")
    agent = Agent(
        scripted([[("final_result", {"response": 7})]], []),
        output_type=int,
        capabilities=[ShellHooks(engine(tmp_path, stop))],
    )
    assert run(agent, "go").output == 7
    assert log(tmp_path) == ["7"]


def test_deferred_requests_are_no_stop(tmp_path: Path) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK, common.STOP), ask="defer")
    one = Runs(story)
    one.run()
    assert isinstance(one.open, DeferredToolRequests)
    assert log(tmp_path) == ["asked"]
