"""Crush's configuration, payload and answer as pydantic models, from which its JSON Schema is generated.

Imported by ``schema`` and by tests only: loading and firing read the tables and stay quick to start. The payload's
model is built from the table; a test compares the others with it.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...jsontext.compact import JSON
from ..models import Makers, document, name_of, payload_model
from .tables import EVENTS


class HookEntry(BaseModel):
    """One hook under ``hooks.<Event>``."""

    model_config = ConfigDict(extra="forbid", title="Crush hook")

    command: str = Field(min_length=1, description="Shell command to run; relative paths start at the session's cwd.")
    matcher: str = Field(
        default="", description="RE2 pattern searched in the tool's name; leave it out to match every tool."
    )
    timeout: float = Field(default=30, description="Seconds; zero and less mean 30.")
    name: str = Field(default="", description="Shown instead of the command.")


def _any_spelling(schema: dict[str, Any]) -> None:
    """Accept an event in any letter case and with ``_`` anywhere, as the program does (crush 1.4)."""
    schema["patternProperties"] = {
        f"^_*{''.join(f'[{letter.upper()}{letter.lower()}]_*' for letter in event)}$": schema["properties"][event]
        for event in EVENTS
    }


class Hooks(BaseModel):
    """The ``hooks`` of a crush.json."""

    model_config = ConfigDict(extra="forbid", title="Crush hooks", json_schema_extra=_any_spelling)

    PreToolUse: list[HookEntry] = Field(default=[], description="Runs before every tool call of the top-level agent.")


class Config(BaseModel):
    """The parts of a crush.json that concern hooks."""

    model_config = ConfigDict(extra="allow", title="Crush configuration")

    hooks: Hooks = Hooks()


class ClaudeOutput(BaseModel):
    """Claude Code's form of the answer, which Crush accepts too."""

    permissionDecision: Literal["allow", "deny", "ask"] | None = None
    permissionDecisionReason: str | None = None
    updatedInput: dict[str, Any] | None = None
    additionalContext: str | None = None


class PreToolUseOutput(BaseModel):
    """The stdout of a PreToolUse hook with exit status 0."""

    model_config = ConfigDict(title="Crush PreToolUse answer")

    version: int | None = Field(default=1, description="Higher ones are still read.")
    decision: Literal["allow", "deny"] | None = Field(default=None, description="allow skips the permission prompt.")
    halt: bool | None = Field(default=False, description="Ends the turn.")
    reason: str | None = None
    context: str | list[str | None] | None = None
    updated_input: dict[str, Any] | str | None = Field(
        default=None, description="Laid over tool_input, top-level key by key; a string is read as JSON text."
    )
    hookSpecificOutput: ClaudeOutput | None = Field(default=None, description="If present, all other keys are ignored.")


def model(kind: str, event: str) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    row = EVENTS[event]
    makers: Makers = {
        "config": lambda: Config,
        "input": lambda: payload_model("Crush", row, types={"event": Literal[row.native]}),
        "output": lambda: PreToolUseOutput,
    }
    return makers[kind]()


def schema(kind: str, event: str) -> dict[str, JSON]:
    """Return the JSON Schema of the model of ``kind`` and event."""
    return document(model(kind, event), name_of("crush", kind, event))
