"""A plugin that can't be read keeps nothing else from loading, and is named: on verdicts, by ``check`` and ``doctor``.

Claude Code 2.1.332 was asked about each row: it ignores the plugin, says so in its debug log alone, and runs every other
hook. At a FIFO it hangs; nothing here does.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from setup_files import MARKET, USER, build, enabled, installed, manifest, wrapped
from trusting import CALL

from pyshellhooks import ConfigError, HookEngine, cli
from pyshellhooks.engine.checks.checker import check_file, files_at, problems_at

HOOKS = "market/p/hooks/hooks.json"
MANIFEST = "market/p/.claude-plugin/plugin.json"
LIST = "market/.claude-plugin/marketplace.json"
RECORDS = f"{USER}/plugins"
OWN = {
    **MARKET,
    f"{USER}/settings.json": json.dumps({**json.loads(wrapped("echo own >&2; exit 2")), **json.loads(enabled())}),
}
#: A changed file of a working plugin: its name, its text, and whether the plugin's hooks still run.
TEXTS: dict[str, tuple[str, str, bool]] = {
    "hooks that are no JSON": (HOOKS, "{", False),
    "hooks that are empty": (HOOKS, " ", False),
    "hooks that are a list": (HOOKS, "[]", False),
    "hooks of another type": (HOOKS, '{"hooks": 3}', False),
    "a manifest that is no JSON": (MANIFEST, '{"name":', True),
    "a manifest that is a list": (MANIFEST, "[]", True),
    "a list of plugins that is no JSON": (LIST, '{"name":', False),
    "a list of plugins that is a number": (LIST, "3", False),
    "known marketplaces that are no JSON": (f"{RECORDS}/known_marketplaces.json", "{", False),
    "known marketplaces that are a list": (f"{RECORDS}/known_marketplaces.json", "[]", False),
}


def broken(tmp_path: Path, file: str, text: str) -> dict[str, str]:
    return build(tmp_path, {**OWN, file: text})


def assert_named(tmp_path: Path, env: dict[str, str], file: str) -> None:
    """Assert that a verdict, a strict verdict and ``check`` name a file, and that the other hooks run."""
    path = (tmp_path / file).as_posix()
    where = str(tmp_path / "w")
    with HookEngine.discover(where, "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.blocked and "own" in verdict.reason
    assert any(path in one for one in verdict.notices), verdict.notices
    found = [one for one in problems_at(where, env=env) if one.severity == "error"]
    for file, system in files_at(where, env=env).items():
        found += [one for one in check_file(file, system, env=env).diagnostics if one.severity == "error"]
    assert any(path == one.file for one in found), found
    assert all(one.hint for one in found)


@pytest.mark.parametrize("row", TEXTS)
def test_a_text_without_content(row: str, tmp_path: Path) -> None:
    file, text, runs = TEXTS[row]
    env = broken(tmp_path, file, text)
    assert_named(tmp_path, env, file)
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        assert len(engine.specs) == 1 + runs


def test_a_record_of_plugins_that_is_no_json(tmp_path: Path) -> None:
    record = f"{RECORDS}/installed_plugins.json"
    files = {**OWN, f"{RECORDS}/known_marketplaces.json": "{}", record: installed({})[:-1]}
    assert_named(tmp_path, build(tmp_path, files), record)


def test_a_strict_engine_denies(tmp_path: Path) -> None:
    env = build(tmp_path, {**MARKET, f"{USER}/settings.json": enabled(), HOOKS: "{"})
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env, strict=True) as engine:
        assert engine.fire("PreToolUse", CALL).blocked
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        assert not engine.fire("PreToolUse", CALL).blocked


def test_a_config_that_is_no_json_still_keeps_an_engine_from_loading(tmp_path: Path) -> None:
    env = build(tmp_path, {**OWN, "w/.claude/settings.json": "{"})
    with pytest.raises(ConfigError, match=r"w.\.claude.settings\.json"):
        HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env, trust_project=True)


def directory(path: Path) -> None:
    path.mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    before = os.getcwd()
    os.chdir(path.parent)  # the name of a socket has at most 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def unreadable(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0)


def dangling(path: Path) -> None:
    path.symlink_to("gone.json")


def circle(path: Path) -> None:
    path.symlink_to(path.name)


def large(path: Path) -> None:
    path.write_text("{}")
    os.truncate(path, 1 << 40)


def not_utf8(path: Path) -> None:
    path.write_bytes(b'{"x": "\xff"}')


KINDS: dict[str, Callable[[Path], None]] = {
    "directory": directory,
    "fifo": fifo,
    "socket": a_socket,
    "unreadable": unreadable,
    "dangling": dangling,
    "circle": circle,
    "large": large,
    "not-utf8": not_utf8,
}
PLACES = [HOOKS, MANIFEST, LIST, f"{RECORDS}/known_marketplaces.json"]


def put(tmp_path: Path, file: str, kind: str) -> dict[str, str]:
    env = build(tmp_path, OWN)
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    KINDS[kind](path)
    return env


no_modes = pytest.mark.not_on_windows("needs-fifo")


@no_modes
@pytest.mark.timeout(20)
@pytest.mark.parametrize("file", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_paths_that_are_no_file(kind: str, file: str, tmp_path: Path) -> None:
    if kind == "unreadable" and os.geteuid() == 0:
        pytest.skip("root reads it")
    assert_named(tmp_path, put(tmp_path, file, kind), file)


@no_modes
@pytest.mark.timeout(20)
@pytest.mark.parametrize("system", ["claude_code", "crush", "cursor", "gemini", "firebender"])
@pytest.mark.parametrize("kind", ["directory", "fifo", "circle", "large"])
def test_a_config_that_is_no_file(kind: str, system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A config of the project: discovery ends at once and names it, by whatever name a person asks."""
    name = {"claude_code": ".claude/settings.json", "crush": "crush.json", "gemini": ".gemini/settings.json"}.get(
        system, f".{system}/hooks.json"
    )
    env = build(tmp_path, {f"w/{name}": "{}"})
    path = tmp_path / "w" / name
    path.unlink()
    KINDS[kind](path)
    if kind == "large":
        with pytest.raises(ConfigError, match=path.name):
            HookEngine.discover(str(tmp_path / "w"), system, env=env, trust_project=True)
    for strict in (False, True) if kind != "large" else ():
        with HookEngine.discover(str(tmp_path / "w"), system, env=env, trust_project=True, strict=strict) as engine:
            verdict = engine.fire("before_tool", CALL)
        assert verdict.blocked == strict
        assert any(path.name in one for one in verdict.notices), verdict.notices
    with pytest.raises(ConfigError, match=path.name):
        HookEngine.load(str(path), system, env=env)
    for command in ("check", "doctor") if kind != "directory" else ():  # of a directory they take all that is there
        assert cli.main([command, str(path), "--dialect", system]) == 1
        out = capsys.readouterr()
        assert path.name in out.out + out.err


@no_modes
def test_a_config_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    env = build(tmp_path, {f"{USER}/settings.json": wrapped(), "w/.claude/x": ""})
    path = tmp_path / "w/.claude/settings.json"
    path.symlink_to("gone.json")
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env, trust_project=True) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert verdict.blocked and any("is a broken symbolic link" in one for one in verdict.notices)
    found = check_file(str(path), "claude_code").diagnostics
    assert [(one.severity, one.code) for one in found] == [("error", "config-unreadable")]


@no_modes
def test_a_config_from_an_open_pipe(tmp_path: Path) -> None:
    """A FIFO that a shell has opened is a config as any other: ``--config <(...)``."""
    reading, writing = os.pipe()
    os.write(writing, wrapped().encode())
    os.close(writing)
    try:
        with HookEngine.load(f"/dev/fd/{reading}", "claude_code", env={}) as engine:
            assert engine.fire("PreToolUse", CALL).blocked
    finally:
        os.close(reading)


def test_a_manifest_beside_hooks_that_are_named(tmp_path: Path) -> None:
    """A person who names a plugin wants it: there a mistake is an error."""
    build(tmp_path, {"p/.claude-plugin/plugin.json": manifest(), "p/hooks/hooks.json": "{"})
    with pytest.raises(ConfigError):
        HookEngine.load(str(tmp_path / "p"), env={})
