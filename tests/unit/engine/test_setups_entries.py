"""Plugins of a marketplace's list: hooks in an entry, options, data, what a plugin needs (test_setups.py).

Claude Code 2.1.332 was asked about each row: which hooks it runs. Where it runs fewer than we do, a notice tells it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from setup_files import CACHE, USER, build, enabled, installed, manifest
from trusting import CALL

from pyshellhooks import HookEngine
from pyshellhooks.engine.checks.checker import check_file, files_at, problems_at


def denying_hook(word: str, event: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    handler = {"type": "command", "command": f'echo "{word} $CLAUDE_PLUGIN_ROOT" >&2; exit 2', **more}
    return {event: [{"matcher": "Bash", "hooks": [handler]}]}


def market(entry: dict[str, Any], *, owner: bool = True, others: list[Any] = [], **more: Any) -> str:  # noqa: B006
    whole = {"name": "m", "plugins": [*others, {"name": "p", "source": "./p", **entry}], **more}
    return json.dumps({**whole, "owner": {"name": "o"}} if owner else whole)


LIST = "market/.claude-plugin/marketplace.json"
MANIFEST = "market/p/.claude-plugin/plugin.json"
HOOKS = "market/p/hooks/hooks.json"
STANDARD = json.dumps({"hooks": denying_hook("standard")})
REGISTERED = json.dumps({"m": {"source": {"source": "directory", "path": "@/market"}}})
#: Name -> the plugin's entry, further files, hooks that the program runs, and a part of the notice on those that it does not.
ENTRIES: dict[str, tuple[dict[str, Any], dict[str, str], list[str], str]] = {
    "hooks in an entry": ({"hooks": denying_hook("entry")}, {}, ["entry"], ""),
    "hooks in an entry that is not strict": ({"strict": False, "hooks": denying_hook("entry")}, {}, ["entry"], ""),
    "an entry replaces the usual file": (
        {"hooks": denying_hook("entry")},
        {HOOKS: STANDARD},
        ["entry"],
        "hooks of PreToolUse do not run in Claude Code",
    ),
    "an entry of another event replaces it, too": (
        {"hooks": denying_hook("entry", "PostToolUse")},
        {HOOKS: STANDARD},
        [],
        "hooks of PreToolUse do not run in Claude Code",
    ),
    "an entry of another event beside a manifest": (
        {"hooks": denying_hook("entry", "PostToolUse")},
        {HOOKS: STANDARD, MANIFEST: manifest()},
        ["standard"],
        "",
    ),
    "an entry of the same event beside a manifest": (
        {"hooks": denying_hook("entry")},
        {HOOKS: STANDARD, MANIFEST: manifest()},
        ["entry"],
        "hooks of PreToolUse do not run in Claude Code",
    ),
    "an entry of the same event beside hooks in a manifest": (
        {"hooks": denying_hook("entry")},
        {MANIFEST: manifest(hooks=denying_hook("manifest"))},
        ["entry"],
        "hooks of PreToolUse do not run in Claude Code",
    ),
    "an entry that is not strict beside a manifest": (
        {"strict": False, "hooks": denying_hook("entry")},
        {HOOKS: STANDARD, MANIFEST: manifest()},
        [],
        "lists parts of it too, without strict: Claude Code does not load it",
    ),
    "commands of an entry that is not strict beside a manifest": (
        {"strict": False, "commands": ["./c.md"]},
        {HOOKS: STANDARD, MANIFEST: manifest()},
        [],
        "lists parts of it too, without strict: Claude Code does not load it",
    ),
    "no parts in an entry that is not strict": (
        {"strict": False},
        {HOOKS: STANDARD, MANIFEST: manifest()},
        ["standard"],
        "",
    ),
    "a path in an entry": (
        {"hooks": "./x.json"},
        {HOOKS: STANDARD, "market/p/x.json": STANDARD},
        ["standard"],
        "reads only an object, not a string",
    ),
    "a list in an entry": ({"hooks": [denying_hook("entry")]}, {HOOKS: STANDARD}, [], "reads only an object, not an array"),
    "a number in an entry": ({"hooks": 3}, {HOOKS: STANDARD}, [], "hooks must be an object, not a number"),
    "wrapped in an entry": ({"hooks": {"hooks": denying_hook("entry")}}, {}, [], "must hold the events directly"),
    "a handler of no type in an entry": (
        {"hooks": denying_hook("entry", type="zzz")},
        {HOOKS: STANDARD},
        [],
        "Claude Code does not load this file",
    ),
    "a handler of no type after the call": (
        {"hooks": {**denying_hook("bad", "PostToolUse", type="zzz"), **denying_hook("entry")}},
        {},
        [],
        "Claude Code does not load this file",
    ),
    "an unknown event in an entry": (
        {"hooks": {**denying_hook("bad", "PreTolUse"), **denying_hook("entry")}},
        {},
        [],
        'has no event "PreTolUse": Claude Code ignores the plugin',
    ),
    "skills without a dot in an entry": ({"skills": "skills"}, {HOOKS: STANDARD}, [], "Claude Code ignores the plugin"),
    "a version that is a number": ({"version": 3}, {HOOKS: STANDARD}, [], "Claude Code ignores the plugin"),
    "strict as a text": ({"strict": "false"}, {HOOKS: STANDARD}, [], "strict must be true or false, not a string"),
    "an unknown key in an entry": ({"zzz": 1}, {HOOKS: STANDARD}, ["standard"], ""),
    "a source with a slash at its end": ({"source": "./p/"}, {HOOKS: STANDARD}, ["standard"], ""),
    "a source that is no path": ({"source": "p"}, {HOOKS: STANDARD}, [], "is enabled but not installed here"),
    "a plugin that needs one that is not there": (
        {},
        {HOOKS: STANDARD, MANIFEST: manifest(dependencies=["q"])},
        [],
        "the plugin p@m needs q@m, which is not enabled: Claude Code does not load it",
    ),
}  # fmt: skip


def setup(tmp_path: Path, files: dict[str, str]) -> dict[str, str]:
    known = {f"{USER}/plugins/known_marketplaces.json": REGISTERED, f"{USER}/settings.json": enabled()}
    return build(tmp_path, {**known, "market/p/x": "", **files})


@pytest.mark.parametrize("row", ENTRIES)
def test_an_entry(row: str, tmp_path: Path) -> None:
    entry, files, runs, notice = ENTRIES[row]
    env = setup(tmp_path, {LIST: market(entry), **files})
    where = str(tmp_path / "w")
    with HookEngine.discover(where, "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    ran = {hook.outcome.reason for hook in verdict.hooks if hook.outcome.reason}
    assert {f"{word} {(tmp_path / 'market/p').as_posix()}" for word in runs} <= ran
    assert len(ran) == len(runs) or notice
    assert bool(verdict.notices) == bool(notice) == any(notice in one for one in verdict.notices), verdict.notices
    assert verdict.blocked == (row != "a source that is no path")  # as the program, or stricter
    errors = [one for one in problems_at(where, env=env) if one.severity == "error"]
    for file, system in files_at(where, env=env).items():
        errors += [one for one in check_file(file, system, env=env).diagnostics if one.severity == "error"]
    assert bool(errors) == bool(notice), errors
    assert all(one.hint for one in errors)


#: Settings of the person and of the project, whether the hook runs, and whether a notice tells why not.
OFF: dict[str, tuple[str, str, bool, bool]] = {
    "off by the person": (enabled(False), "{}", False, False),
    "off by the project": (enabled(), enabled(False), False, True),
    "a list of versions in the project": (enabled(), enabled(["1"]), False, True),
    "on again by local settings": (enabled(), enabled(False), True, False),
}


@pytest.mark.parametrize("row", OFF)
def test_a_plugin_that_is_off(row: str, tmp_path: Path) -> None:
    """Hooks of its entry are off with the others. Where the project takes a person's plugin away, a verdict tells it."""
    user, project, runs, told = OFF[row]
    local = {"w/.claude/settings.local.json": enabled()} if "local" in row else {}
    files = {
        LIST: market({"hooks": denying_hook("entry")}),
        f"{USER}/settings.json": user,
        "w/.claude/settings.json": project,
    }
    env = setup(tmp_path, {**files, **local})
    where = str(tmp_path / "w")
    with HookEngine.discover(where, "claude_code", env=env, trust_project=True) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.blocked == runs
    assert [f"which {tmp_path.as_posix()}/{USER}/settings.json enables" in one for one in verdict.notices] == [
        True
    ] * told
    problems = problems_at(where, env=env)
    assert [(one.severity, one.code) for one in problems] == [("warning", "switched-off")] * told


LISTS: dict[str, tuple[str, bool]] = {
    "no owner": (market({}, owner=False), False),
    "plugins that are an object": (json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": {}}), False),
    "a number among the plugins": (market({}, others=[3]), True),
    "another name": (market({}).replace('"m"', '"zz"'), True),
    "plugins below another directory": (market({"source": "p"}, metadata={"pluginRoot": "./."}), True),
    "a plugin twice": (market({}).replace('"plugins": [', '"plugins": [{"name": "p", "source": "./p"}, '), True),
}


@pytest.mark.parametrize("row", LISTS)
def test_a_list_of_plugins(row: str, tmp_path: Path) -> None:
    text, loads = LISTS[row]
    env = setup(tmp_path, {LIST: text, HOOKS: STANDARD})
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.blocked or not loads
    assert bool(verdict.notices) != loads, verdict.notices


def test_an_entry_of_a_marketplace_that_was_fetched(tmp_path: Path) -> None:
    """Its list is where it was fetched to; the plugin's directory is the one of its installation."""
    known = {"m": {"source": {"source": "github", "repo": "a/b"}, "installLocation": "@/market"}}
    files = {
        LIST: market({"source": {"source": "github", "repo": "a/c"}, "strict": False, "hooks": denying_hook("entry")}),
        f"{USER}/plugins/known_marketplaces.json": json.dumps(known),
        f"{USER}/plugins/installed_plugins.json": installed({}),
        f"{USER}/settings.json": enabled(),
        f"{CACHE}/x": "",
    }
    env = build(tmp_path, files)
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.reason == f"entry {(tmp_path / CACHE).as_posix()}"
    errors = check_file(str(tmp_path / LIST), "claude_code", env=env).diagnostics
    assert not errors


def test_the_environment_of_a_hook_of_a_plugin(tmp_path: Path) -> None:
    """Its directory for data, and the options of the person's own settings; those of the project count for nothing."""
    command = 'env | grep -E "CLAUDE_PLUGIN_(DATA|OPTION)" | sort >&2; exit 2'
    words = ["sh", "${user_config.text}", "${user_config.number}", "${user_config.list}"]
    options = {"text": "t", "number": 4, "yes": True, "list": ["x", "y"]}
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}
    argv = {"PostToolUse": [{"hooks": [{"type": "command", "command": "printf", "args": ["%s,"]}]}]}
    argv["PostToolUse"][0]["hooks"][0]["args"] += words[1:]
    settings = {**json.loads(enabled()), "pluginConfigs": {"p@m": {"options": options}}}
    project = json.dumps({"pluginConfigs": {"p@m": {"options": {"text": "project", "more": "x"}}}})
    files = {LIST: market({}), HOOKS: json.dumps({"hooks": {**hooks, **argv}}), "w/.claude/settings.json": project}
    env = setup(tmp_path, {**files, f"{USER}/settings.json": json.dumps(settings)})
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env, trust_project=True) as engine:
        lines = engine.fire("PreToolUse", CALL).reason.splitlines()
        assert not engine.fire("PreToolUse", CALL).notices
    assert lines == [
        f"CLAUDE_PLUGIN_DATA={(tmp_path / USER).as_posix()}/plugins/data/p-m",
        "CLAUDE_PLUGIN_OPTION_LIST=x,y",
        "CLAUDE_PLUGIN_OPTION_NUMBER=4",
        "CLAUDE_PLUGIN_OPTION_TEXT=t",
        "CLAUDE_PLUGIN_OPTION_YES=true",
    ]


def test_an_option_that_is_not_set(tmp_path: Path) -> None:
    """Claude Code starts no program for such a hook, and the call passes."""
    handler = {"type": "command", "command": "sh", "args": ["-c", "exit 2", "${user_config.gone}"]}
    hooks = json.dumps({"hooks": {"PreToolUse": [{"hooks": [handler]}]}})
    env = setup(tmp_path, {LIST: market({}), HOOKS: hooks})
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.blocked and any("the option gone of the plugin is not set" in one for one in verdict.notices)


def test_hooks_that_a_link_brings_from_elsewhere(tmp_path: Path) -> None:
    """Claude Code reads no file outside the plugin and its marketplace."""
    env = setup(tmp_path, {LIST: market({}), "elsewhere.json": STANDARD})
    (tmp_path / "market/p/hooks").mkdir()
    try:
        (tmp_path / HOOKS).symlink_to(tmp_path / "elsewhere.json")
    except OSError:
        pytest.skip("links need a privilege")
    if not (tmp_path / HOOKS).is_file():
        pytest.skip("Wine does not follow it")
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.blocked and any("Claude Code does not read it" in one for one in verdict.notices)
    assert [one.code for one in problems_at(str(tmp_path / "w"), env=env)] == ["config-refused"]
