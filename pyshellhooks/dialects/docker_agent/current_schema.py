"""Pydantic models of the edition ``current`` (docker_agent 10); imported by ``schema`` and by tests only."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ...jsontext.compact import JSON
from ..models import Makers, document, name_of, payload_model
from .current_tables import CAPABILITIES, EVENTS, KEYS_OF_ANSWERS
from .payload import ALWAYS


class Hook(BaseModel):
    """One hook."""

    model_config = ConfigDict(extra="forbid", title="Docker Agent hook")

    type: Literal["command", "builtin", "model"]
    command: str = Field(default="", description="Shell command, or the name of a builtin.")
    timeout: int = Field(default=60, ge=0, description="Seconds; zero means 60.")
    name: str = ""
    args: list[str] = Field(default=[], description="Arguments of a builtin.")
    env: dict[str, str] = Field(default={}, description="Further variables; ${env.X} is replaced.")
    working_dir: str = ""
    on_error: Literal["warn", "ignore", "block"] = "warn"
    strict_output: bool = Field(default=False, description="An answer that does not fit is a failure.")
    model: str = ""
    prompt: str = Field(default="", description="The question to a model.")
    schema_: str = Field(default="", alias="schema")


class Group(BaseModel):
    """The hooks of some tools."""

    model_config = ConfigDict(extra="forbid", title="Docker Agent hook group")

    matcher: str = Field(default="", description="RE2 pattern of the tool's whole name; empty or * takes every tool.")
    hooks: list[Hook] | Hook
    preempt_yolo: bool = False


_lists: dict[str, Any] = {
    row.native: (
        ((list[Group] | Group) if row.subject else (list[Hook] | Hook)) | None,
        Field(default=None, description=row.summary),
    )
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

    agents: dict[str, Agent | None] = {}
    hooks: Hooks | None = None  # type: ignore[valid-type]


_KINDS: dict[str, Any] = {
    "permission_decision": Literal["allow", "deny", "ask"] | None,
    "updated_input": dict[str, Any] | None,
    "updated_messages": list[Any] | None,
    "metadata": dict[str, str] | None,
    "instruction_context": list[dict[str, Any]] | None,
}


def _output(event: str) -> type[BaseModel]:
    """Return the model of an event's answer: only the keys that the event has."""
    keys = [key for word in sorted(CAPABILITIES[event]) for key in KEYS_OF_ANSWERS.get(word, ())]
    inner: dict[str, Any] = {key: (_KINDS.get(key, str | None), None) for key in ("hook_event_name", *keys)}
    specific = create_model("Specific", **inner)
    outer: dict[str, Any] = {"system_message": (str | None, None), "hook_specific_output": (specific | None, None)}
    if "block" in CAPABILITIES[event]:
        outer.update(
            continue_=(bool | None, Field(default=None, alias="continue")),
            stop_reason=(str | None, None),
            decision=(Literal["block"] | None, None),
            reason=(str | None, None),
        )
    return create_model("Output", **outer)


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    row = EVENTS[event]
    makers: Makers = {
        "config": lambda: Config,
        "input": lambda: payload_model(
            "Docker Agent", row, types={"hook_event_name": Literal[row.native]}, always=ALWAYS
        ),
        "output": lambda: _output(row.native),
    }
    shown = document(makers[kind](), name_of("docker_agent", kind, event))
    return {**shown, "title": f"Docker Agent {kind} of {event}" if kind != "config" else "Docker Agent"}
