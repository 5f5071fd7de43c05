"""Source text of typed models: annotations, pydantic classes and TypedDicts, made of pydantic models."""

from __future__ import annotations

import keyword
import types
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

WIDTH = 120


class Key(NamedTuple):
    """One key of an object: its name, its type, whether it is always there, what it is, and its default's source."""

    name: str
    type: str
    required: bool
    about: str = ""
    default: str = ""


def annotation(kind: Any, suffix: str = "") -> str:
    """Write a type; nested models get the suffix behind their names."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return f"Literal[{', '.join(map(quoted, inner))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(annotation(one, suffix) for one in inner)
    if origin is not None:
        return f"{origin.__name__}[{', '.join(annotation(one, suffix) for one in inner)}]"
    if kind is type(None):
        return "None"
    if kind is Any:
        return "Any"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return f"{class_name(kind)}{suffix}"
    name: str = kind.__name__
    return name


def class_name(model: type[BaseModel]) -> str:
    """Return the name that a model has in the generated module."""
    return pascal(model.__name__.lstrip("_"))


def pascal(native: str) -> str:
    """Return an event's class: ``PreToolUse`` for ``pre_tool_use``, ``preToolUse`` and itself."""
    return "".join(word[:1].upper() + word[1:] for word in native.split("_"))


def quoted(value: Any) -> str:
    """Write a value as ruff formats it."""
    if isinstance(value, str):
        return '"' + value.encode("unicode_escape").decode("ascii").replace('"', '\\"') + '"'
    return repr(value)


def keys(model: type[BaseModel], suffix: str = "") -> list[Key]:
    """Return the keys of a model, by the names that they have in JSON."""
    found = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if not field.is_required() and suffix and field.default is None:
            kind = _without_none(kind)
        default = "" if field.is_required() else _default(field)
        found.append(
            Key(field.alias or name, annotation(kind, suffix), field.is_required(), field.description or "", default)
        )
    return found


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    return quoted(value)


def _without_none(kind: Any) -> Any:
    inner = [one for one in get_args(kind) if one is not type(None)]
    if type(None) not in get_args(kind) or not inner:
        return kind
    return inner[0] if len(inner) == 1 else Union[tuple(inner)]  # noqa: UP007


def nested(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield the models inside a model, the innermost first, each once."""
    seen: dict[type[BaseModel], None] = {}

    def walk(kind: Any) -> None:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            for field in kind.model_fields.values():
                walk(field.annotation)
            seen[kind] = None
        for one in get_args(kind):
            walk(one)

    for field in model.model_fields.values():
        walk(field.annotation)
    yield from seen


def docstring(text: str) -> str:
    """Write a class's or a field's docstring."""
    sentence = text[:1].upper() + text[1:]
    return f'    """{sentence}{"" if sentence.endswith(".") else "."}"""\n'


def fields(found: Iterable[Key]) -> Iterator[str]:
    """Write the fields of a class; a key that no Python name can have gets an alias."""
    for key in found:
        default = f" = {key.default}" if key.default else ""
        if keyword.iskeyword(key.name):
            yield f'    {key.name}_: {key.type} = Field(default={key.default}, alias="{key.name}")\n'
        else:
            yield f"    {key.name}: {key.type}{default}\n"
        if key.about:
            yield docstring(key.about)


def model_class(name: str, base: str, about: str, found: list[Key], more: str = "") -> str:
    """Write a pydantic class."""
    body = "".join(fields(found))
    return f"class {name}({base}):\n{docstring(about)}{_apart(body)}{_apart(more)}"


def typed_dict(name: str, about: str, found: list[Key], base: str = "TypedDict") -> str:
    """Write a TypedDict; with a key that no Python name can have, as a call."""
    if any(keyword.iskeyword(key.name) for key in found):
        rows = "".join(f'        "{key.name}": {_presence(key)},\n' for key in found)
        return f'{name} = TypedDict(\n    "{name}",\n    {{\n{rows}    }},\n)\n'
    body = "".join(f"    {key.name}: {_presence(key)}\n" for key in found)
    return f"class {name}({base}):\n{docstring(about)}{_apart(body)}"


def _presence(key: Key) -> str:
    return key.type if key.required else f"NotRequired[{key.type}]"


def _apart(text: str) -> str:
    return f"\n{text}" if text else ""
