"""Strands, with a model that follows a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from strands import Agent, tool
from strands.models.model import Model

from pyshellhooks.adapters.strands_agents import ShellHooks
from tests.adapters.story import Outcome, Story, run_shell


class Scripted(Model):
    """Says what the script says, and writes down what it was told."""

    def __init__(self, turns: Any, told: list[str], name: str = "call", **config: Any) -> None:
        self.turns = iter(enumerate(turns))
        self.told = told
        self.name = name
        self.config = config

    def update_config(self, **config: Any) -> None:
        self.config.update(config)

    def get_config(self) -> Any:
        return self.config

    async def structured_output(self, model: Any, prompt: Any, system_prompt: Any = None, **options: Any) -> Any:
        yield {"output": model()}

    async def stream(self, messages: Any, *given: Any, **options: Any) -> AsyncIterator[Any]:
        self.told.append("\n".join(_text(block) for message in messages for block in message["content"]))
        number, turn = next(self.turns)
        yield {"messageStart": {"role": "assistant"}}
        for index, (name, arguments) in enumerate(() if isinstance(turn, str) else turn):
            yield {
                "contentBlockStart": {
                    "start": {"toolUse": {"name": name, "toolUseId": f"{self.name}-{number}-{index}"}}
                }
            }
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(arguments)}}}}
            yield {"contentBlockStop": {}}
        if isinstance(turn, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": turn}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(turn, str) else "tool_use"}}


def _text(block: Any) -> str:
    result = block.get("toolResult")
    return str(block.get("text", "")) if result is None else "\n".join(_text(one) for one in result["content"])


def a_shell(story: Story, name: str = "shell") -> Any:
    """Return a tool of the agent."""

    def run(command: str) -> str:
        return run_shell(story, command)

    return tool(name=name, description="Runs a command.")(run)


def answers(interrupts: Any, response: Any) -> list[Any]:
    """Return one response to all interrupts."""
    return [{"interruptResponse": {"interruptId": one.id, "response": response}} for one in interrupts]


class Runs:
    """An agent that is called."""

    marks_errors = True
    subagents = True
    argument = "input"

    def __init__(self, story: Story) -> None:
        self.story = story
        self.hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
        tools = [a_shell(story, name) for name in story.tools]
        if story.subagent:
            inner = Agent(
                Scripted(story.subagent_turns, story.seen, "sub"),
                tools=tools,
                hooks=[self.hooks] if story.subagent_hooks else [],
                callback_handler=None,
            )
            tools = [inner.as_tool(name="explore", description="Asks a subagent.")]
        self.agent = Agent(Scripted(story.turns, story.seen), tools=tools, hooks=[self.hooks], callback_handler=None)
        self.result: Any = None

    def run(self) -> Outcome:
        return self._go(self.story.prompt)

    def resume(self, yes: bool) -> Outcome:
        return self._go(answers(self.result.interrupts, yes))

    def _go(self, given: Any) -> Outcome:
        async def stream() -> Any:
            async for event in self.agent.stream_async(given):
                if "result" in event:
                    self.result = event["result"]

        if self.story.stream:
            asyncio.run(stream())
        else:
            self.result = self.agent(given)
        blocks = [block for message in self.agent.messages for block in message["content"]]
        results: dict[str, Any] = {one["toolResult"]["toolUseId"]: one for one in blocks if "toolResult" in one}
        ids = [one["toolUse"]["toolUseId"] for one in blocks if "toolUse" in one]
        told = [(_text(results[id]), results[id]["toolResult"]["status"] == "error") for id in ids if id in results]
        questions = [one.reason["question"] for one in self.result.interrupts or ()]
        return Outcome("" if questions else str(self.result).strip("\n"), told, questions)


DRIVERS = {"strands-agents": Runs}
