"""What a run started is gone after anything but a normal end, however it fled (docs/shell.md, "Children")."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clock import patient
from flights import AGAINST_THE_WORKER, BOUND, STAY, UNBOUND, alive, bury, furnish, gone, has_fled
from hostile_runs import ENV

from pyshellhooks import CancelScope, Shell
from pyshellhooks.workers import isolation

pytestmark = [
    pytest.mark.not_on_windows("needs-device"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc, and needs a subreaper"),
]

ROOT = Path(__file__).resolve().parents[2]
ISOLATED = {**BOUND, **UNBOUND, **AGAINST_THE_WORKER}
#: (way, isolation): what is promised.
CELLS = [(way, "thread") for way in BOUND] + [(way, "process") for way in ISOLATED]
#: Those that a run can end normally with: the chains are no background work that anyone means.
PEACEFUL = [name for name in (*BOUND, *UNBOUND) if name != "child" and "chain" not in name]


@pytest.fixture(autouse=True)
def _workers() -> Iterator[None]:
    yield
    isolation.pool.close()


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[str]:
    made = furnish(tmp_path / "run")
    yield made
    bury(made)


@pytest.mark.one_in(5, slow=5)
@pytest.mark.parametrize(("way", "kind"), CELLS)
@pytest.mark.parametrize("end", ["timeout", "cancel"])
def test_nothing_is_left(way: str, kind: str, end: str, directory: str) -> None:
    shell = Shell(isolation=kind, env=ENV, cwd=directory)
    assert shell.run(":", timeout=60).status == 0
    assert alive(directory, 0.0) == []
    if end == "timeout":
        seconds = 1.0
        while True:
            begun = time.monotonic()
            result = shell.run(ISOLATED[way] + STAY, timeout=seconds, grace=0.2)
            taken = time.monotonic() - begun - seconds
            if has_fled(directory, 0.0) or seconds > 30:
                break
            seconds *= 2  # the machine is busy
    else:
        with CancelScope(timeout=60.0, grace=0.2) as scope:

            def watch() -> None:
                if has_fled(directory):
                    scope.cancel("cancelled", "by the test")

            thread = threading.Thread(target=watch)
            thread.start()
            result = shell.run(ISOLATED[way] + STAY, scope=scope)
            thread.join()
        taken = 0.0
    assert result.ended.kind in ("stopped", "abandoned"), result
    assert gone(directory, 0.0) == []
    assert has_fled(directory, 0.0)
    assert taken < patient(2.0)


#: Its status is its own, though it was asked to end. It says when it can be asked.
ANSWERS_LATE = "\n/bin/sh -c 'trap \"exit 5\" TERM; echo > asked; while :; do /bin/sleep 0.02; done'"


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("kind", ["thread", "process"])
@pytest.mark.parametrize("way", PEACEFUL)
def test_nothing_is_left_by_a_run_that_answers_in_its_grace(way: str, kind: str, directory: str) -> None:
    if way in UNBOUND and kind == "thread":
        pytest.skip("nothing is promised")
    shell = Shell(isolation=kind, env=ENV, cwd=directory)
    with CancelScope(timeout=60.0, grace=10.0) as scope:

        def watch() -> None:
            if has_fled(directory):
                while not os.path.exists(f"{directory}/asked"):
                    time.sleep(0.005)
                scope.cancel("cancelled", "by the test")

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        result = shell.run(ISOLATED[way] + ANSWERS_LATE, scope=scope)
    assert (result.status, result.late) == (5, True), result
    assert gone(directory, 0.0) == []


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("kind", ["thread", "process"])
@pytest.mark.parametrize("way", PEACEFUL)
def test_background_work_outlives_a_normal_end_and_the_runs_after_it(way: str, kind: str, directory: str) -> None:
    shell = Shell(isolation=kind, env=ENV, cwd=directory)
    assert shell.run(f"{ISOLATED[way]}\nuntil [ -s beat ]; do sleep 0.01; done", timeout=60).status == 0
    assert shell.run("/bin/sleep 60", timeout=0.05, grace=0.05).ended.kind == "stopped"
    isolation.pool.close()
    assert has_fled(directory)
    assert alive(directory) != []


def test_processes_that_we_leave() -> None:
    shell = Shell(isolation="process", env=ENV)
    assert shell.run(":", timeout=60).status == 0
    pids = [worker._process.pid for worker in isolation.pool._alive]
    isolation.pool.close()
    assert pids and not any(os.path.exists(f"/proc/{pid}") for pid in pids)


# What the host's own end is: the program's last lines, whether it gets SIGINT, and the isolations that promise anything.
ENDS_OF_THE_HOST = {
    "interrupt": ("try:\n    shell.run(script)\nexcept KeyboardInterrupt:\n    ready()", ("thread", "process")),
    "exit": ("in_background()\nhas_fled(directory)\nready()", ("thread", "process")),
    "killed": ("in_background()\nhas_fled(directory)\nready()\nos.kill(os.getpid(), 9)", ("process",)),
}
#: The ways that differ in what finds them, and all those that only a keeper finds.
AT_THE_END = ["background", "double fork, own session", "emptied by us", "emptied, its parent stays"]


@pytest.mark.one_in(5, slow=5)
@pytest.mark.parametrize(
    ("end", "kind", "way"),
    [
        (end, kind, way)
        for end, (_, kinds) in ENDS_OF_THE_HOST.items()
        for kind in kinds
        for way in (AT_THE_END if kind == "thread" else [*AT_THE_END, *UNBOUND])
    ],
)
def test_nothing_is_left_when_the_host_ends(end: str, kind: str, way: str, directory: str) -> None:
    lines = [
        "import os, signal, sys, threading, time",
        f"sys.path[:0] = {[str(ROOT), str(ROOT / 'tests'), str(ROOT / 'tests/hostile')]!r}",
        "from pyshellhooks import Shell",
        "from flights import has_fled",
        f"directory, script = {directory!r}, {ISOLATED[way] + STAY!r}",
        f"shell = Shell(isolation={kind!r}, env={ENV!r}, cwd=directory)",
        "def ready(): print('ready', flush=True)",
        "def in_background(): threading.Thread(target=shell.run, args=(script,), daemon=True).start()",
        ENDS_OF_THE_HOST[end][0],
    ]
    host = subprocess.Popen([sys.executable, "-B", "-c", "\n".join(lines)], stdout=subprocess.PIPE, text=True)
    try:
        assert has_fled(directory)
        if end == "interrupt":
            host.send_signal(signal.SIGINT)
        assert host.communicate(timeout=60)[0] == "ready\n"
    finally:
        host.kill()
        host.wait()
    # A host that was killed waits for nobody: its worker and the keeper do the rest, in two seconds and something. And on a
    # busy machine a keeper may be after a chain for longer than a host waits for it.
    late = end == "killed" or (kind == "process" and "chain" in way)
    assert gone(directory, patient(8.0) if late else 0.0) == []


def test_no_cookie_is_seen_under_a_subreaper() -> None:
    assert Shell(isolation="process").run("env -i /usr/bin/env; env -i A=1 /usr/bin/env", timeout=60).stdout == b"A=1\n"
    # ADR 2: on a thread it could not be found without.
    found = Shell().run("env -i /usr/bin/env; (exec -c /usr/bin/env)", timeout=60).stdout
    assert [line.partition(b"=")[0] for line in found.splitlines()] == [b"PYSHELLHOOKS_RUN"] * 2
