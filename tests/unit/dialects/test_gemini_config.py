"""settings.json and hooks.json: what loads, and what is said about what does not (gemini 1)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import dialects
from pyshellhooks.dialects.gemini import Gemini
from pyshellhooks.hooks.dialect import HostContext, Loaded
from pyshellhooks.hooks.model import Origin
from tests.unit.dialects.shapes_of_all import SHAPES


def load(text: str, edition: str = "", file: str = "/w/.gemini/settings.json") -> Loaded:
    return Gemini(edition).load(text, Origin(file))


def group(*hooks: dict[str, Any], event: str = "BeforeTool", **more: Any) -> str:
    inner = [{"type": "command", "command": "x", **hook} for hook in hooks]
    return json.dumps({"hooks": {event: [{**more, "hooks": inner}]}})


def test_a_hook_with_everything() -> None:
    hook = {"command": "./x.sh", "name": "guard", "timeout": 2500, "description": "d", "env": {"A": "1"}}
    loaded = load(group(hook, matcher=" ^run_ ", sequential=True))
    assert loaded.diagnostics == []
    (spec,) = loaded.specs
    assert (spec.event, spec.command, spec.matcher, spec.name, spec.env) == (
        "BeforeTool",
        "./x.sh",
        "^run_",
        "guard",
        {"A": "1"},
    )
    assert spec.timeout == 2.5 and spec.lane is not None and spec.origin.line == 1


def test_the_least_hook() -> None:
    (spec,) = load(group({})).specs
    assert (spec.timeout, spec.matcher, spec.pattern, spec.lane, spec.env, spec.name) == (
        60.0,
        "",
        None,
        None,
        None,
        "",
    )


@pytest.mark.parametrize(
    ("timeout", "seconds", "said"),
    [
        (5000, 5.0, 0),
        (1500.5, 1.5005, 0),
        (601, 0.601, 0),
        (600, 0.6, 1),
        (30, 0.03, 1),
        ("5000", 5.0, 1),
        ("x", 60.0, 1),
        ("nan", 60.0, 1),
        (True, 60.0, 1),
        (None, 60.0, 0),
        (2_147_483_647, 2_147_483.647, 0),
        (2_147_483_648, 2_147_483.648, 1),
        (1e300, 4_000_000.0, 1),
    ],
)
def test_timeouts_are_milliseconds(timeout: object, seconds: float, said: int) -> None:
    loaded = load(group({"timeout": timeout}))
    assert [spec.timeout for spec in loaded.specs] == [pytest.approx(seconds)]
    assert len(loaded.diagnostics) == said and not loaded.errors


@pytest.mark.parametrize("timeout", [0, -1, 0.0])
def test_no_time_at_all_is_an_error(timeout: float) -> None:
    loaded = load(group({"timeout": timeout}))
    assert loaded.specs == [] and "would end the hook" in loaded.errors[0].message
    assert [spec.timeout for spec in load(group({"timeout": timeout}), "shipped").specs] == [0.0]


def test_lanes_are_groups() -> None:
    text = json.dumps(
        {"hooks": {"BeforeTool": [{"sequential": True, "hooks": [{"type": "command", "command": c}]} for c in "ab"]}}
    )
    first, second = load(text).specs
    assert first.lane != second.lane
    dialect = Gemini()
    assert dialect.lanes([first, second]) == [[0], [1]]
    assert dialect.lanes([first, *load(group({})).specs, first]) == [[0, 2], [1]]
    assert Gemini("shipped").lanes([*load(group({})).specs, first]) == [[0, 1]]
    assert Gemini("shipped").lanes(load(group({}, {})).specs) == [[0], [1]]


def test_the_same_group_of_two_files_is_two_lanes() -> None:
    text = group({}, sequential=True)
    one, two = (Gemini().load(text, Origin("settings.json", "given", rank)).specs[0] for rank in (0, 1))
    assert one.lane != two.lane


def test_extensions_are_last_and_disabling_spans_files() -> None:
    dialect = Gemini()
    extension = load(group({"command": "${extensionPath}${/}e.sh"}), file="/x/ext/hooks/hooks.json")
    settings = load('{"hooksConfig": {"disabled": ["gone", "none"]}, ' + group({}, {"name": "gone"})[1:])
    whole = dialect.combine([extension, settings])
    assert [spec.command for spec in whole.specs] == ["x", "/x/ext/e.sh"]
    assert [d.message for d in whole.diagnostics] == [
        'hooksConfig.disabled: no hook has the name or command "none"',
        "hooksConfig.disabled of /w/.gemini/settings.json switches this hook off: gone",
    ]


def test_an_extension_cannot_switch_hooks_off() -> None:
    text = '{"hooksConfig": {"enabled": false}, ' + group({})[1:]
    assert len(Gemini().combine([load(text, file="/x/hooks/hooks.json")]).specs) == 1
    assert Gemini().combine([load(text)]).specs == []


@pytest.mark.parametrize("last", ["{}", '{"enabled": true, "disabled": []}', "3", "null"])
def test_of_two_switches_the_last_counts(last: str) -> None:
    """So does JSON.parse, which Gemini CLI reads settings with."""
    first = '{"hooksConfig": {"enabled": false, "disabled": ["g"]}, '
    text = first + f'"hooksConfig": {last}, ' + group({}, {"name": "g"})[1:]
    assert len(Gemini().combine([load(text)]).specs) == 2


def test_places() -> None:
    place = HostContext("/home/u/w", env={}, home="/home/u")
    found = [(file.path, file.scope) for file in Gemini().places(place) if "Library" not in file.path]
    assert found == [
        ("/etc/gemini-cli/system-defaults.json", "system"),
        ("/home/u/.gemini/settings.json", "user"),
        ("/home/u/w/.gemini/settings.json", "project"),
        ("/etc/gemini-cli/settings.json", "system"),
    ]
    assert any("/Library/Application Support/GeminiCli" in file.path for file in Gemini().places(place))


def test_places_of_windows_and_of_a_home() -> None:
    place = HostContext("C:\\Users\\u", env={}, home="C:/Users/u", windows=True)
    assert [file.path for file in Gemini().places(place)] == [
        "C:/ProgramData/gemini-cli/system-defaults.json",
        "C:/Users/u/.gemini/settings.json",
        "C:/ProgramData/gemini-cli/settings.json",
    ]


@pytest.mark.parametrize(("system", "root"), SHAPES)
def test_shapes(system: str, root: dict[str, Any]) -> None:
    assert Gemini().recognises(root) == (system == "gemini")


@pytest.mark.parametrize(
    ("root", "own"),
    [
        ({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}, False),
        ({"hooks": {"PreCompress": []}}, True),
        ({"hooks": {"beforeTool": []}}, False),
        ({"$schema": "https://x/gemini-cli/settings.schema.json"}, True),
        ({"hooksConfig": {}}, True),
        ({"hooksConfig": {"disabled": ["x"]}, "hooks": {"SessionEnd": [{"hooks": []}]}}, True),
        ({"hooksConfig": {}, "hooks": {"enabled": True, "Notification": []}}, True),
        ({"hooksConfig": {}, "hooks": {"Stop": []}}, False),
        ({"hooks": {"SessionStart": 5, "Notification": [5]}}, False),
        ({}, False),
    ],
)
def test_it_recognises_its_own_files(root: dict[str, Any], own: bool) -> None:
    assert Gemini().recognises(root) is own


@pytest.mark.parametrize(
    ("file", "found"),
    [("/w/.gemini/settings.json", "gemini"), ("C:\\w\\.gemini\\settings.json", "gemini"), ("/w/x/settings.json", None)],
)
def test_detection_by_name(file: str, found: str | None) -> None:
    dialect = dialects.detect(file, {})
    assert (dialect.name if dialect else None) == found


def test_a_hook_that_the_host_adds() -> None:
    spec = Gemini().added("before_tool", "exit 2")
    assert (spec.event, spec.timeout, spec.pattern) == ("BeforeTool", 60.0, None)


def test_every_quirk_cites_its_rule() -> None:
    quirks = Gemini().quirks
    assert all(quirk.rule.startswith("gemini ") and quirk.summary for quirk in quirks.values())
    assert Gemini().active == frozenset() and Gemini("shipped").active == frozenset(quirks) - Gemini("document").active
