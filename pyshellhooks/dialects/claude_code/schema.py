"""Claude Code's settings, payloads and answers as pydantic models, from which its JSON Schema is generated.

Imported by ``schema`` and by tests only: loading and firing read the tables and stay quick to start. The models of
payloads and answers are built from those tables; a test compares the configuration's models with them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ...jsontext.compact import JSON
from ..grouped_events.schema import answer_model as answer_of
from ..models import Makers, document, name_of
from ..models import payload_model as made_of
from .events import EVENTS, FORM

_FORBID = ConfigDict(extra="forbid", populate_by_name=True)


class Handler(BaseModel):
    """The fields of every type of hook."""

    model_config = _FORBID

    rule: str = Field(default="", alias="if", description="One permission rule; on events about one tool call only.")
    timeout: float | None = Field(default=None, gt=0, description="Seconds.")
    statusMessage: str = ""
    once: bool = Field(default=False, description="In a skill's frontmatter only.")
    holdsTools: Any = None
    cloud: Any = None


class CommandHook(Handler):
    """A command, or with ``args`` a program."""

    type: Literal["command"]
    command: str = Field(min_length=1)
    args: list[str] | None = Field(default=None, description="With args, no shell is used.")
    shell: Literal["bash", "powershell"] = "bash"
    runs_async: bool = Field(default=False, alias="async")
    asyncRewake: bool = False
    rewakeMessage: str = ""
    rewakeSummary: str = ""
    onFailure: Literal["continue", "block"] = "continue"


class HttpHook(Handler):
    """A POST of the payload."""

    type: Literal["http"]
    url: str = Field(min_length=1)
    headers: dict[str, str] = {}
    allowedEnvVars: list[str] = []
    onFailure: Literal["continue", "block"] = "continue"


class McpToolHook(Handler):
    """A call of an MCP server's tool."""

    type: Literal["mcp_tool"]
    server: str = Field(min_length=1)
    tool: str = Field(min_length=1)
    input: dict[str, Any] = {}
    onFailure: Literal["continue", "block"] = "continue"


class AgentHook(Handler):
    """A question to an agent."""

    type: Literal["agent"]
    prompt: str = Field(min_length=1)
    model: str = ""


class PromptHook(AgentHook):
    """A question to a model."""

    type: Literal["prompt"]  # type: ignore[assignment]
    continueOnBlock: bool = False


AnyHook = Annotated[
    CommandHook | HttpHook | McpToolHook | PromptHook | AgentHook,
    Field(discriminator="type"),
]


class Group(BaseModel):
    """A matcher and its hooks."""

    model_config = ConfigDict(extra="forbid")

    matcher: str = Field(
        default="", description="Exact names, separated by | or ,; any other text is a JavaScript regular expression."
    )
    hooks: list[AnyHook]


_groups: dict[str, Any] = {
    row.native: (list[Group], Field(default=[], description=row.summary)) for row in EVENTS.values()
}
Hooks = create_model("Hooks", __config__=ConfigDict(extra="forbid"), **_groups)


class Config(BaseModel):
    """The parts of a settings.json or a plugin's hooks.json that concern hooks."""

    model_config = ConfigDict(extra="allow", title="Claude Code settings")

    hooks: Hooks = Hooks()  # type: ignore[valid-type]
    disableAllHooks: bool = False
    allowManagedHooksOnly: bool = Field(default=False, description="In managed settings only.")
    env: dict[str, str] = {}
    description: str = Field(default="", description="Of a plugin's hooks.")


def payload_model(event: str) -> type[BaseModel]:
    """Return the model of an event's payload, built from its row."""
    return made_of("Claude Code", EVENTS[event], types={"hook_event_name": Literal[event]})


def answer_model(event: str) -> type[BaseModel]:
    """Return the model of the answer that a hook of an event may print."""
    return answer_of(FORM, EVENTS[event])


def model(kind: str, event: str) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    makers: Makers = {
        "config": lambda: Config,
        "input": lambda: payload_model(event),
        "output": lambda: answer_model(event),
    }
    return makers[kind]()


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of the model of ``kind`` and event."""
    return document(model(kind, event), name_of("claude_code", kind, event))
