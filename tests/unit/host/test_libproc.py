"""Processes on macOS, where there is no /proc: through a fake of libproc and sysctl."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from time import monotonic

import pytest

from tests import oracles

if sys.platform == "win32":
    pytest.skip("POSIX processes", allow_module_level=True)

from fake_libproc import FakeProcess, FakeSystem, ProcBackedSystem
from host_runs import Run
from test_host_ladder import ESCAPES

from pyshellhooks import host
from pyshellhooks.host import libproc, orphans, process_sources, terminate
from pyshellhooks.host.libproc import LibProc, LibProcTable, variables_of

ROOT, COOKIE = 900_000, b"run-1"
MARK = b"PYSHELLHOOKS_RUN=outer,run-1"


def use(monkeypatch: pytest.MonkeyPatch, system: FakeSystem) -> LibProcTable:
    table = LibProcTable(LibProc(system))
    monkeypatch.setattr(process_sources, "_table", table)
    return table


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[int]]:
    """The processes of a fake table that got KILL; none of their numbers is real."""
    found: set[int] = set()
    monkeypatch.setattr(orphans, "_send", lambda seen, number: found.add(seen.pid))
    monkeypatch.setattr(orphans, "_SECONDS", 0.05)
    monkeypatch.setattr(os, "getsid", lambda pid: pid)
    yield found


def test_the_structures_have_apples_sizes() -> None:
    sizes = [ctypes.sizeof(kind) for kind in (libproc.BsdInfo, libproc.UniqueIds, libproc.BsdInfoWithIds)]
    assert (sizes, ctypes.sizeof(libproc.ResourceUsage)) == ([136, 56, 192], 96)


def test_a_process_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getsid", lambda pid: 70)
    table = use(monkeypatch, FakeSystem([FakeProcess(71, 70, 5001, 5000, group=69), FakeProcess(72, 71, 5002, 5001)]))
    state = table.read(71)
    assert state is not None
    assert (state.pid, state.parent, state.group, state.session) == (71, 70, 69, 70)
    assert (state.start, state.origin) == ("5001", "5000")
    assert sorted(table.pids()) == [71, 72]
    assert table.children(71) == [72]


def test_a_zombie_exists_and_has_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    table = use(monkeypatch, FakeSystem([FakeProcess(71, 70, 5001, 5000, zombie=True)]))
    assert table.read(71) is None
    assert table.exists(71)
    assert table.identity(71) == "5001"
    assert not table.exists(72)


@pytest.mark.parametrize(
    ("process", "expected"),
    [
        (FakeProcess(71, 1, 1, 1, variables=[b"A=1", MARK, b"B="]), [b"A=1", MARK, b"B="]),
        (FakeProcess(71, 1, 1, 1, words=[b"env", MARK], variables=[b"A=1"]), [b"A=1"]),
        (FakeProcess(71, 1, 1, 1, words=[b"sh", b"", b""], variables=[b"A=1"]), [b"A=1"]),
        (FakeProcess(71, 1, 1, 1, variables=[MARK], restricted=True), []),
        (FakeProcess(71, 1, 1, 1, variables=[b"A=" + b"x" * 300_000, MARK]), [b"A=" + b"x" * 300_000, MARK]),
    ],
)
def test_variables_of_a_process(process: FakeProcess, expected: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    table = use(monkeypatch, FakeSystem([process]))
    assert [variable for variable in table.environment(71) if variable] == expected
    assert orphans.has_cookie(71, COOKIE) is (MARK in expected)


def test_a_text_without_variables_is_read() -> None:
    assert variables_of(b"") == variables_of(b"\1\0\0\0") == []


@pytest.mark.parametrize(
    "escaped",
    [
        FakeProcess(910_000, ROOT, 20, 10),
        FakeProcess(910_000, 1, 20, 11, variables=[MARK]),
        FakeProcess(910_000, 1, 20, 10, restricted=True),
        FakeProcess(910_000, 1, 20, 99, group=ROOT),
    ],
    ids=["child", "cookie", "started by the root", "group"],
)
@pytest.mark.parametrize("zombie", [False, True])
def test_a_process_that_left_its_session_is_killed(
    escaped: FakeProcess, zombie: bool, killed: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = FakeProcess(920_000, 1, 30, 1, variables=[b"PYSHELLHOOKS_RUN=run-2"])
    use(monkeypatch, FakeSystem([FakeProcess(ROOT, os.getpid(), 10, 2, zombie=zombie), escaped, stranger]))
    orphans.kill_all([ROOT], "run-1", lambda: None)
    assert 910_000 in killed
    assert 920_000 not in killed


def test_a_process_that_a_reaped_child_started_is_killed(killed: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    grandchild = FakeProcess(910_000, 1, 20, 10, restricted=True)
    its_child = FakeProcess(911_000, 1, 21, 20, restricted=True)
    use(monkeypatch, FakeSystem([grandchild, its_child]))
    orphans.kill_all([], "run-1", lambda: None, origins=["10"])
    assert killed == {910_000, 911_000}


def test_this_process_and_its_parent_are_spared(killed: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    me = FakeProcess(os.getpid(), os.getppid(), 2, 1, variables=[MARK])
    use(monkeypatch, FakeSystem([me, FakeProcess(os.getppid(), 1, 1, 0)]))
    orphans.kill_all([], "run-1", lambda: None)
    assert killed == set()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the fake reads /proc")
@pytest.mark.parametrize(
    "name", ["double fork", "own session, leader gone", "own session, double fork, leader gone", "without the cookie"]
)
@oracles.BIN_SH
def test_nothing_is_left_of_real_processes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, ProcBackedSystem())
    monkeypatch.delattr(os, "pidfd_open")
    with Run() as run:
        child = run.start(ESCAPES[name])
        run.wait_for_output(b"ready")
        assert terminate.end([child], grace_until=monotonic() + 0.2, sweep=run.cookie) == []
        assert run.alive() == []
        assert child.poll() is not None


def test_memory_is_the_current_one(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, FakeSystem(footprint=123 << 20))
    real = open

    def without_proc(path: str, mode: str = "r") -> object:
        if path.startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return real(path, mode)

    monkeypatch.setattr("builtins.open", without_proc)
    assert host.current().resident() == 123 << 20
