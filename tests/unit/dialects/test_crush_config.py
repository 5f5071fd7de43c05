"""crush.json: what loads, and what is said about what does not (crush 1.3 to 1.5)."""

from __future__ import annotations

import pytest

from pyshellhooks.dialects.crush import Crush
from pyshellhooks.hooks.dialect import Loaded
from pyshellhooks.hooks.model import Origin


def load(text: str, edition: str = "") -> Loaded:
    return Crush(edition).load(text, Origin("crush.json"))


def config_with(entry: str) -> str:
    return '{"hooks": {"PreToolUse": [' + entry + "]}}"


def test_an_entry_with_everything() -> None:
    loaded = load(config_with('{"matcher": "^bash$", "command": "./x.sh", "timeout": 10, "name": "guard"}'))
    assert loaded.diagnostics == []
    (spec,) = loaded.specs
    assert (spec.event, spec.command, spec.matcher, spec.timeout, spec.name) == (
        "PreToolUse",
        "./x.sh",
        "^bash$",
        10.0,
        "guard",
    )
    assert repr(spec.origin) == "crush.json:1:27" and spec.title == "guard"


def test_only_the_command_is_required() -> None:
    (spec,) = load(config_with('{"command": "   "}')).specs
    assert (spec.command, spec.matcher, spec.pattern, spec.timeout, spec.title) == ("   ", "", None, 30.0, "   ")


@pytest.mark.parametrize("event", ["PreToolUse", "pretooluse", "PRETOOLUSE", "pre_tool_use", "PRE_TOOL_USE"])
def test_spellings_of_the_event(event: str) -> None:
    loaded = load('{"hooks": {"' + event + '": [{"command": "x"}]}}')
    assert [spec.event for spec in loaded.specs] == ["PreToolUse"] and not loaded.diagnostics


def test_spellings_add_up_in_file_order() -> None:
    text = '{"hooks": {"pre_tool_use": [{"command": "a"}], "PreToolUse": [{"command": "b"}, {"command": ""}]}}'
    loaded = load(text)
    assert [spec.command for spec in loaded.specs] == ["a", "b"]
    assert [d.message for d in loaded.diagnostics] == ["hook PreToolUse[2]: command is required"]


@pytest.mark.parametrize(
    ("timeout", "seconds"),
    [("10", 10.0), ("0.5", 0.5), ("0", 30.0), ("-1", 30.0), ("1e2", 100.0), ("1e300", 4_000_000.0), ("null", 30.0)],
)
def test_timeouts(timeout: str, seconds: float) -> None:
    loaded = load(config_with('{"command": "x", "timeout": ' + timeout + "}"))
    assert [spec.timeout for spec in loaded.specs] == [seconds]


def test_jsonc_is_read_and_the_shipped_program_does_not() -> None:
    text = '{\n  "hooks": { // mine\n    "PreToolUse": [ {"command": "x",}, ],\n  },\n}'
    assert [spec.command for spec in load(text).specs] == ["x"]
    (diagnostic,) = load(text, "shipped").diagnostics
    assert str(diagnostic) == (
        "crush.json:2:14: error: invalid JSON in config file crush.json: comments are not JSON\n"
        "  hint: remove the comment"
    )


def test_keys_in_any_letter_case_and_nulls() -> None:
    loaded = load('{"Hooks": {"PreToolUse": [{"Command": "x", "MATCHER": null, "Timeout": 5}]}}')
    assert [(spec.command, spec.matcher, spec.timeout) for spec in loaded.specs] == [("x", "", 5.0)]
    assert loaded.diagnostics == []
    assert load('{"hooks": null}').diagnostics == load('{"hooks": {"PreToolUse": null}}').diagnostics == []


def test_other_keys_of_crush_are_left_alone_and_env_is_taken() -> None:
    loaded = load('{"$schema": "x", "providers": {}, "lsp": 1, "whatever": [], "env": {"A": "1", "B": 2}}')
    assert loaded.diagnostics == [] and loaded.env == {"A": "1"}


CASES = [
    ("", "crush.json:1:1: warning: the file is empty: no hooks"),
    ("  \n", "crush.json:2:1: error: invalid JSON in config file crush.json: expected a JSON value, found nothing"),
    ("[]", "crush.json:1:1: error: the config must be a JSON object, not an array"),
    ('"x"', "crush.json:1:1: error: the config must be a JSON object, not a string"),
    (
        '{"hooks": {"PreToolUse": [',
        "crush.json:1:27: error: invalid JSON in config file crush.json: the text ends too early",
    ),
    (
        '{"hoks": {}}',
        'crush.json:1:2: warning: unknown key "hoks"\n  hint: did you mean "hooks"?',
    ),
    (
        '{"hooks": []}',
        "crush.json:1:11: error: hooks must be an object of events, not an array\n"
        '  hint: write {"hooks": {"PreToolUse": [{"command": "..."}]}}',
    ),
    (
        '{"hooks": {"PreToolUse": {"command": "x"}}}',
        "crush.json:1:26: error: hooks.PreToolUse must be an array, not an object\n  hint: put it in [ ]",
    ),
    (
        '{"hooks":\n {"PreToolUze": []}}',
        'crush.json:2:3: warning: Crush has no event "PreToolUze"; its hooks never run\n'
        '  hint: did you mean "PreToolUse"?',
    ),
    (
        '{"hooks": {"PostToolUse": [{"command": "x"}]}}',
        'crush.json:1:12: warning: Crush has no event "PostToolUse"; its hooks never run\n'
        "  hint: Crush fires PreToolUse only",
    ),
    (
        config_with('"x"'),
        'crush.json:1:27: error: hook PreToolUse[0]: must be an object, not a string\n  hint: write {"command": "x"}',
    ),
    (config_with("{}"), "crush.json:1:27: error: hook PreToolUse[0]: command is required"),
    (config_with('{"command": ""}'), "crush.json:1:39: error: hook PreToolUse[0]: command is required"),
    (
        config_with('{"command": 5}'),
        "crush.json:1:39: error: hook PreToolUse[0]: command must be a string, not a number",
    ),
    (
        config_with('{"command": "x", "matcher": ["a"]}'),
        "crush.json:1:55: error: hook PreToolUse[0]: matcher must be a string, not an array",
    ),
    (
        config_with('{"command": "x", "timeout": "10"}'),
        "crush.json:1:55: error: hook PreToolUse[0]: timeout must be a number of seconds, not a string\n"
        "  hint: write 10 without quotes",
    ),
    (
        config_with('{"command": "x", "timeout": true}'),
        "crush.json:1:55: error: hook PreToolUse[0]: timeout must be a number of seconds, not true",
    ),
    (
        config_with('{"command": "x", "timeout": 30000}'),
        "crush.json:1:55: warning: hook PreToolUse[0]: a timeout of more than an hour\n"
        "  hint: Crush counts seconds; this looks like milliseconds",
    ),
    (
        config_with('{"command": "x", "matchr": "y"}'),
        'crush.json:1:44: warning: hook PreToolUse[0]: unknown field "matchr"\n  hint: did you mean "matcher"?',
    ),
    (
        config_with('{"command": "x", "type": "command"}'),
        'crush.json:1:44: warning: hook PreToolUse[0]: unknown field "type"',
    ),
    (
        config_with('{"command": "x", "matcher": "Edit|Write"}'),
        "crush.json:1:55: warning: hook PreToolUse[0]: the matcher names another system's tools\n"
        '  hint: in Crush Edit is "edit", Write is "write"',
    ),
]


@pytest.mark.parametrize(("text", "said"), CASES)
def test_diagnostics(text: str, said: str) -> None:
    assert "\n".join(map(str, load(text).diagnostics)) == said


@pytest.mark.parametrize(
    ("matcher", "hint"),
    [("*", 'leave "matcher" out to match every tool'), ("(", ""), ("(?=bash)", ""), (r"(a)\\1", ""), ("a**", "")],
)
def test_bad_matchers_are_errors(matcher: str, hint: str) -> None:
    loaded = load(config_with('{"command": "x", "matcher": "' + matcher + '"}'))
    (diagnostic,) = loaded.diagnostics
    shown = matcher.replace("\\\\", "\\")
    assert diagnostic.message.startswith(f'hook PreToolUse[0]: invalid matcher regex "{shown}": ')
    assert (diagnostic.line, diagnostic.column, diagnostic.hint) == (1, 55, hint)
    assert loaded.specs == []


def test_the_nested_form_is_an_error_that_shows_the_right_form() -> None:
    text = (
        '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [\n'
        '  {"type": "command", "command": "./guard.sh", "timeout": 5}, {"type": "command", "command": "b"}]}]}}'
    )
    (diagnostic,) = load(text).diagnostics
    assert str(diagnostic) == (
        "crush.json:1:47: error: hook PreToolUse[0]: command is required; "
        "this is Claude Code's nested form, Crush's entries are flat\n"
        '  hint: write {"matcher": "^bash$", "command": "./guard.sh", "timeout": 5}, '
        '{"matcher": "^bash$", "command": "b"}'
    )


def test_the_nested_form_for_every_tool() -> None:
    text = config_with('{"matcher": "*", "hooks": [{"type": "command", "command": "g"}]}')
    assert [d.hint for d in load(text).diagnostics] == ['write {"command": "g"}']


def test_correct_entries_load_beside_a_mistake() -> None:
    loaded = load(config_with('{"command": "a"}, {"command": 1}, {"command": "b"}'))
    assert [spec.command for spec in loaded.specs] == ["a", "b"] and len(loaded.errors) == 1


def test_shipped_needs_whole_seconds_and_is_silent_on_unknown_events() -> None:
    text = '{"hooks": {"Nope": [{"command": "x"}], "PreToolUse": [{"command": "x", "timeout": 1.5}]}}'
    assert [d.message for d in load(text, "shipped").diagnostics] == [
        "hook PreToolUse[0]: timeout must be a whole number of seconds"
    ]
    assert [d.severity for d in load(text).diagnostics] == ["warning"]
