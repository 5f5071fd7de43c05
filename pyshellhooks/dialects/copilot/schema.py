"""The models of Copilot's config and answers, built from the tables. Imported for schemas only: it imports pydantic."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ..grouped_events.rows import GroupedEvent
from ..models import Makers, payload_model, type_of
from .tables import EVENTS, HANDLERS, PASCAL, REPLACES

#: Key of an answer -> its type, besides those that replace something.
_KEYS: dict[str, Any] = {
    "permissionDecision": Literal["allow", "deny", "ask"],
    "permissionDecisionReason": str,
    "additionalContext": str,
    "behavior": Literal["allow", "deny"],
    "message": str,
    "interrupt": bool,
    "handled": bool,
    "responseContent": str,
    **{key: dict[str, Any] if kind is dict else kind for key, (_, kind) in REPLACES.items()},
}


def answer_model(row: GroupedEvent) -> type[BaseModel]:
    """Return the model of the answer that a hook of an event may print."""
    fields: dict[str, Any] = {key: (_KEYS[key] | None, None) for key in sorted(row.output_rules.fields)}
    if row.output_rules.block:
        fields["decision"] = (Literal["block"] | None, None)
        fields["reason"] = (str | None, None)
    title = ConfigDict(title=f"Copilot {row.native} answer")
    return create_model(f"{row.native}Output", __config__=title, **fields)


def config_model() -> type[BaseModel]:
    """Return the model of a file of hooks."""
    forbid = ConfigDict(extra="forbid")
    keys: dict[str, Any] = {"type": (Literal["command", "http", "prompt"], "command"), "matcher": (str, "")}
    for field in HANDLERS.fields:
        keys[field.native] = (type_of(field), Field(default=field.default, description=field.about or None))
    for name in ("url", "prompt"):
        keys[name] = (str, "")
    item: Any = create_model("Hook", __config__=ConfigDict(extra="forbid", title="Copilot hook"), **keys)
    group: Any = create_model("Group", __config__=forbid, matcher=(str, ""), hooks=(list[item], ...))
    events: dict[str, Any] = {
        name: (list[item | group], Field(default=[], description=row.summary))
        for native, row in EVENTS.items()
        for name in (native, PASCAL[native])
    }
    hooks: Any = create_model("Hooks", __config__=forbid, **events)
    title = ConfigDict(extra="allow", title="Copilot hooks")
    return create_model(
        "Config", __config__=title, version=(Literal[1], 1), hooks=(hooks, hooks()), disableAllHooks=(bool, False)
    )


def model(kind: str, row: GroupedEvent) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    makers: Makers = {
        "config": config_model,
        "input": lambda: payload_model("Copilot", row),
        "output": lambda: answer_model(row),
    }
    return makers[kind]()
