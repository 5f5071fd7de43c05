"""Google ADK, with a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools import FunctionTool
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

from pyshellhooks.adapters.google_adk import ShellHooks
from tests.adapters.story import Outcome, Story, run_shell

CONFIRM = "adk_request_confirmation"
SESSION = {"user_id": "someone", "session_id": "one"}


class Scripted(BaseLlm):
    """Says what the script says, and writes down what it was told."""

    model: str = "scripted"
    turns: Any
    told: Any
    prefix: str = "call"

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncIterator[LlmResponse]:
        self.told.append("\n".join(_text(part) for one in llm_request.contents for part in one.parts or ()))
        number, turn = next(self.turns)
        if isinstance(turn, str):
            parts = [types.Part(text=turn)]
            if stream:
                yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=turn[:3])]), partial=True)
        else:
            calls = [
                types.FunctionCall(name=name, args=dict(given), id=f"{self.prefix}-{number}-{i}")
                for i, (name, given) in enumerate(turn)
            ]
            parts = [types.Part(function_call=call) for call in calls]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def scripted(turns: Any, told: list[str], prefix: str = "call") -> Scripted:
    """Return a model."""
    return Scripted(turns=iter(enumerate(turns)), told=told, prefix=prefix)


def _text(part: Any) -> str:
    return str(part.text or (part.function_response and part.function_response.response) or "")


def a_shell(story: Story, name: str = "shell") -> FunctionTool:
    """Return a tool."""

    def run(command: str) -> str:
        return run_shell(story, command)

    run.__name__, run.__doc__ = name, "Runs a command."
    return FunctionTool(run)


def user_message(text: str) -> types.Content:
    """Return a person's message."""
    return types.Content(role="user", parts=[types.Part(text=text)])


class Runs:
    """ADK's runner, in one session."""

    marks_errors = True
    subagents = True
    argument = "request"

    def __init__(self, story: Story) -> None:
        self.story = story
        self.hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
        tools: list[Any] = [a_shell(story, name) for name in story.tools]
        if story.subagent:
            inner = LlmAgent(name="explore", model=scripted(story.subagent_turns, story.seen, "sub"), tools=tools)
            tools = [AgentTool(inner, include_plugins=story.subagent_hooks)]
        agent = LlmAgent(name="main", model=scripted(story.turns, story.seen), tools=tools)
        self.runner = InMemoryRunner(app=App(name="app", root_agent=agent, plugins=[self.hooks]))
        self.runner.auto_create_session = True
        self.events: list[Any] = []
        self.open: list[Any] = []

    def run(self) -> Outcome:
        return asyncio.run(self._go(user_message(self.story.prompt)))

    def resume(self, yes: bool) -> Outcome:
        answers = [types.FunctionResponse(id=one.id, name=CONFIRM, response={"confirmed": yes}) for one in self.open]
        parts = [types.Part(function_response=one) for one in answers]
        return asyncio.run(self._go(types.Content(role="user", parts=parts)))

    async def _go(self, message: types.Content) -> Outcome:
        config = RunConfig(streaming_mode=StreamingMode.SSE) if self.story.stream else RunConfig()
        self.open = []
        async for event in self.hooks.run_async(self.runner, **SESSION, new_message=message, run_config=config):
            if not event.partial:
                self.events.append(event)
                self.open += [call for call in event.get_function_calls() if call.name == CONFIRM]
        calls = [call.id for event in self.events for call in event.get_function_calls() if call.name != CONFIRM]
        found = {one.id: one.response for event in self.events for one in event.get_function_responses()}
        results = [(str(found[id].get("result", found[id])), "error" in found[id]) for id in calls if id in found]
        questions = [one.args["toolConfirmation"]["hint"] for one in self.open]
        texts = [
            part.text for event in self.events for part in (event.content and event.content.parts) or () if part.text
        ]
        return Outcome(texts[-1] if texts else "", results, questions)


def a_runner(root: Any, *plugins: Any) -> InMemoryRunner:
    """Return a runner whose sessions are there when they are asked for."""
    runner = InMemoryRunner(app=App(name="app", root_agent=root, plugins=[*plugins]))
    runner.auto_create_session = True
    return runner


def go(hooks: ShellHooks, runner: InMemoryRunner, message: Any = "go", **named: Any) -> list[Any]:
    """Run a turn; gives its events."""

    async def run() -> list[Any]:
        content = user_message(message) if isinstance(message, str) else message
        return [one async for one in hooks.run_async(runner, **{**SESSION, **named}, new_message=content)]

    return asyncio.run(run())


def an_agent(story: Story, name: str = "main", **options: Any) -> LlmAgent:
    """Return an agent with one shell."""
    return LlmAgent(name=name, model=scripted(story.turns, story.seen, name), **{"tools": [a_shell(story)], **options})


def responses(events: list[Any]) -> list[Any]:
    """Return what calls gave."""
    return [one.response for event in events for one in event.get_function_responses()]


def answered(events: list[Any], yes: bool = True) -> types.Content:
    """Return a person's answer to what ADK asks."""
    calls = [one for event in events for one in event.get_function_calls() if one.name == CONFIRM]
    assert len(calls) == 1
    answer = types.FunctionResponse(id=calls[0].id, name=CONFIRM, response={"confirmed": yes})
    return types.Content(role="user", parts=[types.Part(function_response=answer)])


def explore(story: Story, **options: Any) -> LlmAgent:
    """Return an agent that asks another one."""
    inner = LlmAgent(name="explore", model=scripted(story.subagent_turns, story.seen, "sub"), tools=[a_shell(story)])
    return an_agent(story, tools=[AgentTool(inner, **options)])


DRIVERS = {"google-adk": Runs}
