"""The model of the verdict that ``pyshellhooks fire --json`` prints, for programs in Python that read it.

Keys are stable. The model keeps keys that it does not know. A test compares it with real verdicts.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..jsontext.compact import JSON

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
    ] = Field(description="The end of the hook; everything but ok is a failure.")
    exit_code: int | None = Field(description="null without a status: timed out, stopped, abandoned, not started.")
    seconds: float
    decision: Literal["none", "allow", "ask", "deny"]
    stdout: str
    stderr: str
    notices: list[str] = Field(description="Texts about this hook for a person.")


class Fault(BaseModel):
    """Something that went wrong; docs/notices.md has the kinds."""

    model_config = _OPEN

    kind: str
    fault: Literal["failure", "strict", "own"] | None = Field(description="The rule that decides about it.")
    hook: str | None = Field(description="The id of its hook.")
    command: str = Field(description="The command in the hook's script; empty for none.")
    status: int | None = Field(description="The exit status of the command.")
    hint: str = Field(description="The fix.")
    notice: str = Field(description="The whole notice as text.")


class Verdict(BaseModel):
    """The joined result of all hooks of one event."""

    model_config = ConfigDict(extra="allow", defer_build=True, title="pyshellhooks verdict")

    decision: Literal["none", "allow", "ask", "deny"] = Field(description="deny: the guarded act must not run.")
    halt: bool = Field(description="The agent's loop ends, and the guarded act does not run.")
    reason: str = Field(description="The reason of the decision; the model reads it.")
    user_message: str = Field(description="A message that the person reads.")
    context: str = Field(description="Text that is added for the model; the act still runs.")
    updated_input: Any = Field(description="The whole input that would now run; null if unchanged.")
    updated_output: Any = Field(description="The result that the model sees instead; null if unchanged.")
    withholds: bool = Field(description="The model must not see the existing result.")
    followup: str | None = Field(description="The prompt with which the agent continues.")
    effects: dict[str, Any] = Field(description="Effects that only some systems have.")
    hooks: list[Hook]
    notices: list[str] = Field(description="Texts for a person, each fact once.")
    faults: list[Fault]


def schema() -> dict[str, JSON]:
    """Return the verdict's JSON Schema."""
    from ..dialects.models import document

    return document(Verdict, "verdict")
