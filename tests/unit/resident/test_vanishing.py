"""While an editor writes a config it may be gone: for ten seconds every caller is denied (docs/serve.md)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from resident_runs import payload

from pyshellhooks.resident import engines as module
from pyshellhooks.resident.answering import HookReply, Request, answer
from pyshellhooks.resident.engines import Engines

pytestmark = pytest.mark.not_on_windows("needs-symlink")
GUARD = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "exit 2"}]}]}})
LONG_AGO = (1e9, 1e9)


class Person:
    """A home with a guard for Claude Code, a project, and the terminals of one person."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "home" / ".claude"
        self.config = self.folder / "settings.json"
        self.folder.mkdir(parents=True)
        for name in ("p", "other"):
            (root / name / ".git").mkdir(parents=True)
        (root / "alias").symlink_to(root / "home")
        self.config.write_text(GUARD)
        for path in (self.folder, root / "home", root):
            os.utime(path, LONG_AGO)

    def send(self, engines: Engines, *words: str, cwd: str = "p", home: str = "home", **more: str) -> HookReply:
        place = str(self.root / cwd)
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.root / home), "CLAUDE_PROJECT_DIR": place, **more}
        return answer(Request(("claude_code", *words), payload("rm x", place), env, place), engines)


def old_empty(person: Person) -> None:
    """Put an old empty file in the place."""
    (person.root / "empty").touch()
    os.utime(person.root / "empty", LONG_AGO)
    (person.root / "empty").rename(person.config)


def a_directory(person: Person) -> None:
    person.config.unlink()
    person.config.mkdir()


def another_directory(person: Person) -> None:
    (person.root / "new").mkdir()
    os.utime(person.root / "new", LONG_AGO)
    person.folder.rename(person.root / "before")
    (person.root / "new").rename(person.folder)


def linked(person: Person) -> None:
    """The config is a link into a directory of dotfiles."""
    (person.root / "dots").mkdir()
    person.config.rename(person.root / "dots" / "settings.json")
    person.config.symlink_to(person.root / "dots" / "settings.json")


#: What happens to a config that guards.
CHANGES: dict[str, Callable[[Person], object]] = {
    "moved": lambda person: person.config.rename(person.root / "settings.json.bak"),
    "removed": lambda person: person.config.unlink(),
    "emptied": lambda person: person.config.write_text(""),
    "replaced by an old empty file": old_empty,
    "replaced by a directory": a_directory,
    "its directory moved": lambda person: person.folder.rename(person.root / "before"),
    "its directory removed": lambda person: shutil.rmtree(person.folder),
    "its directory replaced": another_directory,
}
#: Who asks next, beside the one who has asked before.
CALLERS: dict[str, Callable[[Person, Engines], HookReply]] = {
    "the same": lambda person, engines: person.send(engines),
    "another terminal": lambda person, engines: person.send(engines, WINDOWID="2"),
    "another project": lambda person, engines: person.send(engines, cwd="other"),
    "other words": lambda person, engines: person.send(engines, "--strict"),
    "another spelling of the home": lambda person, engines: person.send(engines, home="alias"),
}


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    monkeypatch.setattr(module, "WRITING", 0.01)
    return Person(tmp_path)


@pytest.mark.parametrize("change", CHANGES)
def test_a_config_that_vanishes_denies_for_every_caller(
    person: Person, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engines() as engines:
        assert person.send(engines).decision == "deny"
        CHANGES[change](person)
        for name, ask in CALLERS.items():
            told = ask(person, engines)
            assert told.decision == "deny" and "a moment ago" in told.stdout + told.stderr, name
        # A strict engine denies where a config is no file.
        stays = {"other words"} if change == "replaced by a directory" else set()
        expected = ["deny" if name in stays else "none" for name in CALLERS]
        monkeypatch.setattr(module, "RECENT", 0.0)  # ten seconds later it is gone for good, for all
        assert [ask(person, engines).decision for ask in CALLERS.values()] == expected
        monkeypatch.setattr(module, "RECENT", 10.0)
        assert [ask(person, engines).decision for ask in CALLERS.values()] == expected


@pytest.mark.parametrize("gone", ["link", "target"])
def test_a_config_that_is_a_link(person: Person, gone: str) -> None:
    linked(person)
    os.utime(person.folder, LONG_AGO)
    with Engines() as engines:
        assert person.send(engines).decision == "deny"
        (person.config if gone == "link" else person.root / "dots" / "settings.json").unlink()
        assert [ask(person, engines).decision for ask in CALLERS.values()] == ["deny"] * len(CALLERS)


def test_a_config_that_was_never_seen_denies_nothing(person: Person) -> None:
    """A directory changes for many reasons."""
    person.config.unlink()
    with Engines() as engines:
        assert [ask(person, engines).decision for ask in CALLERS.values()] == ["none"] * len(CALLERS)


def test_a_config_that_reappears_counts_at_once(person: Person) -> None:
    with Engines() as engines:
        assert person.send(engines).status == 0
        person.config.rename(person.folder / "before")
        assert "a moment ago" in person.send(engines, WINDOWID="2").stdout
        (person.folder / "before").rename(person.config)
        assert "a moment ago" not in person.send(engines, WINDOWID="2").stdout
