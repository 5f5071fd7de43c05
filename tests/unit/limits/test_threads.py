"""All that runs commands beside each other counts as threads of one run, in every mixture; a crowd of them takes turns.

bash starts a process for each of these, and ends with "fork: retry: Resource temporarily unavailable" where the system gives no
more of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from pyshellhooks import HookEngine, Limits, MemoryFS, Shell, cancel
from pyshellhooks.cancel import CROWDED, Crowd, in_crowd
from pyshellhooks.engine.executor import ShellExecutor
from pyshellhooks.errors import Stop
from pyshellhooks.host import threads
from pyshellhooks.interp import pipeline
from pyshellhooks.interp.subshell import run_subshell
from pyshellhooks.state.context import ExecutionContext as Ctx

MOST = 8
ALLOW = 'echo \'{"decision":"allow"}\''
BOMBS = {
    "pipeline": "f() { f | f; }; f",
    "pipeline-of-both": "f() { f |& f; }; f",
    "pipeline-of-groups": "f() { { f; } | { f; }; }; f",
    "pipeline-of-subshells": "f() { (f) | (f); }; f",
    "pipeline-of-six": "f() { f | f | f | f | f | f; }; f",
    "pipeline-of-substitutions": "f() { echo $(f) | f; }; f",
    "pipeline-of-loops": "f() { while f; do :; done | until f; do :; done; }; f",
    "pipeline-in-condition": "f() { if f | f; then :; fi; }; f || :",
    "pipeline-in-test": "f() { [[ $(f | f) ]]; }; f",
    "pipeline-in-arithmetic": "f() { (( $(f | f) )); }; f",
    "pipeline-in-array": "f() { a=($(f | f)); }; f",
    "pipeline-in-here-document": "f() { cat <<E\n$(f | f)\nE\n}; f",
    "pipeline-in-pattern": "f() { case $(f | f) in x) ;; esac; }; f",
    "pipeline-lastpipe": "shopt -s lastpipe; f() { f | f; }; f",
    "substitutions-read": "f() { cat <(f) <(f); }; f",
    "substitutions-redirected": "f() { cat < <(f) < <(f); }; f",
    "substitution-written": "f() { f > >(f); }; f",
    "substitutions-tee": "f() { f | tee >(f) >(f); }; f",
    "substitution-exec": "f() { exec > >(f); f; }; f",
    "substitutions-kept": "while :; do exec {n}< <(sleep 100); done",
    "substitutions-mapfile": "f() { mapfile -t a < <(f | f); }; f",
    "substitutions-read-loop": "f() { while read -r x; do :; done < <(f) < <(f); }; f",
    "jobs": "f() { f & f & }; f; wait",
    "jobs-of-pipelines": "f() { f | f & f; }; f",
    "jobs-in-subshells": "f() { (f &); (f &); wait; }; f; sleep 100",
    "jobs-waited-for": "f() { f & f & wait; }; f",
    "jobs-of-sleeping-pipelines": "while :; do sleep 100 | sleep 100 & done",
    "coprocesses": "f() { coproc { f; }; f; }; f",
    "eval": 'x=\'eval "$x" | eval "$x"\'; eval "$x"',
    "source": "echo '. /me | . /me' > /me; . /me",
    "sh-script": "echo 'sh /me | sh /me' > /me; sh /me",
    "sh-c": 'export x=\'sh -c "$x" | sh -c "$x"\'; sh -c "$x"',
    "xargs": "echo 'echo 1 2 3 4 | xargs -n 1 -P 4 sh /me' > /me; sh /me",
    "xargs-substitution": "echo 'xargs -n 1 -P 4 sh /me < <(echo 1 2 3 4)' > /me; bash /me",
    "find": "echo 'find / -maxdepth 0 -exec sh /me \\; | sh /me' > /me; sh /me",
    "awk-getline": 'echo "awk \'BEGIN { while ((\\"sh /me | sh /me\\" | getline) > 0); }\'" > /me; sh /me',
    "awk-system": 'echo "awk \'BEGIN { system(\\"sh /me | sh /me\\") }\'" > /me; sh /me',
    "timeout": "echo 'timeout 100 sh /me | sh /me' > /me; sh /me",
    "env": "echo 'env x=1 sh /me | nohup sh /me' > /me; sh /me",
    "trap-exit": "f() { (trap 'f | f' EXIT); }; f",
    "trap-debug": "set -T; f() { :; }; trap 'f | f' DEBUG; f",
    "trap-signal": "f() { (trap 'f | f' USR1; kill -USR1 $BASHPID; :); }; f",
    "trap-return": "set -T; f() { trap 'g | g' RETURN; }; g() { f; }; g",
    "command-not-found": "command_not_found_handle() { nosuch | nosuch; }; nosuch",
    "parameter-default": "f() { : ${y:=$(f | f)}; }; f",
    "prompt": "f() { local PS4='$(f | f)'; set -x; :; }; f",
}
# Each awk may have threads of its own for deep recursion, and a thread that has ended may not be idle yet.
UNCOUNTED = 3 * MOST


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> threads.ThreadPool:
    fresh = threads.ThreadPool()
    monkeypatch.setattr(threads, "pool", fresh)
    return fresh


@pytest.mark.one_in(6)
@pytest.mark.parametrize("after", ["", " || :", " 2>/dev/null &"])
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_a_deny_that_names_the_limit(bomb: str, after: str, pool: threads.ThreadPool) -> None:
    executor = ShellExecutor(fs=MemoryFS(), env={}, spawn=False, limits=Limits(threads=MOST, jobs=MOST))
    script = f"{BOMBS[bomb]}{after}\n{'wait' if after.endswith('&') else ''}\n{ALLOW}\nexit 0"
    config = {"hooks": {"PreToolUse": [{"command": script, "timeout": 60}]}}
    engine = HookEngine.load(config, "crush", executor=executor, cwd="/", env={})
    verdict = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "ls"})
    run = verdict.hooks[0].run
    assert (run.reason, run.limit in ("threads", "jobs")) == ("limit", True), run.detail
    assert verdict.decision == "deny"
    assert any(f"Limits({run.limit}=" in notice for notice in verdict.notices)
    assert pool.stats()["alive"] <= MOST + UNCOUNTED


@pytest.mark.parametrize(
    "script",
    [
        "for i in {1..100}; do cat <(echo x) <(echo x); done",
        "for i in {1..100}; do echo x | { read -r x; echo $x; }; done",
        "for i in {1..100}; do sleep 0 & wait; done",
        "f() { [ $1 = 0 ] || f $(($1 - 1)) | cat; }; f 6",
        "seq 50 | xargs -n 1 -P 0 echo",
    ],
)
def test_an_ended_thread_counts_no_more(script: str) -> None:
    outcome = Shell.sandbox({}, limits=Limits(threads=MOST, jobs=MOST)).run(script, timeout=60)
    assert outcome.status == 0, outcome.ended


def test_the_last_thread_of_a_limit_is_allowed() -> None:
    crowd = Crowd()
    assert [crowd.enter(3) for _ in range(3)] == [1, 2, 3]
    crowd.leave()
    assert crowd.enter(3) == 3


def test_no_thread_starts_after_the_breach() -> None:
    crowd = Crowd()
    crowd.enter(1)
    for _ in range(2):  # of a run that ends, some threads have not seen that yet
        with pytest.raises(Stop, match="more than 1 threads"):
            crowd.enter(1)
        crowd.leave()


def test_no_stage_starts_after_the_breach(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bomb of 128 threads ran 15,000 more stages, and the host's threads waited for them."""
    late: list[Ctx] = []

    def run(sub: Ctx, body: Callable[[Ctx], int]) -> int:
        if sub.task.scope.stop is not None:
            late.append(sub)
        return run_subshell(sub, body)

    monkeypatch.setattr(pipeline, "run_subshell", run)
    shell = Shell.sandbox({}, limits=Limits(threads=MOST))
    assert shell.run("f() { f | f | f | f | f | f; }; f", timeout=60).ended.reason == "limit"
    assert len(late) <= MOST  # each thread may have been about to start one


class Clocks:
    """The clocks of a thread whose turn is always over, and how long it rested."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rests: list[float] = []
        self._worked = 0.0
        monkeypatch.setattr(cancel._parked, "turn_began", 0.0)
        monkeypatch.setattr(cancel, "thread_time", self._work)
        monkeypatch.setattr(cancel, "monotonic", lambda: 100.0)
        monkeypatch.setattr(cancel, "sleep", self.rests.append)

    def _work(self) -> float:
        self._worked += 1.0
        return self._worked


@pytest.mark.parametrize(("count", "rests"), [(1, 0), (CROWDED, 0), (CROWDED + 1, 3)])
@pytest.mark.parametrize("by", ["commands", "long work"])
def test_threads_of_a_crowd_rest_one_slot_after_another(
    count: int, rests: int, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = Crowd()
    for _ in range(count):
        crowd.enter(1000)
    clocks = Clocks(monkeypatch)
    with in_crowd(crowd):
        turn: Callable[[], None] = crowd.take_turn if by == "commands" else cancel.check_cancelled
        for _ in range(4):  # the first slot is free
            turn()
    slot = cancel._SLOT
    assert clocks.rests == pytest.approx([slot * number for number in range(1, rests + 1)])


@pytest.mark.parametrize("start", ["while :; do :; done &", "exec {n}< <(while :; do :; done);"])
def test_the_main_shell_and_its_jobs_take_turns_in_a_crowd(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resting: set[str] = set()
    take_turn = Crowd.take_turn

    def noted(crowd: Crowd) -> None:
        if crowd.threads > CROWDED:
            resting.add(threading.current_thread().name)
        take_turn(crowd)

    monkeypatch.setattr(Crowd, "take_turn", noted)
    loop = f"for i in {{1..{CROWDED + 4}}}; do {start} done"
    outcome = Shell.sandbox({}).run(f"{loop}; for i in {{1..50}}; do :; done; sleep 0.2", timeout=30)
    assert outcome.status == 0
    assert {"MainThread", "pyshellhooks"} <= resting


def test_a_stage_that_waits_for_its_thread_delays_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    in_time: list[bool] = []
    monkeypatch.setattr(threads, "start", lambda task, scope: in_time.append(over.wait(20)))
    outcome = Shell.sandbox({}).run("{ while :; do :; done; } | cat", timeout=0.1)
    over.set()
    assert outcome.ended.reason == "deadline"
    assert False not in in_time
