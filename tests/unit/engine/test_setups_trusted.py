"""Plugins and trust, and what ``check`` discovers: setups of Claude Code (test_setups.py)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from setup_files import (
    CATALOG,
    MARKET,
    REGISTERED,
    USER,
    build,
    enabled,
    events,
    manifest,
    wrapped,
)
from trusting import CALL, House

from pyshellhooks import HookEngine, cli
from pyshellhooks.engine.checks.checker import check_file

# -- trust ------------------------------------------------------------------------------------------------------------

IN_PLACE = {
    "tools/.claude-plugin/marketplace.json": CATALOG,
    "tools/p/.claude-plugin/plugin.json": manifest(hooks=["./guard.json", events('"${CLAUDE_PLUGIN_ROOT}"/g.sh')]),
    "tools/p/g.sh": "#!/bin/sh\nexit 0\n",
    "tools/p/guard.json": wrapped(),
    ".claude/settings.json": enabled(),
}
CHANGES: dict[str, Callable[[House], object]] = {
    "its hooks changed": lambda house: house.write("tools/p/guard.json", wrapped("exit 0")),
    "its script changed": lambda house: house.write("tools/p/g.sh", "#!/bin/sh\nexit 0 \n"),
    "its hooks are gone": lambda house: (house.project / "tools/p/guard.json").unlink(),
    "its manifest names another file": lambda house: house.write("tools/p/.claude-plugin/plugin.json", manifest()),
    "its manifest is gone": lambda house: (house.project / "tools/p/.claude-plugin/plugin.json").unlink(),
    "its marketplace leads elsewhere": lambda house: house.write(
        "tools/.claude-plugin/marketplace.json", CATALOG.replace("./p", "./q")
    ),
    "its marketplace is gone": lambda house: (house.project / "tools/.claude-plugin/marketplace.json").unlink(),
    "settings enable it no more": lambda house: house.write(".claude/settings.json", "{}"),
    "the settings are gone": lambda house: (house.project / ".claude/settings.json").unlink(),
}


@pytest.fixture
def in_place(tmp_path: Path) -> House:
    house = House(tmp_path)
    for name, text in IN_PLACE.items():
        house.write(name, text)
    known = house.home / ".claude/plugins/known_marketplaces.json"
    known.parent.mkdir(parents=True)
    known.write_text(REGISTERED.replace("@/market", (house.project / "tools").as_posix()))
    return house


def test_a_plugin_of_the_project_needs_trust(in_place: House) -> None:
    assert not in_place.fire().blocked
    with in_place.engine() as engine:
        assert (in_place.project / "tools/p/guard.json").as_posix() in engine.untrusted
    assert in_place.trust().fire().blocked
    assert in_place.fire().reason == (in_place.project / "tools/p").as_posix()


@pytest.mark.parametrize("change", CHANGES)
def test_a_trusted_plugin_that_changes_locks_its_events(change: str, in_place: House) -> None:
    in_place.trust()
    CHANGES[change](in_place)
    verdict = in_place.fire()
    assert verdict.blocked and "trusted" in verdict.reason


def test_a_plugin_of_the_user_counts_when_the_settings_that_enable_it_are_trusted(tmp_path: Path) -> None:
    house = House(tmp_path)
    for name, text in MARKET.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("@/", f"{tmp_path.as_posix()}/"))
    house.write(".claude/settings.json", enabled())
    assert not house.fire().blocked
    assert house.trust().fire().reason == (tmp_path / "market/p").as_posix()
    house.write(".claude/settings.json", "{}")
    verdict = house.fire()
    assert verdict.blocked and "it has changed since it was trusted" in verdict.reason


def test_untrusted_settings_turn_no_plugin_off(tmp_path: Path) -> None:
    """A project's ``false`` counts when a person has trusted it, and not before."""
    env = build(tmp_path, {**MARKET, f"{USER}/settings.json": enabled(), "w/.claude/settings.json": enabled(False)})
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        assert engine.fire("PreToolUse", CALL).blocked


def test_untrusted_settings_turn_no_plugin_on(tmp_path: Path) -> None:
    env = build(tmp_path, {**MARKET, "w/.claude/settings.json": enabled()})
    with HookEngine.discover(str(tmp_path / "w"), "claude_code", env=env) as engine:
        verdict = engine.fire("PreToolUse", CALL)
    assert not verdict.blocked
    assert ["skipped: " in one for one in verdict.notices] == [True]


# -- the command ------------------------------------------------------------------------------------------------------


def test_check_discovers_from_any_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = json.dumps({"hooks": events("exit 2", "PreTolUse")})
    files = {"w/.claude/settings.json": bad, "w/.claude/settings.local.json": wrapped(), f"{USER}/settings.json": bad}
    for name, value in build(tmp_path, files).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path / "w")
    told = []
    for words in ([], ["."], ["./"], [str(tmp_path / "w")]):
        assert cli.main(["check", "--json", *words]) == 1
        told.append([(one["code"], os.path.abspath(one["file"])) for one in json.loads(capsys.readouterr().out)])
    assert told[0] == [
        ("unknown-event", str(tmp_path / USER / "settings.json")),
        ("unknown-event", str(tmp_path / "w/.claude/settings.json")),
    ]
    assert told == told[:1] * len(told)


def test_check_where_there_is_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in build(tmp_path, {}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path / "w")
    assert cli.main(["check"]) == 0
    assert "no hook config was found here [config-missing]" in capsys.readouterr().out
    assert cli.main(["check", "--strict"]) == 1


def test_check_follows_hooks_that_were_moved(tmp_path: Path) -> None:
    """``serve --install`` leaves an entry in the settings, and the hooks beside them."""
    build(
        tmp_path,
        {
            "w/.claude/settings.json": wrapped(
                "pyshellhooks-hook claude_code --installed .claude/settings.pyshellhooks.json --timeout 600"
            ),
            "w/.claude/settings.pyshellhooks.json": wrapped("if true; then exit 2"),
        },
    )
    found = check_file(str(tmp_path / "w/.claude/settings.json")).diagnostics
    assert [(os.path.basename(one.file), one.code) for one in found if one.severity == "error"] == [
        ("settings.pyshellhooks.json", "syntax-error")
    ]
