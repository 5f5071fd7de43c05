"""A wait for the other end of a FIFO is called off wherever it stands, and leaves no thread and no descriptor."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from clock import patient
from process_state import busy, descriptors, settled

from pyshellhooks import Shell
from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.host import fifo, threads

pytestmark = pytest.mark.not_on_windows("needs-fifo")

BOTH = pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY])


def called_off(path: Path, flags: int, while_waiting: threading.Timer | None = None) -> bool:
    """Open ``path``, be cancelled after 0.1 s, and say whether everything is as before."""
    before, had = busy(), sorted(descriptors())
    begun = time.monotonic()
    with CancelScope(timeout=0.1) as scope, pytest.raises(Stop):
        if while_waiting is not None:
            while_waiting.start()
        fifo.open_waiting(str(path), flags, scope)
    assert time.monotonic() - begun < patient(2)
    return settled(before, 5) and sorted(descriptors()) == had


@BOTH
def test_while_it_waits(tmp_path: Path, flags: int) -> None:
    os.mkfifo(tmp_path / "p")
    assert called_off(tmp_path / "p", flags)


@BOTH
def test_a_thread_that_opens_late(tmp_path: Path, flags: int, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "p")
    real = os.open

    def slow(path: str, flags: int) -> int:
        if not flags & (os.O_CLOEXEC | os.O_NONBLOCK):
            time.sleep(0.5)
        return real(path, flags)

    monkeypatch.setattr(fifo.os, "open", slow)  # type: ignore[attr-defined]
    assert called_off(tmp_path / "p", flags)


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="a file without a name is reached through /proc only")
@BOTH
def test_a_name_that_is_gone_by_then(tmp_path: Path, flags: int) -> None:
    os.mkfifo(tmp_path / "p")
    assert called_off(tmp_path / "p", flags, threading.Timer(0.05, lambda: (tmp_path / "p").unlink()))


def test_ends_that_meet_leave_one_descriptor(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p")
    had = sorted(descriptors())
    ends: list[int] = []
    threads.submit(lambda: ends.append(fifo.open_waiting(str(tmp_path / "p"), os.O_WRONLY, None)))
    with CancelScope(timeout=60) as scope:
        ends.append(fifo.open_waiting(str(tmp_path / "p"), os.O_RDONLY, scope))
    until = time.monotonic() + 60
    while len(ends) < 2 and time.monotonic() < until:
        time.sleep(0.005)
    for fd in ends:
        os.close(fd)
    assert len(ends) == 2
    assert sorted(descriptors()) == had


@BOTH
def test_another_wait_continues(tmp_path: Path, flags: int) -> None:
    """What ends one wait is not the other end that a second one waits for."""
    os.mkfifo(tmp_path / "p")
    opened: list[int] = []
    with CancelScope(timeout=60) as second:

        def wait() -> None:
            with suppress(Stop):
                opened.append(fifo.open_waiting(str(tmp_path / "p"), flags, second))

        threads.submit(wait)
        time.sleep(0.05)
        for _ in range(5):
            with CancelScope(timeout=0.02) as first, pytest.raises(Stop):
                fifo.open_waiting(str(tmp_path / "p"), flags, first)
        time.sleep(0.05)
        assert not opened
        second.cancel()


@pytest.mark.parametrize("script", ["echo x > p; echo in", "cat p; echo in", "read x < p; echo in"])
def test_a_cancelled_wait_opens_no_end(tmp_path: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread comes late to its open(2), and both ends are held for it: a guard after it went on, and said allow."""
    os.mkfifo(tmp_path / "p")
    real = os.open

    def slow(path: str, flags: int) -> int:
        if not flags & (os.O_CLOEXEC | os.O_NONBLOCK):
            time.sleep(0.5)
        return real(path, flags)

    with monkeypatch.context() as patch:
        patch.setattr(fifo.os, "open", slow)  # type: ignore[attr-defined]
        with CancelScope(timeout=0.05) as scope, pytest.raises(Stop):
            fifo.open_waiting(str(tmp_path / "p"), os.O_RDONLY, scope)
    result = Shell(cwd=str(tmp_path)).run(script, timeout=0.2)
    assert (result.ended.kind, result.stdout) == ("stopped", b"")


@pytest.mark.parametrize(
    "script", ["(exec 3<>p; cat <&3 | cat)", "(exec 3<>p; yes >&3)", "cat p", "coproc C { cat; }; echo x >p"]
)
def test_a_job_that_waits_is_killed(tmp_path: Path, script: str) -> None:
    """Its own end reaches it where it waits: the streams were made under the run's scope."""
    os.mkfifo(tmp_path / "p")
    result = Shell(cwd=str(tmp_path)).run(f"{script} & sleep 0.1; kill $!; wait $! 2>/dev/null; echo $?", timeout=60)
    assert result.stdout == b"143\n"
