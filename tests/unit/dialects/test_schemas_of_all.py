"""Every system's schemas: each has a name of its own, takes what people write, and no misspelt event."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from shapes_of_all import SHAPES

from pyshellhooks import HookEngine, dialects
from pyshellhooks.dialects.flat_events import schema as flat
from pyshellhooks.dialects.flat_events.dialect import FlatEvents
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.fields import sample
from pyshellhooks.types.verdict import schema as verdict_schema

SYSTEMS = ("claude_code", "crush", "cursor", "docker_agent", "everruns", "firebender", "gemini")
COMMAND = {"type": "command", "command": "x"}


def config(system: str, event: str) -> dict[str, Any]:
    """Return a configuration with one hook on an event."""
    grouped = [{"hooks": [COMMAND]}]
    if system in ("claude_code", "gemini"):
        return {"hooks": {event: grouped}}
    if system == "docker_agent":
        hooks = grouped if event.endswith("tool_use") else [COMMAND]
        return {"agents": {"root": {"hooks": {event: hooks}}}}
    if system == "everruns":
        return {"hooks": [{"event": event, "executor": {"type": "bash", "command": "x"}}]}
    return {"hooks": {event: [{"command": "x"}]}}


def config_model(system: str) -> type[BaseModel]:
    dialect = dialects.get(system)
    if isinstance(dialect, FlatEvents):
        return flat.config_model(dialect.vendor)
    made: type[BaseModel] = import_module(f"pyshellhooks.dialects.{system}.schema").Config
    return made


def schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every schema that there is, with what tells it from the others."""
    yield "verdict", verdict_schema()
    for system in SYSTEMS:
        dialect = dialects.get(system)
        yield f"{system}:config", dialect.schema("config")
        for event in dialect.events:
            for kind in ("input", "output"):
                yield f"{system}:{kind}:{event}", dialect.schema(kind, event)


@pytest.mark.slow
def test_every_schema_has_a_name_of_its_own() -> None:
    found = [(name, shown["$id"]) for name, shown in schemas()]
    assert all(own == f"urn:pyshellhooks:schema:{name}" for name, own in found)
    assert (
        len(dict(found)) == len(found) == 1 + len(SYSTEMS) + 2 * sum(len(dialects.get(one).events) for one in SYSTEMS)
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_config_takes_every_event_and_no_misspelt_one(system: str) -> None:
    model = config_model(system)
    for event in dialects.get(system).events:
        model.model_validate(config(system, event))
        for misspelt in (f"{event}s", event[:-1], event.swapcase() + "_"):
            with pytest.raises(ValidationError):
                model.model_validate(config(system, misspelt))


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "everruns"])
def test_a_config_names_its_schema(system: str) -> None:
    """``$schema`` is what editors read; no system and no check of ours takes offence at it."""
    for event in dialects.get(system).events:
        written = {"$schema": "./hooks.schema.json", **config(system, event)}
        config_model(system).model_validate(written)
        with HookEngine.load(written, system, executor=RecordedExecutor()) as engine:
            assert not [one for one in engine.diagnostics if "$schema" in one.message]


# -- as an editor reads them: with a validator that is not ours ------------------------------------------------------------


@pytest.fixture
def validator() -> Any:
    found = pytest.importorskip("jsonschema")
    return found.Draft202012Validator


@pytest.mark.slow
def test_every_schema_is_one(validator: Any) -> None:
    for _, shown in schemas():
        validator.check_schema(shown)


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_editor_marks_a_misspelt_event(system: str, validator: Any) -> None:
    shown = validator(dialects.get(system).schema("config"))
    for event in dialects.get(system).events:
        assert shown.is_valid(config(system, event)), event
        assert not shown.is_valid(config(system, f"{event}s")), event


def test_an_editor_takes_crushs_other_spellings(validator: Any) -> None:
    """Letter case and ``_`` do not count (crush 1.4)."""
    shown = validator(dialects.get("crush").schema("config"))
    for event in ("pre_tool_use", "PRETOOLUSE", "preToolUse", "Pre_Tool_Use"):
        assert shown.is_valid(config("crush", event))
        assert not shown.is_valid({"hooks": {event: [{"comand": "x"}]}})
    assert not shown.is_valid(config("crush", "pre_tool_used"))


def test_an_editor_accepts_usual_configs(validator: Any) -> None:
    for system, root in SHAPES:
        if system == "everruns" or "Nope" in str(root):  # a file around the configuration; an event that is none
            continue
        errors = list(validator(dialects.get(system).schema("config")).iter_errors(root))
        flat_group = system == "gemini" and "'BeforeTool': [{'type'" in str(root)  # which Gemini CLI does not load
        assert bool(errors) == flat_group, (system, root, errors[:1])


@pytest.mark.parametrize("system", SYSTEMS)
def test_payloads_of_hooks_fit_the_schema(system: str, validator: Any) -> None:
    import json

    dialect = dialects.get(system)
    for event, row in dialect.events.items():
        executor = RecordedExecutor()
        with HookEngine(dialect, [dialect.added(event, "x")], executor=executor, cwd="/", env={}) as engine:
            engine.fire(event, sample(row, False))
        job = executor.jobs[0]
        payload = json.loads(job.stdin or job.env[dialect.payload_variables[0]])
        errors = list(validator(dialect.schema("input", event)).iter_errors(payload))
        assert not errors, (event, errors[0])
