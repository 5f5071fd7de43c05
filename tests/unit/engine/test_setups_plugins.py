"""Plugins of Claude Code that are named, and files that settings bring (test_setups.py)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from errno import ENOENT
from pathlib import Path

import pytest
from setup_files import (
    CATALOG,
    MARKET,
    REGISTERED,
    USER,
    enabled,
    events,
    manifest,
    wrapped,
)
from trusting import CALL

from pyshellhooks import HookEngine
from pyshellhooks.dialects.claude_code import ClaudeCode
from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.engine.config.loading import plugin_around
from pyshellhooks.hooks.dialect import HostContext

#: A plugin's files, how the config is named, the decision, and codes of errors in ``check``. Of Claude Code: see above.
PLUGINS: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "the usual file": ({"hooks/hooks.json": wrapped()}, "hooks/hooks.json", "deny", []),
    "the usual file by its directory": ({"hooks/hooks.json": wrapped()}, ".", "deny", []),
    "a path": (
        {".claude-plugin/plugin.json": manifest(hooks="./hooks.json"), "hooks.json": wrapped()},
        ".",
        "deny",
        [],
    ),
    "a path, by the file": (
        {".claude-plugin/plugin.json": manifest(hooks="./c/guard.json"), "c/guard.json": wrapped()},
        "c/guard.json",
        "deny",
        [],
    ),
    "a list": (
        {
            ".claude-plugin/plugin.json": manifest(hooks=["./a.json", "./c/b.json"]),
            "a.json": "{}",
            "c/b.json": wrapped(),
        },
        ".",
        "deny",
        [],
    ),
    "inline": ({".claude-plugin/plugin.json": manifest(hooks=events())}, ".claude-plugin/plugin.json", "deny", []),
    "inline in a list": ({".claude-plugin/plugin.json": manifest(hooks=[events()])}, ".", "deny", []),
    "the usual file beside others": (
        {".claude-plugin/plugin.json": manifest(hooks=events("exit 0")), "hooks/hooks.json": wrapped()},
        ".",
        "deny",
        [],
    ),
    "the usual file, named": (
        {".claude-plugin/plugin.json": manifest(hooks="./hooks/hooks.json"), "hooks/hooks.json": wrapped()},
        ".",
        "deny",
        [],
    ),
    "no dot": (
        {".claude-plugin/plugin.json": manifest(hooks="hooks.json"), "hooks/hooks.json": wrapped()},
        ".",
        "deny",
        ["config-refused"],
    ),
    "no dot, by the usual file": (
        {".claude-plugin/plugin.json": manifest(hooks="hooks.json"), "hooks/hooks.json": wrapped()},
        "hooks/hooks.json",
        "deny",
        ["config-refused"],
    ),
    "a directory": (
        {".claude-plugin/plugin.json": manifest(hooks="./hooks/"), "hooks/hooks.json": wrapped()},
        ".",
        "deny",
        ["config-refused"],
    ),
    "a number": (
        {".claude-plugin/plugin.json": manifest(hooks=3), "hooks/hooks.json": wrapped()},
        ".",
        "deny",
        ["config-refused"],
    ),
    "wrapped inline": (
        {".claude-plugin/plugin.json": manifest(hooks={"hooks": events()})},
        ".",
        "deny",
        ["config-refused"],
    ),
    "a byte order mark": ({"hooks/hooks.json": f"\ufeff{wrapped()}"}, ".", "deny", ["config-refused"]),
    "no name": (
        {".claude-plugin/plugin.json": json.dumps({"hooks": events()})},
        ".",
        "deny",
        ["config-refused"],
    ),
    "a name with a blank": (
        {".claude-plugin/plugin.json": json.dumps({"name": "my p", "hooks": events()})},
        ".",
        "deny",
        ["config-refused"],
    ),
}


@pytest.fixture(params=["absolute", "relative", "from inside"])
def named(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], str]]:
    """Return what spells the path of a plugin's file, having moved to the right directory."""

    def spell(name: str) -> str:
        whole = tmp_path / "p" / name
        if request.param == "absolute":
            return str(whole)
        if request.param == "relative":
            monkeypatch.chdir(tmp_path)
            return f"p/{name}"
        monkeypatch.chdir(whole if whole.is_dir() else whole.parent)
        return "." if whole.is_dir() else whole.name

    yield spell


@pytest.mark.parametrize("row", PLUGINS)
def test_a_plugin_that_is_named(row: str, named: Callable[[str], str], tmp_path: Path) -> None:
    files, name, decision, codes = PLUGINS[row]
    for file, text in files.items():
        path = tmp_path / "p" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    config = named(name)
    with HookEngine.load(config, env={}) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert (verdict.decision.value, verdict.reason) == (decision, (tmp_path / "p").as_posix())
    off = [one for one in verdict.notices if getattr(one, "kind", "") == "off-in-agent"]
    assert bool(off) == bool(codes)
    assert [one.code for one in check_file(config).diagnostics if one.severity == "error"] == codes


def test_a_file_that_a_manifest_names_outside_its_plugin(tmp_path: Path) -> None:
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin/plugin.json").write_text(manifest(hooks="./../x.json"))
    found = check_file(str(tmp_path)).diagnostics
    assert [(one.severity, one.code) for one in found] == [("error", "hook-never-runs")]


def test_a_file_beside_plugins_belongs_to_none_of_them(tmp_path: Path) -> None:
    """A plugin's own repository may have settings, which are no part of it."""
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin/plugin.json").write_text(manifest())
    assert plugin_around(str(tmp_path / ".claude/settings.json")) == ""
    assert plugin_around(str(tmp_path / "config/hooks.json")) == tmp_path.as_posix()


def in_memory(files: Mapping[str, str]) -> HostContext:
    """Return a place whose files are these."""

    def read(path: str, most: int = -1) -> bytes:
        if path not in files:
            raise FileNotFoundError(ENOENT, "No such file", path)
        return files[path].replace("@/", "/r/").encode()

    def names(directory: str) -> list[str]:
        start = f"{directory}/"
        return sorted({path[len(start) :].split("/")[0] for path in files if path.startswith(start)})

    return HostContext(
        "/r/w",
        env={},
        home="/r/home",
        worktree="/r/w",
        project_dir="/r/w",
        exists=lambda path: any(f"{one}/".startswith(f"{path}/") for one in files),
        read=read,
        names=names,
    )


#: Files of ``/r``, and what they bring beside the places: path from there, and whose it is.
BROUGHT: dict[str, tuple[dict[str, str], list[tuple[str, str]]]] = {
    "nothing": ({"w/.claude/settings.json": wrapped()}, []),
    "settings that can't be read": ({"w/.claude/settings.json": '{"enabledPlugins": {'}, []),
    "plugins that are no object": ({"w/.claude/settings.json": '{"enabledPlugins": [1]}'}, []),
    "a list of versions": (
        {**MARKET, "w/.claude/settings.json": enabled(["1"])},
        [],
    ),
    "an entry of another marketplace": (
        {
            **MARKET,
            "w/.claude/settings.json": enabled(),
            "market/.claude-plugin/marketplace.json": json.dumps(
                {"plugins": [{"name": "q", "source": "./p"}, 3, {"name": "p", "source": "./../p"}]}
            ),
        },
        [("market/.claude-plugin/marketplace.json", "user"), ("w/.claude/settings.json", "project")],
    ),
    "a plugin in the project": (
        {
            f"{USER}/plugins/known_marketplaces.json": REGISTERED.replace("@/market", "@/w/tools"),
            "w/tools/.claude-plugin/marketplace.json": CATALOG,
            "w/tools/p/.claude-plugin/plugin.json": manifest(hooks=["./a.json", "./hooks/hooks.json", 3, "../b.json"]),
            "w/.claude/settings.json": enabled(),
        },
        [
            ("w/tools/.claude-plugin/marketplace.json", "project"),
            ("w/tools/p/.claude-plugin/plugin.json", "project"),
            ("w/tools/p/hooks/hooks.json", "project"),
            ("w/tools/p/a.json", "project"),
            ("w/tools/p/.claude-plugin/plugin.json", "project"),  # a.json is not there
        ],
    ),
}


@pytest.mark.parametrize("row", BROUGHT)
def test_plugins_that_settings_name(row: str) -> None:
    files, expected = BROUGHT[row]
    place = in_memory({f"/r/{name}": text for name, text in files.items()})
    dialect = ClaudeCode()
    known = {file.path for file in dialect.places(place)}
    brought = [file for file in dialect.all_places(place) if file.path not in known or file.diagnostic is not None]
    found = [(file.path, file.scope) for file in brought if not file.quiet]
    assert found == [(f"/r/{name}", scope) for name, scope in expected]
