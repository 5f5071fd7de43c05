"""What hooks see beyond one Strands agent, and what is told or refused: subagents, graphs, swarms, MCP, hosted tools."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip("strands", reason="strands-agents is not installed: python -m tests.adapters.run strands-agents")

from pydantic import BaseModel
from strands import Agent, tool
from strands.multiagent import GraphBuilder, Swarm
from strands.tools.executors import ConcurrentToolExecutor, SequentialToolExecutor
from strands.tools.mcp import MCPAgentTool

from pyshellhooks.adapters.strands_agents import ShellHooks
from tests.adapters.drivers.strands_agents import Runs, Scripted, a_shell, answers

pytestmark = pytest.mark.not_on_windows("needs-tools")

SUBAGENT = common.claude("SubagentStart", "jq -r '\"start \" + .agent_type' >> log")
PROMPTS = common.claude("UserPromptSubmit", "jq -r .prompt >> log")
TURN = [[shell("rm -rf build")], "found nothing"]


def agent_of(story: Story, hooks: Any, turns: Any = None, **options: Any) -> Agent:
    """Return an agent with a shell, under hooks or not."""
    tools = options.pop("tools", None) or [a_shell(story)]
    given = [] if hooks is None else [hooks]
    model = Scripted(story.turns if turns is None else turns, story.seen, options.get("name", "call"))
    return Agent(model, tools=tools, hooks=given, callback_handler=None, **options)


def check_reported_or_refused(
    cwd: Path, caplog: pytest.LogCaptureFixture, match: str, build: Callable[[ShellHooks], object]
) -> None:
    """See that a notice says something, and that it is refused under ``strict``."""
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        build(ShellHooks(engine(cwd, common.PROMPT)))
    assert match in caplog.text
    with pytest.raises(ConfigError, match=match):
        build(ShellHooks(engine(cwd, common.PROMPT, strict=True)))


# -- subagents --------------------------------------------------------------------------------------------------------


def test_an_agent_as_a_tool_without_hooks_is_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    inner = agent_of(Story([], engine(tmp_path)), None, name="inner")
    match = 'the agent behind the tool "inner" has no hooks'
    check_reported_or_refused(
        tmp_path, caplog, match, lambda hooks: agent_of(Story([], engine(tmp_path)), hooks, tools=[inner])
    )
    inner.hooks.add_hook(ShellHooks(engine(tmp_path, common.NO_RM)))  # they may come later
    agent_of(Story([], engine(tmp_path)), ShellHooks(engine(tmp_path, common.PROMPT, strict=True)), tools=[inner])


@pytest.mark.parametrize("executor", [ConcurrentToolExecutor, SequentialToolExecutor])
@pytest.mark.parametrize("way", ["sync", "async"])
def test_an_agent_in_a_function_is_a_subagent(tmp_path: Path, executor: Any, way: str) -> None:
    """Each time that the function calls it, and in the conversation of the agent around."""
    sessions = common.claude("PreToolUse", "jq -r .session_id >> sessions")
    hooks = ShellHooks(engine(tmp_path, common.NO_RM, PROMPTS, SUBAGENT, common.START, sessions, common.BEFORE))
    story = Story([[("explore", {"task": "look"})], "done"], hooks.hooks.engine)
    turns = [[shell("rm -rf build"), shell("ls")], "found nothing", "found more", "hello"]
    inner = agent_of(story, hooks, turns, name="sub", tool_executor=executor())

    def explore(task: str) -> str:
        return f"{inner(task)} {inner('look again')}"

    async def aexplore(task: str) -> str:
        return f"{await inner.invoke_async(task)} {await inner.invoke_async('look again')}"

    own = tool(name="explore", description="Asks a subagent.")(explore if way == "sync" else aexplore)
    agent = agent_of(story, hooks, tools=[own], tool_executor=executor())
    assert str(agent("go")).strip() == "done"
    assert story.ran == ["ls"] and "rm is off" in story.seen[2] and "said before" in story.seen[-1]
    assert (tmp_path / "sessions").read_text().split() == [agent.session_id] * 3
    inner("and now")  # by itself it is an agent again
    assert log(tmp_path) == ["begun", "go", "start explore", "start explore", "begun", "and now"]


def test_a_halt_of_a_subagent_is_its_own(tmp_path: Path) -> None:
    """Before its first request to the model, and at a call."""
    halt = """echo '{"continue": false, "stopReason": "enough for today"}'"""
    for hooks, asked in ((common.claude("SubagentStart", halt), 2), (common.claude("PreToolUse", halt, "Bash"), 3)):
        turns = [[("explore", {"input": "look"})], "done"]
        story = Story(turns, engine(tmp_path, hooks), subagent=True, subagent_turns=[[shell("ls")], "never"])
        outcome = Runs(story).run()
        assert outcome.said == "done" and "enough for today" in outcome.results[0][0]
        assert len(story.seen) == asked and story.ran == []


@pytest.mark.parametrize("yes", [True, False], ids=["yes", "no"])
def test_a_question_of_a_subagent(tmp_path: Path, yes: bool) -> None:
    story = Story(
        [[("explore", {"input": "look"})], "done"],
        engine(tmp_path, common.ASK, PROMPTS, SUBAGENT),
        ask="defer",
        subagent=True,
        subagent_turns=[[shell("git push")], "pushed"],
    )
    one = Runs(story)
    assert one.run().questions == ["push it?"] and story.ran == []
    assert one.resume(yes).said == "done"
    assert story.ran == (["git push"] if yes else [])
    assert log(tmp_path) == ["go", "start explore", "asked"]


@pytest.mark.parametrize("name", ["subagent", "swarm"])
def test_tools_that_make_agents_are_reported_or_refused(tmp_path: Path, caplog: Any, name: str) -> None:
    vended = pytest.importorskip(f"strands.vended_tools.{name}", reason="they are younger than the floor")
    own = getattr(vended, name)
    match = f'the tool "{name}" creates agents without hooks'
    check_reported_or_refused(
        tmp_path, caplog, match, lambda hooks: agent_of(Story([], engine(tmp_path)), hooks, tools=[own])
    )


# -- graphs and swarms ------------------------------------------------------------------------------------------------


def graph(nodes: dict[str, Any], *hooks: Any) -> Any:
    """Return a graph of independent nodes."""
    builder = GraphBuilder()
    for name, node in nodes.items():
        builder.add_node(node, name)
        builder.set_entry_point(name)
    return builder.set_hook_providers(list(hooks)).set_max_node_executions(9).build()


def test_a_graph_and_its_agents(tmp_path: Path) -> None:
    story = Story(TURN, engine(tmp_path, common.NO_RM, PROMPTS, common.START))
    hooks = ShellHooks(story.engine)
    nodes = {name: agent_of(story, hooks, name=name) for name in ("one", "two")}
    graph(nodes, hooks)("go")
    assert story.ran == [] and sum("rm is off" in seen for seen in story.seen) == 2
    assert sorted(log(tmp_path)) == ["begun", "begun", "go", "go"]


def test_a_swarm_and_a_question(tmp_path: Path) -> None:
    story = Story([], engine(tmp_path, common.NO_RM, common.ASK), ask="defer")
    hooks = ShellHooks(story.engine, ask="defer")
    first = agent_of(
        story, hooks, [[("handoff_to_agent", {"agent_name": "two", "message": "take over"})], "x"], name="one"
    )
    second = agent_of(story, hooks, [[shell("rm -rf build")], [shell("git push")], "done"], name="two")
    swarm = Swarm([first, second], hooks=[hooks])
    result = swarm("go")
    assert story.ran == [] and [one.reason["question"] for one in result.interrupts] == ["push it?"]
    swarm(answers(result.interrupts, True))
    assert story.ran == ["git push"] and "rm is off" in story.seen[-1]


@pytest.mark.parametrize("kind", ["graph", "swarm", "nested"])
def test_nodes_without_hooks_are_reported_or_refused(tmp_path: Path, caplog: Any, kind: str) -> None:
    def build(hooks: ShellHooks) -> object:
        bare, guarded = (
            agent_of(Story([], engine(tmp_path)), one, name=name) for one, name in ((None, "bare"), (hooks, "ok"))
        )
        if kind == "graph":
            return graph({"bare": bare, "ok": guarded}, hooks)
        swarm = Swarm([bare, guarded], hooks=[hooks] if kind == "swarm" else [])
        return graph({"inner": swarm}, hooks) if kind == "nested" else swarm

    check_reported_or_refused(tmp_path, caplog, 'the agent of the node "bare" has no hooks', build)
    assert '"ok"' not in caplog.text


# -- tools ------------------------------------------------------------------------------------------------------------


class Client:
    """Stands for a connection to an MCP server."""

    client_name: str | None = None

    async def call_tool_async(self, **options: Any) -> Any:
        text = [{"text": f"ran {options['arguments']['command']}"}]
        return {"toolUseId": options["tool_use_id"], "status": "success", "content": text}


def mcp_tool(override: str | None, client_name: str | None = None) -> Any:
    """Return a tool of an MCP server."""
    from mcp.types import Tool

    schema: Any = {"type": "object", "properties": {"command": {"type": "string"}}}
    client = Client()
    client.client_name = client_name
    made = Tool.model_validate({"name": "run", "inputSchema": schema})
    return MCPAgentTool(made, client, name_override=override)  # type: ignore[arg-type]


@pytest.mark.parametrize(("override", "client"), [("forge_run", "app"), (None, "forge")], ids=["prefix", "file"])
def test_tools_of_an_mcp_server_go_by_its_name(tmp_path: Path, override: str | None, client: str) -> None:
    guard = common.claude("PreToolUse", "jq -r .tool_name >> log; echo 'not here' >&2; exit 2", "mcp__forge__.*")
    story = Story([[(override or "run", {"command": "ls"})], "done"], engine(tmp_path, guard, strict=True))
    agent_of(story, ShellHooks(story.engine), tools=[mcp_tool(override, client)])("go")
    assert "not here" in story.seen[1] and log(tmp_path) == ["mcp__forge__run"]


def test_an_mcp_server_without_a_name_is_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    match = 'the MCP server of "run" has no name'
    check_reported_or_refused(
        tmp_path, caplog, match, lambda hooks: agent_of(Story([], engine(tmp_path)), hooks, tools=[mcp_tool(None)])
    )
    guard = common.claude("PreToolUse", "echo 'not here' >&2; exit 2", "mcp__.*")
    story = Story([[("run", {"command": "ls"})], "done"], engine(tmp_path, guard))
    agent_of(story, ShellHooks(story.engine), tools=[mcp_tool(None)])("go")
    assert "not here" in story.seen[1]


@pytest.mark.parametrize(
    "config",
    [
        {"anthropic_tools": [{"type": "web_search_20250305", "name": "web_search"}]},
        {"params": {"tools": [{"type": "web_search"}]}},
        {"gemini_tools": [type("web_search", (), {"__repr__": lambda self: "web_search"})()]},
    ],
    ids=["anthropic", "openai", "gemini"],
)
def test_tools_of_the_provider_are_reported_or_refused(tmp_path: Path, caplog: Any, config: Any) -> None:
    def build(hooks: ShellHooks) -> object:
        return Agent(Scripted([], [], **config), tools=[a_shell(Story([], engine(tmp_path)))], hooks=[hooks])

    check_reported_or_refused(tmp_path, caplog, "web_search runs at the model's provider", build)


def test_tools_that_are_added_later_are_checked_before_the_model_is_called(tmp_path: Path) -> None:
    story = Story(["never"], engine(tmp_path, common.ELSEWHERE, dialect="gemini", strict=True))
    agent = agent_of(story, ShellHooks(story.engine), tools=[tool(name="execute")(lambda command: "ran")])
    agent.tool_registry.register_tool(a_shell(story))
    with pytest.raises(ConfigError, match="misses the tool shell"):
        agent("go")
    assert story.seen == []


def test_hooks_that_are_added_later_run(tmp_path: Path) -> None:
    story = Story(TURN, engine(tmp_path, common.NO_RM))
    agent = agent_of(story, None)
    agent.hooks.add_hook(ShellHooks(story.engine))
    agent("go")
    assert story.ran == [] and "rm is off" in story.seen[1]


# -- other ways of an agent -------------------------------------------------------------------------------------------


class Weather(BaseModel):
    """An answer."""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_old_structured_output_is_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    match = "no hook sees the prompt of Agent.structured_output"
    check_reported_or_refused(
        tmp_path,
        caplog,
        match,
        lambda hooks: agent_of(Story([], engine(tmp_path)), hooks).structured_output(Weather, "go"),
    )


@pytest.mark.parametrize("ran", [True, False], ids=["allowed", "denied"])
def test_a_call_in_the_background(tmp_path: Path, ran: bool) -> None:
    pytest.importorskip("strands.background_tasks", reason="they are younger than the floor")
    story = Story(
        [[shell("ls" if ran else "rm -rf build")], "wait", "done"], engine(tmp_path, common.NO_RM, common.AFTER)
    )
    agent = agent_of(story, ShellHooks(story.engine), background_tasks={"always": ["*"]})
    agent("go")
    assert story.ran == (["ls"] if ran else [])
    assert ("said after" if ran else "rm is off") in "\n".join(story.seen)


def test_a_bidirectional_agent_is_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    """Its tools are guarded; what people say to it is not asked about."""
    try:
        from strands.bidi import BidiAgent
        from strands.bidi.models import BidiModel
    except ImportError:
        from strands.experimental.bidi import BidiAgent, BidiModel  # type: ignore[no-redef,attr-defined]

    class SpeechModel(BidiModel):
        def get_config(self) -> Any:
            return {}

        def update_config(self, **config: Any) -> None: ...

        async def start(self, *given: Any, **options: Any) -> None: ...

        async def stop(self) -> None: ...

        async def send(self, content: Any) -> None: ...

        async def receive(self) -> AsyncIterator[Any]:  # type: ignore[override]
            yield None

    story = Story([], engine(tmp_path))

    def build(hooks: ShellHooks) -> Any:
        return BidiAgent(SpeechModel(), tools=[a_shell(story)], hooks=[hooks])

    check_reported_or_refused(tmp_path, caplog, "a BidiAgent runs no hook for the user's messages", build)
    agent = build(ShellHooks(engine(tmp_path, common.NO_RM)))
    assert agent.tool.shell(command="rm -rf build")["status"] == "error" and story.ran == []


def test_agents_side_by_side_under_the_same_hooks(tmp_path: Path) -> None:
    story = Story([], engine(tmp_path, common.NO_RM, common.BUN))
    hooks = ShellHooks(story.engine)
    turns = [[shell("npm test"), shell("rm -rf build")], "done"]

    async def go() -> None:
        agents = [agent_of(story, hooks, turns) for _ in range(4)]
        await asyncio.gather(*(agent.invoke_async("go") for agent in agents))

    asyncio.run(go())
    assert story.ran == ["bun test"] * 4
