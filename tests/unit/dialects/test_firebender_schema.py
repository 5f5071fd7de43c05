"""The JSON Schemas say what the loader and the reader take; names, editions, quirks."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pyshellhooks import dialects
from pyshellhooks.dialects.flat_events import config, parse_output, schema
from pyshellhooks.dialects.flat_events.dialect import FlatEvents
from pyshellhooks.hooks.fields import sample

BOTH = pytest.mark.parametrize("name", ["firebender", "cursor"])


def dialect(name: str) -> FlatEvents:
    found = dialects.get(name)
    assert isinstance(found, FlatEvents)
    return found


def test_the_entry_has_the_fields_of_the_loader() -> None:
    assert set(schema.HookEntry.model_fields) == set(config.ENTRY_FIELDS)
    assert set(schema.Matcher.model_fields) == set(config.CONDITION_KEYS)
    assert schema.HookEntry(command="x").timeout == config.DEFAULT_TIMEOUT == 60
    assert schema.HookEntry(command="x").loop_limit == config.DEFAULT_LOOP_LIMIT == 5


def test_the_answers_have_the_keys_of_the_reader() -> None:
    needs = {key: need for key, (need, _, _) in schema.ANSWER_KEYS.items() if need}
    assert {key: needs.pop(key) for key in ("agent_message", "reason")} == {"agent_message": "deny", "reason": "deny"}
    assert needs == parse_output._NEEDS


@BOTH
@pytest.mark.parametrize("kind", ["config", "input", "output"])
def test_schemas_are_json_for_every_event(name: str, kind: str) -> None:
    for event in ("", "before_tool", *dialect(name).events):
        shown = dialect(name).schema(kind, event)
        assert shown["$schema"].startswith("https://json-schema.org/") and json.dumps(shown)


@BOTH
def test_payloads_have_the_fields_of_the_rows_and_samples_fit(name: str) -> None:
    found = dialect(name)
    for row in found.events.values():
        model = schema.input_model(found.vendor, row)
        assert list(model.model_fields) == [field.native for field in row.fields]
        assert sample(row, False).keys() <= set(model.model_fields)


@BOTH
def test_a_kind_that_does_not_exist(name: str) -> None:
    with pytest.raises(KeyError):
        dialect(name).schema("nope")


def test_the_events() -> None:
    ten = [
        "preToolUse", "postToolUse", "beforeShellExecution", "afterShellExecution", "beforeMCPExecution",
        "afterMCPExecution", "beforeReadFile", "afterFileEdit", "preCompact", "stop",
    ]  # fmt: skip
    more = ["sessionStart", "sessionEnd", "subagentStart", "subagentStop"]
    assert set(dialect("firebender").events) == {*ten, *more}
    assert set(dialect("cursor").events) == {
        *ten, *more, "postToolUseFailure", "beforeSubmitPrompt", "afterAgentResponse", "afterAgentThought",
        "beforeTabFileRead", "afterTabFileEdit", "workspaceOpen",
    }  # fmt: skip


def test_editions_and_quirks() -> None:
    assert dialects.get("firebender").full_name == "firebender@documented"
    assert dialects.get("cursor").active == frozenset()
    assert dialects.get("cursor@shipped").active == {"unreadable_answer_blocks", "ask_not_enforced"}
    assert all(quirk.rule.startswith("cursor ") and quirk.summary for quirk in dialect("cursor").quirks.values())


@BOTH
def test_loading_and_firing_import_nothing_heavy(name: str) -> None:
    script = (
        "import sys\n"
        "from pyshellhooks.engine import HookEngine, RecordedExecutor\n"
        'e = HookEngine.load(\'{"hooks": {"preToolUse": [{"command": "x", "matcher": "Shell|Read"}]}}\', '
        f"'{name}', executor=RecordedExecutor())\n"
        "e.fire('before_tool', tool_name='bash', tool_input={'command': 'ls'})\n"
        "print([m for m in ('pydantic', 'asyncio', 'dataclasses', 're2', 'regex', 'logging') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
