"""What somebody may do to files, so that a guard that was trusted is off and nobody is told (docs/trust.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from errno import ENOENT
from pathlib import Path
from typing import Any

import pytest
from trusting import CALL, GUARD, SCRIPT, SETTINGS, House, appended, gone, groups


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path).guarded()


def agents(**commands: tuple[str, str]) -> str:
    """Write Docker Agent's file: agent -> (event, command)."""
    hooks = {event: [{"type": "command", "command": command}] for event, command in commands.values()}
    hooks["pre_tool_use"] = [{"matcher": "*", "hooks": hooks["pre_tool_use"]}]
    return json.dumps({"agents": {agent: {"hooks": {event: hooks[event]}} for agent, (event, _) in commands.items()}})


def everruns(*hooks: tuple[str, str], **more: Any) -> str:
    """Write Everruns' file: (id, command) of hooks before a tool."""
    listed = [
        {"id": id, "event": "pre_tool_use", "executor": {"type": "bash", "command": command}} for id, command in hooks
    ]
    return json.dumps({"hooks": listed, **more})


#: A guard that counts only elsewhere or later than where ``trust`` ran: files, what turns it on, the options of the engine.
ELSEWHERE: dict[str, tuple[dict[str, str], Callable[[House], object], dict[str, Any]]] = {
    "of another agent": (
        {"agent.yaml": agents(a=("session_start", "true"), b=("pre_tool_use", "exit 2"))},
        lambda house: None,
        {"dialect": "docker_agent", "agent": "b"},
    ),
    "switched off by a file": (
        {SETTINGS: groups(PreToolUse=".claude/guard.sh"), ".claude/settings.local.json": '{"disableAllHooks": true}'},
        gone(".claude/settings.local.json"),
        {"dialect": "claude_code"},
    ),
    "switched off below": (
        {".agents/hooks.json": everruns(("g", "exit 2")), "sub/.agents/hooks.json": everruns(disabled=["g"])},
        lambda house: None,
        {"dialect": "everruns"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ELSEWHERE)
def test_events_that_a_config_guards_elsewhere_are_locked_too(tmp_path: Path, case: str) -> None:
    """What it has for another agent, and what is switched off where a person looks, are guards all the same."""
    files, turn_on, options = ELSEWHERE[case]
    house = House(tmp_path)
    house.write(SCRIPT, GUARD)
    for name, text in files.items():
        house.write(name, text)
    house.trust(house.project / "sub" if any(name.startswith("sub/") for name in files) else None)
    turn_on(house)
    with house.engine(**options) as engine:
        verdict = engine.fire("before_tool", **CALL)
    assert verdict.blocked and "trusted" not in verdict.reason
    appended(next(iter(files)))(house)
    with house.engine(**options) as engine:
        assert "it has changed since it was trusted" in engine.fire("before_tool", **CALL).reason


#: Systems whose files set variables for hooks: the file of a guard, another file with a variable.
VARIABLES: dict[str, tuple[dict[str, str], str]] = {
    "claude_code": ({SETTINGS: groups(PreToolUse='test -n "$DENY" && exit 2; true')}, ".claude/settings.local.json"),
    "crush": (
        {"crush.json": json.dumps({"hooks": {"PreToolUse": [{"command": 'test -n "$DENY" && exit 2; true'}]}})},
        ".crush.json",
    ),
}


@pytest.mark.parametrize("change", ["changed", "gone"])
@pytest.mark.parametrize("system", VARIABLES)
def test_a_config_of_variables_alone_guards_the_events_of_its_hooks(tmp_path: Path, system: str, change: str) -> None:
    files, variables = VARIABLES[system]
    house = House(tmp_path)
    for name, text in {**files, variables: '{"env": {"DENY": "yes"}}'}.items():
        house.write(name, text)
    house.trust()
    with house.engine(dialect=system) as engine:
        assert engine.fire("before_tool", **CALL).blocked
    if change == "gone":
        gone(variables)(house)
    else:
        house.write(variables, '{"env": {"DENY": ""}}')
    with house.engine(dialect=system) as engine:
        verdict = engine.fire("before_tool", **CALL)
    assert f"{variables}: it " in verdict.reason and "pyshellhooks trust" in verdict.reason


@pytest.mark.parametrize("where", [".", "sub"])
def test_a_former_worktree_hides_no_config_above(house: House, where: str) -> None:
    """Wherever in it ``trust`` was run: without ``.git`` an agent below finds nothing above."""
    below = house.project / "sub"
    below.mkdir()
    house.trust(house.project / where)
    assert house.fire(cwd=below).reason == "no"
    (house.project / ".git").rmdir()
    assert "is no longer read here" in house.fire(cwd=below).reason
    assert house.fire().reason == "no"
    house.trust(below)  # a person says that it is a project of its own
    assert house.fire(cwd=below).proceeds


def without_git(house: House) -> None:
    (house.project / ".git").rmdir()


def git_around(house: House) -> None:
    (house.root / ".git").mkdir()


def a_link_to_nothing(house: House) -> None:
    if os.name == "nt":
        pytest.skip("links need a privilege there")
    without_git(house)
    (house.project / ".git").symlink_to("nowhere")


def git_below(house: House) -> None:
    (house.project / "sub" / ".git").mkdir()


#: Commands that make the project begin elsewhere.
BEGINNINGS: dict[str, tuple[Callable[[House], None], ...]] = {
    "no .git": (without_git,),
    "no .git, and one around": (without_git, git_around),
    ".git is a link to nothing": (a_link_to_nothing,),
    ".git is a link to nothing, and one around": (a_link_to_nothing, git_around),
    "another around": (git_around,),
    "another below": (git_below,),
}


@pytest.mark.parametrize("runs", [".", "sub", "sub/deep"])
@pytest.mark.parametrize("trusted", [".", "sub", "sub/deep"])
@pytest.mark.parametrize("case", BEGINNINGS)
def test_wherever_a_project_begins_its_guard_denies(house: House, case: str, trusted: str, runs: str) -> None:
    """By the guard itself or by the lock. One exception: a worktree without a record may be a new one."""
    (house.project / "sub" / "deep").mkdir(parents=True)
    house.trust(house.project / trusted)
    for change in BEGINNINGS[case]:
        change(house)
    is_new = case == "another below" and runs != "." and trusted == "."
    verdict = house.fire(cwd=house.project / runs)
    assert verdict.blocked is not is_new


def test_a_directory_that_was_never_a_worktree_locks_nothing_below(house: House) -> None:
    (house.project / ".git").rmdir()
    (house.project / "sub").mkdir()
    assert house.trust().fire().reason == "no"
    verdict = house.fire(cwd=house.project / "sub")
    assert verdict.proceeds and not verdict.notices


@pytest.mark.parametrize("again", [False, True])
def test_a_config_that_reappears_after_trust_without_it(house: House, again: bool) -> None:
    """Another branch has none, and ``trust`` was run there: what comes back guards as before."""
    house.trust()
    text = (house.project / SETTINGS).read_text()
    gone(SETTINGS)(house)
    assert house.trust().fire().proceeds
    house.write(SETTINGS, text)
    assert house.fire().reason == "no"
    assert [item.state for item in house.survey().items.values()] == ["known", "trusted"]  # `trust` has news to keep
    if again:
        assert all(item.state == "trusted" for item in house.trust().survey().items.values())
    appended(SETTINGS)(house)
    assert "it has changed since it was trusted" in house.fire().reason
    gone(SETTINGS)(house)
    assert house.fire().blocked is again  # a person has agreed to that, and not seen it since


@pytest.mark.parametrize("look", [1, 2, 3, 4])
def test_a_config_that_is_gone_for_a_moment_hides_no_guard(
    house: House, look: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks whether it is there may look just then: it is found by all, or it is missing."""
    house.trust()
    looks = 0

    def is_there(path: Any) -> bool:
        nonlocal looks
        if str(path).replace("\\", "/") == (house.project / SETTINGS).as_posix():
            looks += 1
            return looks != look
        return True

    def lstat(path: Any, **more: Any) -> os.stat_result:
        if not is_there(path):
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), path)
        return real_lstat(path, **more)

    real, real_lstat = os.path.lexists, os.lstat
    monkeypatch.setattr(os.path, "lexists", lambda path: is_there(path) and real(path))
    monkeypatch.setattr(os, "lstat", lstat)
    assert house.fire().blocked and looks


@pytest.mark.not_on_windows("needs-symlink")
@pytest.mark.parametrize("link", ["guards/g.sh", "guards"])
@pytest.mark.parametrize("target", ["/dev/null", "/dev", "/tmp", "/workspace/other", "../other", "/none"])
def test_a_link_among_the_files_of_a_session_hides_no_script(tmp_path: Path, link: str, target: str) -> None:
    """Everruns' hooks have files of their own beside the project's: ``/dev/null`` is an empty script there."""
    house = House(tmp_path)
    house.write(".agents/hooks.json", everruns(("g", "sh ./guards/g.sh || exit 2")))
    house.write("guards/g.sh", GUARD)
    house.write("other/g.sh", "true\n")
    mounts = {"/workspace": str(house.project)}
    house.survey(mounts=mounts).keep()
    if link == "guards":
        (house.project / "guards").rename(house.project / "before")
    else:
        gone(link)(house)
    (house.project / link).symlink_to(target)
    with house.engine(dialect="everruns", mounts=mounts) as engine:
        assert "/workspace/guards/g.sh: " in engine.fire("before_tool", **CALL).reason


@pytest.mark.parametrize("end", ["", "\n", "\nexit 0\n"])
def test_a_file_is_not_taken_for_a_link_that_leads_out(house: House, tmp_path: Path, end: str) -> None:
    """The target of such a link is hashed: a file that holds that text has the same hash."""
    if os.name == "nt":
        pytest.skip("links need a privilege there")
    out = tmp_path / "out.sh"
    out.write_text(GUARD)
    out.chmod(0o755)
    (house.project / SCRIPT).unlink()
    (house.project / SCRIPT).symlink_to(out)
    assert house.trust().fire().reason == "no"
    (house.project / SCRIPT).unlink()
    house.write(SCRIPT, f"a link to {out}{end}")
    assert "guard.sh: it was trusted, and " in house.fire().reason
    assert not house.survey().trusted


#: Commands that name a script which need not be there: a file of that name elsewhere, a word that may be no file, PATH.
NAMESAKES: dict[str, tuple[str, str]] = {
    "another directory": ("cd sub && ./guard", "sub/guard"),
    "around a directory": ("(cd sub; true); sh guard", "guard"),
    "no suffix": ("cd sub && ksh guard", "sub/guard"),
    "on PATH": ("guard", "bin/guard"),
}


@pytest.mark.not_on_windows("drives")
@pytest.mark.parametrize("case", NAMESAKES)
def test_a_script_that_is_missing_is_not_replaced_by_one_of_its_name(tmp_path: Path, case: str) -> None:
    command, name = NAMESAKES[case]
    house = House(tmp_path)
    house.env["PATH"] = f"{house.project}/bin:{house.project}/tools:/usr/bin:/bin"
    for other in {"sub/guard", "guard", "tools/guard", name} - ({"guard"} if case == "no suffix" else set()):
        house.write(other, GUARD if other == name else "true\n")
    house.write(SETTINGS, groups(PreToolUse=f"{command} || exit $?"))
    house.trust()
    gone(name)(house)
    assert f"{name}: it was trusted, and can't be read: No such file" in house.fire().reason
    survey = house.survey()
    assert survey.items[name].state == "missing" and not survey.items[name].needed and not survey.trusted
    survey.keep()  # a person does without it
    assert house.survey().trusted and not house.fire().reason.startswith(str(house.project))


@pytest.mark.not_on_windows("needs-program")
@pytest.mark.parametrize(
    "command", ["sh ./guard.sh", "sh guard.sh", "./guard.sh", ". ./guard.sh", "cd sub 2> /dev/null; sh ./guard.sh"]
)
def test_a_model_in_another_directory_runs_no_script_there(tmp_path: Path, command: str) -> None:
    """A relative path leads to a script that nobody has trusted: its answer must not count."""
    house = House(tmp_path)
    house.write("guard.sh", GUARD)
    house.write(SETTINGS, groups(PreToolUse=command))
    house.trust()
    other = tmp_path / "other"
    other.mkdir()
    (other / "guard.sh").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (other / "guard.sh").chmod(0o755)
    with house.engine() as engine:
        assert engine.fire("PreToolUse", CALL).reason == "no"
        verdict = engine.fire("PreToolUse", {**CALL, "cwd": str(other)})
    assert verdict.blocked and "which nobody has trusted" in verdict.reason
    assert not (tmp_path / "ran").exists()


@pytest.mark.not_on_windows("needs-program")
def test_a_script_outside_the_project_that_the_command_names_runs(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.write(SETTINGS, groups(PreToolUse="sh ../guard.sh"))
    house.trust()
    (tmp_path / "guard.sh").write_text(GUARD)
    with house.engine() as engine:
        assert engine.fire("PreToolUse", CALL).reason == "no"


@pytest.mark.parametrize("place", ["other", "gone"])
def test_the_projects_hooks_keep_their_project_when_a_model_moves(tmp_path: Path, place: str) -> None:
    """CLAUDE_PROJECT_DIR is where the session began (claude_code 4); so is the directory if the call's is gone."""
    house = House(tmp_path)
    house.write(SETTINGS, groups(PreToolUse='echo "$CLAUDE_PROJECT_DIR" >&2; exit 2'))
    house.trust()
    (tmp_path / "other").mkdir()
    with house.engine() as engine:
        verdict = engine.fire("PreToolUse", {**CALL, "cwd": str(tmp_path / place)})
    assert verdict.reason == house.project.as_posix()
