"""``serve --install codex``: an absolute path, a hint to review the entry, and hooks that stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from installing import DENIES, ENTRY, GUARD, Project, everything, nested

from pyshellhooks.cli import main
from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.hooks.installed import CLIENT
from pyshellhooks.resident.install import apply
from pyshellhooks.resident.install.targets import targets

REVIEW = "review them with /hooks"


def entry_of(project: Project) -> str:
    (command,) = project.commands()
    return command


def test_the_entry_has_an_absolute_path_and_denies(tmp_path: Path) -> None:
    """Codex names the project to its hooks in no variable (codex 7.3)."""
    project = Project(tmp_path, "codex")
    before = everything(tmp_path)
    assert project.install().moved == 1
    ours = f"{tmp_path.as_posix()}/.codex/hooks.pyshellhooks.json"
    assert entry_of(project) == f"pyshellhooks-hook codex --installed {ours} --timeout 602"
    assert project.send(DENIES["codex"][1], tmp_path).decision == "deny"
    project.uninstall()
    assert everything(tmp_path) == before


def test_the_toml_file_of_a_user_stays(tmp_path: Path) -> None:
    project = Project(tmp_path, "codex")
    (tmp_path / ".codex" / "config.toml").write_text("model = 'm'\n")
    env = {**project.env, "HOME": str(tmp_path)}
    found = targets(project.target.dialect, [], str(tmp_path), env, user=True)
    assert [target.path for target in found] == [f"{tmp_path.as_posix()}/.codex/hooks.json"]


@pytest.mark.parametrize("event", ["SessionEnd", "Interrupt"])
def test_hooks_that_codex_ends_after_three_seconds_stay(event: str, tmp_path: Path) -> None:
    project = Project(tmp_path, "codex", nested(GUARD, event=event))
    plan = apply.plan_install(project.target, ENTRY)
    assert plan.moved == 0
    assert "after 3 seconds" in plan.stays[0].message


def test_a_hook_whose_context_has_a_limit_stays(tmp_path: Path) -> None:
    project = Project(tmp_path, "codex", nested({**GUARD, "additionalContextLimit": 100}))
    plan = apply.plan_install(project.target, ENTRY)
    assert [hook.message for hook in plan.stays] == ['"additionalContextLimit" needs the agent']


def test_both_commands_says_that_a_review_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (CLIENT, f"{CLIENT}.exe"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n", newline="")
        program.chmod(0o755)
    project = Project(tmp_path / "p", "codex")
    monkeypatch.chdir(project.path)
    for name, value in {**project.env, "PATH": str(tmp_path / "bin"), "USERPROFILE": project.env["HOME"]}.items():
        monkeypatch.setenv(name, value)
    for word in ("--install", "--uninstall"):
        assert main(["serve", word, "codex", "--yes"]) == 0
        assert REVIEW in capsys.readouterr().out


def test_moved_hooks_need_no_review(tmp_path: Path) -> None:
    project = Project(tmp_path, "codex")
    project.install()
    user = tmp_path / "user"
    user.mkdir()
    (user / "config.toml").write_text("model = 'm'\n")
    found = check_file(project.target.ours, "codex", env={**project.env, "CODEX_HOME": str(user)}).diagnostics
    assert not [one for one in found if one.code == "switched-off"]
    assert json.loads(Path(project.target.ours).read_text())["hooks"]["PreToolUse"]
