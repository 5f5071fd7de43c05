"""``isolation="process"``: what would hang or take down the host ends with its process."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clock import patient

from pyshellhooks import HookEngine, Shell
from pyshellhooks.host import current
from pyshellhooks.workers import isolation
from tests import oracles

ROOT = Path(__file__).resolve().parents[3]
PATIENT = 60.0
POSIX = hasattr(os, "fork")

# A worker as a frozen host would have it: its own main, here with utilities that only a kill can end.
MAIN = f"""
import functools, os, sys
sys.path[:0] = [{str(ROOT)!r}]
from pyshellhooks import Shell
from pyshellhooks.command import utility
from pyshellhooks.workers.shell_worker import serve

@utility("freeze", summary="hold the GIL in C")
def freeze(call):
    return sum(range(10**12)) & 1

@utility("crash", summary="end the process")
def crash(call):
    os._exit(3)

serve(functools.partial(Shell, utilities=[freeze, crash]))
"""


@pytest.fixture(autouse=True)
def _own_workers() -> Iterator[None]:
    isolation.pool.close()
    isolation.pool.command = [sys.executable, "-B", "-I", "-c", MAIN]
    yield
    isolation.pool.close()
    isolation.pool.command = None


def started() -> Shell:
    """Return a shell whose worker is up."""
    shell = Shell(isolation="process")
    assert shell.run("echo up", timeout=PATIENT).stdout == b"up\n"
    return shell


@pytest.mark.slow
def test_c_code_that_holds_the_gil_is_killed_and_a_spare_takes_over() -> None:
    shell = started()
    gap, stop = [0.0], threading.Event()

    def tick() -> None:
        last = time.monotonic()
        while not stop.is_set():
            time.sleep(0.005)
            now = time.monotonic()
            gap[0], last = max(gap[0], now - last), now

    ticker = threading.Thread(target=tick)
    ticker.start()
    begun = time.monotonic()
    result = shell.run("freeze || true; exit 0", timeout=0.3, grace=0.5)
    taken = time.monotonic() - begun
    stop.set()
    ticker.join()
    assert (result.ended.kind, result.ended.reason, result.status) == ("stopped", "deadline", 124)
    assert 0.8 <= taken < patient(5)  # timeout and grace; the utility takes hours
    assert gap[0] < patient(2)
    assert isolation.pool.alive() == 1  # the spare, which was started before the kill
    assert shell.run("echo next", timeout=PATIENT).stdout == b"next\n"


def test_a_worker_that_dies_is_a_failure_and_not_an_answer() -> None:
    shell = started()
    result = shell.run("echo before; crash || true; exit 0", timeout=PATIENT)
    assert (result.status, result.ended.kind, result.ended.reason) == (125, "stopped", "lost")
    assert "ended with status 3" in result.ended.detail
    assert shell.run("echo next", timeout=PATIENT).stdout == b"next\n"
    engine = HookEngine.load(
        {"hooks": {"PreToolUse": [{"command": "crash"}]}}, "crush", isolation="process", strict=True
    )
    verdict = engine.fire("PreToolUse", tool_name="bash", timeout=PATIENT)
    assert verdict.decision == "deny" and verdict.hooks[0].ended not in ("ok", "nonzero")


@pytest.mark.skipif(not POSIX, reason="signals of POSIX")
@oracles.BIN_SH
def test_a_worker_killed_from_within() -> None:
    shell = started()
    result = shell.run("/bin/sh -c 'kill -9 $PPID; exec sleep 30' || true; exit 0", timeout=PATIENT)
    assert (result.ended.reason, result.ended.detail) == ("lost", "the worker process was killed by signal 9")


def running(mark: str) -> list[str]:
    """Return the processes whose command line has the mark."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in words.split(b"\0"):
                found.append(name)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not POSIX or not os.path.isdir("/proc/self"), reason="looks into /proc")
def test_children_of_a_killed_run_go_too_and_those_left_in_peace_stay() -> None:
    shell = started()
    assert shell.run("setsid /bin/sleep 41.7 & sleep 0.1", timeout=PATIENT).status == 0
    script = "setsid /bin/sleep 42.7 & jq -n 'last(repeat(1))' & sleep 0.1; freeze"
    result = shell.run(script, timeout=0.4, grace=0.2)
    try:
        assert result.ended.reason == "deadline"
        assert running("42.7") == []
        assert len(running("41.7")) == 1
    finally:
        for pid in running("41.7"):
            os.kill(int(pid), 9)


@pytest.mark.slow
@pytest.mark.skipif(not POSIX or not os.path.isdir("/proc/self"), reason="looks into /proc")
def test_workers_end_with_a_host_that_is_killed() -> None:
    code = f"""
import os, sys, threading
sys.path[:0] = [{str(ROOT)!r}]
from pyshellhooks import Shell
shell = Shell(isolation="process")
shell.run(":", timeout=60)
threading.Thread(target=shell.run, args=("/bin/sleep 43.7",), daemon=True).start()
print(*(worker._process.pid for worker in __import__("pyshellhooks.workers.isolation").workers.isolation.pool._alive))
sys.stdout.flush()
while not any(b"43.7" in open(f"/proc/{{p}}/cmdline", "rb").read()
        for p in os.listdir("/proc") if p.isdigit() and os.path.exists(f"/proc/{{p}}/cmdline")):
    pass
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -9, done.stderr
    pids = [int(word) for word in done.stdout.split()]
    assert pids
    until = time.monotonic() + 60
    while any(os.path.exists(f"/proc/{pid}") for pid in pids) or running("43.7"):
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.slow
def test_closing_the_pool_loses_the_current_runs_and_the_next_start_fresh(tmp_path: Path) -> None:
    shell = started()
    found: list[object] = []
    script, up = "echo > up; sleep 100; exit 0", tmp_path / "up"
    thread = threading.Thread(
        target=lambda: found.append(shell.run(script, timeout=PATIENT, cwd=tmp_path.as_posix()).ended.reason)
    )
    thread.start()
    while not up.exists() and thread.is_alive():
        time.sleep(0.01)
    isolation.pool.close()
    thread.join(PATIENT)
    assert found == ["lost"]
    assert isolation.pool.alive() == 0
    assert shell.run("echo next", timeout=PATIENT).stdout == b"next\n"


def test_a_worker_that_cannot_be_started_is_a_failure() -> None:
    isolation.pool.command = [os.path.abspath("no-such-program")]
    result = Shell(isolation="process").run("exit 0", timeout=60)
    assert (result.ended.kind, result.ended.reason, result.status) == ("stopped", "refused", 125)
    isolation.pool.command = [sys.executable, "-I", "-c", "raise SystemExit(7)"]
    result = Shell(isolation="process").run("exit 0", timeout=PATIENT)
    assert result.ended.reason == "lost" and "status 7" in result.ended.detail


@pytest.mark.parametrize("given", range(3 if current().can_use_subreaper else 2))
def test_a_host_without_descriptors_refuses_and_leaks_none(given: int, monkeypatch: pytest.MonkeyPatch) -> None:
    isolation.pool.close()
    pipe, opened = type(current()).pipe, iter(range(60))
    ends: list[int] = []

    def few(self: Any) -> tuple[int, int]:
        if next(opened) % (given + 1) == given:
            raise OSError(errno.EMFILE, "Too many open files")
        ends.extend(made := pipe(self))
        return made

    with monkeypatch.context() as patch:
        patch.setattr(type(current()), "pipe", few)
        result = Shell(isolation="process").run("exit 0", timeout=60)
    assert result.ended.reason == "refused" and "Too many open files" in result.ended.detail
    for end in ends:
        with pytest.raises(OSError):  # Windows has other words for it
            os.fstat(end)


def test_a_frozen_host_must_name_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    isolation.pool.command = None
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    result = Shell(isolation="process").run("exit 0", timeout=60)
    assert result.ended.reason == "refused" and "pool.command" in result.ended.detail
