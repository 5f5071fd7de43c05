"""Whose hooks an entry asks, from where, and which settings files are changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from installing import DENIES, DENY, ENTRY, GUARD, PRETTY, Project, nested

from pyshellhooks import HookEngine
from pyshellhooks.hooks.installed import is_entry
from pyshellhooks.hooks.model import Origin
from pyshellhooks.resident.install import apply
from pyshellhooks.resident.install.plan import Entry, make
from pyshellhooks.resident.install.settings import Settings
from pyshellhooks.resident.install.targets import Refused, dialect_of, targets
from pyshellhooks.resident.project import VARIABLES


@pytest.mark.parametrize("system", DENIES)
def test_a_model_that_changes_the_directory_changes_no_guard(system: str, tmp_path: Path) -> None:
    """Only the agent's own variable says where the project is; a file that lies elsewhere never counts."""
    project = Project(tmp_path / "project", system)
    project.install()
    elsewhere = tmp_path / "project" / "deep" / "other"
    decoy = elsewhere / Path(project.target.ours).relative_to(project.path)
    decoy.parent.mkdir(parents=True)
    (elsewhere / ".git").mkdir()
    decoy.write_text(json.dumps({**DENIES[system][0], "hooks": {}}), newline="")
    payload = DENIES[system][1]
    assert project.send(payload, elsewhere).decision == "deny"
    assert "no" in project.send(payload, elsewhere).stdout + project.send(payload, elsewhere).stderr
    variable = VARIABLES.get(system, "")  # Codex has none: its entry has an absolute path
    for value in ("", "relative") if variable else ():
        lost = project.send(payload, elsewhere, **{variable: value})
        assert lost.decision == "deny"
        assert variable in lost.stdout + lost.stderr
    project.settings.parent.joinpath(Path(project.target.ours).name).unlink()
    assert project.send(payload, elsewhere).decision == "deny", "its hooks are lost"


@pytest.mark.parametrize("system", VARIABLES)
def test_hooks_run_where_they_ran(system: str, tmp_path: Path) -> None:
    """With the agent's project in the same variables, and in the same directory (firebender 4, cursor 4, claude_code 4)."""
    variable = VARIABLES[system]
    config = json.loads(json.dumps(DENIES[system][0]).replace(DENY, f"pwd >&2; echo ${variable} >&2; exit 2"))
    project = Project(tmp_path / "project", system, config)
    below = project.path / "below"
    below.mkdir()
    project.install()
    reply = project.send(DENIES[system][1], below)
    text = (reply.stdout + reply.stderr).replace("\\n", "\n")
    there = project.path if system in ("cursor", "firebender") else below
    assert f"{there.as_posix()}\n{project.path.as_posix()}" in text.replace("\\\\", "/")


@pytest.mark.parametrize("system", ["cursor", "firebender"])
def test_a_users_hooks_run_in_the_users_directory(system: str, tmp_path: Path) -> None:
    """Paths of a user's hooks count from ``~/.cursor`` (cursor 4, firebender 4)."""
    config = json.loads(json.dumps(DENIES[system][0]).replace(DENY, "pwd >&2; exit 2"))
    project = Project(tmp_path / "home", system, config)
    work = tmp_path / "work"
    work.mkdir()
    project.env["HOME"] = project.path.as_posix()
    (target,) = targets(project.target.dialect, [], str(work), project.env, user=True)
    assert (target.scope, target.named(False)) == ("user", target.ours)
    apply.install(apply.plan_install(target, ENTRY), project.env)
    reply = project.send(DENIES[system][1], work, **{VARIABLES[system]: str(work)})
    assert project.settings.parent.as_posix() in reply.stdout + reply.stderr
    assert reply.decision == "deny"


@pytest.mark.parametrize("system", DENIES)
def test_discovery_runs_the_moved_hooks_itself(system: str, tmp_path: Path) -> None:
    project = Project(tmp_path, system)
    project.install()
    event, fields = project.target.dialect.read({**DENIES[system][1], "tool_input": {"command": "ls"}})
    for engine in (
        HookEngine.discover(str(tmp_path), system, env=project.env, trust_project=True),
        HookEngine.load(project.settings, system, env=project.env, cwd=str(tmp_path)),
    ):
        with engine:
            verdict = engine.fire(event, fields)
            assert [one.spec.command for one in verdict.hooks] == [DENY]
            assert verdict.blocked
            assert [one for one in engine.diagnostics if one.severity == "error"] == []
    Path(project.target.ours).unlink()
    with pytest.raises(Exception, match="No such file"):
        HookEngine.discover(str(tmp_path), system, env=project.env, trust_project=True)


def test_hooks_of_an_event_without_its_entry_do_not_run(tmp_path: Path) -> None:
    both = {"hooks": {**nested(GUARD)["hooks"], **nested(GUARD, event="UserPromptSubmit")["hooks"]}}
    project = Project(tmp_path, config=both)
    project.install()
    table = json.loads(project.settings.read_text())
    del table["hooks"]["UserPromptSubmit"]
    project.settings.write_text(json.dumps(table), newline="")
    with HookEngine.discover(str(tmp_path), env={**project.env, "HOME": "/none"}, trust_project=True) as engine:
        assert [spec.event for spec in engine.specs] == ["PreToolUse"]


def test_discovery_does_not_run_a_client_of_discovered_hooks(tmp_path: Path) -> None:
    """It would ask itself without end."""
    client = {"type": "command", "command": "pyshellhooks-hook claude_code --strict"}
    project = Project(
        tmp_path, config=nested(client, GUARD, {**client, "command": "pyshellhooks-hook claude_code --config a"})
    )
    with HookEngine.discover(str(tmp_path), env={**project.env, "HOME": "/none"}, trust_project=True) as engine:
        assert [spec.command for spec in engine.specs] == [DENY, "pyshellhooks-hook claude_code --config a"]


def test_the_projects_files_are_first_and_a_file_can_be_named(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    local = project.settings.with_name("settings.local.json")
    local.write_text(PRETTY, newline="")
    home = Project(tmp_path / "home")
    env = {"HOME": home.path.as_posix()}
    claude = dialect_of("claude")
    here = str(project.path)
    assert [Path(one.path) for one in targets(claude, [], here, env)] == [project.settings, local]
    assert [one.scope for one in targets(claude, [], here, env, user=True)] == ["user"]
    named = targets(claude, [".claude/settings.local.json", str(home.settings)], here, env)
    assert [(one.scope, one.named(False)) for one in named] == [
        ("project", ".claude/settings.local.pyshellhooks.json"),
        ("user", f"{home.path.as_posix()}/.claude/settings.pyshellhooks.json"),
    ]
    (other,) = targets(claude, [str(project.settings)], str(tmp_path), env)
    assert (other.scope, other.root) == ("project", project.path.as_posix())
    for name in ("nothing.json", ".claude", str(tmp_path / "x" / "hooks" / "hooks.json")):
        with pytest.raises(Refused):
            targets(claude, [name], here, env)
    with pytest.raises(Refused, match="--user"):
        targets(claude, [], str(tmp_path), env)


@pytest.mark.parametrize(
    "path", ["plugin/hooks/hooks.json", "managed-settings.d/a.json", "a.txt", "a.pyshellhooks.json"]
)
def test_files_that_are_no_settings_are_refused(path: str, tmp_path: Path) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PRETTY, newline="")
    with pytest.raises(Refused):
        targets(dialect_of("claude"), [str(file)], str(tmp_path), {"HOME": "/none"})


@pytest.mark.parametrize("path", ["crush.json", ".crush.json", ".crush/crush.json"])
def test_every_file_of_crush(path: str, tmp_path: Path) -> None:
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(DENIES["crush"][0]), newline="")
    (target,) = targets(dialect_of("crush"), [], str(tmp_path), {"HOME": "/none"})
    assert (target.root, target.path) == (tmp_path.as_posix(), file.as_posix())
    assert f"{tmp_path.as_posix()}/{target.named(False)}" == target.ours
    assert not [one for one in target.dialect.places(_around(tmp_path)) if one.path in (target.ours, target.undo)]


def _around(path: Path) -> Any:
    from pyshellhooks.engine.config.host_context import read_host_context

    return read_host_context(path.as_posix(), {"HOME": "/none"})


QUOTED: list[tuple[str, str, str]] = [
    ("crush", "C:/my tools/x", "'C:/my tools/x' crush --installed"),
    ("gemini", "C:/my tools/pyshellhooks-hook.exe", "& 'C:/my tools/pyshellhooks-hook.exe' gemini --installed"),
    ("gemini", "C:/it's/x", ""),
    ("claude_code", "C:/my tools/x", ""),
    ("cursor", "C:/my tools/x", ""),
    ("claude_code", "C:/tools/x", "C:/tools/x claude_code --installed"),
]


@pytest.mark.parametrize(("system", "program", "expected"), QUOTED)
def test_no_shell_of_windows_takes_the_entry_for_a_text(
    system: str, program: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PowerShell prints a quoted path, which is no deny; only ``&`` calls it (gemini 3, cursor 4, claude_code 2)."""
    project = Project(tmp_path, system)
    monkeypatch.setattr("pyshellhooks.host.current", lambda: type("Windows", (), {"windows": True}))
    (event,) = make(project.target, Settings.at(project.target.path), ENTRY).events
    assert event
    if not expected:
        with pytest.raises(Refused, match="PATH"):
            make(project.target, Settings.at(project.target.path), Entry(program))
        return
    plan = make(project.target, Settings.at(project.target.path), Entry(program))
    assert expected in plan.after.decode()
    if program.endswith(".exe"):
        spec = project.target.dialect.load(plan.after.decode(), Origin(project.target.path)).specs[0]
        assert is_entry(spec, system)
