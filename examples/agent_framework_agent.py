"""A guard for an agent of Microsoft Agent Framework, tried with a client that follows a script. It prints:

the model was told: Error: rm -rf is off here
the shell ran: ['ls']
"""

import asyncio

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    tool,
)

from pyshellhooks import HookEngine
from pyshellhooks.adapters.agent_framework import ShellHooks

# What a .claude/settings.json would hold; ShellHooks() without an engine takes the project's own files.
GUARD = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm -rf is off here' >&2; exit 2; }; exit 0"
SETTINGS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
RAN = []


@tool
def execute(command: str) -> str:
    """Run a shell command."""
    RAN.append(command)
    return f"ran {command}"


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """A client for tests."""

    def __init__(self, *script: Content) -> None:
        super().__init__()
        self.script = list(script)

    async def _inner_get_response(self, **options: object) -> ChatResponse:
        return ChatResponse(messages=[Message("assistant", [self.script.pop(0)])])


def call(command: str, id: str) -> Content:
    """Give a call of the shell, as the model makes it."""
    return Content.from_function_call(id, "execute", arguments={"command": command})


async def main() -> None:
    """Run the agent."""
    client = Scripted(call("rm -rf /tmp/nothing", "1"), call("ls", "2"), Content.from_text("done"))
    hooks = ShellHooks(HookEngine.load(SETTINGS, "claude_code"))
    agent = Agent(client, tools=[execute], middleware=[hooks])
    response = await agent.run("tidy up")
    contents = [content for message in response.messages for content in message.contents]
    print("the model was told:", next(one.result for one in contents if one.type == "function_result"))
    print("the shell ran:", RAN)


if __name__ == "__main__":
    asyncio.run(main())
