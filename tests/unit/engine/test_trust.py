"""Trust of project files: states x kinds of events x ways to ask (docs/trust.md)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trusting import CALL, GUARD, KINDS, SCRIPT, SETTINGS, House, groups

from pyshellhooks import ConfigError, HookEngine
from pyshellhooks.agent import AgentHooks

pytestmark = pytest.mark.portable
not_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path).guarded()


def appended(path: str) -> Callable[[House], object]:
    def change(house: House) -> None:
        with open(house.project / path, "ab") as file:
            file.write(b"\n")

    return change


def gone(path: str) -> Callable[[House], object]:
    return lambda house: (house.project / path).unlink()


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
    "config a directory": (a_directory(SETTINGS), "settings.json: it was trusted, and is no regular file now"),
    "directory missing": (lambda house: shutil.rmtree(house.project / ".claude"), "settings.json: it was trusted, and is missing"),
    "script changed": (appended(SCRIPT), "guard.sh: it was trusted, and has changed since"),
    "script another": (lambda house: house.write(SCRIPT, "exit 0\n"), "guard.sh: it was trusted, and has changed since"),
    "script missing": (gone(SCRIPT), "guard.sh: it was trusted, and can't be read: No such file"),
    "script a directory": (a_directory(SCRIPT), "guard.sh: it was trusted, and can't be read: "),
    "record corrupt": (lambda house: house.record.write_text("{"), "the record of what was trusted here can't be read"),
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
def test_what_changed_after_trust_locks_what_it_guarded(house: House, state: str, kind: str) -> None:
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
def test_what_a_config_guards_elsewhere_is_locked_too(tmp_path: Path, case: str) -> None:
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
def test_a_config_of_variables_alone_guards_what_they_are_for(tmp_path: Path, system: str, change: str) -> None:
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


def test_what_was_never_trusted_is_left_out_and_told(house: House) -> None:
    verdict = house.fire("call")
    assert verdict.proceeds and not verdict.hooks
    assert "nobody has trusted this file; look at it, then let a person run `pyshellhooks trust`" in verdict.notices[0]
    assert house.fire("call", strict=True).blocked
    assert agent_fires(house, "call")[0] is False
    assert house.engine().untrusted == ((house.project / SETTINGS).as_posix(),)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_trusted_counts(house: House, kind: str) -> None:
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
    with pytest.raises(TypeError, match="needs no store"):
        HookEngine.load(house.project / SETTINGS, trust_project="store")  # type: ignore[arg-type]


def test_a_file_that_is_named_needs_no_trust(house: House) -> None:
    with HookEngine.load(house.project / SETTINGS, cwd=str(house.project), env=house.env) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"


def test_changing_branches_asks_nothing(house: House) -> None:
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


@pytest.mark.parametrize("again", [False, True])
def test_a_config_that_comes_back_after_a_person_did_without_it(house: House, again: bool) -> None:
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


@pytest.mark.parametrize("look", [1, 2, 3])
def test_a_config_that_is_gone_for_a_moment_hides_no_guard(
    house: House, look: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks whether it is there may look just then: it is found by all, or it is missing."""
    house.trust()
    looks = 0

    def is_file(path: str | os.PathLike[str]) -> bool:
        nonlocal looks
        if os.fspath(path).replace("\\", "/") == (house.project / SETTINGS).as_posix():
            looks += 1
            return looks != look
        return real(path)

    real = os.path.isfile
    monkeypatch.setattr(os.path, "isfile", is_file)
    assert house.fire().blocked and looks


def test_a_clone_with_known_contents_is_trusted_and_another_is_not(house: House, tmp_path: Path) -> None:
    house.trust()
    clone = House(tmp_path, "clone").guarded()
    assert clone.fire().reason == "no"
    appended(SCRIPT)(clone)
    verdict = clone.fire()
    assert verdict.proceeds and "nobody has trusted this file" in verdict.notices[0]
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
    assert verdict.proceeds and "nobody has trusted" in verdict.notices[0]
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
    assert "late.sh: it is a script that nobody has trusted" in house.fire().reason
    house.write("late.sh", "touch ran\n")
    assert "late.sh: it is a script that nobody has trusted" in house.fire().reason
    assert not (house.project / "ran").exists()


def test_a_worktree_made_above_hides_no_trust(house: House) -> None:
    """``mkdir ../.git`` makes another project of it, and ``$CLAUDE_PROJECT_DIR`` leads elsewhere."""
    house.trust()
    shutil.rmtree(house.project / ".git")
    assert house.fire().reason == "no"
    (house.root / ".git").mkdir()
    assert "is part of another worktree now" in house.fire().reason
    house.trust()  # a person has looked at the new project
    assert not house.fire().hooks or house.fire().hooks[0].exit_code == 127


def test_a_worktree_made_below_hides_no_trust(house: House) -> None:
    below = house.project / "sub"
    house.write("sub/.claude/settings.json", groups(PreToolUse="exit 2"))
    house.trust(below)
    assert house.fire(cwd=below).blocked
    (below / ".git").mkdir()
    assert "is part of another worktree now" in house.fire(cwd=below).reason


def test_a_worktree_made_below_hides_no_config_above(house: House) -> None:
    below, other = house.project / "sub", house.project / "other"
    for path in (below, other):
        path.mkdir()
    house.trust(below)
    assert house.fire(cwd=below).reason == "no"
    for path in (below, other):
        (path / ".git").mkdir()
    for kind in ("call", "prompt", "result"):
        assert "is not looked for here any more" in house.fire(kind, cwd=below).reason
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
    assert verdict.blocked and "is not looked for here any more" in verdict.reason


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


@pytest.mark.skipif(os.name == "nt", reason="PATH and paths are POSIX's")
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


@not_root
@pytest.mark.parametrize("name", [SETTINGS, SCRIPT])
def test_a_file_that_cannot_be_read_locks(house: House, name: str) -> None:
    house.trust()
    (house.project / name).chmod(0)
    assert "can't be read" in house.fire().reason


def test_a_user_s_hooks_stay_and_the_deny_stands(house: House) -> None:
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
