"""``pyshellhooks serve --install`` on the command line: shown first, asked, and refused where nobody can be asked."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest
from installing import DENIES, PRETTY, Project, everything

from pyshellhooks.cli import install, main
from pyshellhooks.cli.check import main as check
from pyshellhooks.hooks.installed import CLIENT, words_of


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let PATH have the client and nothing else, and nothing be this user's."""
    for name in (CLIENT, f"{CLIENT}.exe"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n", newline="")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path / "project")
    monkeypatch.chdir(made.path)
    return made


def run(*words: str) -> int:
    return main(["serve", *words])


def test_show_install_and_back(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(project.path)
    assert run("--install", "claude", "--dry-run") == 0
    output = capsys.readouterr().out
    assert '+            "command": "pyshellhooks-hook claude_code --installed' in output
    assert "echo no" in output
    assert everything(project.path) == before
    assert run("--install", "claude") == 1, "there is can't ask for confirmation"
    assert "--yes" in capsys.readouterr().err
    assert everything(project.path) == before
    assert run("--install", "claude", "--yes") == 0
    assert "1 hook moved" in capsys.readouterr().out
    assert everything(project.path) != before
    assert run("--install", "claude_code", "--yes") == 0
    assert "already installed" in capsys.readouterr().out
    assert run("--uninstall", "claude", "--show") == 0
    assert everything(project.path) != before
    assert run("--uninstall", "claude", "--yes") == 0
    assert everything(project.path) == before
    assert run("--uninstall", "claude", "--yes") == 0
    assert "not installed" in capsys.readouterr().out


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_a_person_is_prompted(
    answer: str, status: int, project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert run("--install", "claude") == status
    assert "Change these?" in capsys.readouterr().out
    assert (project.settings.read_text() == PRETTY) is (status == 1)


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "no system": (("--install", "vim"), "unknown hook system"),
    "docker": (("--install", "docker_agent"), "YAML"),
    "everruns": (("--uninstall", "everruns"), "virtual shell"),
    "both": (("--install", "claude", "--uninstall", "claude"), "not allowed"),
    "no such file": (("--install", "claude", "--config", "x.json"), "no such file"),
    "nothing there": (("--install", "crush"), "--user"),
    "two places": (("--install", "claude", "--user", "--config", "x.json"), "exclude each other"),
    "http of another system": (("--install", "crush", "--http", "http://127.0.0.1:1"), "only Claude Code"),
    "http elsewhere": (("--install", "claude", "--http", "http://example.org:80"), "127.0.0.1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_are_reported(name: str, project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    words, message = WRONG[name]
    before = everything(project.path)
    try:
        status = run(*words, "--yes")
    except SystemExit as error:  # argparse's
        status = int(str(error.code))
    assert status == 1
    output = capsys.readouterr()
    assert message in output.err
    assert "Traceback" not in output.err
    assert everything(project.path) == before


def test_one_file_that_is_refused_keeps_all_as_they_are(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.settings.with_name("settings.local.json").write_text("{", newline="")
    before = everything(project.path)
    assert run("--install", "claude", "--yes") == 1
    assert "settings.local.json" in capsys.readouterr().err
    assert everything(project.path) == before


def test_an_edit_is_shown(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    run("--install", "claude", "--yes")
    project.settings.write_text(project.settings.read_text().replace("607", "600"), newline="")
    capsys.readouterr()
    assert run("--uninstall", "claude", "--yes") == 1
    output = capsys.readouterr().err
    assert '-            "timeout": 607' in output
    assert '+            "timeout": 600' in output
    assert "--force" in output
    assert run("--uninstall", "claude", "--yes", "--force") == 0
    assert project.settings.read_text() == PRETTY


def test_as_json(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--install", "claude", "--json", "--dry-run") == 0
    payload = json.loads(capsys.readouterr().out)
    assert (payload["done"], payload["files"][0]["moved"], payload["problems"]) == (False, 1, [])
    assert run("--install", "claude", "--json", "--yes") == 0
    assert json.loads(capsys.readouterr().out)["done"] is True


@pytest.mark.parametrize("system", DENIES)
def test_written_settings_have_no_diagnostics(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path / "project", system)
    monkeypatch.chdir(project.path)
    assert run("--install", system, "--yes") == 0
    capsys.readouterr()
    assert check([str(project.settings), "--strict", "--dialect", system]) == 0
    assert "1 hook of" in capsys.readouterr().out
    for command in ("explain", "doctor"):
        event = [next(iter(DENIES[system][0]["hooks"]))] if command == "explain" else []
        assert main([command, *event, "--trust-project", "--dialect", system]) == 0, capsys.readouterr()
        output = capsys.readouterr().out
        assert CLIENT not in output


def test_a_client_that_is_not_installed_is_not_written(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda *given, **more: None)
    assert run("--install", "claude", "--yes") == 1
    assert "not found on PATH" in capsys.readouterr().err
    folder = "/opt/my tools" if hasattr(os, "getuid") else "/opt/tools"  # PowerShell does not run a quoted path
    monkeypatch.setattr("shutil.which", lambda name, *more: f"{folder}/{CLIENT}" if os.path.dirname(name) else None)
    assert run("--install", "claude", "--yes") == 0
    words = words_of(project.commands()[0])
    assert words[0].endswith(f"{folder}/{CLIENT}")
    assert words[1:3] == ["claude_code", "--installed"]
    assert project.send(DENIES["claude_code"][1], project.path).decision == "deny"


def test_absolute_paths(project: Project) -> None:
    assert run("--install", "claude", "--yes", "--absolute") == 0
    assert f"--installed {project.target.ours} " in project.settings.read_text()
    assert project.send(DENIES["claude_code"][1], project.path, CLAUDE_PROJECT_DIR="").decision == "deny"


@pytest.mark.parametrize(
    ("version", "written"),
    [(b"2.1.295 (Claude Code)\n", True), (b"2.2.0", True), (b"2.1.294", False), (b"", False), (b"hm", False)],
)
def test_http_only_for_a_client_that_knows_on_failure(
    version: bytes, written: bool, project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pyshellhooks.host.resident.stdout_of", lambda *given: version)
    status = run("--install", "claude", "--yes", "--http", "http://127.0.0.1:8765")
    output = capsys.readouterr()
    assert (status == 0) is written
    if not written:
        assert "2.1.295" in output.err
        assert project.settings.read_text() == PRETTY
        return
    (group,) = json.loads(project.settings.read_text())["hooks"]["PreToolUse"]
    (entry,) = group["hooks"]
    assert (entry["type"], entry["onFailure"], entry["timeout"]) == ("http", "block", 607)
    assert entry["url"] == "http://127.0.0.1:8765/claude_code?installed=.claude/settings.pyshellhooks.json"
    assert f"--project {project.path.as_posix()}" in output.out
    assert run("--install", "claude", "--yes") == 0
    assert "already installed" in capsys.readouterr().out
    from pyshellhooks import HookEngine

    with HookEngine.discover(trust_project=True, user=False) as engine:
        assert [spec.command for spec in engine.specs] == ["echo no >&2; exit 2"]
    assert run("--uninstall", "claude", "--yes") == 0
    assert project.settings.read_text() == PRETTY


def test_a_version_is_read() -> None:
    assert install.HTTP_SINCE == (2, 1, 295)
