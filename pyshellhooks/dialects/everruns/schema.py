"""Everruns' configuration, payloads and answers as pydantic models: where its JSON Schemas come from.

Imported by ``schema`` and by tests only: loading and firing read the tables and stay quick to start. A test holds the
two together.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ...hooks.wire import JSON
from .tables import (
    DEFAULT_TIMEOUT_MS,
    LARGEST_COMMAND,
    LARGEST_MATCHER,
    LONGEST_MS,
    MOST_HOOKS,
    MOST_VARIABLES,
    SHORTEST_MS,
)

Text = Annotated[str, StringConstraints(max_length=LARGEST_MATCHER)]


class Matcher(BaseModel):
    """Which tool calls a hook wants; for the two tool events only."""

    model_config = ConfigDict(extra="forbid", title="Everruns matcher")

    tool_name: Text | None = Field(default=None, description="The tool's exact name.")
    tool_name_glob: Text | None = Field(default=None, description="Names with | between; * only at the end of one.")
    args_jsonpath: Text | None = Field(default=None, description="$.key.key into the arguments; object keys only.")
    match_regex: Text | None = Field(default=None, description="Found anywhere in the value; Rust's syntax.")
    deny_regex: Text | None = Field(default=None, description="The same test under another name.")


class Executor(BaseModel):
    """What a hook runs."""

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
    on_error: Literal["block", "allow", "warn"] = Field(default="warn", description="What a failure of the hook means.")
    description: str | None = None
    source: Any = Field(default=None, description="Taken and not used.")


class Config(BaseModel):
    """The ``config`` of the ``user_hooks`` capability."""

    model_config = ConfigDict(extra="forbid", title="Everruns user_hooks")

    hooks: list[Spec] = Field(default=[], max_length=MOST_HOOKS)
    disabled_contributions: list[str] = Field(default=[], description="Whole ids of hooks that are muted.")


class _Call(BaseModel):
    tool_name: str
    tool_call_id: str
    arguments: Any = Field(description="The model's own JSON; usually an object.")


class SessionStart(BaseModel):
    """Data of session_start."""

    agent_id: str | None


class UserPromptSubmit(BaseModel):
    """Data of user_prompt_submit."""

    message: str
    attachments: list[Any]


class PreToolUse(_Call):
    """Data of pre_tool_use."""


class PostToolUse(_Call):
    """Data of post_tool_use."""

    result: Any
    error: str | None
    success: bool


class TurnEnd(BaseModel):
    """Data of turn_end."""

    success: bool
    tool_calls: list[Any]


class SessionEnd(BaseModel):
    """Data of session_end."""

    reason: str


class _Envelope(BaseModel):
    event: str
    hook_id: str
    session_id: str
    turn_id: str | None
    org_id: str | None
    agent_id: str | None
    ts: str = Field(description="RFC 3339, UTC, milliseconds.")


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow", title="Everruns answer")

    reason: str | None = None
    user_message: str | None = Field(default=None, description="For the person, when blocking.")


class ToolPatch(BaseModel):
    """Laid over the arguments, top-level key by key."""

    arguments: dict[str, Any]


class ResultPatch(BaseModel):
    """What replaces parts of a tool's result."""

    result: Any = None
    error: str | None = None
    additional_context: str | None = None


class PromptPatch(BaseModel):
    """The prompt that the model sees."""

    message: str


DATA: dict[str, type[BaseModel]] = {
    "session_start": SessionStart,
    "user_prompt_submit": UserPromptSubmit,
    "pre_tool_use": PreToolUse,
    "post_tool_use": PostToolUse,
    "turn_end": TurnEnd,
    "session_end": SessionEnd,
}
_PATCHES: dict[str, type[BaseModel]] = {
    "user_prompt_submit": PromptPatch,
    "pre_tool_use": ToolPatch,
    "post_tool_use": ResultPatch,
}


def _model(kind: str, event: str) -> type[BaseModel]:
    from pydantic import create_model

    if kind == "config":
        return Config
    if kind == "input":
        made: type[BaseModel] = create_model(f"{event} payload", __base__=_Envelope, data=(DATA[event], ...))
        return made
    if kind == "output":
        patch: Any = _PATCHES.get(event, dict[str, Any]) | None
        decision: Any = Literal["allow", "mutate", "block"] | None
        made = create_model(f"{event} answer", __base__=_Answer, decision=(decision, None), patch=(patch, None))
        return made
    raise KeyError(kind)


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_model(kind, event).model_json_schema()}
