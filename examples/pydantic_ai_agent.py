"""A guard for a Pydantic AI agent, tried with the SDK's own model of a function. It prints:

the model was told: rm -rf is off here
the shell ran: ['ls']
"""

import asyncio

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from pyshellhooks import HookEngine
from pyshellhooks.adapters.pydantic_ai import ShellHooks

# What a .claude/settings.json would hold; ShellHooks() without an engine takes the project's own files.
GUARD = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm -rf is off here' >&2; exit 2; }; exit 0"
SETTINGS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
RAN = []


def execute(command: str) -> str:
    """Run a shell command."""
    RAN.append(command)
    return f"ran {command}"


async def main() -> None:
    """Run the agent."""
    script = iter(
        [
            ToolCallPart("execute", {"command": "rm -rf /tmp/nothing"}),
            ToolCallPart("execute", {"command": "ls"}),
            TextPart("done"),
        ]
    )
    model = FunctionModel(lambda messages, info: ModelResponse(parts=[next(script)]))
    hooks = ShellHooks(HookEngine.load(SETTINGS, "claude_code"))
    agent = Agent(model, tools=[execute], capabilities=[hooks])
    result = await agent.run("tidy up")
    returned = [part for one in result.all_messages() for part in one.parts if part.part_kind == "tool-return"]
    print("the model was told:", returned[0].content)
    print("the shell ran:", RAN)


if __name__ == "__main__":
    asyncio.run(main())
