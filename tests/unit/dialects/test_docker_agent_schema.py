"""The JSON Schemas say what the loader and the parser take."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pyshellhooks import dialects
from pyshellhooks.dialects.docker_agent import tables


def test_the_models_have_the_fields_of_the_tables() -> None:
    from pyshellhooks.dialects.docker_agent import schema

    assert tuple(schema.Hook.model_fields) == tables.HOOK_FIELDS
    assert tuple(schema.Group.model_fields) == tables.GROUP_FIELDS
    assert tuple(schema.Hooks.model_fields) == tuple(tables.EVENTS)
    assert schema.Hook(type="command", command="x").timeout == tables.DEFAULT_TIMEOUT
    for name, row in tables.EVENTS.items():
        assert list(schema.model("input", name).model_fields) == [field.native for field in row.fields]
        groups = "Group" in str(schema.Hooks.model_fields[name].annotation)
        assert groups == bool(row.subject)


@pytest.mark.parametrize("kind", ["config", "input", "output"])
@pytest.mark.parametrize("event", ["", "before_tool", *tables.EVENTS])
def test_schemas_are_json(kind: str, event: str) -> None:
    shown = dialects.get("docker_agent").schema(kind, event)
    assert shown["$schema"].startswith("https://json-schema.org/") and json.dumps(shown)


def test_only_pre_tool_use_decides() -> None:
    dialect = dialects.get("docker_agent")
    assert "continue" in dialect.schema("output", "pre_tool_use")["properties"]
    assert "continue" not in dialect.schema("output", "stop")["properties"]
    with pytest.raises(KeyError):
        dialect.schema("nope")


def test_loading_and_firing_import_no_pydantic() -> None:
    script = (
        "import sys\n"
        "from pyshellhooks.engine import HookEngine, RecordedExecutor\n"
        "e = HookEngine.load(text='hooks: {pre_tool_use: [{matcher: shell, hooks: [{type: command, command: x}]}]}',"
        " dialect='docker_agent', executor=RecordedExecutor())\n"
        "e.fire('pre_tool_use', tool_name='shell')\n"
        "print([m for m in ('pydantic', 'asyncio', 'dataclasses', 're2', 'regex', 'logging') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_editions_and_quirks() -> None:
    assert list(dialects.get("docker_agent").editions) == ["documented", "shipped", "failclosed", "current"]
    assert dialects.get("docker_agent").active == frozenset()
    assert dialects.get("docker_agent@failclosed").active == {"failures_deny"}
    assert dialects.get("docker_agent@shipped").active == tables.QUIRKS.keys() - {
        "failures_deny",
        "later_events_and_fields",
    }
    for quirk in tables.QUIRKS.values():
        assert quirk.rule.startswith("docker_agent ") and quirk.summary


def test_events_have_samples_in_the_documents_values() -> None:
    for row in tables.EVENTS.values():
        for field in row.fields:
            if field.native in tables.VALUES:
                assert field.sample in tables.VALUES[field.native]
                assert field.default in tables.VALUES[field.native]
