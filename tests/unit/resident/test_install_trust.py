"""Trust goes with the hooks that ``serve --install`` moves: what was trusted stays trusted, and nothing else becomes so."""

from __future__ import annotations

from pathlib import Path

import pytest
from installing import DENIES, GUARD, Project, nested
from test_install_edits import Crash, crash_at

from pyshellhooks import HookEngine
from pyshellhooks.engine.checks.trust_review import Survey
from pyshellhooks.resident.engines import Engines


def trust(project: Project) -> None:
    Survey(str(project.path), project.env, "", {}).keep()


def survey(project: Project) -> dict[str, str]:
    return {name: item.state for name, item in Survey(str(project.path), project.env, "", {}).items.items()}


def verdict(project: Project, payload: str = "PreToolUse") -> tuple[bool, bool]:
    """Return whether the call is blocked, and whether the guard itself was asked."""
    with HookEngine.discover(str(project.path), "claude_code", env=project.env) as engine:
        found = engine.fire(payload, tool_name="Bash", tool_input={"command": "ls"})
    return found.blocked, bool(found.hooks)


def test_trusted_files_stay_trusted(tmp_path: Path) -> None:
    project = Project(tmp_path)
    trust(project)
    assert verdict(project) == (True, True)
    project.install()
    states = {".claude/settings.json": "trusted", ".claude/settings.pyshellhooks.json": "trusted"}
    assert survey(project) == states
    assert verdict(project) == (True, True)
    project.uninstall()
    assert survey(project) == {".claude/settings.json": "trusted"}
    assert verdict(project) == (True, True)


def test_an_edit_elsewhere_that_was_trusted_stays_trusted(tmp_path: Path) -> None:
    project = Project(tmp_path)
    trust(project)
    project.install()
    project.settings.write_text(project.settings.read_text().replace("{", '{"model": "x",', 1), newline="")
    trust(project)
    project.uninstall()
    assert survey(project) == {".claude/settings.json": "trusted"}


def test_untrusted_files_stay_untrusted(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    assert set(survey(project).values()) == {"new"}
    assert verdict(project) == (False, False)
    project.uninstall()
    assert survey(project) == {".claude/settings.json": "new"}


def test_files_that_changed_since_trust_stay_locked(tmp_path: Path) -> None:
    project = Project(tmp_path)
    trust(project)
    project.settings.write_text(project.settings.read_text() + " ", newline="")
    project.install()
    assert survey(project)[".claude/settings.json"] == "changed"
    assert verdict(project) == (True, False)
    project.uninstall()
    assert survey(project)[".claude/settings.json"] == "changed"


def test_files_that_were_trusted_elsewhere_stay_trusted(tmp_path: Path) -> None:
    first, clone = Project(tmp_path / "first"), Project(tmp_path / "clone")
    clone.env = first.env
    trust(first)
    assert survey(clone) == {".claude/settings.json": "known"}
    clone.install()
    assert set(survey(clone).values()) == {"trusted"}
    assert verdict(clone) == (True, True)


@pytest.mark.parametrize("edit", ["changed", "missing"])
def test_hooks_that_are_changed_where_they_were_moved_lock_their_events(edit: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    trust(project)
    project.install()
    ours = Path(project.target.ours)
    if edit == "changed":
        ours.write_text(ours.read_text().replace("exit 2", "exit 0"), newline="")
    else:
        ours.unlink()
    assert survey(project)[".claude/settings.pyshellhooks.json"] == edit
    assert verdict(project) == (True, False)
    reply = project.send(DENIES["claude_code"][1], project.path)
    assert reply.decision == "deny"
    assert reply.hooks == 0, "the hook itself was not asked"
    if edit == "changed":
        assert "changed since it was trusted" in reply.stdout
        trust(project)
        assert project.send(DENIES["claude_code"][1], project.path).decision == "none"


def test_a_script_that_was_trusted_and_is_another_one_now_denies(tmp_path: Path) -> None:
    """Also in an engine that was made before."""
    script = tmp_path / "guard.sh"
    script.write_text("exit 0\n", newline="")
    project = Project(tmp_path, config=nested({"type": "command", "command": "sh ./guard.sh"}))
    trust(project)
    project.install()
    with Engines() as engines:
        assert project.send(DENIES["claude_code"][1], project.path, engines=engines).decision == "none"
        script.write_text("exit 0 # another\n", newline="")
        reply = project.send(DENIES["claude_code"][1], project.path, engines=engines)
    assert reply.decision == "deny"
    assert "it was trusted, and has changed since" in reply.stdout


@pytest.mark.parametrize("text", ["", "{", '{"version": 2}'])
def test_a_record_that_cannot_be_read_denies(text: str, tmp_path: Path) -> None:
    """Whether the script is another one now is not known."""
    script = tmp_path / "guard.sh"
    script.write_text("exit 2\n", newline="")
    project = Project(tmp_path, config=nested({"type": "command", "command": "sh ./guard.sh"}))
    trust(project)
    project.install()
    script.write_text("exit 0\n", newline="")
    found = Survey(str(project.path), project.env, "", {})
    Path(found.store.file_of(found.project.real)).write_text(text)
    reply = project.send(DENIES["claude_code"][1], project.path)
    assert reply.decision == "deny" and "can't read the project's record of trust" in reply.stdout


def test_a_long_lived_engine_accepts_later_trust(tmp_path: Path) -> None:
    script = tmp_path / "guard.sh"
    script.write_text("exit 0\n", newline="")
    project = Project(tmp_path, config=nested({"type": "command", "command": "sh ./guard.sh"}))
    project.install()
    with Engines() as engines:
        assert project.send(DENIES["claude_code"][1], project.path, engines=engines).decision == "none"
        trust(project)
        script.write_text("exit 0 # another\n", newline="")
        reply = project.send(DENIES["claude_code"][1], project.path, engines=engines)
    assert reply.decision == "deny" and "it was trusted, and has changed since" in reply.stdout


def test_settings_with_the_entry_of_moved_hooks_lock_too(tmp_path: Path) -> None:
    """Trusted as they are now, and not by ``serve --install``: an entry guards its event."""
    project = Project(tmp_path)
    project.install()
    trust(project)
    assert verdict(project) == (True, True)
    project.settings.unlink()
    assert verdict(project) == (True, False)


def test_untrusted_moved_hooks_count(tmp_path: Path) -> None:
    """The agent's settings name them, as they named the commands before."""
    project = Project(tmp_path)
    project.install()
    assert project.send(DENIES["claude_code"][1], project.path).hooks == 1


def test_moved_hooks_need_trust_of_their_own(tmp_path: Path) -> None:
    """Who trusts the settings alone has not looked at the file that they name."""
    project = Project(tmp_path, config=nested(GUARD))
    project.install()
    states = survey(project)
    assert list(states) == [".claude/settings.json", ".claude/settings.pyshellhooks.json"]
    items = Survey(str(project.path), project.env, "", {}).items
    assert items[".claude/settings.pyshellhooks.json"].events == {"claude_code": {"PreToolUse"}}


@pytest.mark.parametrize("step", range(3))
def test_a_crash_leaves_a_trusted_project_trusted(step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path)
    trust(project)
    crash_at(step, monkeypatch, "put")
    with pytest.raises(Crash):
        project.install()
    monkeypatch.undo()
    assert verdict(project) == (True, True)
    project.install()
    assert verdict(project) == (True, True)
    crash_at(min(step, 1), monkeypatch, "remove")
    with pytest.raises(Crash):
        project.uninstall()
    monkeypatch.undo()
    assert verdict(project) == (True, True)
    project.uninstall()
    assert survey(project) == {".claude/settings.json": "trusted"}


@pytest.mark.parametrize("system", DENIES)
def test_every_system(system: str, tmp_path: Path) -> None:
    project = Project(tmp_path, system)
    trust(project)
    project.install()
    with HookEngine.discover(str(tmp_path), system, env=project.env) as engine:
        event, fields = project.target.dialect.read({**DENIES[system][1], "tool_input": {"command": "ls"}})
        found = engine.fire(event, fields)
        assert (found.blocked, len(found.hooks), engine.untrusted) == (True, 1, ())
