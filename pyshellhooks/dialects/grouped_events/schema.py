"""The models of answers of Claude Code's form, built from the rows. Imported by ``schema`` modules only: it imports pydantic."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ...hooks.dialect import EventSpec
from ...jsontext.compact import JSON
from ..models import Makers, document, name_of, payload_model, type_of
from .dialect import GroupedEvents
from .few_keys import FewKeys
from .form import AnswerForm
from .relative import HandlerForm
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


def few_keys_model(form: FewKeys, row: GroupedEvent) -> type[BaseModel]:
    """Return the model of an answer of few keys."""
    paths: dict[tuple[str, ...], Any] = {}
    if row.output_rules.block:
        paths |= {form.decision: Literal["deny"], form.reason: str}
    if "context" in row.can or row.output_rules.block == "followup":
        paths[form.context] = str
    paths[form.message] = str
    if "rewrite" in row.can:
        paths[form.rewrite] = dict[str, Any]
    fields: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for path, kind in paths.items():
        if path:
            holder = inner.setdefault(path[0], {}) if len(path) > 1 else fields
            holder[path[-1]] = (kind | None, None)
    for name, own in inner.items():
        fields[name] = (create_model(f"{row.native}Specific", **own) | None, None)
    return create_model(
        f"{row.native}Output", __config__=ConfigDict(title=f"{form.title} {row.native} answer"), **fields
    )


def answer_model(form: AnswerForm, row: GroupedEvent) -> type[BaseModel]:
    """Return the model of the answer that a hook of an event may print."""
    if isinstance(form, FewKeys):
        return few_keys_model(form, row)
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


# -- relatives --------------------------------------------------------------------------------------------------------


def handler_model(title: str, handlers: HandlerForm) -> type[BaseModel]:
    """Return the model of a command in a relative's config."""
    kind: tuple[Any, Any] = (Literal["command"], handlers.default_type or ...)
    fields: dict[str, Any] = {} if handlers.flat else {"type": kind}
    fields["command"] = (str, Field(min_length=1))
    for key in handlers.fields:
        fields[key.native] = (type_of(key), Field(default=key.default, description=key.about or None))
    return create_model("CommandHook", __config__=ConfigDict(extra="forbid", title=f"{title} hook"), **fields)


def flat_config_model(dialect: GroupedEvents, keys: tuple[str, str]) -> type[BaseModel]:
    """Return the model of a config whose hooks are the entries of one list; ``keys``: those of event and matcher."""
    event, matcher = keys
    forbid = ConfigDict(extra="forbid", title=f"{dialect.title} hook")
    handler = handler_model(dialect.title, dialect.handlers)
    fields: dict[str, Any] = {event: (Literal[tuple(dialect.events)], ...), matcher: (str, "")}
    fields |= {name: (field.annotation, field) for name, field in handler.model_fields.items()}
    entry: Any = create_model("Hook", __config__=forbid, **fields)
    title = ConfigDict(extra="allow", title=f"{dialect.title} hooks")
    return create_model("Config", __config__=title, hooks=(list[entry], []))


def config_model(dialect: GroupedEvents) -> type[BaseModel]:
    """Return the model of a relative's config."""
    if dialect.handlers.flat:
        return flat_config_model(dialect, dialect.handlers.flat)
    forbid = ConfigDict(extra="forbid")
    handler: Any = handler_model(dialect.title, dialect.handlers)
    more: dict[str, Any] = {
        key.native: (type_of(key), Field(default=key.default, description=key.about or None))
        for key in dialect.group_fields
    }
    group: Any = create_model("Group", __config__=forbid, matcher=(str, ""), hooks=(list[handler], ...), **more)
    groups: dict[str, Any] = {
        row.native: (list[group], Field(default=[], description=row.summary)) for row in dialect.events.values()
    }
    hooks: Any = create_model("Hooks", __config__=forbid, **groups)
    if dialect.in_settings:
        settings = ConfigDict(extra="allow", title=f"{dialect.title} settings")
        return create_model("Config", __config__=settings, hooks=(hooks, hooks()))
    title = ConfigDict(extra="forbid", title=f"{dialect.title} hooks")
    return create_model("Config", __config__=title, hooks=(hooks, hooks()), description=(str, ""))


def model_of(dialect: GroupedEvents, kind: str, row: EventSpec) -> type[BaseModel]:
    """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
    assert isinstance(row, GroupedEvent)
    named = {dialect.event_key: Literal[row.native]}
    makers: Makers = {
        "config": lambda: config_model(dialect),
        "input": lambda: payload_model(dialect.title, row, types=named),
        "output": lambda: answer_model(dialect.form, row),
    }
    return makers[kind]()


def schema_of(dialect: GroupedEvents, kind: str, row: EventSpec) -> dict[str, JSON]:
    """Return the JSON Schema of a relative's model."""
    return document(dialect.model(kind, row), name_of(dialect.name, kind, row.native))
