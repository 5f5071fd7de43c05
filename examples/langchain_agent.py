"""A guard for a LangChain agent, tried with a model that follows a script. It prints:

the model was told: rm -rf is off here
the shell ran: ['ls']
"""

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool

from pyshellhooks import HookEngine
from pyshellhooks.adapters.langchain import ShellHooks

# What a .claude/settings.json would hold; ShellHooks() without an engine takes the project's own files.
GUARD = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm -rf is off here' >&2; exit 2; }; exit 0"
SETTINGS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
RAN = []


@tool
def execute(command: str) -> str:
    """Run a shell command."""
    RAN.append(command)
    return f"ran {command}"


class Scripted(GenericFakeChatModel):
    """A model for tests."""

    def bind_tools(self, tools, **options):
        """Take the tools, which the script knows."""
        return self


def call(command: str, id: str) -> AIMessage:
    """Give a message of the model that calls the shell."""
    return AIMessage("", tool_calls=[{"name": "execute", "args": {"command": command}, "id": id}])


def main() -> None:
    """Run the agent."""
    model = Scripted(messages=iter([call("rm -rf /tmp/nothing", "1"), call("ls", "2"), AIMessage("done")]))
    hooks = ShellHooks(HookEngine.load(SETTINGS, "claude_code"))
    agent = create_agent(model, [execute], middleware=[hooks])
    messages = agent.invoke({"messages": [HumanMessage("tidy up")]})["messages"]
    denied = next(one for one in messages if one.type == "tool" and one.status == "error")
    print("the model was told:", denied.text)
    print("the shell ran:", RAN)


if __name__ == "__main__":
    main()
