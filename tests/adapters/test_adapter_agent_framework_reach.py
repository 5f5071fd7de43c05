"""Where Agent Framework's hooks reach, and where they don't: agents and workflows behind tools, MCP, tools elsewhere."""

from __future__ import annotations

import asyncio
import logging
import warnings
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip(
    "agent_framework", reason="Agent Framework is not installed: python -m tests.adapters.run agent-framework"
)

from agent_framework import (
    Agent,
    BackgroundAgentsProvider,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    MCPStdioTool,
    Message,
    WorkflowBuilder,
    tool,
)

from pyshellhooks.adapters.agent_framework import ShellHooks
from tests.adapters.drivers.agent_framework import Runs, Scripted, agent_of, run, shell_tool

pytestmark = pytest.mark.not_on_windows("needs-tools")

STOP_HALT = """echo '{"continue": false, "stopReason": "enough for today"}'"""


def around(way: str, inner: Agent, hooks: ShellHooks) -> Agent:
    """Return an agent that has another behind a tool."""
    options: Any = {"middleware": [hooks]}
    if way == "as_tool":
        options["tools"] = [inner.as_tool()]
    elif way == "workflow":
        options["tools"] = [WorkflowBuilder(start_executor=inner).build().as_agent(name="flow").as_tool()]
    elif way == "function":

        async def ask(task: str) -> str:
            return str((await inner.run(task)).text)

        options["tools"] = [tool(ask, name="ask")]
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is experimental
            options["context_providers"] = [BackgroundAgentsProvider([inner])]
    return Agent(Scripted(["done"], []), **options)


@pytest.mark.parametrize("way", ["as_tool", "workflow", "function", "background"])
@pytest.mark.parametrize("hooked", [False, True], ids=["without", "with"])
def test_an_agent_behind_a_tool_without_hooks_is_reported_or_refused(
    tmp_path: Path, caplog: Any, way: str, hooked: bool
) -> None:
    for strict in (False, True):
        hooks = ShellHooks(engine(tmp_path, common.PROMPT, strict=strict))
        inner = Agent(Scripted([], []), name="inner", middleware=[hooks] if hooked else None)
        agent = around(way, inner, hooks)
        session = agent.create_session()
        with caplog.at_level(logging.WARNING, "pyshellhooks"):
            if strict and not hooked:
                with pytest.raises(ConfigError, match="the agent inner runs behind the tool"):
                    run(agent, session=session)
            else:
                assert run(agent, session=session).text == "done"
    assert ("the agent inner runs behind the tool" in caplog.text) is not hooked


def test_tools_that_the_framework_hides_are_reported(tmp_path: Path) -> None:
    """As if a later version had no ``_agents``, which is private."""
    hooks = ShellHooks(engine(tmp_path, common.PROMPT, strict=True))
    agent = around("background", Agent(Scripted([], []), name="inner", middleware=[hooks]), hooks)
    (provider,) = agent.context_providers
    del provider._agents
    with pytest.raises(ConfigError, match="BackgroundAgentsProvider runs behind the tool background_agents_start_task"):
        run(agent, session=agent.create_session())


@pytest.mark.parametrize("stream", [False, True], ids=["run", "stream"])
def test_a_workflow_is_guarded_agent_by_agent(tmp_path: Path, stream: bool) -> None:
    story = Story([[shell("rm -rf build")], "done"], engine(tmp_path, common.NO_RM))
    flow = WorkflowBuilder(start_executor=agent_of(story, [shell_tool(story)], name="first")).build()
    asyncio.run(_all(flow.run("go", stream=True)) if stream else _one(flow.run("go")))
    assert story.ran == [] and "rm is off" in story.seen[1]


async def _one(result: Any) -> None:
    await result


async def _all(stream: Any) -> None:
    async for _ in stream:
        pass


def test_a_subagent_is_in_the_conversation_around(tmp_path: Path) -> None:
    say = "jq -r '.hook_event_name + .session_id' >> log"
    story = Story(
        [[("explore", {"task": "look"})], "done"],
        engine(tmp_path, common.claude("Stop", say), common.claude("SubagentStop", say)),
        subagent=True,
        subagent_turns=["nothing"],
    )
    one = Runs(story)
    one.run()
    assert log(tmp_path) == [f"SubagentStop{one.session.session_id}", f"Stop{one.session.session_id}"]


def test_a_subagent_is_denied(tmp_path: Path) -> None:
    hooks = common.claude("SubagentStart", """echo '{"continue": false, "stopReason": "no helpers"}'""")
    story = Story([[("explore", {"task": "look"})], "done"], engine(tmp_path, hooks), subagent=True)
    assert Runs(story).run().results == [("no helpers", False)]


def test_a_subagent_continues_and_may_halt_all(tmp_path: Path) -> None:
    calls = [[("explore", {"task": "look"})], "done"]
    once = common.claude("SubagentStop", "jq -e .stop_hook_active >/dev/null && exit 0; echo 'look again' >&2; exit 2")
    story = Story(calls, engine(tmp_path, once), subagent=True, subagent_turns=["nothing", "found it"])
    outcome = Runs(story).run()
    assert outcome.said == "done" and outcome.results == [("found it", False)]
    halt = engine(tmp_path, common.claude("PreToolUse", STOP_HALT, "Bash"))
    story = Story(calls, halt, subagent=True, subagent_turns=[[shell("ls")], "never said"])
    assert Runs(story).run().said == "enough for today"
    assert story.ran == [] and len(story.seen) == 2


@pytest.mark.parametrize(
    "one", [{"type": "web_search"}, FunctionTool(name="web_search", func=None)], ids=["hosted", "the caller's"]
)
def test_tools_that_run_elsewhere_are_reported_or_refused(tmp_path: Path, caplog: Any, one: Any) -> None:
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        story = Story(["done"], engine(tmp_path, common.PROMPT))
        assert run(agent_of(story, [one])).text == "done"
    assert "web_search runs elsewhere" in caplog.text
    story = Story(["done"], engine(tmp_path, common.PROMPT, strict=True))
    with pytest.raises(ConfigError, match="web_search runs elsewhere"):
        run(agent_of(story, [one]))
    assert story.seen == []


def test_an_agent_that_leaves_its_calls_to_the_caller_is_reported(tmp_path: Path, caplog: Any) -> None:
    story = Story(["done"], engine(tmp_path, common.PROMPT))
    client = Scripted(story.turns, story.seen, function_invocation_configuration={"enabled": False})
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        run(Agent(client, name="odd", tools=[shell_tool(story)], middleware=[ShellHooks(story.engine)]))
    assert "the tools of the agent odd" in caplog.text


class Bare(FunctionInvocationLayer, BaseChatClient):  # type: ignore[misc]
    """A client that nothing can stand before."""

    def __init__(self, turns: Any) -> None:
        super().__init__()
        self.turns = list(turns)

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **more: Any) -> Any:
        async def answer() -> ChatResponse:
            return ChatResponse(messages=[Message("assistant", self.turns.pop(0))])

        return answer()


def test_another_loop_is_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    call = [Content.from_function_call("c", "shell", arguments={"command": "ls"})]
    for strict in (False, True):
        story = Story([], engine(tmp_path, common.HALT, strict=strict))
        client = Bare([call, ["done"]])
        agent = Agent(client, name="odd", tools=[shell_tool(story)], middleware=[ShellHooks(story.engine)])
        with caplog.at_level(logging.WARNING, "pyshellhooks"):
            if strict:
                with pytest.raises(ConfigError, match="the framework does not call the tools of the agent odd"):
                    run(agent)
                assert len(client.turns) == 2
            else:
                run(agent)
                assert len(client.turns) == 1  # a halt ends it all the same
        assert story.ran == []
    assert "the tools of the agent odd" in caplog.text


class Server(MCPStdioTool):  # type: ignore[misc]
    """An MCP server that needs no process."""

    def __init__(self, story: Story) -> None:
        super().__init__("box", "nothing", load_prompts=False, tool_name_prefix="b")
        self.is_connected = True
        self.story = story

    @property
    def functions(self) -> list[FunctionTool]:
        """Return the tools."""
        return [shell_tool(self.story, "b_erase")]


@pytest.mark.parametrize("given", ["agent", "run"])
def test_a_tool_of_a_server_has_its_name(tmp_path: Path, given: str) -> None:
    deny = common.claude("PreToolUse", "jq -r .tool_name >> log; echo 'not there' >&2; exit 2", "mcp__box__erase")
    story = Story([[shell("all", "b_erase")], "done"], engine(tmp_path, deny, strict=True))
    server = Server(story)
    run(agent_of(story, [server] if given == "agent" else []), tools=None if given == "agent" else [server])
    assert story.ran == [] and "not there" in story.seen[1]
    assert log(tmp_path) == ["mcp__box__erase"]
