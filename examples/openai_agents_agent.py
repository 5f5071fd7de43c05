"""A guard for an agent of the OpenAI Agents SDK, tried with the SDK's own scripted model. It prints:

the model was told: Error: rm -rf is off here
the shell ran: ['ls']
"""

import asyncio

from agents import Agent, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from pyshellhooks import HookEngine
from pyshellhooks.adapters.openai_agents import ShellHooks

# What a .claude/settings.json would hold; ShellHooks() without an engine takes the project's own files.
GUARD = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm -rf is off here' >&2; exit 2; }; exit 0"
SETTINGS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
RAN = []


@function_tool
def execute(command: str) -> str:
    """Run a shell command."""
    RAN.append(command)
    return f"ran {command}"


async def main() -> None:
    """Run the agent."""
    set_tracing_disabled(True)
    script = [
        [function_call("execute", {"command": "rm -rf /tmp/nothing"}, call_id="1")],
        [function_call("execute", {"command": "ls"}, call_id="2")],
        [assistant_message("done")],
    ]
    agent = Agent("tidier", model=ScriptedModel(script), tools=[execute])
    hooks = ShellHooks(HookEngine.load(SETTINGS, "claude_code"))
    result = await hooks.run(agent, "tidy up")
    outputs = [one["output"] for one in result.to_input_list() if one.get("type") == "function_call_output"]
    print("the model was told:", outputs[0])
    print("the shell ran:", RAN)


if __name__ == "__main__":
    asyncio.run(main())
