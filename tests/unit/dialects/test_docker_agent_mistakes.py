"""Each mistake in an agent file has line, column, and how it is mended: docker_agent 1."""

from __future__ import annotations

import pytest
from docker_configs import GOOD, diagnostic_texts, load, pre, start

from pyshellhooks.engine import check


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        # the texts of the contract's table
        (pre("matcher: shell"), ["3:7: error: hooks.pre_tool_use[0]: at least one hook is required"]),
        (pre("hooks: []"), ["3:7: error: hooks.pre_tool_use[0]: at least one hook is required"]),
        (pre("hooks:"), ["3:7: error: hooks.pre_tool_use[0]: at least one hook is required"]),
        (start("command: x"), ["3:7: error: hooks.session_start[0]: type is required\n  hint: write type: command"]),
        (
            pre("hooks: [{command: x}]"),
            ["3:15: error: hooks.pre_tool_use[0].hooks[0]: type is required\n  hint: write type: command"],
        ),
        (
            start("{type: builtin, command: x}"),
            [
                "3:14: error: hooks.session_start[0]: unsupported hook type 'builtin' (only 'command' is supported)\n"
                "  hint: write type: command"
            ],
        ),
        (start("type: command"), ["3:7: error: hooks.session_start[0]: command is required for command hooks"]),
        (
            start("{type: command, command: ''}"),
            ["3:7: error: hooks.session_start[0]: command is required for command hooks"],
        ),
        (
            start("{type: command, command: ' '}"),
            ["3:32: warning: hooks.session_start[0]: the command is blank; it does nothing"],
        ),
        # unknown keys are errors inside hooks
        ("hooks:\n  Stop: []\n", ['2:3: error: hooks: unknown event "Stop"\n  hint: did you mean "stop"?']),
        (
            "hooks:\n  PreToolUse: []\n",
            ['2:3: error: hooks: unknown event "PreToolUse"\n  hint: did you mean "pre_tool_use"?'],
        ),
        (
            start("{type: command, command: x, enabled: false}"),
            ['3:35: error: hooks.session_start[0]: unknown key "enabled"'],
        ),
        (
            start("{type: command, command: x, timeot: 5}"),
            ['3:35: error: hooks.session_start[0]: unknown key "timeot"\n  hint: did you mean "timeout"?'],
        ),
        (
            pre(f"{{matchr: shell, {GOOD}}}"),
            ['3:8: error: hooks.pre_tool_use[0]: unknown key "matchr"\n  hint: did you mean "matcher"?'],
        ),
        (
            start("{type: command, command: x, matcher: y}"),
            [
                '3:35: error: hooks.session_start[0]: unknown key "matcher"\n'
                "  hint: session_start takes hooks without groups"
            ],
        ),
        # shapes
        (
            start(GOOD),
            [
                '3:7: error: hooks.session_start[0]: unknown key "hooks"\n'
                "  hint: session_start takes hooks without groups"
            ],
        ),
        (
            "hooks:\n  stop: {type: command, command: x}\n",
            ['2:9: error: hooks.stop must be a list, not an object\n  hint: put "- " before it'],
        ),
        ("hooks:\n  stop: ./x.sh\n", ["2:9: error: hooks.stop must be a list, not a string"]),
        (
            start("./x.sh"),
            [
                "3:7: error: hooks.session_start[0] must be a mapping, not a string\n"
                "  hint: write type: command and command: ..."
            ],
        ),
        (pre("hooks: x"), ["3:14: error: hooks.pre_tool_use[0].hooks must be a list, not a string"]),
        (pre("hooks: [x]"), ["3:15: error: hooks.pre_tool_use[0].hooks[0] must be a mapping, not a string"]),
        ("hooks: 5\n", ["1:8: error: hooks must be a mapping of events, not a number"]),
        ("agents: [a]\n", ["1:9: error: agents must be a mapping of names, not an array"]),
        ("agents:\n  a: b\n", ["2:6: error: agents.a must be a mapping, not a string"]),
        ("- a\n", ["1:1: error: the config must be a YAML object, not an array"]),
        # types
        (
            start("{type: command, command: x, timeout: '5'}"),
            [
                "3:44: error: hooks.session_start[0]: timeout must be a number of seconds, not a string\n"
                "  hint: write 5 without quotes"
            ],
        ),
        (
            start("{type: command, command: x, timeout: 1.5}"),
            ["3:44: error: hooks.session_start[0]: timeout must be a whole number of seconds, not 1.5"],
        ),
        (
            start("{type: command, command: x, timeout: true}"),
            ["3:44: error: hooks.session_start[0]: timeout must be a number of seconds, not true"],
        ),
        (
            start("{type: command, command: x, timeout: 5000}"),
            [
                "3:44: warning: hooks.session_start[0]: a timeout of more than an hour\n"
                "  hint: Docker Agent counts seconds; this looks like milliseconds"
            ],
        ),
        (
            start("{type: command, command: x, timeout: 0}"),
            [
                "3:44: warning: hooks.session_start[0]: a timeout of 0 means the default\n"
                "  hint: write the seconds, or leave it out for 60"
            ],
        ),
        (start("{type: command, command: 5}"), ["3:32: error: hooks.session_start[0]: command must be a string, not a number"]),
        (pre(f"{{matcher: [a], {GOOD}}}"), ["3:17: error: hooks.pre_tool_use[0]: matcher must be a string, not an array"]),
        # not even hooks
        ("hooks:\n\tstop: []\n", ["2:1: error: not YAML: found character '\\t' that cannot start any token"]),
        ("hooks:\n  stop: []\nhooks:\n  notification: []\n", ['3:1: error: duplicate key "hooks" in one mapping']),
    ],
)  # fmt: skip
def test_mistakes(text: str, messages: list[str]) -> None:
    found = [line.removeprefix("a.yaml:") for line in diagnostic_texts(load(text))]
    assert len(found) == len(messages), found
    assert all(line.startswith(message) for line, message in zip(found, messages, strict=True)), found


def test_a_flat_entry_in_place_of_groups() -> None:
    [line] = diagnostic_texts(load(pre("{type: command, command: x}")))
    assert line.startswith("a.yaml:3:7: error: hooks.pre_tool_use[0]: at least one hook is required\n  hint: ")
    assert "takes groups" in line


def test_fields_and_events_of_later_versions() -> None:
    for text in ("hooks:\n  turn_start: []\n", start("{type: command, command: x, on_error: block}")):
        [line] = diagnostic_texts(load(text))
        assert "error" in line and "later versions of Docker Agent" in line


def test_a_misspelt_hooks_key_is_reported_and_other_keys_are_left_alone() -> None:
    text = "version: '2'\nhoks: {}\nagents:\n  a:\n    model: m\n    toolsets: []\n    Hooks: {}\n"
    assert diagnostic_texts(load(text)) == [
        'a.yaml:2:1: warning: unknown key "hoks"\n  hint: did you mean "hooks"?',
        'a.yaml:7:5: warning: agents.a: unknown key "Hooks"\n  hint: did you mean "hooks"?',
    ]


def test_another_systems_file_with_its_name() -> None:
    everruns = "capabilities: [x]\nhooks:\n  - {event: pre_tool_use}\n"
    assert len(load(everruns).errors) == 1
    found = load(everruns, scope="project")  # found by discovery: it would keep every other system from loading
    assert not found.errors and len(found.diagnostics) == 1 and not found.specs
    assert not load("name: x\n", scope="project").errors


@pytest.mark.parametrize("text", ["# nothing\n", "---\n", " \n"])
def test_an_empty_file(text: str) -> None:
    assert [diagnostic.severity for diagnostic in load(text).diagnostics] == ["warning"]


@pytest.mark.parametrize("header", ["|", "|-", "&x |", "|  # said"])
def test_a_script_that_does_not_parse_is_shown_at_its_place(header: str) -> None:
    text = f"hooks:\n  stop:\n    - type: command\n      command: {header}\n        if true; then\n          ) x\n        fi\n"
    [found] = check(text=text, dialect="docker_agent").diagnostics
    assert (found.line, found.column, found.severity) == (6, 11, "warning")
