"""Trust of project files: states x kinds of events x ways to ask (docs/trust.md)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trusting import CALL, GUARD, KINDS, SCRIPT, SETTINGS, House, appended, gone, groups

from pyshellhooks import ConfigError, HookEngine, OverlayFS
from pyshellhooks.agent import AgentHooks
from pyshellhooks.fs import FileSystem, HostFS


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path).guarded()


def a_directory(path: str) -> Callable[[House], object]:
    def change(house: House) -> None:
        (house.project / path).unlink()
        (house.project / path).mkdir()

    return change


#: What happened to a file that was trusted, and what the verdict says of it.
LOCKING: dict[str, tuple[Callable[[House], object], str]] = {
    "config changed": (appended(SETTINGS), "settings.json: it has changed since it was trusted"),
    "config emptied": (lambda house: house.write(SETTINGS, ""), "settings.json: it has changed"),
    "config broken": (lambda house: house.write(SETTINGS, "{"), "settings.json: it has changed"),
    "config without its guard": (lambda house: house.write(SETTINGS, groups(Stop="true")), "it has changed"),
    "config missing": (gone(SETTINGS), "settings.json: it was trusted, and is missing"),
    "config a directory": (a_directory(SETTINGS), "settings.json: it was trusted, and is no longer a regular file"),
    "directory missing": (lambda house: shutil.rmtree(house.project / ".claude"), "settings.json: it was trusted, and is missing"),
    "script changed": (appended(SCRIPT), "guard.sh: it was trusted, and has changed since"),
    "script another": (lambda house: house.write(SCRIPT, "exit 0\n"), "guard.sh: it was trusted, and has changed since"),
    "script missing": (gone(SCRIPT), "guard.sh: it was trusted, and can't be read: No such file"),
    "script a directory": (a_directory(SCRIPT), "guard.sh: it was trusted, and can't be read: "),
    "record corrupt": (lambda house: house.record.write_text("{"), "can't read the project's record of trust"),
    "record newer": (lambda house: house.record.write_text('{"version": 2}'), "another version of pyshellhooks"),
}  # fmt: skip


def agent_fires(house: House, kind: str, **options: Any) -> tuple[bool, list[str]]:
    """Ask as an agent's loop does: whether it is denied, and what a person is told."""
    told: list[str] = []
    with AgentHooks(cwd=str(house.project), env=house.env, on_notice=told.append, **options) as hooks:
        gate = {
            "call": lambda: hooks.before("Bash", CALL["tool_input"]),
            "prompt": lambda: hooks.prompt("x"),
            "result": lambda: hooks.after("Bash", CALL["tool_input"], {"stdout": "x"}),
            "stop": lambda: hooks.stop(),
            "nothing": lambda: hooks.end(),
        }[kind]()
    return gate.denied is not None, told


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("state", LOCKING)
def test_a_file_that_changed_after_trust_locks_its_events(house: House, state: str, kind: str) -> None:
    change, said = LOCKING[state]
    house.trust()
    change(house)
    verdict = house.fire(kind)
    locked = kind in ("call", "prompt", "result")
    assert verdict.blocked is locked and verdict.withholds is (kind == "result")
    assert (said in verdict.reason) is locked
    assert verdict.followup is None or state.startswith("script")  # a stop goes on only by a hook's own word
    if not (state.startswith("script") and kind in ("act", "stop", "nothing")):
        assert any(said in notice and "pyshellhooks trust" in notice for notice in verdict.notices)


@pytest.mark.parametrize("options", [{"on_failure": "open"}, {"own_failures": "vendor"}, {"strict": True}, {"ask": "deny"}, {"disabled": ["x"]}, {"spawn": False}])  # fmt: skip
@pytest.mark.parametrize("state", LOCKING)
def test_no_option_opens_it(house: House, state: str, options: dict[str, Any]) -> None:
    house.trust()
    LOCKING[state][0](house)
    assert house.fire("call", **options).blocked


@pytest.mark.parametrize("kind", ["call", "prompt", "result", "stop", "nothing"])
@pytest.mark.parametrize(
    "state", ["config changed", "config missing", "script changed", "script missing", "record corrupt"]
)
def test_an_agent_is_denied_too(house: House, state: str, kind: str) -> None:
    change, said = LOCKING[state]
    house.trust()
    change(house)
    denied, told = agent_fires(house, kind)
    assert denied is (kind in ("call", "prompt", "result"))
    assert any(said in notice for notice in told)


@pytest.mark.parametrize("state", ["config changed", "config missing", "script changed", "record corrupt"])
def test_neutral_events_and_all_tools_are_locked(house: House, state: str) -> None:
    """Matchers are not kept: whatever the call is, it is denied."""
    entry = {"matcher": "Write", "hooks": [{"type": "command", "command": ".claude/guard.sh"}]}
    house.write(SETTINGS, json.dumps({"hooks": {"PreToolUse": [entry]}}))
    house.trust()
    with house.engine() as engine:
        assert engine.fire("before_tool", tool_name="Bash", tool_input={"command": "ls"}).proceeds
    LOCKING[state][0](house)
    with house.engine() as engine:
        assert engine.listens("before_tool") and engine.untrusted
        assert engine.fire("before_tool", tool_name="Bash", tool_input={"command": "ls"}).blocked
        assert engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}).blocked
        assert any("pyshellhooks trust" in (one.hint or "") for one in engine.diagnostics)
        plan = engine.explain("PreToolUse", CALL)
        assert plan.notices and not any(why.matches for why in plan)


@pytest.mark.parametrize("state", LOCKING)
def test_to_trust_again_opens_it(house: House, state: str) -> None:
    house.trust()
    LOCKING[state][0](house)
    assert house.fire("call").blocked
    named = state in ("script missing", "script a directory")
    house.trust()
    if state == "config broken":  # it counts, and does not load
        with pytest.raises(ConfigError):
            house.fire("call")
        return
    verdict = house.fire("call")
    if named:  # a guard that is named and is not there stays locked
        assert "guard.sh" in verdict.reason
    elif state in ("script changed", "config changed", "record corrupt", "record newer"):
        assert verdict.reason == "no"
    else:
        assert verdict.proceeds and not verdict.notices


def test_a_file_that_was_never_trusted_is_left_out_and_reported(house: House) -> None:
    verdict = house.fire("call")
    assert verdict.proceeds and not verdict.hooks
    assert "this file is not trusted; look at it, then let a person run `pyshellhooks trust`" in verdict.notices[0]
    assert house.fire("call", strict=True).blocked
    assert agent_fires(house, "call")[0] is False
    assert house.engine().untrusted == ((house.project / SETTINGS).as_posix(),)


@pytest.mark.parametrize("kind", KINDS)
def test_trusted_files_count(house: House, kind: str) -> None:
    verdict = house.trust().fire(kind)
    assert [one.ended for one in verdict.hooks] == ["nonzero"]
    assert verdict.blocked or verdict.followup is not None or kind == "nothing"
    assert house.engine().untrusted == () and not house.engine().diagnostics


def test_true_false_and_the_variable(house: House) -> None:
    assert house.fire(trust_project=True).reason == "no"
    assert house.fire(trust_project=False).proceeds
    for value, counts in (("1", True), ("true", False), ("", False), ("0", False)):
        house.env["PYSHELLHOOKS_TRUST"] = value
        assert house.fire().blocked is counts
    house.env["PYSHELLHOOKS_TRUST"] = "1"
    assert house.fire(trust_project=False).proceeds
    house.trust()
    house.write(SCRIPT, "exit 0\n")
    assert house.fire().proceeds  # who says so trusts whatever is there
    with pytest.raises(TypeError, match="load.. accepts"):
        HookEngine.load(house.project / SETTINGS, trust_project="store")  # type: ignore[arg-type]


def test_a_file_that_is_named_needs_no_trust(house: House) -> None:
    with HookEngine.load(house.project / SETTINGS, cwd=str(house.project), env=house.env) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"


def test_changing_branches_needs_no_new_trust(house: House) -> None:
    first = (house.project / SCRIPT).read_text(), (house.project / SETTINGS).read_text()
    house.trust()
    house.write(SCRIPT, GUARD.replace("no", "never"))
    house.write(SETTINGS, groups(PreToolUse="sh ./.claude/guard.sh"))
    house.trust()
    assert house.fire().reason == "never"
    house.write(SCRIPT, first[0])
    house.write(SETTINGS, first[1])
    assert house.fire().reason == "no"
    appended(SETTINGS)(house)
    assert house.fire("prompt").blocked  # what any content guarded is guarded


def test_a_clone_with_known_contents_is_trusted_and_another_is_not(house: House, tmp_path: Path) -> None:
    house.trust()
    clone = House(tmp_path, "clone").guarded()
    assert clone.fire().reason == "no"
    appended(SCRIPT)(clone)
    verdict = clone.fire()
    assert verdict.proceeds and "this file is not trusted" in verdict.notices[0]
    clone.guarded()
    moved = clone.write("guards/guard.sh", GUARD)
    clone.write(SETTINGS, groups(PreToolUse="guards/guard.sh"))
    assert moved.exists() and not clone.fire().hooks


def test_a_clone_is_locked_once_it_is_trusted_itself(house: House, tmp_path: Path) -> None:
    house.trust()
    clone = House(tmp_path, "clone").guarded().trust()
    appended(SCRIPT)(clone)
    assert clone.fire().blocked and house.fire().reason == "no"


def test_revoked_is_never_trusted_whatever_its_content(house: House, tmp_path: Path) -> None:
    twin = House(tmp_path, "twin").guarded().trust()
    house.trust().survey().revoke()
    verdict = house.fire()
    assert verdict.proceeds and "this file is not trusted" in verdict.notices[0]
    assert twin.fire().reason == "no"
    assert house.trust().fire().reason == "no"


def test_a_new_config_beside_trusted_ones_is_left_out_and_changes_nothing(house: House) -> None:
    house.trust()
    house.write(".claude/settings.local.json", groups(PreToolUse="true"))
    verdict = house.fire()
    assert verdict.reason == "no" and any("settings.local.json" in notice for notice in verdict.notices)
    house.write(".claude/settings.local.json", '{"disableAllHooks": true}')
    assert house.fire().reason == "no"


def test_a_script_that_was_not_there_when_its_config_was_trusted_is_not_run(house: House) -> None:
    house.write(SETTINGS, groups(PreToolUse="./late.sh"))
    house.trust()
    assert "late.sh: the script is not trusted" in house.fire().reason
    house.write("late.sh", "touch ran\n")
    assert "late.sh: the script is not trusted" in house.fire().reason
    assert not (house.project / "ran").exists()


def test_a_worktree_made_above_hides_no_trust(house: House) -> None:
    """``mkdir ../.git`` makes another project of it, and ``$CLAUDE_PROJECT_DIR`` leads elsewhere."""
    house.trust()
    shutil.rmtree(house.project / ".git")
    assert house.fire().reason == "no"
    (house.root / ".git").mkdir()
    assert "is now a part of another worktree" in house.fire().reason
    house.trust()  # a person has looked at the new project
    assert not house.fire().hooks or house.fire().hooks[0].exit_code == 127


def test_a_worktree_made_below_hides_no_trust(house: House) -> None:
    below = house.project / "sub"
    house.write("sub/.claude/settings.json", groups(PreToolUse="exit 2"))
    house.trust(below)
    assert house.fire(cwd=below).blocked
    (below / ".git").mkdir()
    assert "is now a part of another worktree" in house.fire(cwd=below).reason


def test_a_worktree_made_below_hides_no_config_above(house: House) -> None:
    below, other = house.project / "sub", house.project / "other"
    for path in (below, other):
        path.mkdir()
    house.trust(below)
    assert house.fire(cwd=below).reason == "no"
    for path in (below, other):
        (path / ".git").mkdir()
    for kind in ("call", "prompt", "result"):
        assert "is no longer read here" in house.fire(kind, cwd=below).reason
    assert house.fire(cwd=other).proceeds  # where nobody ran trust, it may have been one all the time
    assert house.fire().reason == "no"
    survey = house.survey(below)
    assert not survey.trusted and survey.outer == os.path.realpath(house.project).replace("\\", "/")
    survey.keep()  # a person says that it is a project of its own
    assert house.fire(cwd=below).proceeds and house.survey(below).trusted


def test_a_directory_made_nearby_hides_no_trusted_config(house: House) -> None:
    """Crush reads the nearest ``.crush``: one that somebody makes must not lead it past the one that was trusted."""
    house.write(".crush/crush.json", '{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}')
    below = house.project / "sub"
    below.mkdir()
    house.trust(below)
    with house.engine(below, dialect="crush") as engine:
        assert [spec.command for spec in engine.specs] == ["exit 2"]
    (below / ".crush").mkdir()
    with house.engine(below, dialect="crush") as engine:
        verdict = engine.fire("PreToolUse", **CALL)
    assert verdict.blocked and "is no longer read here" in verdict.reason


def test_symbolic_links(house: House, tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("links need a privilege there")
    (house.project / "real.sh").write_text(GUARD)
    (house.project / "link.sh").symlink_to("real.sh")
    house.write(SETTINGS, groups(PreToolUse="sh link.sh"))
    (tmp_path / "alias").symlink_to(house.project)
    house.trust(tmp_path / "alias")
    assert house.fire().reason == "no"
    assert house.fire(cwd=tmp_path / "alias").reason == "no"
    appended("real.sh")(house)
    for cwd in (None, tmp_path / "alias"):
        assert "link.sh: it was trusted, and has changed since" in house.fire(cwd=cwd).reason
    (house.project / "real.sh").write_text(GUARD)
    (tmp_path / "evil.sh").write_text("exit 0\n")
    (house.project / "link.sh").unlink()
    (house.project / "link.sh").symlink_to(tmp_path / "evil.sh")
    assert "link.sh: it was trusted, and has changed since" in house.fire().reason


@pytest.mark.not_on_windows("needs-mode")
@pytest.mark.parametrize("mode", [0, 0o111, 0o200, 0o333, 0o044, 0o077])
@pytest.mark.parametrize("name", [SETTINGS, SCRIPT])
def test_a_file_that_its_owner_cannot_read_locks(house: House, name: str, mode: int) -> None:
    """Also for root, who can: a script without permission ends with "Permission denied", which decides nothing."""
    house.trust()
    (house.project / name).chmod(mode)
    assert "can't be read" in house.fire().reason and "Permission denied" in house.fire().reason
    assert house.survey().items[name].state == "unreadable" and not house.survey().trusted


@pytest.mark.not_on_windows("needs-mode")
@pytest.mark.parametrize("mode", [0o400, 0o500, 0o600, 0o644])
def test_a_file_that_its_owner_can_read_counts(house: House, mode: int) -> None:
    house.trust()
    (house.project / SCRIPT).chmod(mode)
    assert house.fire().reason == "no"


@pytest.mark.not_on_windows("needs-mode")
@pytest.mark.parametrize("fs", [HostFS, lambda: OverlayFS(HostFS())], ids=["host", "overlay"])
def test_a_script_that_becomes_unreadable_later_locks(house: House, fs: Callable[[], FileSystem]) -> None:
    house.trust()
    with house.engine(fs=fs()) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"
        (house.project / SCRIPT).chmod(0)
        assert (
            "guard.sh: it was trusted, and can't be read: Permission denied" in engine.fire("PreToolUse", **CALL).reason
        )


def test_a_user_s_hooks_stay_and_the_deny_counts(house: House) -> None:
    house.trust()
    path = house.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(groups(PreToolUse='echo \'{"decision": "approve"}\''))
    with HookEngine.discover(str(house.project), env=house.env) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"
    appended(SCRIPT)(house)
    with HookEngine.discover(str(house.project), env=house.env) as engine:
        assert engine.fire("PreToolUse", **CALL).blocked


def test_names_that_a_terminal_would_act_on(house: House) -> None:
    if os.name == "nt":
        pytest.skip("such names are not allowed there")
    name = "a\n\x1b[2Jb.sh"
    house.write(name, GUARD)
    house.write(SETTINGS, groups(PreToolUse=f"'./{name}'"))
    house.trust()
    assert house.fire().reason == "no"
    appended(name)(house)
    assert "has changed since" in house.fire().reason
