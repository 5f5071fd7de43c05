"""What was edited since an install, crashes between two writes, links, and files that may not be written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from installing import DENIES, DENY, ENTRY, GUARD, PRETTY, Project, everything, nested

from pyshellhooks.resident.install import apply, files
from pyshellhooks.resident.install.targets import Refused


def test_a_second_install_changes_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    before = everything(tmp_path)
    plan = project.install()
    assert plan.installed
    assert everything(tmp_path) == before


def test_edits_elsewhere_survive(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    text = project.settings.read_text()
    project.settings.write_text(text.replace("{", '{\n  "model": "x",', 1) + "\n\n", newline="")
    project.uninstall()
    assert project.settings.read_text() == PRETTY.replace("{", '{\n  "model": "x",', 1) + "\n\n"


@pytest.mark.parametrize("options", [{"indent": 7}, {"separators": (",", ":")}, {"ensure_ascii": False}])
def test_a_formatter_is_no_edit(options: dict[str, Any], tmp_path: Path) -> None:
    """Claude Code itself writes its settings anew when a person allows a tool for good."""
    prompt = {"type": "prompt", "prompt": "é?"}
    project = Project(tmp_path, config=json.dumps(nested(GUARD, prompt)).encode())
    project.install()
    project.settings.write_text(
        json.dumps(json.loads(project.settings.read_text("utf-8")), **options), "utf-8", newline=""
    )
    project.uninstall()
    assert json.loads(project.settings.read_text("utf-8")) == nested(GUARD, prompt)


def test_a_clone_with_other_line_ends(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    project.settings.write_bytes(project.settings.read_bytes().replace(b"\n", b"\r\n"))
    project.uninstall()
    assert project.settings.read_bytes() == PRETTY.replace("\n", "\r\n").encode()


EDITS: dict[str, tuple[str, str, str]] = {
    "a hook more": ("settings", '"PreToolUse": [', '"PreToolUse": [{"hooks": []},'),
    "another timeout": ("settings", "607", "600"),
    "a comment": ("settings", '"PreToolUse": [', '"PreToolUse": [ // mine'),
    "no hooks": ("settings", '"hooks": {\n    "Pre', '"hocks": {\n    "Pre'),
    "the file of hooks": ("ours", "exit 2", "exit 3"),
}


@pytest.mark.parametrize("name", EDITS)
def test_files_that_were_edited_since_are_reported_and_stay(name: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    where, old, new = EDITS[name]
    path = project.settings if where == "settings" else Path(project.target.ours)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1), newline="")
    before = everything(tmp_path)
    with pytest.raises(Refused, match="edited since") as found:
        project.uninstall()
    assert found.value.now != found.value.before
    assert everything(tmp_path) == before
    if name != "no hooks":
        project.uninstall(force=True)
        assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


def test_without_the_undo_file_the_way_back_is_reported(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    undo = Path(project.target.undo)
    for text in (None, "{", '{"version": 2}', "[]"):
        undo.unlink(missing_ok=True)
        if text is not None:
            undo.write_text(text, newline="")
        with pytest.raises(Refused, match=r"undo\.json"):
            project.uninstall()


@pytest.mark.parametrize("content", [b"{}", b"mine"])
def test_a_file_in_the_way_stays(content: bytes, tmp_path: Path) -> None:
    project = Project(tmp_path)
    Path(project.target.ours).write_bytes(content)
    with pytest.raises(Refused, match="did not write it"):
        project.install()
    assert Path(project.target.ours).read_bytes() == content


@pytest.mark.parametrize("read_only", ["file"])
def test_a_read_only_file_stays(read_only: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.settings.chmod(0o444)
    with pytest.raises(Refused, match="read-only"):
        project.install()
    project.settings.chmod(0o644)
    project.install()
    project.settings.chmod(0o444)
    with pytest.raises(Refused, match="read-only"):
        project.uninstall()
    project.settings.chmod(0o644)


class Crash(BaseException):
    """The machine goes off: nothing is cleaned up."""


@pytest.mark.parametrize("step", range(3))
@pytest.mark.parametrize("then", ["install", "uninstall"])
def test_a_crash_between_two_writes(step: int, then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each of the three writes: the settings are as they were, and both commands finish."""
    project = Project(tmp_path)
    crash_at(step, monkeypatch, "put")
    with pytest.raises(Crash):
        project.install()
    monkeypatch.undo()
    assert project.settings.read_text() == PRETTY
    if then == "install":
        assert project.install().moved == 1
        assert project.send(DENIES["claude_code"][1], tmp_path).decision == "deny"
        project.uninstall()
    elif step > 0:
        project.uninstall()
    else:
        assert apply.plan_uninstall(project.target) is None
    assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


@pytest.mark.parametrize(("step", "of"), [(0, "put"), (0, "remove"), (1, "remove")])
@pytest.mark.parametrize("then", ["install", "uninstall"])
def test_a_crash_on_the_way_back(
    step: int, of: str, then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(tmp_path)
    project.install()
    crash_at(step, monkeypatch, of)
    with pytest.raises(Crash):
        project.uninstall()
    monkeypatch.undo()
    assert DENY in project.settings.read_text() or project.send(DENIES["claude_code"][1], tmp_path).decision == "deny"
    if then == "install":
        project.install()
        assert project.send(DENIES["claude_code"][1], tmp_path).decision == "deny"
    project.uninstall()
    assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


def crash_at(step: int, monkeypatch: pytest.MonkeyPatch, of: str) -> None:
    real, count = getattr(files, of), iter(range(9))

    def crash(*given: Any) -> None:
        if next(count) == step:
            raise Crash
        real(*given)

    monkeypatch.setattr(files, of, crash)


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path)
    for step in range(3):
        real, count = files.put, iter(range(9))

        def full(*given: Any, real: Any = real, count: Any = count, step: int = step) -> None:
            if next(count) == step:
                raise OSError(28, "No space left on device")
            real(*given)

        with monkeypatch.context() as patched:
            patched.setattr(files, "put", full)
            with pytest.raises(OSError, match="No space"):
                project.install()
        assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


def test_a_change_of_the_settings_meanwhile_wins(tmp_path: Path) -> None:
    project = Project(tmp_path)
    plan = apply.plan_install(project.target, ENTRY)
    project.settings.write_text(PRETTY + " ", newline="")
    with pytest.raises(Refused, match="just changed"):
        apply.install(plan, project.env)
    assert everything(tmp_path) == {".claude/settings.json": (PRETTY + " ").encode()}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="links and modes are others on Windows")
def test_a_link_is_followed_and_modes_are_preserved(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    project = Project(tmp_path / "project")
    project.settings.rename(real)
    project.settings.symlink_to(real)
    real.chmod(0o640)
    project.install()
    assert project.settings.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert Path(project.target.ours).stat().st_mode & 0o777 == 0o640
    assert project.send(DENIES["claude_code"][1], tmp_path).decision == "deny"
    project.uninstall()
    assert project.settings.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == (PRETTY, 0o640)
