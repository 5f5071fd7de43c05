"""Docker Agent's configuration, payloads and answers as pydantic models: where its JSON Schema comes from.

Imported by ``schema`` and by tests only. A test holds the two together.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...hooks.wire import JSON


class Hook(BaseModel):
    """One hook."""

    model_config = ConfigDict(extra="forbid", title="Docker Agent hook")

    type: Literal["command"]
    command: str = Field(min_length=1, description="Shell command or inline script; relative paths start at the cwd.")
    timeout: int = Field(default=60, description="Seconds; zero and less mean 60.")


class Group(BaseModel):
    """The hooks of some tools."""

    model_config = ConfigDict(extra="forbid", title="Docker Agent hook group")

    matcher: str = Field(default="", description="RE2 pattern of the tool's whole name; empty or * takes every tool.")
    hooks: list[Hook] = Field(min_length=1)


class Hooks(BaseModel):
    """The ``hooks`` of an agent."""

    model_config = ConfigDict(extra="forbid", title="Docker Agent hooks")

    pre_tool_use: list[Group] | None = None
    post_tool_use: list[Group] | None = None
    session_start: list[Hook] | None = None
    session_end: list[Hook] | None = None
    on_user_input: list[Hook] | None = None
    stop: list[Hook] | None = None
    notification: list[Hook] | None = None


class Agent(BaseModel):
    """An agent, as far as hooks go."""

    model_config = ConfigDict(extra="allow", title="Docker Agent agent")

    hooks: Hooks | None = None


class Config(BaseModel):
    """An agent file, as far as hooks go."""

    model_config = ConfigDict(extra="allow", title="Docker Agent configuration")

    agents: dict[str, Agent | None] = Field(default={}, description="The first one counts, or the one that is named.")
    hooks: Hooks | None = Field(default=None, description="Hooks of every agent of the file.")


class Input(BaseModel):
    """What every payload has."""

    model_config = ConfigDict(extra="allow")

    session_id: str
    cwd: str
    hook_event_name: str


class PreToolUse(Input):
    """Of pre_tool_use."""

    tool_name: str | None = None
    tool_use_id: str | None = None
    tool_input: Any = Field(default=None, description="The model's own JSON; absent where it is empty.")


class PostToolUse(PreToolUse):
    """Of post_tool_use."""

    tool_response: Any = Field(default=None, description="What the tool said.")


class SessionStart(Input):
    """Of session_start."""

    source: str | None = Field(default=None, description="startup, resume, clear or compact.")


class SessionEnd(Input):
    """Of session_end."""

    reason: str | None = Field(default=None, description="clear, logout, prompt_input_exit or other.")


class Stop(Input):
    """Of stop."""

    stop_response: str | None = None


class Notification(Input):
    """Of notification."""

    notification_level: str | None = Field(default=None, description="error or warning.")
    notification_message: str | None = None


class Specific(BaseModel):
    """What only some events' answers have."""

    hook_event_name: str | None = None
    additional_context: str | None = None


class Permission(Specific):
    """What a pre_tool_use answer has."""

    permission_decision: Literal["allow", "deny", "ask"] | None = None
    permission_decision_reason: str | None = None
    updated_input: dict[str, Any] | None = Field(default=None, description="Replaces the whole tool_input.")


class Output(BaseModel):
    """What a hook may print on stdout with exit status 0."""

    suppress_output: bool | None = Field(default=None, description="Hides its stdout from the transcript.")
    system_message: str | None = Field(default=None, description="Shown to the user.")
    hook_specific_output: Specific | None = None


class PreToolUseOutput(Output):
    """What a pre_tool_use hook may print."""

    continue_: bool | None = Field(default=None, alias="continue", description="false blocks the call.")
    stop_reason: str | None = None
    decision: Literal["block"] | None = None
    reason: str | None = None
    hook_specific_output: Permission | None = None


INPUTS: dict[str, type[BaseModel]] = {
    "pre_tool_use": PreToolUse,
    "post_tool_use": PostToolUse,
    "session_start": SessionStart,
    "session_end": SessionEnd,
    "on_user_input": Input,
    "stop": Stop,
    "notification": Notification,
}


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    outputs = {name: PreToolUseOutput if name == "pre_tool_use" else Output for name in INPUTS}
    models: dict[str, type[BaseModel]] = {"config": Config, "input": INPUTS[event], "output": outputs[event]}
    model = models[kind]
    made = {
        **model.model_json_schema(),
        "title": f"Docker Agent {kind} of {event}" if kind != "config" else "Docker Agent",
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
