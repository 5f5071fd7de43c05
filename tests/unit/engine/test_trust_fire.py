"""A script is looked at before each run, and what was looked at is what runs (docs/trust.md)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from trusting import CALL, GUARD, SCRIPT, SETTINGS, House, groups

from pyshellhooks import CancelScope, HookEngine, MemoryFS, OverlayFS, Rooted, Shell
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.engine.executor import ShellExecutor
from pyshellhooks.fs import HostFS
from pyshellhooks.hooks.model import HookJob, HookRun

OPEN = "exit 0\n"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path).guarded().trust()


class Swapped(ShellExecutor):
    """Runs hooks, and replaces a file between the look and the run."""

    def swap(self, path: Path, text: str) -> Swapped:
        self.path, self.text = path, text
        return self

    def run(self, job: HookJob, scope: CancelScope) -> HookRun:
        self.path.write_text(self.text)
        return super().run(job, scope)


COMMANDS = [
    '"$CLAUDE_PROJECT_DIR"/.claude/guard.sh',
    ".claude/guard.sh",
    "./.claude/guard.sh",
    ".//.claude/./guard.sh",
    ". .//.claude/guard.sh",
    "bash .claude/guard.sh",
    "bash -euo pipefail .claude/guard.sh",
    "sh -o errexit -c ./.claude/guard.sh",
    ". ./.claude/guard.sh",
    "source .claude/guard.sh",
    "sh < .claude/guard.sh",
    "env A=1 timeout 5 sh .claude/guard.sh",
    "cd .claude && ./guard.sh",
    'cd "$CLAUDE_PROJECT_DIR/.claude" && sh guard.sh',
    'D=$CLAUDE_PROJECT_DIR/.claude; "$D/guard.sh"',
    "sh -c ./.claude/guard.sh",
    "cd .claude; cd ..; .claude/guard.sh",
    "if true; then exec .claude/guard.sh; fi",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_bytes_that_were_looked_at_are_run(house: House, command: str) -> None:
    """What is swapped in after the look is not read: the embedded shell has the bytes."""
    house.write(SETTINGS, groups(PreToolUse=command))
    house.trust()
    executor = Swapped(env=house.env, scripts="embedded")
    executor.swap(house.project / SCRIPT, OPEN)
    with house.engine(executor=executor) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"
        assert "has changed since" in engine.fire("PreToolUse", **CALL).reason  # the next look sees it


@pytest.mark.parametrize("cwd", [".", "../w", "sub/.."])
def test_a_relative_directory(house: House, cwd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (house.project / "sub").mkdir()
    monkeypatch.chdir(house.project)
    house.write(SETTINGS, groups(PreToolUse="sh ./.claude/guard.sh"))
    house.trust(Path(cwd))
    with HookEngine.discover(cwd, env=house.env, user=False) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"
        house.write(SCRIPT, OPEN)
        assert "has changed since" in engine.fire("PreToolUse", **CALL).reason


@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_a_shell_reads_the_checked_content_and_not_the_disk(tmp_path: Path, isolation: str) -> None:
    (tmp_path / "x.sh").write_text("echo disk\n")
    path = f"{tmp_path.as_posix()}/x.sh"
    shell = Shell(cwd=str(tmp_path), isolation=isolation)
    files = {path: b"echo given \xff\n", f"{tmp_path.as_posix()}/gone": b"echo gone\n"}
    script = "sh x.sh; . ./x.sh; wc -c < x.sh; sh gone; [ -f gone ] && stat -Lc %s ./x.sh; echo new > x.sh; cat x.sh"
    done = shell.run(script, files=files)
    assert done.stdout == b"given \xff\ngiven \xff\n13\ngone\n13\necho given \xff\n"
    assert (tmp_path / "x.sh").read_text() == "new\n"


def test_without_trust_nothing_is_pinned(house: House) -> None:
    executor = Swapped(env=house.env, scripts="embedded")
    executor.swap(house.project / SCRIPT, OPEN)
    with house.engine(executor=executor, trust_project=True) as engine:
        assert all(system.trust_state is None for system in engine.systems)
        assert engine.fire("PreToolUse", **CALL).proceeds


@pytest.mark.parametrize("isolation", ["thread", "process"])
@pytest.mark.parametrize("scripts", ["auto", "embedded"])
def test_a_long_lived_engine_checks_each_time(house: House, scripts: str, isolation: str) -> None:
    with house.engine(scripts=scripts, isolation=isolation) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"
        house.write(SCRIPT, OPEN)
        verdict = engine.fire("PreToolUse", **CALL)
        assert verdict.blocked and "guard.sh: it was trusted, and has changed since" in verdict.reason
        assert engine.fire("PostToolUse", **CALL, tool_response={}).withholds
        stop = engine.fire("Stop", session_id="s")
        assert stop.proceeds and stop.followup is None and any("has changed since" in one for one in stop.notices)
        house.write(SCRIPT, GUARD)
        assert engine.fire("PreToolUse", **CALL).reason == "no"
        house.write(SCRIPT, GUARD.replace("no", "new"))
        house.trust()
        assert engine.fire("PreToolUse", **CALL).reason == "new"


@pytest.mark.parametrize("options", [{"on_failure": "open"}, {"own_failures": "vendor"}, {"strict": True}])
def test_no_option_opens_a_script_that_changed(house: House, options: dict[str, object]) -> None:
    with house.engine(**options) as engine:
        (house.project / SCRIPT).unlink()
        assert engine.fire("PreToolUse", **CALL).blocked


def test_the_policy_on_the_hook_does_not_open_it_either(tmp_path: Path) -> None:
    house = House(tmp_path)
    hook = {"command": "./g.sh", "type": "command", "failClosed": False}
    house.write(".cursor/hooks.json", json.dumps({"version": 1, "hooks": {"preToolUse": [hook]}}))
    house.write("g.sh", GUARD)
    house.trust()
    with house.engine() as engine:
        assert engine.fire("before_tool", **CALL).blocked
        house.write("g.sh", OPEN)
        assert "has changed since" in engine.fire("before_tool", **CALL).reason


def test_the_directory_of_a_hook_decides_which_script_it_names(house: House) -> None:
    """Another directory of the project has another file of that name: nobody has looked at that."""
    house.write(SETTINGS, groups(PreToolUse="sh guard.sh"))
    house.write("guard.sh", GUARD)
    house.write("sub/guard.sh", OPEN)
    house.trust()
    with house.engine() as engine:
        assert engine.fire("PreToolUse", **CALL, cwd=str(house.project)).reason == "no"
        reason = engine.fire("PreToolUse", **CALL, cwd=str(house.project / "sub")).reason
    assert "sub/guard.sh: the script is not trusted" in reason


@pytest.mark.parametrize("kind", ["overlay", "host"])
def test_other_file_systems_over_the_disk(house: House, kind: str) -> None:
    fs = OverlayFS(HostFS()) if kind == "overlay" else HostFS()
    with house.engine(fs=fs, spawn=False) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "no"
    house.write(SCRIPT, OPEN)
    fs = OverlayFS(HostFS()) if kind == "overlay" else HostFS()
    with house.engine(fs=fs, spawn=False) as engine:
        assert "has changed since" in engine.fire("PreToolUse", **CALL).reason


@pytest.mark.not_on_windows("drives")
def test_files_of_the_host_program_are_its_own(house: House) -> None:
    """A memory file system holds what the program put there, whatever its paths look like."""
    fs = MemoryFS({f"{house.project.as_posix()}/.claude/guard.sh": "echo memory >&2; exit 2\n"})
    with house.engine(fs=fs, spawn=False) as engine:
        assert engine.fire("PreToolUse", **CALL).reason == "memory"


def test_mounts_of_a_system_with_files_of_its_own(tmp_path: Path) -> None:
    """Everruns' hooks see ``/workspace``: a directory of the project that is mounted there is the project's."""
    house = House(tmp_path)
    hook = {"id": "g", "event": "pre_tool_use", "executor": {"type": "bash", "command": "sh guards/g.sh"}}
    house.write(".agents/hooks.json", json.dumps({"hooks": [hook]}))
    house.write("guards/g.sh", 'echo \'{"decision": "block", "reason": "no"}\'\n')
    mounts = {"/workspace": str(house.project)}
    house.survey(mounts=mounts).keep()
    with house.engine(dialect="everruns", mounts=mounts) as engine:
        assert engine.specs and engine.fire("before_tool", **CALL).blocked
        house.write("guards/g.sh", "true\n")
        assert "guards/g.sh: it was trusted, and has changed since" in engine.fire("before_tool", **CALL).reason
    (house.project / "guards" / "g.sh").unlink()
    (house.project / "guards").rmdir()
    with house.engine(dialect="everruns", mounts=mounts) as engine:
        assert "g.sh: it was trusted, and can't be read" in engine.fire("before_tool", **CALL).reason
    assert Rooted(HostFS(), str(house.project)).exists("/.agents")


def test_an_executor_of_the_host_s_own_gets_no_job_that_changed(house: House) -> None:
    recorded = RecordedExecutor()
    with house.engine(executor=recorded) as engine:
        engine.fire("PreToolUse", **CALL)
        house.write(SCRIPT, OPEN)
        assert engine.fire("PreToolUse", **CALL).blocked
    assert len(recorded.jobs) == 1 and recorded.jobs[0].pinned


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are none")
def test_a_fifo_in_the_place_of_a_script_blocks_nothing(house: House) -> None:
    with house.engine() as engine:
        (house.project / SCRIPT).unlink()
        os.mkfifo(house.project / SCRIPT)
        assert "can't be read: it is not a regular file" in engine.fire("PreToolUse", **CALL).reason


def test_an_equal_hook_of_the_user_does_not_unlock_a_changed_script(house: House) -> None:
    """Equal hooks run once, and which of them runs must not matter; what nobody has trusted is the user's own affair."""
    own = house.home / ".claude" / "settings.json"
    own.parent.mkdir()
    own.write_text((house.project / SETTINGS).read_text())
    with HookEngine.discover(str(house.project), env=house.env) as engine:
        verdict = engine.fire("PreToolUse", **CALL)
        assert verdict.reason == "no" and len(verdict.hooks) == 1
        house.write(SCRIPT, OPEN)
        assert "has changed since" in engine.fire("PreToolUse", **CALL).reason
    own.write_text(groups(PreToolUse="./mine.sh"))
    house.write(SCRIPT, GUARD)
    house.write("mine.sh", "echo mine >&2; exit 2\n")
    with HookEngine.discover(str(house.project), env=house.env) as engine:
        assert set(engine.fire("PreToolUse", **CALL).reason.split()) == {"no", "mine"}


def test_hooks_that_a_host_adds_are_its_own(house: House) -> None:
    house.write("mine.sh", "echo mine >&2; exit 2\n")
    with HookEngine.discover(
        str(house.project), "claude_code", env=house.env, user=False, hooks=[("PreToolUse", "./mine.sh")]
    ) as engine:
        assert "mine" in engine.fire("PreToolUse", **CALL).reason
