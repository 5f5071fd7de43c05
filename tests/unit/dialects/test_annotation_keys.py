"""Keys that people write for people are no mistake where the system ignores them; misspelt keys are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import dialects
from pyshellhooks.hooks.model import Origin

#: Of each system a config with one hook: more keys at the top, in the group (if it has one), and in the hook.
Keys = dict[str, Any]


def claude(top: Keys, group: Keys, hook: Keys) -> tuple[str, str, Keys]:
    whole = {"matcher": "Bash", **group, "hooks": [{"type": "command", "command": "true", **hook}]}
    return "claude_code", "hooks/hooks.json", {**top, "hooks": {"PreToolUse": [whole]}}


def gemini(top: Keys, group: Keys, hook: Keys) -> tuple[str, str, Keys]:
    whole = {"matcher": "run_shell_command", **group, "hooks": [{"type": "command", "command": "true", **hook}]}
    return "gemini", ".gemini/settings.json", {**top, "hooks": {"BeforeTool": [whole]}}


def cursor(top: Keys, group: Keys, hook: Keys) -> tuple[str, str, Keys]:
    return (
        "cursor",
        ".cursor/hooks.json",
        {"version": 1, **top, "hooks": {"stop": [{"command": "true", **group, **hook}]}},
    )


def firebender(top: Keys, group: Keys, hook: Keys) -> tuple[str, str, Keys]:
    _, _, config = cursor(top, group, hook)
    return "firebender", ".firebender/hooks.json", config


def crush(top: Keys, group: Keys, hook: Keys) -> tuple[str, str, Keys]:
    return "crush", "crush.json", {**top, "hooks": {"PreToolUse": [{"command": "true", **group, **hook}]}}


SYSTEMS = [claude, gemini, cursor, firebender, crush]
ANNOTATIONS = [
    "description",
    "_comment",
    "comment",
    "comments",
    "$comment",
    "//",
    "// why",
    "#",
    "#note",
    "_note",
    "note",
    "notes",
    "name",
    "title",
    "id",
    "author",
    "_why",
    "_comment_2",
    "__doc__",
]


def codes(made: tuple[str, str, Keys]) -> list[str]:
    system, file, config = made
    loaded = dialects.get(system).load(json.dumps(config), Origin(file, "project"), "")
    return [one.code for one in loaded.diagnostics]


@pytest.mark.parametrize("level", range(3))
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.__name__)
def test_annotations(system: Any, level: int) -> None:
    for key in ANNOTATIONS:
        keys: list[Keys] = [{}, {}, {}]
        keys[level] = {key: "for people"}
        assert codes(system(*keys)) == [], key


#: For which levels a key is a mistake: a misspelling, another system's key, or a real key made a comment by half.
MISTAKES = {
    "timeout_ms": (2,),
    "timout": (2,),
    "_timeout": (2,),
    "$command": (2,),
    "matchers": (1,),
    "_matcher": (1,),
    "enabled": (1, 2),
    "priority": (2,),
    "commands": (2,),
    "hook": (0,),
    "_hooks": (0,),
    "#hooks": (0,),
}


@pytest.mark.parametrize("key", MISTAKES)
@pytest.mark.parametrize("system", [claude, cursor, firebender], ids=lambda system: system.__name__)
def test_mistakes(system: Any, key: str) -> None:
    for level in MISTAKES[key]:
        keys: list[Keys] = [{}, {}, {}]
        keys[level] = {key: 5}
        assert "unknown-key" in codes(system(*keys)), (key, level)


@pytest.mark.parametrize(
    ("event", "expected"), [("stop", []), ("preToolUse", ["unknown-key"]), (["stop"], ["unknown-key"])]
)
def test_an_event_key_is_a_label_if_it_agrees(event: object, expected: list[str]) -> None:
    assert codes(cursor({}, {}, {"event": event})) == expected


def test_a_comment_among_the_events_of_cursor() -> None:
    """An unknown event is ignored (firebender 2); one that holds hooks may be misspelt."""
    system, file, config = cursor({}, {}, {})
    config["hooks"]["_comment"] = "for people"
    assert codes((system, file, config)) == []
    config["hooks"]["_comment"] = [{"command": "true"}]
    assert codes((system, file, config)) == ["unknown-event"]
