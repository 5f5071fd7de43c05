"""The OpenAI Agents SDK, with a model that follows a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    InputGuardrailTripwireTriggered,
    Model,
    ModelResponse,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from pyshellhooks.adapters.openai_agents import ShellHooks
from tests.adapters.story import Outcome, Story, run_shell

set_tracing_disabled(True)


class Scripted(Model):
    """Says what the script says, and writes down what it was told."""

    def __init__(self, turns: Any, told: list[str], name: str = "call") -> None:
        self.turns = iter(enumerate(turns))
        self.told = told
        self.name = name

    def _next(self, instructions: Any, given: Any) -> list[Any]:
        self.told.append(given if isinstance(given, str) else "\n".join(_texts(given)))
        number, turn = next(self.turns)
        if isinstance(turn, str):
            text = ResponseOutputText(text=turn, type="output_text", annotations=[])
            return [
                ResponseOutputMessage(
                    id=f"m{number}", type="message", role="assistant", status="completed", content=[text]
                )
            ]
        return [
            ResponseFunctionToolCall(
                type="function_call",
                name=name,
                arguments=json.dumps(arguments),
                call_id=f"{self.name}-{number}-{index}",
            )
            for index, (name, arguments) in enumerate(turn)
        ]

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **options: Any) -> ModelResponse:
        return ModelResponse(output=self._next(system_instructions, input), usage=Usage(), response_id=None)

    async def stream_response(
        self, system_instructions: Any, input: Any, *args: Any, **options: Any
    ) -> AsyncIterator[Any]:
        output = self._next(system_instructions, input)
        response = Response(
            id="r", created_at=0, model="scripted", object="response", output=output, tool_choice="auto", tools=[],
            parallel_tool_calls=True,
        )  # fmt: skip
        yield ResponseCompletedEvent(type="response.completed", response=response, sequence_number=0)


def _texts(items: Any) -> list[str]:
    found = []
    for item in items:
        content = item.get("content") or item.get("output") or ""
        found.append(content if isinstance(content, str) else "\n".join(str(part.get("text")) for part in content))
    return found


class Runs:
    """The SDK's runner."""

    marks_errors = False
    subagents = True
    argument = "input"

    def __init__(self, story: Story) -> None:
        self.story = story
        self.hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
        tools = [self._shell(name) for name in story.tools]
        if story.subagent:
            inner = Agent("explorer", model=Scripted(story.subagent_turns, story.seen, "sub"), tools=[*tools])
            if story.subagent_hooks:
                inner = self.hooks.agent(inner)
            tools = [inner.as_tool("explore", "Asks a subagent.")]
        self.agent = Agent("main", model=Scripted(story.turns, story.seen), tools=[*tools])
        self.result: Any = None

    def _shell(self, name: str) -> FunctionTool:
        def run(command: str) -> str:
            return run_shell(self.story, command)

        return function_tool(
            run, name_override=name, description_override="Runs a command.", failure_error_function=None
        )

    def run(self) -> Outcome:
        return asyncio.run(self._go(self.story.prompt))

    def resume(self, yes: bool) -> Outcome:
        state = self.result.to_state()
        for item in self.result.interruptions:
            if yes:
                state.approve(item)
            else:
                state.reject(item, rejection_message="not confirmed: push it?")
        return asyncio.run(self._go(state))

    async def _go(self, given: Any) -> Outcome:
        try:
            if self.story.stream:
                async for event in self.hooks.stream(self.agent, given):
                    self.result = event
            elif isinstance(given, str) and self.story.ask == "deny":
                self.result = await self.hooks.run(self.agent, [{"role": "user", "content": given}])
            else:
                self.result = await self.hooks.run(self.agent, given)
        except InputGuardrailTripwireTriggered as blocked:
            return Outcome(str(blocked.guardrail_result.output.output_info), [])
        items = self.result.to_input_list()
        outputs = {one["call_id"]: one["output"] for one in items if one.get("type") == "function_call_output"}
        ids = [one["call_id"] for one in items if one.get("type") == "function_call"]
        results = [(str(outputs[id]), False) for id in ids if id in outputs]
        return Outcome(str(self.result.final_output), results, ["push it?" for _ in self.result.interruptions])


DRIVERS = {"openai-agents": Runs}
