"""Threads that share one shell and one engine; hosts that fork; runs within runs."""

from __future__ import annotations

import os
import threading
import time

import pytest
from clock import patient
from host_program import run

from pyshellhooks import HookEngine, Shell
from pyshellhooks.command import Call, utility

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def in_threads(count: int, work: object) -> list[BaseException]:
    """Run ``work(number)`` in so many threads; give what they raised."""
    failures: list[BaseException] = []

    def body(number: int) -> None:
        try:
            work(number)  # type: ignore[operator]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def test_threads_share_a_shell_with_different_scripts() -> None:
    shell = Shell(spawn=False)
    scripts = [
        "x=N; f() { echo $1-$x; }; f a | tr a b; cd /; exit 3",
        "set -- N; for i in 1 2; do y=$(echo $i$1); echo $y; done",
        "trap 'echo bye N' EXIT; read l; echo $l N; false",
        "a=(N 2 3); echo ${a[0]} ${#a[@]}; [[ N =~ ([0-9]+) ]] && echo ${BASH_REMATCH[1]}",
    ]
    alone = {
        (index, number): shell.run(script.replace("N", str(number)), stdin=b"in\n")
        for index, script in enumerate(scripts)
        for number in range(8)
    }

    def work(number: int) -> None:
        for turn in range(500):
            index = turn % len(scripts)
            text = scripts[index].replace("N", str(number))
            result = shell.run(text, stdin=b"in\n", timeout=60)
            expected = alone[index, number]
            assert (result.status, result.stdout, result.stderr) == (expected.status, expected.stdout, expected.stderr)

    assert alone[0, 5].stdout == b"b-5\n" and alone[0, 5].status == 3
    assert in_threads(8, work) == []


def test_threads_share_an_engine() -> None:
    config = {"hooks": {"PreToolUse": [{"command": "read -r l; case $l in *'rm 3'*) echo no 3 >&2; exit 2;; esac"}]}}
    engine = HookEngine.load(config, "crush", spawn=False)

    def work(number: int) -> None:
        for _ in range(100):
            verdict = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": f"rm {number}"}, timeout=60)
            assert (verdict.decision, verdict.reason) == (("deny", "no 3") if number == 3 else ("none", ""))

    assert in_threads(8, work) == []
    stats = engine.stats()
    assert (stats["fires"], stats["hooks"], stats["blocked"], stats["failures"]) == (800, 800, 100, 0)
    engine.close()
    engine.close()
    with pytest.raises(RuntimeError):
        engine.fire("PreToolUse")


@pytest.mark.not_on_windows("needs-fork")
@posix
def test_threads_share_a_shell_that_starts_programs() -> None:
    shell = Shell()

    def work(number: int) -> None:
        for turn in range(10):
            result = shell.run(f"/bin/echo {number}.{turn} | cat; x=$(/bin/echo {number}); exit $x", timeout=60)
            assert (result.stdout, result.status) == (f"{number}.{turn}\n".encode(), number)

    assert in_threads(8, work) == []


def test_a_run_within_a_run() -> None:
    @utility("nest", summary="run a script in a shell of its own", flags=None)
    def nest(call: Call) -> int:
        result = shell.run(call.argv[1], *call.argv[2:], stdin=b"inner", scope=call.scope)
        call.stdout.write(result.stdout)
        return result.status

    shell = Shell(spawn=False, utilities=[nest])
    result = shell.run(
        "x=1; nest 'x=2; cat; nest \"echo $1; exit 4\" $1; echo $? $x' arg | tr a-z A-Z; echo $x", timeout=30
    )
    assert result.stdout == b"INNERARG\n4 2\n1\n"
    begun = time.monotonic()
    result = shell.run("nest 'nest \"while :; do :; done\"' || true; exit 0", timeout=0.2)
    assert (result.ended.kind, result.ended.reason) == ("stopped", "deadline")
    assert time.monotonic() - begun < patient(1.5)


def test_a_fire_within_a_hook() -> None:
    inner = HookEngine.load({"hooks": {"PreToolUse": [{"command": "exit 2"}]}}, "crush", spawn=False)

    @utility("guarded", summary="ask the engine", flags=None)
    def guarded(call: Call) -> int:
        return 9 if inner.fire("PreToolUse", tool_name=call.argv[1], scope=call.scope).decision == "deny" else 0

    assert Shell(spawn=False, utilities=[guarded]).run("guarded bash; exit $?", timeout=30).status == 9


FORK = """
    shell = Shell()
    isolated = Shell(isolation="process")
    script = "echo a | cat; sleep 0.001 & wait; /bin/echo b; jq -n -c '[limit(2;repeat(1))]'"
    right = b"a\\nb\\n[1,1]\\n"
    engine = HookEngine.load({"hooks": {"PreToolUse": [{"command": "echo no >&2; exit 2"}]}}, "crush")
    def all_well():
        assert shell.run(script, timeout=20).stdout == right
        assert isolated.run(script, timeout=20).stdout == right
        assert asyncio.run(engine.afire("PreToolUse", tool_name="x")).decision == "deny"
        assert shell.run("while :; do :; done", timeout=0.05).ended.reason == "deadline"
    all_well()
    # What the parent has under way is nothing to the child.
    running = threading.Thread(target=lambda: found.append(shell.run("/bin/sleep 0.8; echo done").stdout))
    found = []
    running.start()
    time.sleep(0.2)
    import warnings; warnings.simplefilter("ignore", DeprecationWarning)
    child = os.fork()
    if child == 0:
        assert engine.stats()["threads_alive"] == engine.stats()["workers_alive"] == 0
        all_well()
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    running.join()
    assert found == [b"done\\n"], found
    all_well()
"""


@pytest.mark.not_on_windows("needs-fork")
@posix
def test_a_forked_child_runs_and_fires_and_the_parent_continues() -> None:
    ended = run(FORK)
    assert (ended.status, ended.stderr) == (0, "")


@pytest.mark.not_on_windows("needs-fork")
@posix
def test_forks_under_load() -> None:
    ended = run("""
        import warnings; warnings.simplefilter("ignore", DeprecationWarning)
        shell, stop = Shell(), []
        script = "echo a | cat; f() { :; }; [[ ab =~ b ]]; sleep 0.001 & wait; echo x | grep -q x && /bin/echo b"
        shell.run(script)  # a lock on an import that another thread holds while forking is Python's to lose
        def load(number):
            turn = 0
            while not stop:
                turn += 1
                shell.run(f"x{turn % 300}={number}; " + script.replace("/bin/echo", "echo"), timeout=20)
        threads = [threading.Thread(target=load, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        statuses = []
        for turn in range(25):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                os._exit(0 if shell.run(f"y{turn}=1; {script}", timeout=15).stdout == b"a\\nb\\n" else 7)
            statuses.append(os.waitpid(child, 0)[1])
        stop.append(True)
        for thread in threads:
            thread.join()
        assert statuses == [0] * 25, statuses
    """)
    assert (ended.status, ended.stderr) == (0, "")
