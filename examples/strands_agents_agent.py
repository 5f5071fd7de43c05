"""A guard for a Strands agent, tried with a model that follows a script. It prints:

the model was told: rm -rf is off here
the shell ran: ['ls']
"""

import json

from strands import Agent, tool
from strands.models.model import Model

from pyshellhooks import HookEngine
from pyshellhooks.adapters.strands_agents import ShellHooks

# What a .claude/settings.json would hold; ShellHooks() without an engine takes the project's own files.
GUARD = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm -rf is off here' >&2; exit 2; }; exit 0"
SETTINGS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
RAN = []


@tool
def execute(command: str) -> str:
    """Run a shell command."""
    RAN.append(command)
    return f"ran {command}"


class Scripted(Model):
    """A model for tests: it runs commands, one after the other, and is done."""

    def __init__(self, *commands):
        """Take the commands."""
        self.commands = list(commands)

    def get_config(self):
        """Give no settings."""
        return {}

    def update_config(self, **config):
        """Take no settings."""

    async def structured_output(self, output_model, prompt, system_prompt=None, **options):
        """Give no other output than text."""
        yield {}

    async def stream(self, messages, *given, **options):
        """Say what is next."""
        yield {"messageStart": {"role": "assistant"}}
        if self.commands:
            use = {"name": "execute", "toolUseId": f"call-{len(self.commands)}"}
            yield {"contentBlockStart": {"start": {"toolUse": use}}}
            yield {
                "contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps({"command": self.commands.pop(0)})}}}
            }
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "tool_use"}}
        else:
            yield {"contentBlockDelta": {"delta": {"text": "done"}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}


def main() -> None:
    """Run the agent."""
    hooks = ShellHooks(HookEngine.load(SETTINGS, "claude_code"))
    agent = Agent(Scripted("rm -rf /tmp/nothing", "ls"), tools=[execute], hooks=[hooks], callback_handler=None)
    agent("tidy up")
    blocks = [block for message in agent.messages for block in message["content"]]
    results = [block["toolResult"] for block in blocks if "toolResult" in block]
    print("the model was told:", results[0]["content"][0]["text"])
    print("the shell ran:", RAN)


if __name__ == "__main__":
    main()
