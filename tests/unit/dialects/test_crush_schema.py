"""The JSON Schemas say what the loader and the parser take."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pyshellhooks import dialects
from pyshellhooks.dialects.crush import tables
from pyshellhooks.errors import UnknownDialectError


def test_the_models_have_the_fields_of_the_tables() -> None:
    from pyshellhooks.dialects.crush import schema

    assert set(schema.HookEntry.model_fields) == set(tables.ENTRY_FIELDS)
    row = tables.EVENTS["PreToolUse"]
    assert list(schema.model("input", "PreToolUse").model_fields) == [field.native for field in row.fields]
    assert set(schema.Hooks.model_fields) == set(tables.EVENTS)
    assert schema.HookEntry(command="x").timeout == tables.DEFAULT_TIMEOUT


@pytest.mark.parametrize("kind", ["config", "input", "output"])
@pytest.mark.parametrize("event", ["", "before_tool", "PreToolUse"])
def test_schemas_are_json(kind: str, event: str) -> None:
    shown = dialects.get("crush").schema(kind, event)
    assert shown["$schema"].startswith("https://json-schema.org/") and json.dumps(shown)


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        dialects.get("crush").schema("nope")


def test_loading_and_firing_import_no_pydantic() -> None:
    script = (
        "import sys\n"
        "from pyshellhooks.engine import HookEngine, RecordedExecutor\n"
        'e = HookEngine.load(\'{"hooks": {"PreToolUse": [{"command": "x", "matcher": "^bash$"}]}}\', \'crush\','
        " executor=RecordedExecutor())\n"
        "e.fire('PreToolUse', tool_name='bash')\n"
        "print([m for m in ('pydantic', 'asyncio', 'dataclasses', 're2', 'regex', 'logging') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("file", "root", "found"),
    [
        ("/w/crush.json", {}, "crush@documented"),
        ("C:\\w\\.crush.json", {}, "crush@documented"),
        ("x.json", {"hooks": {"pre_tool_use": [{"command": "x"}]}}, "crush@documented"),
        ("x.json", {"lsp": {}}, "crush@documented"),
        ("x.json", {"$schema": "https://charm.land/crush.json"}, "crush@documented"),
        ("x.json", {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}}, "claude_code@documented"),
        ("mycrush.json", {}, None),
        ("x.json", [], None),
    ],
)
def test_detection(file: str, root: object, found: str | None) -> None:
    dialect = dialects.detect(file, root)
    assert (dialect.full_name if dialect else None) == found


def test_names_and_editions() -> None:
    assert "crush" in dialects.names()
    assert dialects.get("crush").full_name == "crush@documented"
    assert dialects.get("crush@shipped").active == frozenset(tables.QUIRKS)
    with pytest.raises(UnknownDialectError, match='did you mean "crush"'):
        dialects.get("crsh")
    with pytest.raises(UnknownDialectError, match="expected one of: documented, shipped"):
        dialects.get("crush@beta")


def test_every_quirk_cites_its_rule() -> None:
    assert all(quirk.rule.startswith("crush ") and quirk.summary for quirk in tables.QUIRKS.values())
