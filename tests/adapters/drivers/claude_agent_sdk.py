"""The Claude Agent SDK: the real Claude Code, its own shell, and a model that follows a script."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from claude_agent_sdk import (
    AgentDefinition,
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
    query,
)

from pyshellhooks.adapters.claude_agent_sdk import ShellHooks
from tests.adapters.story import Outcome, Story
from tests.messages_api import Block, call, environment, serving, text

EXPLORER = "You are the explorer."
# The shell's programs: functions that write down that they ran. Claude Code's own calls, above all when it takes a
# snapshot of the shell, go to the real ones.
PROGRAMS = ("bun", "cat", "echo", "git", "ls", "npm", "rm")
STAND_IN = """() {{
  [ -n "$CLAUDECODE" ] && [ -z "$SNAPSHOT_FILE" ] || {{ command {name} "$@"; return; }}
  printf '%s\\n' "{name}${{*:+ $*}}" >> "$RAN"
  printf 'ran %s\\n' "{name}${{*:+ $*}}"
}}"""
BOOM = "() { command echo 'the tool broke' >&2; return 1; }"
TIMEOUT = 100  # seconds, of a run that takes two


def scripted(story: Story) -> Any:
    """Return what the model says to each request: the agent's turns, or the subagent's."""
    turns = {False: enumerate(story.turns), True: enumerate(story.subagent_turns)}

    def answer(body: dict[str, Any]) -> list[Block]:
        story.seen.append("\n".join(_texts(body["messages"])))
        inner = EXPLORER in str(body.get("system"))
        number, turn = next(turns[inner])
        if isinstance(turn, str):
            return [text(turn)]
        return [call(f"toolu_{inner:d}{number}{i}", *_native(name, given)) for i, (name, given) in enumerate(turn)]

    return answer


def _native(name: str, given: Any) -> tuple[str, dict[str, Any]]:
    if name == "explore":
        return "Agent", {"description": "look", "subagent_type": "explore", "run_in_background": False, **given}
    return "Bash" if name == "shell" else name, dict(given)


def _texts(value: Any) -> Iterator[str]:
    """Yield what the model was told, and not what it said."""
    for message in value:
        if message["role"] != "user":
            continue
        parts = message["content"]
        for part in [{"text": parts}] if isinstance(parts, str) else parts:
            yield from [part["text"]] if "text" in part else [shown(part.get("content"))]


def shown(content: Any) -> str:
    """Return a result's text."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text")) for part in content)
    return str(content)


def shell_functions(home: Path) -> dict[str, str]:
    """Return the variables under which bash finds them."""
    home.mkdir(exist_ok=True)
    made = {f"BASH_FUNC_{name}%%": STAND_IN.format(name=name) for name in PROGRAMS}
    return {**made, "BASH_FUNC_boom%%": BOOM, "SHELL": "/bin/bash", "RAN": str(home / "ran")}


class Runs:
    """A run of ``query``; where the story streams, of a client whose prompt is a stream."""

    marks_errors = True
    subagents = True
    argument = "prompt"
    shell = "Bash"
    named = "Claude Code's shell is called Bash; tools of one's own are an MCP server's (test_adapter_claude_agent_sdk)"
    rewrites = "Claude Code has no word for another prompt"

    def __init__(self, story: Story, **more: Any) -> None:
        self.story = story
        self.more = more  # options of the SDK
        self.hooks = ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)
        self.home = Path(story.engine.cwd) / f"home-{id(self)}"
        self.messages: list[Any] = []
        self.told: queue.Queue[str | BaseException | None] = queue.Queue()
        self.answers: queue.Queue[bool] = queue.Queue()

    def options(self, port: int) -> ClaudeAgentOptions:
        """Return the agent's options, under hooks."""
        made = ClaudeAgentOptions(
            cwd=self.story.engine.cwd,
            env={**environment(str(self.home), port), **shell_functions(self.home)},
            model="claude-sonnet-4-5",
            permission_mode="bypassPermissions",
            setting_sources=[],
            include_partial_messages=self.story.stream,
        )
        if self.story.subagent:
            made = replace(made, agents={"explore": AgentDefinition("Explores.", EXPLORER)})
        if self.story.ask == "defer":
            made = replace(made, can_use_tool=self._person, permission_mode="default")
        return self.hooks.options(replace(made, **self.more))

    async def _person(self, tool: str, given: Any, context: Any) -> Any:
        self.told.put(context.decision_reason)
        if await asyncio.to_thread(self.answers.get, timeout=TIMEOUT):
            return PermissionResultAllow()
        return PermissionResultDeny(message=f"not confirmed: {context.decision_reason}")

    def run(self) -> Outcome:
        threading.Thread(target=self._work, daemon=True).start()
        return self._outcome()

    def resume(self, yes: bool) -> Outcome:
        self.answers.put(yes)
        return self._outcome()

    def _work(self) -> None:
        try:
            asyncio.run(self._go())
        except BaseException as error:
            self.told.put(error)
        else:
            self.told.put(None)

    async def _go(self) -> None:
        with serving(scripted(self.story)) as server:
            options = self.options(server.server_port)
            if not self.story.stream:
                self.messages += [one async for one in query(prompt=self.story.prompt, options=options)]
                return
            async with ClaudeSDKClient(options) as client:
                await client.query(self._prompts())
                self.messages += [one async for one in client.receive_response()]

    async def _prompts(self) -> AsyncIterator[dict[str, Any]]:
        message = {"role": "user", "content": self.story.prompt}
        yield {"type": "user", "message": message, "parent_tool_use_id": None}

    def _outcome(self) -> Outcome:
        event = self.told.get(timeout=TIMEOUT)
        if isinstance(event, BaseException):
            raise event
        ran = self.home / "ran"
        self.story.ran[:] = ran.read_text().splitlines() if ran.exists() else []
        if event is not None:
            return Outcome("", [], [event])
        return Outcome(self._final_text(), self._results())

    def _final_text(self) -> str:
        """Return the last word: of the SDK's result, else of the hook that ended the turn, else of the model."""
        result = next(one for one in reversed(self.messages) if isinstance(one, ResultMessage))
        blocked = [
            one.data["content"] for one in self.messages if isinstance(one, SystemMessage) and "content" in one.data
        ]
        said = [
            block.text
            for one in self.messages
            if isinstance(one, AssistantMessage)
            for block in one.content
            if isinstance(block, TextBlock)
        ]
        return str(result.result or self.hooks.halted.get(result.session_id) or (blocked or said)[-1])

    def _results(self) -> list[tuple[str, bool]]:
        own = [one for one in self.messages if getattr(one, "parent_tool_use_id", None) is None]
        blocks = [block for one in own if isinstance(one, AssistantMessage | UserMessage) for block in one.content]
        results = {one.tool_use_id: one for one in blocks if isinstance(one, ToolResultBlock)}
        calls = [one.id for one in blocks if isinstance(one, ToolUseBlock)]
        return [(shown(results[id].content), bool(results[id].is_error)) for id in calls if id in results]


DRIVERS = {"claude-agent-sdk": Runs}
