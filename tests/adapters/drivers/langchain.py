"""LangChain, at once and from a coroutine, with a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from pyshellhooks.adapters.langchain import ShellHooks
from tests.adapters.story import Outcome, Story, Turn, run_shell


class Model(BaseChatModel):
    """Says what the script says, and writes down what it was told."""

    script: Any
    told: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        self.told.append("\n".join(str(message.content) for message in messages))
        return ChatResult(generations=[ChatGeneration(message=next(self.script))])


def script(turns: Any, name: str = "call") -> Iterator[AIMessage]:
    """Yield the model's messages."""
    for number, turn in enumerate(turns):
        yield message(turn, f"{name}-{number}")


def message(turn: Turn, id: str) -> AIMessage:
    """Return one message of the model."""
    if isinstance(turn, str):
        return AIMessage(turn)
    calls = [{"name": name, "args": dict(given), "id": f"{id}-{i}"} for i, (name, given) in enumerate(turn)]
    return AIMessage("", tool_calls=calls)


def shells(story: Story) -> list[StructuredTool]:
    """Return the agent's tools."""

    def make(name: str) -> StructuredTool:
        def run(command: str) -> str:
            return run_shell(story, command)

        async def arun(command: str) -> str:
            return run_shell(story, command)

        return StructuredTool.from_function(run, arun, name=name, description="Runs a command.")

    return [make(name) for name in story.tools]


class Sync:
    """LangChain, at once."""

    marks_errors = True
    subagents = True
    argument = "task"

    def __init__(self, story: Story) -> None:
        self.story = story
        self.hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
        self.config: Any = {"configurable": {"thread_id": "thread"}}
        tools = shells(story)
        if story.subagent:
            inner = create_agent(
                Model(script=script(story.subagent_turns, "sub"), told=story.seen),
                tools,
                middleware=[self.hooks] if story.subagent_hooks else [],
            )
            tools = [self._explore(inner)]
        self.agent = create_agent(
            Model(script=script(story.turns), told=story.seen),
            tools,
            middleware=[self.hooks],
            checkpointer=InMemorySaver(),
        )

    def _explore(self, inner: Any) -> StructuredTool:
        def explore(task: str) -> str:
            return str(inner.invoke({"messages": [HumanMessage(task)]})["messages"][-1].text)

        async def aexplore(task: str) -> str:
            return str((await inner.ainvoke({"messages": [HumanMessage(task)]}))["messages"][-1].text)

        return StructuredTool.from_function(explore, aexplore, name="explore", description="Asks a subagent.")

    def run(self) -> Outcome:
        return self._go({"messages": [HumanMessage(self.story.prompt)]})

    def resume(self, yes: bool) -> Outcome:
        return self._go(Command(resume=yes))

    def _go(self, given: Any) -> Outcome:
        if self.story.stream:
            for _ in self.agent.stream(given, self.config, stream_mode=["updates", "messages"]):
                pass
        else:
            self.agent.invoke(given, self.config)
        return self._outcome(self.agent.get_state(self.config))

    def _outcome(self, state: Any) -> Outcome:
        messages = state.values["messages"]
        results = {one.tool_call_id: one for one in messages if isinstance(one, ToolMessage)}
        ids = [call["id"] for one in messages if isinstance(one, AIMessage) for call in one.tool_calls]
        told = [(str(results[id].text), results[id].status == "error") for id in ids if id in results]
        questions = [one.value["question"] for one in state.interrupts]
        return Outcome(str(messages[-1].text), told, questions)


class Async(Sync):
    """LangChain, from a coroutine."""

    def _go(self, given: Any) -> Outcome:
        async def go() -> None:
            if self.story.stream:
                async for _ in self.agent.astream(given, self.config, stream_mode=["updates", "messages"]):
                    pass
            else:
                await self.agent.ainvoke(given, self.config)

        asyncio.run(go())
        return self._outcome(self.agent.get_state(self.config))


DRIVERS = {"langchain": Sync, "langchain async": Async}
