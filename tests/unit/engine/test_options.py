"""Options and settings: what is misspelt or of a wrong type is an error at once, never a guard that is off."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import ConfigError, HookEngine, dialects, pytest_plugin
from pyshellhooks.engine.options import CHOICES, NAMES

CONFIG = {"hooks": {"PreToolUse": [{"command": "exit 2"}]}}

WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"on_failur": "closed"}, TypeError, 'unknown option "on_failur" of HookEngine; did you mean "on_failure"\\?'),
    ({"stict": True}, TypeError, 'did you mean "strict"\\?'),
    ({"onFailure": "closed"}, TypeError, 'did you mean "on_failure"\\?'),
    ({"handler": {}}, TypeError, 'did you mean "handlers"\\?'),
    ({"nonsense": 1}, TypeError, "expected one of: ask, disabled, executor"),
    (
        {"on_failure": "close"},
        ValueError,
        'on_failure must be "open" or "closed", got \'close\'; did you mean "closed"\\?',
    ),
    ({"on_failure": True}, ValueError, 'on_failure must be "open" or "closed", got True'),
    ({"ask": "no"}, ValueError, 'ask must be "ask" or "deny", got \'no\''),
    ({"ask": None}, ValueError, 'ask must be "ask" or "deny", got None'),
    (
        {"isolation": "proces"},
        ValueError,
        'isolation must be "thread" or "process", got \'proces\'; did you mean "process"',
    ),
    ({"scripts": "host only"}, ValueError, 'scripts must be "auto", "embedded" or "host", got \'host only\''),
    ({"strict": "false"}, TypeError, "strict must be True or False, got 'false'"),
    ({"spawn": "no"}, TypeError, "spawn must be True or False"),
    ({"observe": "log"}, TypeError, "observe must be a function"),
    ({"disabled": "given:PreToolUse:1"}, TypeError, "disabled must be a collection of ids"),
    ({"disabled": 1}, TypeError, "disabled must be a collection of ids"),
    ({"settings": ["a"]}, TypeError, "settings must be a mapping"),
    ({"mounts": "/w"}, TypeError, "mounts must be a mapping"),
    ({"env": ["A=b"]}, TypeError, "env must be a mapping"),
    ({"executor": object()}, TypeError, "executor must be an object with a method run"),
]


@pytest.mark.parametrize(("options", "error", "said"), WRONG)
def test_a_wrong_option_is_an_error_before_any_file_is_read(
    options: dict[str, Any], error: type[Exception], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=said):
        HookEngine.load(tmp_path / "not there.json", "crush", **options)
    with pytest.raises(error, match=said):
        HookEngine.discover(str(tmp_path), **options)
    if next(iter(options)) in NAMES | {"env"}:
        with pytest.raises(error, match=said):
            HookEngine("crush", **options)


def test_trust_is_no_word() -> None:
    with pytest.raises(TypeError, match='trust_project must be True, False or "store"'):
        HookEngine.load(CONFIG, "crush", trust_project="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_is_accepted(name: str) -> None:
    for word in CHOICES[name]:
        with HookEngine.load(CONFIG, "crush", **{name: word}) as engine:
            assert engine.specs


def test_the_options_are_those_of_the_class_and_of_the_fixture() -> None:
    parameters = set(inspect.signature(HookEngine).parameters)
    assert (
        parameters
        - {"dialect", "specs", "cwd", "env", "diagnostics", "others", "left_out", "trust_state", "permission_rules"}
        == NAMES
    )
    assert NAMES - {"observe", "isolation"} <= pytest_plugin._OPTIONS


# -- settings ---------------------------------------------------------------------------------------------------------

SETTINGS: list[tuple[str, dict[str, Any], str]] = [
    ("cursor", {"strict_emtpy": True}, 'unknown setting "strict_emtpy"'),
    ("cursor", {"strict_empty": "true"}, "strict_empty must be true or false, not str; it is ignored"),
    ("cursor", {"workspace_roots": "/w"}, "workspace_roots must be a list of strings, not str"),
    ("cursor", {"default_timeout": -1}, "default_timeout must be a number of seconds above 0, not -1"),
    ("cursor", {"user_email": 3}, "user_email must be a string, not 3"),
    ("firebender", {"allow_fail_open_override": 1}, "allow_fail_open_override must be true or false, not 1"),
    ("claude_code", {"user_config": "x"}, "user_config must be a mapping, not str"),
    ("crush", {"no such thing at all": 1}, 'unknown setting "no such thing at all"'),
]


@pytest.mark.parametrize(("system", "settings", "said"), SETTINGS)
def test_wrong_settings_are_reported_and_refused_under_strict(system: str, settings: dict[str, Any], said: str) -> None:
    with HookEngine(system, settings=settings) as engine:
        (diagnostic,) = engine.diagnostics
        assert said in diagnostic.message and diagnostic.severity == "warning"
        assert not engine.systems[0].host_context.settings
    with pytest.raises(ConfigError, match=said):
        HookEngine(system, settings=settings, strict=True)


def test_a_misspelt_setting_names_the_near_one() -> None:
    with HookEngine("cursor", settings={"strict_emtpy": True}) as engine:
        assert engine.diagnostics[0].hint == 'did you mean "strict_empty"?'


def test_settings_of_systems_that_are_not_loaded_are_no_mistake() -> None:
    """A host sets the same for whatever it finds."""
    every = {name for system in dialects.names() for name in dialects.dialect_class(system).settings}
    assert len(every) > 10
    with HookEngine("crush", settings=dict.fromkeys(every), strict=True) as engine:
        assert not engine.diagnostics


def test_paths_are_strings() -> None:
    given = {"workspace_roots": [Path("/w")], "transcript_path": Path("/t")}
    with HookEngine("cursor", settings=given, strict=True) as engine:
        found = engine.systems[0].host_context.settings
        assert found == {"workspace_roots": [str(Path("/w"))], "transcript_path": str(Path("/t"))}
