"""The models of answers of Claude Code's form, built from the rows. Imported by ``schema`` modules only: it imports pydantic."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from .form import AnswerForm
from .rows import GroupedEvent, OutputRules


class PermissionAnswer(BaseModel):
    """The ``decision`` object of PermissionRequest."""

    behavior: Literal["allow", "deny"]
    updatedInput: dict[str, Any] | None = None
    updatedPermissions: list[Any] | None = None
    message: str | None = None
    interrupt: bool | None = None


SPECIFIC: dict[str, Any] = {
    "permissionDecision": Literal["allow", "deny", "ask", "defer"],
    "permissionDecisionReason": str,
    "reason": str,
    "updatedInput": dict[str, Any],
    "additionalContext": str,
    "updatedToolOutput": Any,
    "updatedMCPToolOutput": Any,
    "worktreePath": str,
    "action": Literal["accept", "decline", "cancel"],
    "content": dict[str, Any],
    "displayContent": str,
    "permissionDisplay": dict[str, Any],
}
UNIVERSAL: dict[str, Any] = {
    "continue": (bool | None, Field(default=None, description="false ends everything, whatever the decision.")),
    "stopReason": (str | None, None),
    "suppressOutput": (bool | None, None),
    "systemMessage": (str | None, None),
    "terminalSequence": (str | None, None),
}


_EFFECTS: dict[type, Any] = {str: str, bool: bool, list: list[str]}


def _specific(form: AnswerForm, output_rules: OutputRules, name: str) -> Any:
    if name in form.effects:
        return _EFFECTS[form.effects[name][1]]
    if name != "decision":
        return SPECIFIC[name]
    return PermissionAnswer if output_rules.decides == name or output_rules.refuses else Literal["allow", "deny", "ask"]


def answer_model(form: AnswerForm, row: GroupedEvent) -> type[BaseModel]:
    """Return the model of the answer that a hook of an event may print."""
    output_rules, event = row.output_rules, row.native
    fields = {key: UNIVERSAL[key] for key in form.universal}
    if output_rules.block:
        fields["decision"] = (Literal["approve", "block"] | None, None)
        fields["reason"] = (str | None, None)
    if output_rules.fields:
        inner: dict[str, Any] = {"hookEventName": (Literal[(event, *output_rules.refuses)], ...)}
        inner |= {name: (_specific(form, output_rules, name) | None, None) for name in sorted(output_rules.fields)}
        fields["hookSpecificOutput"] = (create_model(f"{event}Specific", **inner) | None, None)
    return create_model(f"{event}Output", __config__=ConfigDict(title=f"{form.title} {event} answer"), **fields)
