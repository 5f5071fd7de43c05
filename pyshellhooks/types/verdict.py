"""What ``pyshellhooks fire --json`` prints: the verdict, for programs in Python that read it.

Keys are stable; new ones may come, and are kept. A test holds this to real verdicts.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..hooks.wire import JSON

_OPEN = ConfigDict(extra="allow", defer_build=True)


class Hook(BaseModel):
    """One hook that ran."""

    model_config = _OPEN

    id: str
    command: str
    ended: Literal[
        "ok",
        "nonzero",
        "timed_out",
        "stopped",
        "abandoned",
        "not_started",
        "bad_output",
        "too_much_output",
        "cancelled",
    ] = Field(description="How it ended; everything but ok is a failure.")
    exit_code: int | None = Field(description="null where it has none: timed out, stopped, abandoned, not started.")
    seconds: float
    decision: Literal["none", "allow", "ask", "deny"]
    stdout: str
    stderr: str
    notices: list[str] = Field(description="What a person should know of it.")


class Fault(BaseModel):
    """Something that went wrong; docs/notices.md has the kinds."""

    model_config = _OPEN

    kind: str
    fault: Literal["failure", "strict", "own"] | None = Field(description="Which rule decides about it.")
    hook: str | None = Field(description="The id of the hook that it is about.")
    command: str = Field(description="The command in a hook's script that it is about; empty for none.")
    status: int | None = Field(description="The exit status that the command came to.")
    hint: str = Field(description="What a person can do about it.")
    notice: str = Field(description="All of it as a text for people.")


class Verdict(BaseModel):
    """What all hooks of one event say together."""

    model_config = ConfigDict(extra="allow", defer_build=True, title="pyshellhooks verdict")

    decision: Literal["none", "allow", "ask", "deny"] = Field(
        description="deny: what the event guards must not go ahead."
    )
    halt: bool = Field(description="The agent's loop ends, and the guarded act does not go ahead.")
    reason: str = Field(description="For the model.")
    user_message: str = Field(description="For the person.")
    context: str = Field(description="For the model, beside the act.")
    updated_input: Any = Field(description="The whole input that would now run; null if unchanged.")
    updated_output: Any = Field(description="What the model sees instead of the result; null if unchanged.")
    withholds: bool = Field(description="A result is there already, and the model must not see it.")
    followup: str | None = Field(description="The prompt with which the agent goes on.")
    effects: dict[str, Any] = Field(description="What only some systems have.")
    hooks: list[Hook]
    notices: list[str] = Field(description="What a person should know, each fact once.")
    faults: list[Fault]


def schema() -> dict[str, JSON]:
    """Return the verdict's JSON Schema."""
    from ..dialects.models import document

    return document(Verdict, "verdict")
