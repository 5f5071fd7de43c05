"""Pydantic models of Everruns' configuration, payloads and answers; the JSON Schemas are generated from them.

Imported by ``schema`` and by tests only: loading and firing use the tables and do not import pydantic. Payload models
are built from the table; a test checks that the others agree with it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model

from ...jsontext.compact import JSON
from ..models import Makers, document, name_of, payload_model, type_of
from .tables import (
    DEFAULT_TIMEOUT_MS,
    ENVELOPE,
    EVENTS,
    HEAD,
    LARGEST_COMMAND,
    LARGEST_MATCHER,
    LONGEST_MS,
    MOST_HOOKS,
    MOST_VARIABLES,
    REPEATED_FIELDS,
    SHORTEST_MS,
    TIME,
)

Text = Annotated[str, StringConstraints(max_length=LARGEST_MATCHER)]


class Matcher(BaseModel):
    """A filter of tool calls; for the two tool events only."""

    model_config = ConfigDict(extra="forbid", title="Everruns matcher")

    tool_name: Text | None = Field(default=None, description="The tool's exact name.")
    tool_name_glob: Text | None = Field(default=None, description="Names with | between; * only at the end of a name.")
    args_jsonpath: Text | None = Field(
        default=None, description="A path into the arguments, such as $.key.key; it has only object keys."
    )
    match_regex: Text | None = Field(default=None, description="Found anywhere in the value; Rust's syntax.")
    deny_regex: Text | None = Field(default=None, description="The same test under another name.")


class Executor(BaseModel):
    """The command of a hook."""

    model_config = ConfigDict(extra="allow", title="Everruns executor")

    type: Literal["bash"]
    command: str = Field(min_length=1, max_length=LARGEST_COMMAND)
    env: dict[str, str] = Field(default={}, max_length=MOST_VARIABLES)


class Spec(BaseModel):
    """One hook."""

    model_config = ConfigDict(extra="allow", title="Everruns hook")

    id: str | None = Field(default=None, description="Default: {event}_{index}.")
    event: Literal["session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "turn_end", "session_end"]
    matcher: Matcher = Matcher()
    executor: Executor
    timeout_ms: int = Field(default=DEFAULT_TIMEOUT_MS, ge=SHORTEST_MS, le=LONGEST_MS, description="Milliseconds.")
    on_error: Literal["block", "allow", "warn"] = Field(
        default="warn", description="The effect of a failure of the hook."
    )
    description: str | None = None
    source: Any = Field(default=None, description="Accepted, without effect.")


class Config(BaseModel):
    """The ``config`` of the ``user_hooks`` capability."""

    model_config = ConfigDict(extra="forbid", title="Everruns user_hooks")

    hooks: list[Spec] = Field(default=[], max_length=MOST_HOOKS)
    disabled_contributions: list[str] = Field(default=[], description="Whole ids of hooks that are muted.")


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow", title="Everruns answer")

    reason: str | None = None
    user_message: str | None = Field(default=None, description="For the person, when blocking.")


class ToolPatch(BaseModel):
    """Laid over the arguments, top-level key by key."""

    arguments: dict[str, Any]


class ResultPatch(BaseModel):
    """Replacements for parts of a tool's result."""

    result: Any = None
    error: str | None = None
    additional_context: str | None = None


class PromptPatch(BaseModel):
    """The prompt that the model sees."""

    message: str


_PATCHES: dict[str, type[BaseModel]] = {
    "user_prompt_submit": PromptPatch,
    "pre_tool_use": ToolPatch,
    "post_tool_use": ResultPatch,
}


def payload(event: str) -> type[BaseModel]:
    """Build the model of an envelope: the fields of every event, and the event's own under ``data``."""
    row = EVENTS[event]
    beside = {name for name in ENVELOPE if name not in REPEATED_FIELDS.get(event, ())}
    own = [field for field in row.fields if field.native not in beside]
    data = payload_model("Everruns", row, fields=own, name="".join(word.title() for word in event.split("_")) + "Data")
    outer = (*HEAD, *(row.named[name] for name in ENVELOPE), TIME)
    definitions: dict[str, Any] = {
        field.native: (type_of(field), Field(description=field.about or None)) for field in outer
    }
    definitions["event"] = (Literal[event], ...)
    return create_model(f"{event} payload", **definitions, data=(data, ...))


def output_model(event: str) -> type[BaseModel]:
    """Build the model of an event's answer."""
    patch: Any = _PATCHES.get(event, dict[str, Any]) | None
    decision: Any = Literal["allow", "mutate", "block"] | None
    return create_model(f"{event} answer", __base__=_Answer, decision=(decision, None), patch=(patch, None))


def model(kind: str, event: str) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    makers: Makers = {"config": lambda: Config, "input": lambda: payload(event), "output": lambda: output_model(event)}
    return makers[kind]()


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of the same model as ``model``."""
    return document(model(kind, event), name_of("everruns", kind, event))
