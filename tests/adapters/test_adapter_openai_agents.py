"""What is the OpenAI Agents SDK's own: handoffs, agents as tools, its shell, sessions, a turn that ends at a tool."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, run_shell, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip("agents", reason="openai-agents is not installed: python -m tests.adapters.run openai-agents")

from agents import (
    Agent,
    InputGuardrailTripwireTriggered,
    RunContextWrapper,
    Runner,
    ShellActionRequest,
    ShellCallData,
    ShellCommandRequest,
    ShellTool,
    SQLiteSession,
    WebSearchTool,
    function_tool,
    handoff,
)

from pyshellhooks.adapters.openai_agents import ShellHooks
from tests.adapters.drivers.openai_agents import Runs, Scripted

pytestmark = pytest.mark.not_on_windows("needs-tools")


def a_shell(story: Story, name: str = "shell") -> Any:
    """Return a tool."""

    def run(command: str) -> str:
        return run_shell(story, command)

    return function_tool(run, name_override=name)


@pytest.mark.parametrize("wrap", [False, True], ids=["agent", "handoff"])
def test_hooks_guard_an_agent_after_a_handoff(tmp_path: Path, wrap: bool) -> None:
    story = Story([], engine(tmp_path, common.NO_RM))
    tool = a_shell(story)
    second = Agent("second", model=Scripted([[shell("rm -rf build")], "done"], story.seen), tools=[tool])
    first = Agent("first", model=Scripted([[("transfer_to_second", {})]], story.seen, "first"))
    first.handoffs = [handoff(second) if wrap else second]
    second.handoffs = [first]  # a circle
    result = ShellHooks(story.engine).run_sync(first, "go")
    assert result.final_output == "done" and result.last_agent.name == "second"
    assert story.ran == [] and "rm is off" in story.seen[-1]
    assert second.tools == [tool]  # the caller's agents are as they were


@pytest.mark.parametrize("where", ["handoff", "MCP"])
def test_tools_that_are_added_later_are_checked_too(tmp_path: Path, caplog: Any, where: str) -> None:
    """A guard of another agent's ``execute`` misses them: the tools of an agent that is handed over to, and a server's."""

    class Late(Agent[Any]):
        async def get_all_tools(self, run_context: Any) -> list[Any]:  # as the SDK adds what servers have
            return [*await super().get_all_tools(run_context), a_shell(story)]

    def run(**options: Any) -> Any:
        hooks = ShellHooks(engine(tmp_path, common.ELSEWHERE, dialect="gemini", **options))
        if where == "MCP":
            return hooks.run_sync(Late("first", model=Scripted(["done"], story.seen)), "go")
        second = Agent("second", tools=[a_shell(story)])
        return hooks.run_sync(Agent("first", model=Scripted(["done"], story.seen), handoffs=[second]), "go")

    story = Story([], engine(tmp_path))
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        assert run().final_output == "done"
    assert "the hook never runs for it" in caplog.text
    with pytest.raises(ConfigError, match="misses the tool shell"):
        run(strict=True)
    assert len(story.seen) == 1  # under strict the model was not asked


def test_an_agent_as_a_tool_without_hooks_is_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    inner = Agent("inner", model=Scripted(["x"], []))
    outer = Agent("outer", model=Scripted(["done"], []), tools=[inner.as_tool("ask", "Asks."), WebSearchTool()])
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        ShellHooks(engine(tmp_path, common.NO_RM)).agent(outer)
    assert "use hooks.agent(inner).as_tool" in caplog.text and "web_search" in caplog.text
    with pytest.raises(ConfigError, match="inner runs as a tool, without hooks"):
        ShellHooks(engine(tmp_path, common.PROMPT, strict=True)).agent(outer)


def test_tools_that_the_sdk_hides_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a later version had no ``_agent_instance``, which is private."""
    hooks = ShellHooks(engine(tmp_path, common.PROMPT, strict=True))
    tool = hooks.agent(Agent("inner", model=Scripted(["x"], []))).as_tool("ask", "Asks.")
    hooks.agent(Agent("outer", tools=[tool]))
    del tool._agent_instance
    monkeypatch.delattr(type(tool), "_agent_instance")
    with pytest.raises(ConfigError, match="hides the agent behind ask"):
        hooks.agent(Agent("outer", tools=[tool]))


def test_a_subagent_can_not_go_on_and_may_halt(tmp_path: Path, caplog: Any) -> None:
    calls = [[("explore", {"input": "look"})], "done"]
    on = common.claude("SubagentStop", "echo 'look again' >&2; exit 2")
    story = Story(calls, engine(tmp_path, on), subagent=True, subagent_turns=["found nothing"])
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        assert Runs(story).run().said == "done"
    assert "the SDK ends it with its answer" in caplog.text and "look again" in caplog.text
    halt = common.claude("SubagentStop", """echo '{"continue": false, "stopReason": "enough for today"}'""")
    story = Story(calls, engine(tmp_path, halt), subagent=True, subagent_turns=["found nothing"])
    assert Runs(story).run().said == "enough for today"


@pytest.mark.parametrize("ask", ["deny", "defer"])
def test_the_local_shell(tmp_path: Path, ask: str) -> None:
    ran: list[str] = []

    def execute(request: ShellCommandRequest) -> str:
        ran.extend(request.data.action.commands)
        return "ran it"

    hooks = ShellHooks(engine(tmp_path, common.NO_RM, common.BUN, common.AFTER, common.ASK), ask=ask)
    agent = hooks.agent(Agent("main", tools=[ShellTool(executor=execute)]))
    (tool,) = asyncio.run(agent.get_all_tools(RunContextWrapper(None)))
    assert isinstance(tool, ShellTool) and tool.executor is not None

    def call(id: str, *commands: str) -> Any:
        action = ShellActionRequest(commands=list(commands))
        request = ShellCommandRequest(RunContextWrapper(None), ShellCallData(call_id=id, action=action))
        return asyncio.run(tool.executor(request))  # type: ignore[misc,arg-type]

    assert call("a", "npm test", "ls") == "ran it\n\nsaid after"
    assert ran == ["bun test", "ls"]
    assert "rm is off" in call("b", "ls", "rm -rf build")
    assert ran == ["bun test", "ls"]  # none of a call's commands ran
    if ask == "defer":
        asks: Any = tool.needs_approval
        one = ShellActionRequest(commands=["git push"])
        assert asyncio.run(asks(RunContextWrapper(None), one, "c")) is True
        assert asyncio.run(asks(RunContextWrapper(None), ShellActionRequest(commands=["ls"]), "d")) is False
        assert call("c", "git push") == "ran it\n\nsaid after"
    else:
        assert "push it?" in call("c", "git push")


def test_a_session_is_the_conversation(tmp_path: Path) -> None:
    story = Story(["one", "two", "three", "four"], engine(tmp_path, common.START, common.STOP))
    hooks, agent = ShellHooks(story.engine), Agent("main", model=Scripted(story.turns, story.seen))

    async def go() -> Any:
        session = SQLiteSession("conversation")
        result = await hooks.run(agent, "go", session=session)
        await hooks.run(agent, "more", session=session)
        return result

    assert asyncio.run(go()).final_output == "two"
    assert log(tmp_path) == ["begun", "stop", "stop", "stop", "stop"]
    assert "run the tests first" in story.seen[1]


def test_hooks_see_a_prompt_in_parts(tmp_path: Path) -> None:
    agent = Agent("main", model=Scripted(["x"], []))
    items = [
        {"role": "user", "content": [{"type": "input_text", "text": "it is hunter2"}]},
        {"role": "user", "content": "go"},
    ]
    with pytest.raises(InputGuardrailTripwireTriggered) as blocked:
        ShellHooks(engine(tmp_path, common.PROMPT)).run_sync(agent, items)
    assert "no secrets here" in str(blocked.value.guardrail_result.output.output_info)


def test_the_agents_own_way_to_end_a_turn_stays(tmp_path: Path) -> None:
    story = Story([[shell("ls")], "done"], engine(tmp_path, common.NO_RM))
    for own in ("stop_on_first_tool", {"stop_at_tool_names": ["shell"]}):
        agent = Agent(
            "main",
            model=Scripted(story.turns, story.seen),
            tools=[a_shell(story)],
            tool_use_behavior=own,  # type: ignore[arg-type]
        )
        assert ShellHooks(story.engine).run_sync(agent, "go").final_output == "ran ls"


def test_an_agent_under_hooks_is_guarded_by_the_sdks_runner_too(tmp_path: Path) -> None:
    story = Story([[shell("rm -rf build")], "done"], engine(tmp_path, common.NO_RM))
    one = Runs(story)
    asyncio.run(Runner.run(one.hooks.agent(one.agent), "go"))
    assert story.ran == [] and "rm is off" in story.seen[1]
