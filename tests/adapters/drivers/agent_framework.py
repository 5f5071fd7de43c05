"""Microsoft Agent Framework, with a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    Message,
    ResponseStream,
    tool,
)

from pyshellhooks.adapters.agent_framework import ShellHooks
from tests.adapters.story import Outcome, Story, run_shell


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):  # type: ignore[misc]
    """Says what the script says, and writes down what it was told."""

    def __init__(self, turns: Any, told: list[str], name: str = "call", **options: Any) -> None:
        super().__init__(**options)
        self.turns = iter(enumerate(turns))
        self.told = told
        self.name = name

    def _contents(self, messages: Any) -> list[Content]:
        self.told.append("\n".join(_text(one) for message in messages for one in message.contents))
        number, turn = next(self.turns)
        if isinstance(turn, str):
            return [Content.from_text(turn)]
        return [
            Content.from_function_call(f"{self.name}-{number}-{index}", name, arguments=dict(given))
            for index, (name, given) in enumerate(turn)
        ]

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **more: Any) -> Any:
        async def answer() -> ChatResponse:
            return ChatResponse(messages=[Message("assistant", self._contents(messages))])

        async def updates() -> AsyncIterator[ChatResponseUpdate]:
            for one in self._contents(messages):
                yield ChatResponseUpdate(contents=[one], role="assistant")

        return ResponseStream(updates(), finalizer=ChatResponse.from_updates) if stream else answer()


def _text(content: Content) -> str:
    return str(content.text or content.result or "")


def shell_tool(story: Story, name: str = "shell", **options: Any) -> FunctionTool:
    """Return a tool of the agent."""

    def run(command: str) -> str:
        return run_shell(story, command)

    made: FunctionTool = tool(run, name=name, description="Runs a command.", **options)
    return made


def agent_of(story: Story, tools: Any = (), **options: Any) -> Agent:
    """Return an agent with hooks."""
    hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
    return Agent(Scripted(story.turns, story.seen), tools=[*tools], middleware=[hooks], **options)


def run(agent: Any, given: Any = "go", **options: Any) -> Any:
    """Run an agent."""
    return asyncio.run(agent.run(given, **options))


class Runs:
    """An agent's runs."""

    marks_errors = False
    subagents = True
    argument = "task"
    rejected = "rejected by user"  # the framework's own words

    def __init__(self, story: Story) -> None:
        self.story = story
        self.hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
        tools = [shell_tool(story, name) for name in story.tools]
        if story.subagent:
            inner = Agent(
                Scripted(story.subagent_turns, story.seen, "sub"),
                name="explorer",
                tools=tools,
                middleware=[self.hooks] if story.subagent_hooks else [],
            )
            tools = [inner.as_tool(name="explore", description="Asks a subagent.")]
        self.agent = Agent(Scripted(story.turns, story.seen), name="main", tools=tools, middleware=[self.hooks])
        self.session = self.agent.create_session()
        self.open: list[Content] = []
        self.calls: list[str] = []
        self.results: dict[str, str] = {}

    def run(self) -> Outcome:
        return self._go(self.story.prompt)

    def resume(self, yes: bool) -> Outcome:
        return self._go(Message("user", [one.to_function_approval_response(yes) for one in self.open]))

    def _go(self, given: Any) -> Outcome:
        async def go() -> Any:
            if not self.story.stream:
                return await self.agent.run(given, session=self.session)
            stream = self.agent.run(given, session=self.session, stream=True)
            async for _ in stream:
                pass
            return await stream.get_final_response()

        response = asyncio.run(go())
        self.open = [one for one in response.user_input_requests if one.type == "function_approval_request"]
        for one in (one for message in response.messages for one in message.contents):
            if one.type == "function_call" and one.call_id not in self.calls:
                self.calls.append(one.call_id)
            elif one.type == "function_result":
                self.results[one.call_id] = str(one.result)
        results = [(self.results[id], False) for id in self.calls if id in self.results]
        return Outcome(response.text, results, [one.additional_properties["question"] for one in self.open])


DRIVERS = {"agent-framework": Runs}
