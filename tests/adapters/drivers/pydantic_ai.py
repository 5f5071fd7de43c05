"""Pydantic AI, with a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelRequest, ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolDenied

from pyshellhooks.adapters.pydantic_ai import ShellHooks
from tests.adapters.story import Outcome, Story, run_shell


def scripted(turns: Any, told: list[str], name: str = "call") -> FunctionModel:
    """Yield a model that says what the script says, and writes down what it was told."""
    left = iter(enumerate(turns))

    def turn(messages: Any) -> tuple[int, Any]:
        told.append("\n".join(_text(part) for one in messages for part in one.parts))
        return next(left)

    def answer(messages: Any, info: Any) -> ModelResponse:
        number, now = turn(messages)
        if isinstance(now, str):
            return ModelResponse(parts=[TextPart(now)])
        return ModelResponse(
            parts=[ToolCallPart(tool, dict(given), f"{name}-{number}-{i}") for i, (tool, given) in enumerate(now)]
        )

    async def stream(messages: Any, info: Any) -> AsyncIterator[Any]:
        for part in answer(messages, info).parts:
            if isinstance(part, TextPart):
                yield part.content
            elif isinstance(part, ToolCallPart):
                yield {0: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)}

    return FunctionModel(answer, stream_function=stream)


def _text(part: Any) -> str:
    content = getattr(part, "content", "")
    return content if isinstance(content, str) else str(content)


class Runs:
    """An agent's runs."""

    marks_errors = True
    subagents = True
    argument = "task"

    def __init__(self, story: Story) -> None:
        self.story = story
        self.hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
        tools = [self._shell(name) for name in story.tools]
        if story.subagent:
            inner = Agent(
                scripted(story.subagent_turns, story.seen, "sub"),
                tools=tools,
                capabilities=[self.hooks] if story.subagent_hooks else [],
            )

            async def explore(task: str) -> str:
                return str((await inner.run(task)).output)

            tools = [Tool(explore, name="explore", description="Asks a subagent.")]
        self.agent: Agent[None, Any] = Agent(
            scripted(story.turns, story.seen),
            tools=tools,
            output_type=[str, DeferredToolRequests],  # type: ignore[arg-type]
            capabilities=[self.hooks],
        )
        self.messages: Any = []
        self.open: Any = None

    def _shell(self, name: str) -> Tool[None]:
        def run(command: str) -> str:
            return run_shell(self.story, command)

        return Tool(run, name=name, description="Runs a command.")

    def run(self) -> Outcome:
        return self._go(self.story.prompt)

    def resume(self, yes: bool) -> Outcome:
        answer = True if yes else ToolDenied("not confirmed: push it?")
        results = DeferredToolResults(approvals={call.tool_call_id: answer for call in self.open.approvals})
        return self._go(None, message_history=self.messages, deferred_tool_results=results)

    def _go(self, prompt: Any, **options: Any) -> Outcome:
        async def go() -> Any:
            if not self.story.stream:
                return await self.agent.run(prompt, **options)
            async with self.agent.iter(prompt, **options) as run:
                async for node in run:
                    if Agent.is_model_request_node(node) or Agent.is_call_tools_node(node):
                        async with node.stream(run.ctx) as events:
                            async for _ in events:
                                pass
            return run.result

        result = asyncio.run(go())
        self.messages = result.all_messages()
        self.open = result.output if isinstance(result.output, DeferredToolRequests) else None
        questions = [] if self.open is None else [one["question"] for one in self.open.metadata.values()]
        parts = [part for one in self.messages for part in one.parts]
        returned = {one.tool_call_id: one for one in parts if isinstance(one, ToolReturnPart | RetryPromptPart)}
        ids = [one.tool_call_id for one in parts if isinstance(one, ToolCallPart)]
        told = [
            (_text(returned[id]), getattr(returned[id], "outcome", "failed") != "success")
            for id in ids
            if id in returned
        ]
        assert all(isinstance(one, ModelRequest | ModelResponse) for one in self.messages)
        return Outcome(str(result.output), told, questions)


DRIVERS = {"pydantic-ai": Runs}
