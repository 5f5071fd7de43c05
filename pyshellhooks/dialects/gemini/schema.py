"""Pydantic models of Gemini CLI's configuration, payloads and answers; the JSON Schemas are generated from them.

Imported by ``schema`` and by tests only: loading and firing use the tables and do not import pydantic. Payload models
are built from the table; a test checks that the others agree with it.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ...jsontext.compact import JSON
from ..models import Makers, document, name_of, payload_model
from .tables import EVENTS

# -- configuration ----------------------------------------------------------------------------------------------------


class HookEntry(BaseModel):
    """One hook of a definition."""

    model_config = ConfigDict(extra="forbid", title="Gemini CLI hook")

    type: Literal["command"]
    command: str = Field(min_length=1, description="Shell command to run in the session's cwd.")
    name: str = Field(default="", description="Shown in messages; the name for hooksConfig.disabled.")
    timeout: float = Field(default=60000, gt=0, description="Milliseconds.")
    description: str = ""
    env: dict[str, str] = Field(default={}, description="Variables for this hook, over all others.")


class Definition(BaseModel):
    """A matcher and its hooks."""

    model_config = ConfigDict(extra="forbid", title="Gemini CLI hook definition")

    matcher: str = Field(default="", description="A JavaScript regex for tool events, else an exact string.")
    sequential: bool = Field(default=False, description="Run the hooks of this definition one after another.")
    hooks: list[HookEntry]


_definitions: dict[str, Any] = {
    row.native: (list[Definition], Field(default=[], description=row.summary)) for row in EVENTS.values()
}
Hooks = create_model("Hooks", __config__=ConfigDict(extra="forbid", title="Gemini CLI hooks"), **_definitions)


class HooksConfig(BaseModel):
    """The switches of hooks."""

    enabled: bool = True
    disabled: list[str] = Field(default=[], description="Names of hooks; the command of one without a name.")
    notifications: bool = True


class Config(BaseModel):
    """The parts of a settings.json that concern hooks."""

    model_config = ConfigDict(extra="allow", title="Gemini CLI configuration")

    hooks: Hooks = Hooks()  # type: ignore[valid-type]
    hooksConfig: HooksConfig = HooksConfig()


# -- the stable model API ---------------------------------------------------------------------------------------------


class Message(BaseModel):
    """A message of a request; text only."""

    role: Literal["user", "model", "system"]
    content: str


class ToolConfig(BaseModel):
    """The tools that a model may call."""

    mode: Literal["AUTO", "ANY", "NONE"] | None = None
    allowedFunctionNames: list[str] | None = None


class LLMRequest(BaseModel):
    """A request to a model."""

    model: str
    messages: list[Message]
    config: dict[str, Any] = Field(default={}, description="temperature, maxOutputTokens, topP, topK.")
    toolConfig: ToolConfig | None = None


class Content(BaseModel):
    """The content of a model's answer."""

    role: Literal["model"] = "model"
    parts: list[str]


class Candidate(BaseModel):
    """One answer of several."""

    content: Content
    finishReason: str | None = None
    index: int | None = None
    safetyRatings: list[dict[str, str]] | None = None


class Usage(BaseModel):
    """Tokens."""

    promptTokenCount: int | None = None
    candidatesTokenCount: int | None = None
    totalTokenCount: int | None = None


class LLMResponse(BaseModel):
    """A model's answer, or a chunk of it."""

    text: str | None = None
    candidates: list[Candidate]
    usageMetadata: Usage | None = None


class ToolResponse(BaseModel):
    """A tool's result."""

    llmContent: Any = None
    returnDisplay: Any = None
    error: Any = None


# -- stdout -----------------------------------------------------------------------------------------------------------


class Shown(BaseModel):
    """The fields of every answer."""

    systemMessage: str | None = Field(default=None, description="Shown to the user.")
    suppressOutput: bool | None = None


class Blocking(Shown):
    """The fields of an answer on an event that can be blocked."""

    decision: Literal["allow", "deny", "block"] | None = None
    reason: str | None = None
    continue_: bool | None = Field(default=None, alias="continue", description="false ends the agent loop.")
    stopReason: str | None = None


class Specific(BaseModel):
    """The fields of every ``hookSpecificOutput``."""

    hookEventName: str | None = Field(default=None, description="The event; it has no effect.")


class ContextOnly(Specific):
    """Text for the model."""

    additionalContext: str | None = None


class ToolPatch(Specific):
    """Changed arguments."""

    tool_input: dict[str, Any] | None = Field(default=None, description="Laid over the arguments key by key.")


class BeforeToolOutput(Blocking):
    """The stdout of a BeforeTool hook."""

    decision: Literal["allow", "deny", "block", "ask"] | None = None  # type: ignore[assignment]
    hookSpecificOutput: ToolPatch | None = None


class TailCall(BaseModel):
    """Another tool to run; its result replaces this one."""

    name: str
    args: dict[str, Any]


class AfterToolSpecific(ContextOnly):
    """Text for the model, and a tool to run next."""

    tailToolCallRequest: TailCall | None = None


class AfterToolOutput(Blocking):
    """The stdout of an AfterTool hook."""

    hookSpecificOutput: AfterToolSpecific | None = None


class BeforeAgentOutput(Blocking):
    """The stdout of a BeforeAgent hook."""

    hookSpecificOutput: ContextOnly | None = None


class AfterAgentSpecific(Specific):
    """The treatment of the history."""

    clearContext: bool | None = None


class AfterAgentOutput(Blocking):
    """The stdout of an AfterAgent hook."""

    hookSpecificOutput: AfterAgentSpecific | None = None


class BeforeModelSpecific(Specific):
    """Another request, or an answer instead of the model's."""

    llm_request: dict[str, Any] | None = Field(default=None, description="Parts of the request that are overridden.")
    llm_response: LLMResponse | None = Field(default=None, description="Used instead of the model's response.")


class BeforeModelOutput(Blocking):
    """The stdout of a BeforeModel hook."""

    hookSpecificOutput: BeforeModelSpecific | None = None


class SelectionSpecific(Specific):
    """A choice of tools."""

    toolConfig: ToolConfig | None = None


class BeforeToolSelectionOutput(BaseModel):
    """The stdout of a BeforeToolSelection hook; other fields are ignored."""

    suppressOutput: bool | None = None
    hookSpecificOutput: SelectionSpecific | None = None


class AfterModelSpecific(Specific):
    """Another chunk."""

    llm_response: LLMResponse | None = None


class AfterModelOutput(Blocking):
    """The stdout of an AfterModel hook."""

    hookSpecificOutput: AfterModelSpecific | None = None


class SessionStartOutput(Shown):
    """The stdout of a SessionStart hook."""

    hookSpecificOutput: ContextOnly | None = None


#: The models of fields whose kind is only ``json`` in the rows.
_PARTS = {"llm_request": LLMRequest, "llm_response": LLMResponse, "tool_response": ToolResponse}
_OUTPUTS: dict[str, type[BaseModel]] = {
    "BeforeTool": BeforeToolOutput,
    "AfterTool": AfterToolOutput,
    "BeforeAgent": BeforeAgentOutput,
    "AfterAgent": AfterAgentOutput,
    "BeforeModel": BeforeModelOutput,
    "BeforeToolSelection": BeforeToolSelectionOutput,
    "AfterModel": AfterModelOutput,
    "SessionStart": SessionStartOutput,
}


def model(kind: str, event: str) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    row = EVENTS[event]
    makers: Makers = {
        "config": lambda: Config,
        "input": lambda: payload_model("Gemini CLI", row, types={**_PARTS, "hook_event_name": Literal[row.native]}),
        "output": lambda: _OUTPUTS.get(event, Shown),
    }
    return makers[kind]()


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of the same model as ``model``."""
    return document(model(kind, event), name_of("gemini", kind, event))
