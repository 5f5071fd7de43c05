"""``isolation="process"``: what a run comes to is what it would come to in-process."""

from __future__ import annotations

import os
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyshellhooks import CancelScope, HookEngine, HostFS, Limits, MemoryFS, Rooted, Shell
from pyshellhooks.errors import UsageError
from pyshellhooks.workers import isolation

PATIENT = 60.0  # a first worker under Wine takes seconds


@pytest.fixture(autouse=True, scope="module")
def _end_workers() -> Iterator[None]:
    yield
    isolation.pool.close()


@pytest.fixture(scope="module")
def shell() -> Shell:
    shell = Shell(isolation="process")
    shell.run(":", timeout=PATIENT)
    return shell


@pytest.mark.parametrize(
    "script",
    [
        "echo out; echo err >&2; exit 3",
        "cat; echo $# $1 $0",
        "printf '\\377\\0'; echo $'\\xff'",
        "kill -9 $$",
        "kill $$; echo no",
        "echo $((1/0))",
        "if then",
        "no-such-command",
        "x=$(yes)",
        "printf 'a%.0s' {1..5000}",
        "echo $PPID $$; pwd; umask",
        "sleep 0.01 & wait; trap 'echo bye' EXIT; set -e; false",
    ],
)
def test_every_end_is_the_same(shell: Shell, script: str) -> None:
    limits = Limits(substitution=1000, output=4000)
    isolated = Shell(isolation="process", limits=limits, cwd=shell.cwd)
    here = Shell(limits=limits, cwd=shell.cwd)
    for options in ({}, {"options": ["-u"], "command_string": False, "name": "n"}):
        one = isolated.run(script, "a b", "\udcff", stdin=b"in\0\xff\r\n", timeout=PATIENT, **options)
        two = here.run(script, "a b", "\udcff", stdin=b"in\0\xff\r\n", timeout=PATIENT, **options)
        for name in ("status", "stdout", "stderr", "ended", "notices", "late"):
            assert getattr(one, name) == getattr(two, name), name


def test_large_data_both_ways(shell: Shell) -> None:
    data = bytes(range(256)) * 12000
    result = shell.run("cat; cat >&2", stdin=data, timeout=PATIENT)
    assert (result.stdout == data, result.stderr) == (True, b"")


def test_environment_and_directory_are_those_passed(shell: Shell, tmp_path: Path) -> None:
    here = str(tmp_path).replace(os.sep, "/")
    result = shell.run("env | sort; pwd", env={"A": "1 \udcff", "B": "x\ny"}, cwd=here, timeout=PATIENT)
    lines = result.stdout.splitlines()
    assert b"A=1 \xff" in lines and lines[-1].decode() == here
    assert not [line for line in lines if line.startswith((b"HOME=", b"PYSHELLHOOKS"))]
    shell.run("echo x > made", cwd=here, timeout=PATIENT)
    assert (tmp_path / "made").read_bytes() == b"x\n"


def test_nothing_lasts_from_run_to_run(shell: Shell, tmp_path: Path) -> None:
    here = str(tmp_path).replace(os.sep, "/")
    ask = (
        "pwd; umask; echo ${x-unset} $-; alias; trap; type f 2>&1; set +o | sort; ulimit -n; jobs; exec 2>&1; echo >&5"
    )
    before = shell.run(ask, timeout=PATIENT)
    spoil = (
        "exec 5>f; cd /; umask 0; x=1; export x; f() { :; }; alias a=b; trap 'echo no' EXIT USR1; set -eu; sleep 9 &"
    )
    for _ in range(isolation.MOST + 1):
        shell.run(spoil, cwd=here, timeout=PATIENT)
        after = shell.run(ask, timeout=PATIENT)
        assert (after.stdout, after.stderr) == (before.stdout, before.stderr)


def test_a_limit_ends_the_run(shell: Shell) -> None:
    result = Shell(isolation="process", limits=Limits(output=1000)).run("yes || true; exit 0", timeout=PATIENT)
    assert (result.ended.kind, result.ended.reason) == ("stopped", "limit")


def test_objects_that_cannot_reach_the_worker_are_refused_at_construction(shell: Shell) -> None:
    from pyshellhooks.command import utility

    @utility("mine", summary="x")
    def mine(call: object) -> int:
        return 0

    for options in ({"fs": MemoryFS()}, {"fs": Rooted(HostFS(), "/")}, {"utilities": [mine]}):
        with pytest.raises(ValueError, match="isolation"):
            Shell(isolation="process", **options)
    with pytest.raises(ValueError, match="isolation"):
        HookEngine.load({"hooks": {}}, "crush", isolation="process", fs=MemoryFS())
    with pytest.raises(ValueError, match="isolation"):
        Shell(isolation="jail")
    with pytest.raises(ValueError, match="state"):
        shell.session()
    assert Shell(isolation="process", fs=HostFS()).run("echo x", timeout=PATIENT).stdout == b"x\n"


def test_a_wrong_option_is_the_callers_error(shell: Shell) -> None:
    with pytest.raises(UsageError):
        shell.run(":", options=["-Z"], timeout=PATIENT)
    assert shell.run("echo x", timeout=PATIENT).stdout == b"x\n"


def test_no_spawn_holds_there_too() -> None:
    result = Shell(isolation="process", spawn=False).run(f"'{sys.executable}' -c 1".replace("\\", "/"), timeout=PATIENT)
    assert result.status == 126 and b"processes are not allowed" in result.stderr


def test_threads_share_the_pool(shell: Shell) -> None:
    found: list[bool] = []

    def work(number: int) -> None:
        for turn in range(10):
            result = shell.run(f"sleep 0.001; echo {number}.{turn}; cat", stdin=b"%d" % number, timeout=PATIENT)
            found.append(result.stdout == b"%d.%d\n%d" % (number, turn, number))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 80
    assert 1 <= isolation.pool.alive() <= isolation.MOST


def test_an_engine_runs_its_hooks_there() -> None:
    config = {
        "hooks": {"PreToolUse": [{"command": "grep -q rm && { echo no >&2; exit 2; }"}, {"command": "echo '{}'"}]}
    }
    with HookEngine.load(config, "crush", isolation="process") as engine:
        verdict = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "rm x"}, timeout=PATIENT)
        assert (verdict.decision, verdict.reason) == ("deny", "no")
        verdict = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "ls"}, timeout=PATIENT)
        assert verdict.decision == "none"
        assert engine.stats()["workers_alive"] >= 1


def test_a_cancel_of_the_callers_ends_it(shell: Shell, tmp_path: Path) -> None:
    with CancelScope(timeout=60) as scope:

        def cancel() -> None:
            while not (tmp_path / "up").exists() and scope.stop is None:
                time.sleep(0.01)
            scope.cancel("cancelled", "enough")

        threading.Thread(target=cancel).start()
        result = shell.run("trap 'echo bye' EXIT; : > up; sleep 100", scope=scope, cwd=tmp_path.as_posix())
    assert (result.ended.reason, result.ended.detail, result.stdout) == ("cancelled", "enough", b"bye\n")


@pytest.mark.parametrize(("reason", "status"), [("deadline", 124), ("cancelled", 130), ("limit", 125)])
def test_a_run_that_never_began_has_the_same_status_in_both(shell: Shell, reason: str, status: int) -> None:
    with CancelScope(timeout=60) as scope:
        scope.cancel(reason, "enough")
        results = [one.run("echo no", scope=scope) for one in (shell, Shell())]
    assert [(one.status, one.ended.reason, one.stdout) for one in results] == [(status, reason, b"")] * 2


@pytest.mark.slow
def test_a_round_trip_is_cheap(shell: Shell) -> None:
    here = Shell()
    times: dict[str, list[float]] = {"here": [], "there": []}
    for _ in range(150):
        for name, one in (("here", here), ("there", shell)):
            begun = time.perf_counter()
            one.run("echo hi", env={"A": "b"}, timeout=PATIENT)
            times[name].append(time.perf_counter() - begun)
    over = statistics.median(times["there"]) - statistics.median(times["here"])
    assert over < 0.015  # 0.00013 on a quiet Linux machine; this is for the slowest
