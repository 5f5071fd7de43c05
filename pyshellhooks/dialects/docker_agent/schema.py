"""Pydantic models of Docker Agent's configuration, payloads and answers; the JSON Schemas are generated from them.

Imported by ``schema`` and by tests only. Payload models are built from the table; a test checks that the others agree
with it.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ...jsontext.compact import JSON
from ..models import Makers, document, name_of, payload_model
from .payload import ALWAYS
from .tables import EVENTS


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


_lists: dict[str, Any] = {
    row.native: ((list[Group] if row.subject else list[Hook]) | None, Field(default=None, description=row.summary))
    for row in EVENTS.values()
}
Hooks = create_model("Hooks", __config__=ConfigDict(extra="forbid", title="Docker Agent hooks"), **_lists)


class Agent(BaseModel):
    """The parts of an agent that concern hooks."""

    model_config = ConfigDict(extra="allow", title="Docker Agent agent")

    hooks: Hooks | None = None  # type: ignore[valid-type]


class Config(BaseModel):
    """The parts of an agent file that concern hooks."""

    model_config = ConfigDict(extra="allow", title="Docker Agent configuration")

    agents: dict[str, Agent | None] = Field(default={}, description="The first agent counts, or the named one.")
    hooks: Hooks | None = Field(  # type: ignore[valid-type]
        default=None, description="Hooks of every agent of the file."
    )


class Specific(BaseModel):
    """The fields that only some events' answers have."""

    hook_event_name: str | None = None
    additional_context: str | None = None


class Permission(Specific):
    """The fields of a pre_tool_use answer."""

    permission_decision: Literal["allow", "deny", "ask"] | None = None
    permission_decision_reason: str | None = None
    updated_input: dict[str, Any] | None = Field(default=None, description="Replaces the whole tool_input.")


class Output(BaseModel):
    """The stdout of a hook with exit status 0."""

    suppress_output: bool | None = Field(default=None, description="Hides its stdout from the transcript.")
    system_message: str | None = Field(default=None, description="Shown to the user.")
    hook_specific_output: Specific | None = None


class PreToolUseOutput(Output):
    """The stdout of a pre_tool_use hook."""

    continue_: bool | None = Field(default=None, alias="continue", description="false blocks the call.")
    stop_reason: str | None = None
    decision: Literal["block"] | None = None
    reason: str | None = None
    hook_specific_output: Permission | None = None


def model(kind: str, event: str) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    row = EVENTS[event]
    makers: Makers = {
        "config": lambda: Config,
        "input": lambda: payload_model(
            "Docker Agent", row, types={"hook_event_name": Literal[row.native]}, always=ALWAYS
        ),
        "output": lambda: PreToolUseOutput if "deny" in row.can else Output,
    }
    return makers[kind]()


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of the same model as ``model``, with a title."""
    shown = document(model(kind, event), name_of("docker_agent", kind, event))
    return {**shown, "title": f"Docker Agent {kind} of {event}" if kind != "config" else "Docker Agent"}
