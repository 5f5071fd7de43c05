"""What a hook leaves running in the background: it goes on without its hook, or a notice names it (decisions background)."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from clock import patient

from pyshellhooks import HookEngine, Shell
from pyshellhooks.cli import fire as command
from pyshellhooks.hooks.verdict import Verdict
from pyshellhooks.interp.jobs import background as jobs
from pyshellhooks.interp.jobs import live
from pyshellhooks.notice import Notice
from pyshellhooks.resident.answering import Request, alone
from pyshellhooks.shell import background
from pyshellhooks.shell.background import Background

WORK = "until [ -e go ]; do sleep 0.01; done; echo x > done"
# bash 5.2.15 runs each of them on after its own end; ``done`` is there once ``go`` is.
SPELLINGS = {
    "group": f"{{ {WORK}; }} &",
    "subshell": f"( {WORK} ) &",
    "disown": f"( {WORK} ) & disown",
    "inner": f"( {{ {WORK}; }} & )",
    "nohup": f"nohup bash -c '{WORK}' >/dev/null 2>&1 &",
    "setsid": f"setsid bash -c '{WORK}' &",
    "setsid-fork": f"setsid -f bash -c '{WORK}'",
    "nested": f"bash -c '( {WORK} ) &'",
    "coproc": f"coproc {{ {WORK}; }}",
    "and": f"true && {{ {WORK}; }} &",
    "pipeline": f"echo y | {{ cat >/dev/null; {WORK}; }} &",
    "function": f"work() {{ {WORK}; }}; work &",
    "eval": f"eval '( {WORK} ) &'",
    "trap": f"trap '( {WORK} ) &' EXIT",
    "exit": f"( {WORK} ) & exit 0",
    "output": f"( echo noise; {WORK}; echo noise ) &",
    "env": f"env A=b bash -c '{WORK}' &",
    "after-job": f"true & ( {WORK} ) &",
}
# Nothing of these is cut off: no notice.
ENDED = {
    "waited": "( : ) & wait",
    "killed": "while :; do sleep 0.01; done & kill $!",
    "killed-by-trap": "while :; do sleep 0.01; done & trap 'kill $!' EXIT",
    "reader": "coproc cat; echo x >&${COPROC[1]}",
    "consumer": "echo x > >(cat)",
    "producer": "read -r line < <(yes)",
}


def engine(command: str, where: Path, **options: Any) -> HookEngine:
    hook = {"type": "command", "command": command}
    config = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}
    return HookEngine.load(config, options.pop("dialect", "claude_code"), cwd=str(where), **options)


def settings(where: Path, command: str) -> str:
    path = where / ".claude" / "settings.json"
    path.parent.mkdir()
    hook = {"type": "command", "command": command}
    path.write_text(json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}))
    return str(path)


def payload(where: Path) -> str:
    path = where / "call.json"
    fields = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(where), "tool_name": "Bash"}
    path.write_text(json.dumps({**fields, "tool_input": {"command": "ls"}}))
    return str(path)


def fire(made: HookEngine) -> Verdict:
    return made.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})


def cut_off(notices: tuple[str, ...]) -> list[Notice]:
    return [one for one in notices if isinstance(one, Notice) and one.kind == "background-ended"]


@pytest.mark.parametrize("script", SPELLINGS.values(), ids=SPELLINGS)
def test_it_continues_after_the_verdict(script: str, tmp_path: Path) -> None:
    with engine(script, tmp_path) as made:
        verdict = fire(made)
        assert (verdict.decision.value, cut_off(verdict.notices), (tmp_path / "done").exists()) == ("none", [], False)
        (tmp_path / "go").touch()
        made.close(timeout=patient(20.0))
    assert (tmp_path / "done").exists()


@pytest.mark.parametrize("script", SPELLINGS.values(), ids=SPELLINGS)
def test_where_it_ends_with_its_script_a_notice_names_the_command(script: str, tmp_path: Path) -> None:
    found = cut_off(Shell(cwd=tmp_path, spawn=False).run(script).notices)
    assert len(found) == 1
    assert found[0].fault is None
    assert "sleep" in str(found[0]) or "`work`" in str(found[0])
    (tmp_path / "go").touch()
    assert not (tmp_path / "done").exists()


@pytest.mark.parametrize("script", ENDED.values(), ids=ENDED)
def test_processes_that_have_ended_or_are_ending_cause_no_notice(script: str) -> None:
    assert cut_off(Shell(spawn=False).run(script, timeout=60).notices) == []


def test_the_notice_names_the_line() -> None:
    (notice,) = cut_off(Shell(spawn=False).run("echo a\n\nsleep 60 && echo b &\n").notices)
    assert str(notice).startswith("line 3: `sleep 60 && echo b` was still running")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/bin/sleep"), reason="needs a native program")
@pytest.mark.parametrize("script", ["/bin/sleep 1 &", "nohup /bin/sleep 1 >/dev/null 2>&1 &", "setsid /bin/sleep 1 &"])
def test_a_native_program_outlives_its_hook_without_a_notice(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SETTLE_SECONDS", patient(20.0))  # that a busy machine takes to start it
    assert cut_off(Shell().run(script).notices) == []


@pytest.mark.parametrize("dialect", ["crush", "everruns"])
def test_it_ends_with_the_hook_where_the_agents_own_shell_ends_it(dialect: str) -> None:
    text = "(sleep 60; echo x) & exit 0"
    config: Any = {"hooks": {"PreToolUse": [{"command": text}]}}
    if dialect == "everruns":
        hook = {"event": "pre_tool_use", "executor": {"type": "bash", "command": text}}
        config = {"capabilities": [{"ref": "user_hooks", "config": {"hooks": [hook]}}]}
    with HookEngine.load(config, dialect) as made:
        verdict = made.fire("before_tool", tool_name="bash", tool_input={"command": "ls"})
    assert len(cut_off(verdict.notices)) == 1


@pytest.mark.parametrize(
    "late",
    [
        """echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'""",
        "exit 0",
        "kill -9 $$",
        "kill $PPID",
        "head -c 99999999 /dev/zero",
        "exit 49; :",
    ],
)
def test_it_changes_no_verdict(late: str, tmp_path: Path) -> None:
    script = f"( until [ -e go ]; do sleep 0.01; done; {late}; echo x > done ) & echo no >&2; exit 2"
    with engine(script, tmp_path) as made:
        verdict = fire(made)
        before = verdict.as_json()
        (tmp_path / "go").touch()
        made.close(timeout=patient(20.0))
        assert (verdict.as_json(), verdict.decision.value, verdict.reason) == (before, "deny", "no")


def test_close_ends_it_and_nothing_acts_any_more(tmp_path: Path) -> None:
    made = engine(f"( {WORK} ) &", tmp_path)
    fire(made)
    made.close()
    (tmp_path / "go").touch()
    time.sleep(0.1)
    assert not (tmp_path / "done").exists()
    assert not live._left


def test_an_engine_that_closes_while_a_hook_runs_takes_nothing_over(tmp_path: Path) -> None:
    script = "until [ -e closed ]; do sleep 0.01; done; sleep 60 & exit 0"
    made = engine(script, tmp_path)
    verdicts: list[Verdict] = []
    thread = threading.Thread(target=lambda: verdicts.append(fire(made)))
    thread.start()
    until = time.monotonic() + patient(20.0)
    while not live.count() and time.monotonic() < until:
        time.sleep(0.001)
    made.close()
    (tmp_path / "closed").touch()
    thread.join()
    assert len(cut_off(verdicts[0].notices)) == 1


def test_it_ends_at_the_hooks_deadline(tmp_path: Path) -> None:
    hook = {"type": "command", "command": f"( {WORK} ) &", "timeout": 1}
    config = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}
    with HookEngine.load(config, "claude_code", cwd=str(tmp_path)) as made:
        assert fire(made).decision.value == "none"
        owner = made.runner.background
        assert owner is not None
        assert owner.wait(patient(20.0))
    assert not (tmp_path / "done").exists()


def test_at_most_so_many_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "MOST", 2)
    with engine("sleep 60 &", tmp_path) as made:
        assert [len(cut_off(fire(made).notices)) for _ in range(4)] == [0, 0, 1, 1]


def test_fire_waits_and_then_names_the_processes_that_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "BACKGROUND_SECONDS", 0.05)
    monkeypatch.chdir(tmp_path)
    words = ["PreToolUse", "--config", settings(tmp_path, f"( {WORK} ) & exit 2"), "--input", payload(tmp_path)]
    assert command.main(words) == 2
    printed = capsys.readouterr()
    assert "decision: deny" in printed.out
    assert "line 1: `( until" in printed.err
    (tmp_path / "go").touch()
    assert not (tmp_path / "done").exists()


def test_fire_lets_it_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "BACKGROUND_SECONDS", patient(20.0))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "go").touch()
    words = ["PreToolUse", "--config", settings(tmp_path, f"( sleep 0.05; {WORK} ) &")]
    words += ["--input", payload(tmp_path)]
    assert command.main(words) == 0
    assert (capsys.readouterr().err, (tmp_path / "done").exists()) == ("", True)


def test_a_process_that_ends_with_its_answer_notifies_the_person(tmp_path: Path) -> None:
    words = ("claude_code", "--config", settings(tmp_path, "sleep 60 & exit 0"))
    data = Path(payload(tmp_path)).read_bytes()
    stdout, status, stderr = alone(Request(words, data, {**os.environ}, str(tmp_path)))
    assert (stdout, status) == (b"", 0)
    assert b"line 1: `sleep 60` was still running" in stderr


def test_the_owner_names_the_processes_that_it_ends() -> None:
    owner = Background()
    assert Shell(spawn=False).run("sleep 60 &", background=owner).notices == ()
    (notice,) = owner.close()
    assert str(notice).startswith("line 1: `sleep 60` was still running in the background when the engine ended")
    assert owner.close() == []
    assert len(cut_off(Shell(spawn=False).run("sleep 60 &", background=owner).notices)) == 1
