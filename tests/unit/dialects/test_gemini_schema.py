"""Gemini CLI's schemas and tables say the same."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from pyshellhooks import HookEngine, dialects
from pyshellhooks.dialects.gemini import tables
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.fields import sample


def test_the_models_have_the_fields_of_the_tables() -> None:
    from pyshellhooks.dialects.gemini import schema

    assert set(schema.HookEntry.model_fields) == set(tables.HOOK_FIELDS)
    assert set(schema.Definition.model_fields) == set(tables.DEFINITION_FIELDS)
    assert set(schema.HooksConfig.model_fields) == set(tables.RESERVED)
    assert set(schema.Hooks.model_fields) == set(tables.EVENTS)
    assert schema.HookEntry(type="command", command="x").timeout == tables.DEFAULT_TIMEOUT * 1000
    for name, row in tables.EVENTS.items():
        model = schema.model("input", name)
        assert list(model.model_fields) == [field.native for field in row.fields], name
        decides = "decision" in schema.model("output", name).model_fields
        assert decides == bool({"deny", "followup"} & row.can), name


@pytest.mark.parametrize("event", list(tables.EVENTS))
def test_samples_fit_the_models(event: str) -> None:
    from pyshellhooks.dialects.gemini import schema

    row, executor = tables.EVENTS[event], RecordedExecutor()
    config: dict[str, Any] = {"hooks": {event: [{"hooks": [{"type": "command", "command": "x"}]}]}}
    HookEngine.load(config, "gemini", executor=executor).fire(event, sample(row, False))
    model = schema.model("input", event).model_validate_json(executor.jobs[0].stdin)
    assert model.model_dump()["hook_event_name"] == event


@pytest.mark.parametrize("kind", ["config", "input", "output"])
@pytest.mark.parametrize("event", ["", "before_tool", *tables.EVENTS])
def test_schemas_are_json(kind: str, event: str) -> None:
    shown = dialects.get("gemini").schema(kind, event)
    assert shown["$schema"].startswith("https://json-schema.org/") and json.dumps(shown)


def test_the_output_schema_has_the_documents_names() -> None:
    properties = dialects.get("gemini").schema("output", "BeforeTool")["properties"]
    assert "continue" in properties and "ask" in json.dumps(properties["decision"])


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        dialects.get("gemini").schema("nope")


def test_loading_and_firing_import_little() -> None:
    script = (
        "import sys\n"
        "from pyshellhooks.engine import HookEngine, RecordedExecutor\n"
        'c = \'{"hooks": {"BeforeTool": [{"matcher": "^a|b$", "hooks": [{"type": "command", "command": "x"}]}]}}\'\n'
        "HookEngine.load(c, 'gemini', executor=RecordedExecutor()).fire('BeforeTool', tool_name='glob')\n"
        "print([m for m in ('pydantic', 'asyncio', 'dataclasses', 'logging', 'datetime') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
