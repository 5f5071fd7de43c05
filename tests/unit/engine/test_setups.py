"""Nothing of a setup is missing in silence: layouts of Claude Code x spellings of their place x check, fire, explain.

Where a row says that Claude Code runs a hook, refuses a plugin, or reads one file and not another, the program itself was
asked: Claude Code 2.1.332 (Linux), offline, with ``--plugin-dir``, and with plugins that it had installed from a directory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from setup_files import (
    CATALOG,
    FRONT,
    IN_CACHE,
    MARKET,
    OWN,
    REGISTERED,
    SWITCH,
    USER,
    build,
    enabled,
    events,
    installed,
    manifest,
    wrapped,
)
from trusting import CALL

from pyshellhooks import HookEngine
from pyshellhooks.engine.checks.checker import check_file, files_at

#: Name -> files, the decision on a Bash call, and a part of a notice on the verdict, or "" for none. ``@`` is the root.
LAYOUTS: dict[str, tuple[dict[str, str], str, str]] = {
    "settings": ({"w/.claude/settings.json": wrapped()}, "deny", ""),
    "local settings": ({"w/.claude/settings.local.json": wrapped()}, "deny", ""),
    "user settings": ({f"{USER}/settings.json": wrapped()}, "deny", ""),
    "a marketplace that is a directory": ({**MARKET, "w/.claude/settings.json": enabled()}, "deny", ""),
    "enabled in local settings": ({**MARKET, "w/.claude/settings.local.json": enabled()}, "deny", ""),
    "enabled by the user": ({**MARKET, f"{USER}/settings.json": enabled()}, "deny", ""),
    "disabled by local settings": (
        {**MARKET, "w/.claude/settings.json": enabled(), "w/.claude/settings.local.json": enabled(False)},
        "none",
        "",
    ),
    "disabled by the project": (
        {**MARKET, f"{USER}/settings.json": enabled(), "w/.claude/settings.json": enabled(False)},
        "none",
        "turns the plugin p@m off, which @/home/.claude/settings.json enables",
    ),
    "not enabled": (MARKET, "none", ""),
    "installed for the project": (
        {**IN_CACHE, "w/.claude/settings.json": enabled(), f"{USER}/plugins/installed_plugins.json": installed(OWN)},
        "deny",
        "",
    ),
    "installed for the user": (
        {**IN_CACHE, "w/.claude/settings.json": enabled(), f"{USER}/plugins/installed_plugins.json": installed({})},
        "deny",
        "",
    ),
    "installed for another project": (
        {
            **IN_CACHE,
            "w/.claude/settings.json": enabled(),
            f"{USER}/plugins/installed_plugins.json": installed({"projectPath": "/elsewhere"}),
        },
        "none",
        "the plugin p@m is enabled but not installed here",
    ),
    "its directory is gone": (
        {
            "w/.claude/settings.json": enabled(),
            f"{USER}/plugins/installed_plugins.json": installed(OWN),
        },
        "none",
        "the plugin p@m is enabled but not installed here",
    ),
    "never installed": (
        {"w/.claude/settings.json": enabled()},
        "none",
        "the plugin p@m is enabled but not installed here",
    ),
    "a marketplace that only the project declares": (
        {
            **{name: text for name, text in MARKET.items() if "known" not in name},
            "w/.claude/settings.json": json.dumps(
                {"enabledPlugins": {"p@m": True}, "extraKnownMarketplaces": json.loads(REGISTERED)}
            ),
        },
        "none",
        "the plugin p@m is enabled but not installed here",
    ),
    "all hooks are switched off": (
        {**MARKET, "w/.claude/settings.json": json.dumps({"enabledPlugins": {"p@m": True}, "disableAllHooks": True})},
        "none",
        "",
    ),
    "a plugin can't switch hooks off": (
        {
            **MARKET,
            "w/.claude/settings.json": enabled(),
            "market/p/hooks/hooks.json": json.dumps({"disableAllHooks": True, "hooks": events()}),
        },
        "deny",
        "",
    ),
    "a plugin with a manifest that the agent refuses": (
        {
            **MARKET,
            "w/.claude/settings.json": enabled(),
            "market/p/.claude-plugin/plugin.json": manifest(hooks="hooks/hooks.json"),
        },
        "deny",
        "Claude Code refuses the plugin",
    ),
    "a plugin with a module of JavaScript": (
        {
            **MARKET,
            "w/.claude/settings.json": enabled(),
            "market/p/hooks/hooks.json": json.dumps({"modules": ["./guard.ts"]}),
        },
        "none",
        "JavaScript modules do not run as hooks here",
    ),
    "a plugin whose manifest names a file that is not there": (
        {
            **MARKET,
            "w/.claude/settings.json": enabled(),
            "market/p/.claude-plugin/plugin.json": manifest(hooks=["./gone.json"]),
        },
        "deny",
        "has no file",
    ),
    "a plugin with a file in ..d": (
        {
            **MARKET,
            "w/.claude/settings.json": enabled(),
            "market/p/hooks/hooks.json": "{}",
            "market/p/.claude-plugin/plugin.json": manifest(hooks="./..d/h.json"),
            "market/p/..d/h.json": wrapped(),
        },
        "deny",
        "",
    ),
    "a plugin that is off, and on under another name": (
        {
            **MARKET,
            "market/.claude-plugin/marketplace.json": CATALOG.replace("[", '[{"name": "q", "source": "./p"}, '),
            "w/.claude/settings.json": json.dumps({"enabledPlugins": {"q@m": ["1"], "p@m": True}}),
        },
        "deny",
        "",
    ),
    "enabledPlugins with an escape": (
        {**MARKET, "w/.claude/settings.json": enabled().replace("P", "\\u0050")},
        "deny",
        "",
    ),
    "a path with a null character": (
        {
            f"{USER}/plugins/known_marketplaces.json": REGISTERED.replace("@/", "/\\u0000"),
            "w/.claude/settings.json": enabled(),
        },
        "none",
        "the plugin p@m is enabled but not installed here",
    ),
    "a plugin that a dropped file turns off": (
        {
            **MARKET,
            f"{USER}/settings.json": enabled(),
            "w/.claude/settings.json": enabled(False).replace("}}", "},}"),
        },
        "deny",
        "Claude Code does not load this file",
    ),
    "hooks that a dropped file switches off": (
        {f"{USER}/settings.json": wrapped(), "w/.claude/settings.json": '{"disableAllHooks": true, "env": 3}'},
        "deny",
        "Claude Code does not load this file",
    ),
    "hooks that are switched off and on": (
        {
            f"{USER}/settings.json": wrapped(),
            "w/.claude/settings.json": '{"disableAllHooks": true, "disableAllHooks": false}',
        },
        "deny",
        "is repeated below",
    ),
    "a variable that a dropped file sets for the hooks of others": (
        {f"{USER}/settings.json": wrapped(SWITCH), "w/.claude/settings.json": '{"env": {"OFF": "1"},}'},
        "deny",
        "Claude Code does not load this file",
    ),
    "a variable that a dropped file sets for its own hooks": (
        {"w/.claude/settings.json": wrapped("exit $HOW")[:-1] + ', "env": {"HOW": "2"},}'},
        "deny",
        "Claude Code does not load this file",
    ),
    "a variable that is set in the first of two env": (
        {f"{USER}/settings.json": wrapped(SWITCH), "w/.claude/settings.json": '{"env": {"OFF": "1"}, "env": {}}'},
        "deny",
        "is repeated below",
    ),
    "a skill": ({"w/.claude/skills/x/SKILL.md": FRONT}, "none", "its hooks run only while the skill x is active"),
    "a command": ({"w/.claude/commands/x.md": FRONT}, "none", "its hooks run only while the command x is active"),
    "an agent": ({"w/.claude/agents/x.md": FRONT}, "none", "its hooks run only while the agent x runs"),
    "a skill of the user": ({f"{USER}/skills/x/SKILL.md": FRONT}, "none", "run only while the skill x is active"),
    "a skill of a plugin": (
        {**MARKET, "w/.claude/settings.json": enabled(), "market/p/skills/x/SKILL.md": FRONT},
        "deny",
        "its hooks run only while the skill x is active",
    ),
    "a skill without hooks": ({"w/.claude/skills/x/SKILL.md": "---\nname: x\n---\nhooks:\n"}, "none", ""),
}


REFUSED = ("Claude Code refuses the plugin", "Claude Code does not load this file", "is repeated below")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout(layout: str, tmp_path: Path) -> None:
    """Fire runs what the agent runs, and names the rest; explain names it with the same reason."""
    files, decision, notice = LAYOUTS[layout]
    notice = notice.replace("@/", f"{tmp_path.as_posix()}/")
    env = build(tmp_path, files)
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env, trust_project=True) as engine:
        verdict = engine.fire("PreToolUse", CALL)
        plan = engine.explain("PreToolUse", CALL)
    assert verdict.decision.value == decision, verdict
    notices = [one for one in verdict.notices if notice and notice in one]
    assert len(notices) == len(verdict.notices) == (1 if notice else 0), verdict.notices
    assert sum(one.matches for one in plan) == (decision == "deny")
    if "run only while" in notice:
        assert [one.left_out for one in plan if notice in one.reason] == [True]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_check_reads_the_same_files_as_fire(layout: str, tmp_path: Path) -> None:
    files, decision, notice = LAYOUTS[layout]
    env = build(tmp_path, files)
    found = files_at(str(tmp_path / "w"), env=env)
    checked = [check_file(path, dialect, env=env) for path, dialect in found.items()]
    specs = [spec for one in checked if one.configuration for spec in one.configuration.specs]
    switched = "switched" in layout
    assert bool(specs) == (decision == "deny" or "run only" in notice or switched)
    errors = [one.code for file in checked for one in file.diagnostics if one.severity == "error"]
    assert errors == (["config-refused"] if any(words in notice for words in REFUSED) else [])


SPELLINGS: dict[str, Callable[[Path], str]] = {
    "absolute": lambda w: str(w),
    "slash at the end": lambda w: f"{w}/",
    "dot": lambda w: f"{w}/.",
    "up and down": lambda w: f"{w}/sub/../../w",
    "relative": lambda w: os.path.relpath(w),
    "relative with a dot": lambda w: f"./{os.path.relpath(w)}",
    "below": lambda w: f"{w}/sub/",
    "link": lambda w: str(link(w.parent / "link", w)),
    "link from below": lambda w: str(link(w.parent / "far" / "link", w / "sub")),
    "up from a link": lambda w: f"{link(w.parent / 'far' / 'link', w / 'sub')}/..",
}


def link(path: Path, target: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target, target_is_directory=True)
    return path


@pytest.mark.not_on_windows("needs-symlink")
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_place_of_a_project(spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However its path is spelt: the same config counts, and the same variable leads to its scripts."""
    env = build(tmp_path, {"w/.claude/settings.json": wrapped('echo "$CLAUDE_PROJECT_DIR" >&2; exit 2'), "w/sub/x": ""})
    monkeypatch.chdir(tmp_path)
    where = SPELLINGS[spelling](tmp_path / "w")
    with HookEngine.discover(where, env=env, trust_project=True) as engine:
        assert engine.fire("PreToolUse", CALL).reason == str(tmp_path / "w")
    assert list(files_at(where, env=env)) == [f"{tmp_path}/w/.claude/settings.json"]
    with HookEngine.load(str(tmp_path / "w/.claude/settings.json"), cwd="/", env=env) as engine:
        # The host may name the directory with each event.
        assert engine.fire("PreToolUse", {**CALL, "cwd": os.path.join(tmp_path, where)}).reason == str(tmp_path / "w")


CONFIGS: dict[str, Callable[[Path], str]] = {
    "usual": lambda w: ".claude/settings.json",
    "from inside": lambda w: inside(w / ".claude", "settings.json"),
    "from below": lambda w: inside(w / "sub", "../.claude/settings.json"),
    "up and down": lambda w: "sub/../.claude/./settings.json",
    "through a link": lambda w: f"{link(w.parent / 'far' / 'link', w / '.claude')}/settings.json",
}


def inside(directory: Path, name: str) -> str:
    os.chdir(directory)
    return name


@pytest.mark.not_on_windows("needs-symlink")
@pytest.mark.parametrize("spelling", CONFIGS)
def test_the_config_of_a_project(spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However its path is spelt: it is the same system's, and its scripts are looked for in the same project."""
    command = '"$CLAUDE_PROJECT_DIR"/sub/gone.sh'
    env = build(tmp_path, {"w/.claude/settings.json": wrapped(command), "w/sub/x": ""})
    monkeypatch.chdir(tmp_path / "w")
    checked = check_file(CONFIGS[spelling](tmp_path / "w"), env=env)
    assert checked.configuration is not None and checked.configuration.dialect.name == "claude_code"
    assert [one.hint for one in checked.diagnostics] == [f"expected at {tmp_path}/w/sub/gone.sh"]


@pytest.mark.not_on_windows("needs-symlink")
@pytest.mark.parametrize("linked", ["marketplace", "plugin"])
def test_a_link_from_elsewhere_into_the_project(linked: str, tmp_path: Path) -> None:
    """What lies in the project is the project's, and nobody trusts it: however the marketplace leads there."""
    env = build(tmp_path, {**MARKET, f"{USER}/settings.json": enabled()})
    outside = tmp_path / "market" if linked == "marketplace" else tmp_path / "market/p"
    outside.rename(tmp_path / "w/real")
    outside.symlink_to(tmp_path / "w/real", target_is_directory=True)
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.decision.value == "none" and "this file is not trusted" in str(verdict.notices)


def test_a_dropped_file_with_an_equal_hook_and_a_variable(tmp_path: Path) -> None:
    """Equal hooks run once, and these are not equal: one of them has the variable that turns it off."""
    off = wrapped(SWITCH)[:-1] + ', "env": {"OFF": "1"},}'
    env = build(tmp_path, {f"{USER}/settings.json": off, "w/.claude/settings.json": wrapped(SWITCH)})
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env, trust_project=True) as engine:
        assert engine.fire("PreToolUse", CALL).blocked


def test_a_skill_of_a_terabyte(tmp_path: Path) -> None:
    env = build(tmp_path, {f"{USER}/settings.json": wrapped(), "w/.claude/skills/x/SKILL.md": FRONT})
    os.truncate(tmp_path / "w/.claude/skills/x/SKILL.md", 1 << 40)
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        assert engine.fire("PreToolUse", CALL).blocked


def test_a_manifest_that_is_named_and_names_a_missing_file(tmp_path: Path) -> None:
    build(tmp_path, {"p/.claude-plugin/plugin.json": manifest(hooks="./gone.json")})
    path = (tmp_path / "p/.claude-plugin/plugin.json").as_posix()
    assert [one.code for one in check_file(path).diagnostics] == ["plugin-missing"]
    with HookEngine.load(path, env={}) as engine:
        assert [path in one for one in engine.fire("PreToolUse", CALL).notices] == [True]


@pytest.mark.parametrize("value", ['"true"', "1", "null"])
def test_a_plugin_that_is_neither_on_nor_off(value: str, tmp_path: Path) -> None:
    """Claude Code loads nothing of such a file, and says so."""
    text = wrapped()[:-1] + f', "enabledPlugins": {{"p@m": {value}}}}}'
    build(tmp_path, {"w/.claude/settings.json": text})
    path = str(tmp_path / "w/.claude/settings.json")
    assert [(one.severity, one.code) for one in check_file(path).diagnostics] == [("error", "config-refused")]
    with HookEngine.load(path, env={}) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.blocked and [getattr(one, "kind", "") for one in verdict.notices] == ["off-in-agent"]
