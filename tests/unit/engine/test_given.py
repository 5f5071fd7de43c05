"""Names of fields: those of any system are taken, unknown ones are passed on, and misspelt ones are refused.

decisions required fields: a keyword of ``fire`` that is no field of any system and close to one (both are
named) is a TypeError, any other unknown one is passed on with a notice.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from test_fields_of_events import NEEDED, Recorder, engine, payload

from pyshellhooks import HookEngine, dialects
from pyshellhooks.errors import MisspeltFieldError

CALL = {"tool_name": "bash", "tool_input": {"command": "ls"}}


def call(made: HookEngine, name: str, value: Any = "x") -> dict[str, Callable[[], Any]]:
    """Return the ways to hand a field over."""
    fields = {**CALL, name: value}
    return {
        "keywords": lambda: made.fire("before_tool", **fields),
        "mapping": lambda: made.fire("before_tool", fields),
        "text": lambda: made.fire("before_tool", json.dumps(fields)),
        "bytes": lambda: made.fire("before_tool", json.dumps(fields).encode()),
        "both": lambda: made.fire("before_tool", CALL, **{name: value}),
        "afire": lambda: asyncio.run(made.afire("before_tool", **fields)),
        "background": lambda: made.fire("before_tool", background=True, **fields),
        "explain": lambda: made.explain("before_tool", **fields),
    }


@pytest.mark.parametrize(
    ("name", "meant"),
    [("tool_nam", "tool_name"), ("toolname", "tool_name"), ("tool-input", "tool_input"), ("sesion_id", "session_id")],
)
@pytest.mark.parametrize("system", NEEDED)
def test_a_misspelt_name_is_an_error_in_every_way(system: str, name: str, meant: str) -> None:
    event = next(row.native for row in dialects.get(system).events.values() if "before_tool" in row.neutral)
    recorder = Recorder()
    for way in call(engine(system, event, recorder), name).values():
        with pytest.raises(TypeError) as caught:
            way()
        assert isinstance(caught.value, MisspeltFieldError)
        assert str(caught.value) == f'unknown field "{name}"; did you mean "{meant}"?'
    assert not recorder.jobs


@pytest.mark.parametrize("name", ["run_id", "messages", "context", "x"])
def test_any_other_unknown_name_is_passed_on(name: str) -> None:
    for kind, way in call(engine("claude_code", "PreToolUse", recorder := Recorder(), strict=True), name).items():
        found = way()
        if kind == "background":
            found = found.result()
        assert any(f'field "{name}" is unknown; it is passed through' in one for one in found.notices), kind
        if kind != "explain":
            assert json.loads(payload(recorder.jobs[-1]))[name] == "x"
            assert found.decision == "none"  # it hides nothing from a guard: no deny under strict


@pytest.mark.one_in(7)
@pytest.mark.parametrize("system", NEEDED)
def test_a_name_of_another_system_is_no_misspelling(system: str) -> None:
    made = engine(system, next(iter(dialects.get(system).events)), Recorder())
    for other in dialects.names():
        for row in dialects.get(other).events.values():
            for name in row.places:
                assert made.explain(next(iter(dialects.get(system).events)), {name: None})


def test_the_name_of_a_field_is_a_string() -> None:
    with pytest.raises(TypeError, match="a field's name must be a string, got 1"):
        engine("crush", "PreToolUse", Recorder()).fire("PreToolUse", {1: 2})  # type: ignore[dict-item]


def test_a_plan_reports_the_missing_fields_of_an_event() -> None:
    made = engine("crush", "PreToolUse", Recorder())
    assert [notice.split(":")[0] for notice in made.explain("before_tool", tool_input={}).notices] == [
        'field "tool_name" is missing'
    ]
    assert made.explain("before_tool", **CALL).notices == ()


def test_problems_of_fields_are_reported_once_for_all_systems() -> None:
    config = {"hooks": {"PreToolUse": [{"command": "true"}]}}
    claude = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    with HookEngine.load(config, "crush") as first, HookEngine.load(claude, "claude_code") as second:
        first.systems = (*first.systems, *second.systems)
        verdict = first.fire("before_tool", tool_name="bash", tool_input={"x": float("nan")}, session_id=3)
    assert sum("tool_input.x is nan" in notice for notice in verdict.notices) == 1, verdict.notices
