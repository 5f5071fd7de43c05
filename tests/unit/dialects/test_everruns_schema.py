"""The JSON Schemas say what the loader takes and what the payloads have."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, get_args

import pytest

from pyshellhooks import dialects
from pyshellhooks.dialects.everruns import tables
from pyshellhooks.engine import HookEngine, RecordedExecutor


def test_the_models_have_the_fields_of_the_tables() -> None:
    from pyshellhooks.dialects.everruns import schema

    assert tuple(schema.Spec.model_fields) == tables.SPEC_FIELDS
    assert tuple(schema.Executor.model_fields) == tables.EXECUTOR_FIELDS
    assert tuple(schema.Matcher.model_fields) == tables.MATCHER_FIELDS
    assert tuple(schema.Config.model_fields) == tables.CONFIG_FIELDS
    assert get_args(schema.Spec.model_fields["event"].annotation) == tuple(tables.EVENTS)
    assert get_args(schema.Spec.model_fields["on_error"].annotation) == tables.ON_ERROR


@pytest.mark.parametrize("event", tables.EVENTS)
def test_a_payload_has_the_keys_of_its_schema_in_order(event: str) -> None:
    executor = RecordedExecutor()
    spec = {"event": event, "executor": {"type": "bash", "command": "x"}}
    HookEngine.load([spec], executor=executor).fire(event)
    payload: dict[str, Any] = json.loads(executor.jobs[0].env["EVERRUNS_HOOK_PAYLOAD_JSON"])
    shown = dialects.get("everruns").schema("input", event)
    assert list(payload) == list(shown["properties"]) and shown["required"] == list(payload)
    (data,) = [part for name, part in shown["$defs"].items() if name.lower() == event.replace("_", "") + "data"]
    assert list(payload["data"]) == list(data["properties"])


@pytest.mark.parametrize("kind", ["config", "input", "output"])
@pytest.mark.parametrize("event", ["", "before_tool", *tables.EVENTS])
def test_schemas_are_json(kind: str, event: str) -> None:
    shown = dialects.get("everruns").schema(kind, event)
    assert shown["$schema"].startswith("https://json-schema.org/") and json.dumps(shown)


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        dialects.get("everruns").schema("nope")


def test_loading_and_firing_import_no_pydantic() -> None:
    script = (
        "import sys\n"
        "from pyshellhooks.engine import HookEngine, RecordedExecutor\n"
        "h = {'event': 'pre_tool_use', 'executor': {'type': 'bash', 'command': 'x'}, 'matcher': {'tool_name': 'b'}}\n"
        "e = HookEngine.load([h], executor=RecordedExecutor())\n"
        "e.fire('pre_tool_use', tool_name='b')\n"
        "print([m for m in ('pydantic', 'asyncio', 'dataclasses', 're2', 'regex', 'logging') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_quirk_cites_its_rule() -> None:
    assert all(quirk.rule.startswith("everruns ") and quirk.summary for quirk in tables.QUIRKS.values())
    assert dialects.get("everruns").active == frozenset()
    assert dialects.get("everruns@shipped").active == frozenset(tables.QUIRKS)


def test_neutral_names() -> None:
    found = {name: row.native for row in tables.EVENTS.values() for name in row.neutral}
    assert found == {
        "session_start": "session_start",
        "before_prompt": "user_prompt_submit",
        "before_tool": "pre_tool_use",
        "after_tool": "post_tool_use",
        "after_agent": "turn_end",
        "session_end": "session_end",
    }
