"""Pydantic models of configuration, payloads and answers of the flat form; the JSON Schemas are generated from them.

Imported by ``schema`` and by tests only: loading and firing use the tables and do not import pydantic. Payload models
are built from the rows; the others are written here, and a test checks that they agree with the reader.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ...hooks.dialect import EventSpec
from ...jsontext.compact import JSON
from ..models import Makers, document, name_of, payload_model
from .config import DEFAULT_LOOP_LIMIT, DEFAULT_TIMEOUT
from .vendor import Vendor


class Matcher(BaseModel):
    """A matcher that is an object: every key must match."""

    model_config = ConfigDict(extra="forbid", title="Conditions")

    tool_name: str = ""
    toolName: str = ""
    command: str = ""
    file_path: str = ""
    pattern: str = ""
    regex: str = ""


class HookEntry(BaseModel):
    """One hook under ``hooks.<event>``."""

    model_config = ConfigDict(extra="forbid", title="Hook")

    command: str = Field(default="", description="Shell command or path of a script; optional in a prompt hook.")
    type: Literal["command", "prompt"] = "command"
    timeout: float = Field(default=DEFAULT_TIMEOUT, gt=0, description="Seconds.")
    loop_limit: int | None = Field(
        default=DEFAULT_LOOP_LIMIT, ge=0, description="Follow-ups of stop and subagentStop; null for no limit."
    )
    matcher: str | Matcher = Field(
        default="", description="JavaScript regular expression, searched; leave it out to match everything."
    )
    failClosed: bool | None = Field(default=None, description="A failure of the hook denies.")
    prompt: str = Field(default="", description="The prompt for a model; $ARGUMENTS is replaced by the payload.")
    model: str = Field(default="", description="The model that evaluates the prompt.")


#: A key of an answer -> the capability that its event needs, the type of its value, its description.
ANSWER_KEYS: dict[str, tuple[str, Any, str]] = {
    "permission": ("deny", str | None, "the stricter of this and decision counts"),
    "decision": ("deny", str | None, "the same"),
    "continue": ("deny", bool | None, "false denies"),
    "agent_message": ("deny", str | None, "for the model"),
    "reason": ("deny", str | None, "the same"),
    "user_message": ("", str | None, "for the person"),
    "updated_input": ("rewrite", dict[str, Any] | None, "the whole input that runs instead"),
    "updated_mcp_tool_output": ("output", dict[str, Any] | None, "the replacement for the model; MCP tools only"),
    "additional_context": ("context", str | None, "for the model"),
    "followup_message": ("followup", str | None, "sent as the next message of the user"),
    "env": ("env", dict[str, str] | None, "variables for later hooks of the session"),
    "pluginPaths": ("plugins", list[str] | None, "directories of plugins"),
}


def config_model(vendor: Vendor) -> type[BaseModel]:
    """Build the model of a ``hooks.json``."""
    rows: dict[str, Any] = {
        row.native: (list[HookEntry], Field(default=[], description=row.summary)) for row in vendor.events.values()
    }
    hooks = create_model("Hooks", __config__=ConfigDict(extra="forbid", title=f"{vendor.title} hooks"), **rows)
    whole: dict[str, Any] = {"version": (Literal[1], 1), "hooks": (hooks, hooks())}
    return create_model("Config", __config__=ConfigDict(extra="allow", title=f"{vendor.title} hooks.json"), **whole)


def input_model(vendor: Vendor, row: EventSpec) -> type[BaseModel]:
    """Build the model of an event's payload."""
    types: dict[str, Any] = {"hook_event_name": Literal[row.native]}
    types |= {field.native: dict[str, Any] | str for field in row.fields if field.kind == "json"}
    return payload_model(vendor.title, row, types=types)


def output_model(vendor: Vendor, row: EventSpec) -> type[BaseModel]:
    """Build the model of an event's answer: the JSON object on stdout at exit status 0."""
    words = tuple(word for word in ("allow", "deny", "ask") if word in row.can)
    spoken: dict[str, Any] = {"permission": words, "decision": (*words, "approve", "block")}
    fields: dict[str, Any] = {
        key: (Literal[spoken[key]] | None if key in spoken else kind, Field(default=None, description=text))
        for key, (need, kind, text) in ANSWER_KEYS.items()
        if not need or need in row.can
    }
    title = f"{vendor.title} {row.native} answer"
    return create_model(f"{row.native}Output", __config__=ConfigDict(title=title), **fields)


def model(vendor: Vendor, kind: str, row: EventSpec) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    makers: Makers = {
        "config": lambda: config_model(vendor),
        "input": lambda: input_model(vendor, row),
        "output": lambda: output_model(vendor, row),
    }
    return makers[kind]()


def schema(vendor: Vendor, kind: str, row: EventSpec) -> dict[str, JSON]:
    """Return the JSON Schema of the same model as ``model``."""
    return document(model(vendor, kind, row), name_of(vendor.title.lower(), kind, row.native))
