"""A guard for a Google ADK agent, tried with a model that follows a script. It prints:

the model was told: {'error': 'rm -rf is off here'}
the shell ran: ['ls']
"""

import asyncio
from collections.abc import AsyncIterator

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from pyshellhooks import HookEngine
from pyshellhooks.adapters.google_adk import ShellHooks

# What a .claude/settings.json would hold; ShellHooks() without an engine takes the project's own files.
GUARD = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm -rf is off here' >&2; exit 2; }; exit 0"
SETTINGS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
RAN = []


def execute(command: str) -> str:
    """Run a shell command."""
    RAN.append(command)
    return f"ran {command}"


class Scripted(BaseLlm):
    """Says one part of its script at a time."""

    script: list[types.Part]

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncIterator[LlmResponse]:
        """Give the next part."""
        yield LlmResponse(content=types.Content(role="model", parts=[self.script.pop(0)]))


async def main() -> None:
    """Run the agent."""
    calls = [types.FunctionCall(name="execute", args={"command": one}) for one in ("rm -rf /tmp/nothing", "ls")]
    script = [*(types.Part(function_call=call) for call in calls), types.Part(text="done")]
    agent = LlmAgent(name="tidier", model=Scripted(model="scripted", script=script), tools=[execute])
    hooks = ShellHooks(HookEngine.load(SETTINGS, "claude_code"))
    runner = InMemoryRunner(app=App(name="app", root_agent=agent, plugins=[hooks]))
    session = await runner.session_service.create_session(app_name="app", user_id="someone")
    message = types.Content(role="user", parts=[types.Part(text="tidy up")])
    told = []
    async for event in hooks.run_async(runner, user_id="someone", session_id=session.id, new_message=message):
        told += [one.response for one in event.get_function_responses()]
    print("the model was told:", told[0])
    print("the shell ran:", RAN)


if __name__ == "__main__":
    asyncio.run(main())
