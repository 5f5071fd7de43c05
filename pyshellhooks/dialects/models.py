"""Shared functions of the dialects' ``schema`` modules: build a payload model from a row, export a JSON Schema.

Imported by ``schema`` modules and by the generator of ``pyshellhooks.types`` only, for it imports pydantic.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, create_model
from pydantic import Field as Described

from ..hooks.dialect import ABSENT, EventSpec, Field
from ..jsontext.compact import JSON

#: The kind of a field (``hooks.dialect.Field``) -> the type of its value in the payload.
_TYPES: dict[str, Any] = {
    "string": str,
    "string or null": str | None,
    "strings": list[str],
    "number": float,
    "integer": int,
    "boolean": bool,
    "array": list[Any],
    "object": dict[str, Any],
    "json": Any,
    "any": Any,
    "json in a string": str,
}
#: A kind of schema (``config``, ``input``, ``output``) -> the function that builds its model.
Makers = Mapping[str, Callable[[], type[BaseModel]]]


def type_of(field: Field) -> Any:
    """Return the Python type of a field's value in the payload."""
    if field.values:
        return Literal[field.values]
    kind = Literal[field.known] | str if field.known else _TYPES[field.kind]
    return kind | None if field.default is None and field.kind == "string" else kind


def payload_model(
    title: str,
    row: EventSpec,
    *,
    fields: Collection[Field] | None = None,
    types: Mapping[str, Any] | None = None,
    always: Collection[str] | None = None,
    name: str = "",
) -> type[BaseModel]:
    """Build the model of an event's payload from its row.

    ``fields``: the fields of the row to include; by default all. ``types``: name -> a more exact type than the row's.
    ``always``: the fields that every payload contains; by default all except those whose default is ``ABSENT``.
    ``name``: the name of the class.
    """
    definitions: dict[str, Any] = {}
    for field in row.fields if fields is None else fields:
        kind = (types or {}).get(field.native) or type_of(field)
        is_required = field.default is not ABSENT if always is None else field.native in always
        about = field.about or None
        definitions[field.native] = (
            kind if is_required else kind | None,
            Described(... if is_required else None, description=about),
        )
    config = ConfigDict(title=f"{title} {row.native} payload", protected_namespaces=(), extra="allow")
    return create_model(name or f"{row.native}Input", __config__=config, __doc__=None, **definitions)


def document(model: type[BaseModel], name: str) -> dict[str, JSON]:
    """Return the JSON Schema of a model; ``name`` makes its ``$id`` unique: ``crush:input:PreToolUse``."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:pyshellhooks:schema:{name}",
        **model.model_json_schema(),
    }


def name_of(system: str, kind: str, event: str) -> str:
    """Return the name of a schema; that of a config has no event."""
    return f"{system}:{kind}" if kind == "config" else f"{system}:{kind}:{event}"
