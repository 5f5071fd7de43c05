"""Write the typed models of every system: ``python -m tests.generators.types``, or ``--check`` whether they are fresh.

The dialects' tables say which events and fields there are, their ``schema`` what an answer looks like, and their ``render``
what can be said on each event. ``tests/unit/types/test_types_fresh.py`` fails when a module is stale.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from typing import Any

from pydantic import BaseModel

import pyshellhooks
from pyshellhooks import dialects
from pyshellhooks.dialects.flat_events import schema as flat
from pyshellhooks.dialects.flat_events.dialect import FlatEvents
from pyshellhooks.dialects.grouped_events.dialect import GroupedEvents
from pyshellhooks.hooks.dialect import ABSENT, Dialect, EventSpec, Field
from pyshellhooks.hooks.effects import EFFECTS

from .types_said import Sayable, sayable
from .types_source import Key, annotation, class_name, keys, model_class, nested, pascal, quoted, typed_dict

SYSTEMS = tuple(sorted(dialects.names()))
_HEAD = '''"""{title}'s events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from pydantic import Field

from . import reading
from .event import OPEN, Arguments, Event, Output, Part

'''
_KINDS = {
    "boolean": "bool",
    "string": "str",
    "strings": "list[str]",
    "array": "list[Any]",
    "object": "dict[str, Any]",
    "variables": "dict[str, str]",
}
_TEXTS = ("user_message", "context")
_ACTS = {"deny": "Refuse it", "allow": "Allow it", "ask": "Let the person decide"}


def shape(dialect: Dialect, kind: str, event: str) -> type[BaseModel]:
    """Return the model that a system's JSON Schema of an event is made of."""
    if isinstance(dialect, FlatEvents):
        return flat.model(dialect.vendor, kind, dialect.events[event])
    if isinstance(dialect, GroupedEvents):
        return dialect.model(kind, dialect.events[event])
    made: type[BaseModel] = import_module(f"pyshellhooks.dialects.{dialect.name}.schema").model(kind, event)
    return made


def _default(field: Field) -> str:
    """Write what a field has where the agent sends none; "" for one that a guard decides by."""
    empty = "{}" if field.neutral == "tool_input" else "None"
    if field.default is None or field.default is ABSENT:
        return empty
    return "" if field.needed else quoted(field.default)


def _type(field: Field, kind: Any) -> str:
    if field.neutral == "tool_input":
        return "Arguments"
    text = annotation(kind)
    return f"Annotated[{text}, OPEN]" if field.values else text


def payload_keys(dialect: Dialect, row: EventSpec) -> list[Key]:
    """Return the fields of an event's model; what a payload has under ``data`` stands beside the others."""
    model = shape(dialect, "input", row.native)
    described = dict(model.model_fields)
    inner = described.pop(dialect.data_key, None)
    if inner is not None and isinstance(inner.annotation, type) and issubclass(inner.annotation, BaseModel):
        described |= inner.annotation.model_fields
    found = []
    for name, info in described.items():
        field = row.named.get(name)
        if name == dialect.event_key:
            found.append(Key(name, annotation(info.annotation), False, "", quoted(row.native)))
        elif field is None:
            found.append(Key(name, annotation(info.annotation), False, info.description or "", '""'))
        else:
            default = _default(field)
            kind = _type(field, info.annotation)
            if default == "None" and kind != "Any" and "None" not in kind.split(" | "):
                kind += " | None"
            elif not default:  # what a guard decides by is never null, although the key may be missing in the schema
                kind = kind.removesuffix(" | None")
            found.append(Key(name, kind, not default, field.about, default))
    return found


def _aliases(row: EventSpec, taken: set[str], only: list[Key]) -> str:
    """Write properties for the neutral names of fields, under which the same hook reads any system's event."""
    text, types, taken = "", {key.name: key.type for key in only}, set(taken)
    for field in row.fields:
        if field.neutral not in taken and field.native in types:
            taken.add(field.neutral)
            text += f"    @property\n    def {field.neutral}(self) -> {types[field.native]}:\n"
            text += f'        """``{field.native}`` under its neutral name, ``{field.neutral}``."""\n'
            text += f"        return self.{field.native}\n\n"
    return text


def _shared_aliases(rows: list[EventSpec], all_keys: list[list[Key]], shared: list[Key]) -> str:
    """Write those of the fields of all events; a name that some event has for itself stays that event's."""
    return _aliases(rows[0], {key.name for found in all_keys for key in found}, shared).rstrip("\n") + "\n"


def _answer(row: EventSpec, said: Sayable) -> str:
    """Write ``answer``, with a parameter for whatever the event can be told, and one method a decision."""
    first, rest, passed = [], [], []
    if said.decisions:
        words = ", ".join(map(quoted, said.decisions))
        first.append(f"decision: Literal[{words}] | None = None")
        passed.append("decision=decision")
    if said.halt or said.decisions:
        first.append('reason: str = ""')
        passed.append("reason=reason")
    if said.halt:
        rest.append("halt: bool = False")
        passed.append("halt=halt")
    for name in said.parts:
        rest.append(_parameter(row, name))
        passed.append(f"{name}={name}")
    parameters = ["self", *first, *(["*", *rest] if rest else [])]
    text = f"    def answer({', '.join(parameters)}) -> NoReturn:\n"
    text += '        """Answer, and end the hook. Without arguments it has no opinion."""\n'
    text += f"        self._answer({', '.join(passed)})\n"
    for word in said.alone:
        text += (
            f'\n    def {word}(self, reason: str = "") -> NoReturn:\n        """{_ACTS[word]}, and end the hook."""\n'
        )
        text += f'        self._answer("{word}", reason)\n'
    if said.halt:
        text += (
            '\n    def halt(self, reason: str = "") -> NoReturn:\n        """End the agent\'s loop, and the hook."""\n'
        )
        text += "        self._answer(None, reason, halt=True)\n"
    return text


def _parameter(row: EventSpec, name: str) -> str:
    if name in _TEXTS:
        return f'{name}: str = ""'
    if name == "followup":
        return "followup: str | None = None"
    if name == "updated_output":
        return "updated_output: Any = None"
    if name == "updated_input":
        return f"updated_input: {'str' if row.target == 'prompt' else 'dict[str, Any]'} | None = None"
    return f"{name}: {_KINDS[EFFECTS[name].kind]} | None = None"


def _event(dialect: Dialect, row: EventSpec, base: str, shared: list[Key], inherited: set[str]) -> str:
    name, found = pascal(row.native), payload_keys(dialect, row)
    constants = f'    SYSTEM: ClassVar[str] = "{dialect.name}"\n    EVENT: ClassVar[str] = "{row.native}"\n\n'
    own = [key for key in found if key not in shared]
    more = f"{_aliases(row, {key.name for key in found} | inherited, found)}{_answer(row, sayable(dialect, row))}"
    made = model_class(name, base, row.summary, own, more)
    head, _, body = made.partition('"""\n')
    return f'{head}"""\n\n{constants}{body.lstrip(chr(10))}'


def build(system: str) -> str:
    """Return the text of one system's module, formatted by ruff."""
    dialect = dialects.get(system)
    rows = list(dialect.events.values())
    parts: dict[str, str] = {}
    for kind, base in (("input", "Part"), ("output", "Output")):  # what stands in both takes what a payload may hold
        for row in rows:
            for model in nested(shape(dialect, kind, row.native)):
                name = class_name(model)
                about = (model.__doc__ or f"Inside of {row.native}'s {kind}").strip()
                if kind == "output" or not _is_data(dialect, row, model):
                    parts.setdefault(name, model_class(name, base, about, keys(model)))
                parts.setdefault(f"{name}Dict", typed_dict(f"{name}Dict", about, keys(model, "Dict")))
    all_keys = [payload_keys(dialect, row) for row in rows]
    shared = [key for key in all_keys[0] if all(key in one for one in all_keys)] if len(rows) > 1 else []
    base, inherited = "Event", set[str]()
    text = _HEAD.format(title=dialect.title) + "\n\n".join(parts.values())
    if shared:
        base = f"{pascal(system)}Event"
        aliases = _shared_aliases(rows, all_keys, shared)
        inherited = set(re.findall(r"def (\w+)", aliases))
        text += "\n\n" + model_class(base, "Event", "The fields of every event", shared, aliases)
    names = []
    for row in rows:
        name = pascal(row.native)
        names.append(name)
        output = shape(dialect, "output", row.native)
        text += "\n\n" + _event(dialect, row, base, shared, inherited)
        text += "\n\n" + typed_dict(
            f"{name}Dict", f"The payload of {row.native}", keys(shape(dialect, "input", row.native), "Dict")
        )
        text += "\n\n" + model_class(f"{name}Output", "Output", f"The output of a {row.native} hook", keys(output))
        text += "\n\n" + typed_dict(f"{name}OutputDict", f"The output of a {row.native} hook", keys(output, "Dict"))
    text += f"\n\n#: Any event of the system.\nAnyEvent = {' | '.join(names)}\n"
    table = "".join(f"    {name}.EVENT: {name},\n" for name in names)
    text += f"EVENTS: dict[str, type[AnyEvent]] = {{\n{table}}}\n"
    text += '\n\ndef read() -> AnyEvent:\n    """Read whichever event the agent sent, as ``Event.read`` does."""\n'
    text += f'    return reading.read("{system}", EVENTS)\n'
    return formatted(text)


def _is_data(dialect: Dialect, row: EventSpec, model: type[BaseModel]) -> bool:
    field = shape(dialect, "input", row.native).model_fields.get(dialect.data_key)
    return field is not None and field.annotation.__name__ == model.__name__  # type: ignore[union-attr]


def formatted(text: str) -> str:
    """Let ruff take out unused imports and format the text."""
    root = os.path.dirname(os.path.dirname(pyshellhooks.__file__))
    name = os.path.join(root, "pyshellhooks", "types", "generated.py")
    ruff = [sys.executable, "-m", "ruff"]
    for words in (["check", "--fix-only", "--quiet", "--select", "F401,I"], ["format", "--quiet"]):
        done = subprocess.run(
            [*ruff, *words, "--stdin-filename", name, "-"], input=text, capture_output=True, text=True, encoding="utf-8", cwd=root
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr)
        text = done.stdout
    return text


def path(system: str) -> str:
    """Return where a system's module stands."""
    return os.path.join(os.path.dirname(pyshellhooks.__file__), "types", f"{system}.py")


def main(arguments: list[str] = sys.argv[1:]) -> int:
    """Write the modules, or with ``--check`` say which are stale."""
    stale = []
    for system in SYSTEMS:
        text = build(system)
        if arguments == ["--check"]:
            with open(path(system), encoding="utf-8", newline="") as file:
                stale += [system] if file.read() != text else []
        else:
            with open(path(system), "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
    if stale:
        print(f"stale: {' '.join(stale)}; run python -m tests.generators.types", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
