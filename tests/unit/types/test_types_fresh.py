"""The typed models are what the tables say: generated, and nothing in them by hand."""

from __future__ import annotations

from pathlib import Path
from typing import NotRequired, get_origin, get_type_hints

import pytest
from typed import EVENTS, model, module

from pyshellhooks import dialects
from pyshellhooks.hooks.dialect import ABSENT
from tests.generators.types import SYSTEMS, build, pascal, path
from tests.generators.types_source import docstring, quoted


@pytest.mark.not_on_windows("needs-tools")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_module_is_fresh(system: str) -> None:
    assert Path(path(system)).read_text(encoding="utf-8") == build(system), "run python -m tests.generators.types"


def test_every_system_and_every_event_has_its_classes() -> None:
    assert set(SYSTEMS) == {name for name in dialects.names() if name != "toy"}
    for system, native in EVENTS:
        found, name = module(system), pascal(native)
        assert {name, f"{name}Dict", f"{name}Output", f"{name}OutputDict"} <= vars(found).keys()
        assert found.EVENTS[native] is getattr(found, name)


@pytest.mark.parametrize(("system", "native"), EVENTS)
def test_a_model_has_every_field_of_its_row(system: str, native: str) -> None:
    """What a guard decides by must be sent; anything else has the default of the row, or of its absence."""
    row, kind = dialects.get(system).events[native], model(system, native)
    named = {field.native for field in row.fields}
    beside = set(kind.model_fields) - named
    assert beside <= {"event", "hook_id", "ts"}
    assert named <= set(kind.model_fields)
    for field in row.fields:
        found = kind.model_fields[field.native]
        optional = field.default is None or field.default is ABSENT
        assert found.is_required() == (field.needed and not optional), field.native
        if not found.is_required() and not optional and field.native != dialects.get(system).event_key:
            assert found.get_default(call_default_factory=True) == field.default


@pytest.mark.parametrize(("system", "native"), EVENTS)
def test_the_typed_dicts_are_the_schemas(system: str, native: str) -> None:
    """A TypedDict has the keys of the JSON Schema, and requires what it requires."""
    dialect = dialects.get(system)
    for kind, name in (("input", f"{pascal(native)}Dict"), ("output", f"{pascal(native)}OutputDict")):
        hints = get_type_hints(getattr(module(system), name), include_extras=True)
        told = dialect.schema(kind, native)
        assert hints.keys() == told["properties"].keys()
        assert [key for key, hint in hints.items() if get_origin(hint) is not NotRequired] == told.get("required", [])


def test_source_text() -> None:
    assert quoted('say "x"\n') == '"say \\"x\\"\\n"'
    assert docstring("ends.") == '    """Ends."""\n'
    assert [pascal(name) for name in ("pre_tool_use", "preToolUse", "PreToolUse")] == ["PreToolUse"] * 3
