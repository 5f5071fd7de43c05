"""The JSON Schemas say what the loader and the parser take; the dialect is told from the other ones."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from shapes_of_all import SHAPES

from pyshellhooks import dialects
from pyshellhooks.dialects.claude_code import ClaudeCode, events, tables
from pyshellhooks.dialects.grouped_events.config import GROUP_FIELDS
from pyshellhooks.hooks.dialect import ABSENT
from pyshellhooks.hooks.fields import sample

CASES = Path(__file__).parents[3] / "conformance/cases/claude_code"


def test_the_models_of_handlers_have_the_fields_of_the_tables() -> None:
    from pyshellhooks.dialects.claude_code import schema

    models = {get_args(model.model_fields["type"].annotation)[0]: model for model in (
        schema.CommandHook, schema.HttpHook, schema.McpToolHook, schema.PromptHook, schema.AgentHook
    )}  # fmt: skip
    assert models.keys() == tables.TYPES.keys()
    for kind, model in models.items():
        names = {field.alias or name for name, field in model.model_fields.items()}
        assert names == {*tables.COMMON_FIELDS, *tables.OWN_FIELDS[kind]}, kind
        required = {name for name, field in model.model_fields.items() if field.is_required()}
        assert required == {"type", *tables.REQUIRED[kind]}, kind
    assert set(schema.Group.model_fields) == set(GROUP_FIELDS)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("event", events.EVENTS)
def test_payload_and_answer_of_every_event(event: str) -> None:
    from pyshellhooks.dialects.claude_code import schema

    row = events.EVENTS[event]
    model = schema.payload_model(event)
    assert list(model.model_fields) == [field.native for field in row.fields]
    required = {name for name, field in model.model_fields.items() if field.is_required()}
    assert required == {field.native for field in row.fields if field.default is not ABSENT}
    dialect = ClaudeCode()
    for kind in ("config", "input", "output"):
        shown = dialect.schema(kind, event)
        assert shown["$schema"].startswith("https://json-schema.org/") and json.dumps(shown)
    inner = dialect.schema("output", event).get("$defs", {}).get(f"{event}Specific", {"properties": {}})["properties"]
    assert set(inner) - {"hookEventName"} == events.EVENTS[event].output_rules.fields


@pytest.mark.parametrize("event", events.EVENTS)
def test_the_sample_of_every_event_is_a_payload(event: str) -> None:
    from pyshellhooks import HookEngine
    from pyshellhooks.dialects.claude_code import schema
    from pyshellhooks.engine import RecordedExecutor

    executor = RecordedExecutor()
    config = {"hooks": {event: [{"hooks": [{"type": "command", "command": "x"}]}]}}
    engine = HookEngine.load(config, "claude_code", executor=executor, cwd="/w", env={})
    engine.fire(event, sample(events.EVENTS[event], False))
    stdin = executor.jobs[0].stdin
    assert stdin.endswith(b"}\n")
    schema.payload_model(event).model_validate_json(stdin)


def test_every_event_of_the_contract_has_a_row() -> None:
    assert len(events.EVENTS) == 34


def test_blocking_fields_are_among_the_abilities_of_a_row() -> None:
    needs = {
        "deny": "deny", "discard": "deny", "result": "deny", "halt": "halt", "decline": "deny",
        "followup": "followup", "context": "context",
    }  # fmt: skip
    for event, row in events.EVENTS.items():
        can, output_rules = row.can, row.output_rules
        for what in filter(None, (output_rules.block, output_rules.exit2)):
            assert needs[what] in can, event
        assert ("context" in can) == ("additionalContext" in output_rules.fields), event
        assert ("rewrite" in can) == bool(row.rewrite), event


def test_events_that_may_export_variables() -> None:
    assert {name for name, row in events.EVENTS.items() if "env" in row.can} == {
        "SessionStart",
        "Setup",
        "CwdChanged",
        "FileChanged",
    }


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        ClaudeCode().schema("nope")


def test_loading_and_firing_import_no_pydantic() -> None:
    script = (
        "import sys\n"
        "from pyshellhooks.engine import HookEngine, RecordedExecutor\n"
        'config = {"hooks": {"PreToolUse": [{"matcher": "Bash|Edit", "hooks": [{"type": "command", "command": "x"}]}]}}\n'
        'e = HookEngine.load(config, "claude_code", executor=RecordedExecutor())\n'
        'e.fire("PreToolUse", tool_name="Bash")\n'
        "print([m for m in ('pydantic', 'asyncio', 'dataclasses', 're2', 'regex', 'logging') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("name", "root"), SHAPES)
def test_shapes_of_all_systems(name: str, root: dict[str, Any]) -> None:
    assert ClaudeCode().recognises(root) == (name == "claude_code")
    if name == "claude_code":
        assert [one for one in dialects.names() if dialects.get(one).recognises(root)] == ["claude_code"]


@pytest.mark.parametrize(
    "root",
    [
        {"hooks": {}},
        {"hooks": {"PreToolUse": [{"type": "command", "command": "x"}]}},
        {"hooks": {"PreToolUse": {"hooks": []}}},
        {"hooks": {"SessionStart": [{"sequential": True, "hooks": []}]}},
        {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x", "name": "n"}]}]}},
        {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}, "hooksConfig": {}},
        {"hooks": {"PreToolUse": [{"hooks": []}], "BeforeTool": [{"hooks": []}]}},
        {"hooks": None},
        {"permissions": {"allow": []}},
        {"disableAllHooks": "yes"},
    ],
)
def test_configs_that_are_not_plainly_claude_codes(root: dict[str, Any]) -> None:
    assert not ClaudeCode().recognises(root)


@pytest.mark.parametrize(
    "file",
    ["/h/.claude/settings.json", "C:\\w\\.claude\\settings.local.json", "/etc/claude-code/managed-settings.json"],
)
def test_file_names(file: str) -> None:
    dialect = dialects.detect(file, {})
    assert dialect is not None and dialect.full_name == "claude_code@documented"


def test_editions_and_quirks() -> None:
    older, shipped = (dialects.get(f"claude-code@{name}").active for name in ("v2.1.208", "shipped"))
    assert older | shipped == frozenset(tables.QUIRKS) and not older & shipped
    assert dialects.get("claude_code").active == frozenset()
    assert all(quirk.rule.startswith("claude_code ") and quirk.summary for quirk in tables.QUIRKS.values())


def test_every_quirk_has_a_case() -> None:
    shown = tomllib.loads((CASES / "older.toml").read_text(encoding="utf-8"))["case"]
    assert all(case["edition"] == "v2.1.208" for case in shown)
    assert len(shown) >= len(tables.EDITIONS["v2.1.208"])
    shipped = tomllib.loads((CASES / "shipped.toml").read_text(encoding="utf-8"))
    assert shipped["edition"] == "shipped" and len(shipped["case"]) >= len(tables.EDITIONS["shipped"])
