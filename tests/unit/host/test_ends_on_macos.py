"""Ends of pipes, and the umask, on a system like macOS: fakes of XNU's ``poll`` and ``kqueue``.

XNU, bsd/kern/sys_generic.c (``poll_nocancel``): a mask without POLLIN, POLLPRI, POLLHUP and POLLOUT registers no filter, so
such a descriptor is never reported. A pipe without a reader is POLLHUP, not POLLERR (``poll_callback``).
"""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

if sys.platform == "win32":
    pytest.skip("POSIX only", allow_module_level=True)

import select

from pyshellhooks import host
from pyshellhooks.host import parent_guard, posix

_READ, _ADD, _CLEAR, _EOF = -1, 0x1, 0x20, 0x8000


class _XnuPoll:
    def __init__(self) -> None:
        self._poll = select.poll()

    def register(self, fd: int, mask: int) -> None:
        if mask:
            self._poll.register(fd, mask)

    def unregister(self, fd: int) -> None:
        self._poll.unregister(fd)

    def poll(self, timeout: float | None = None) -> list[tuple[int, int]]:
        assert timeout is not None
        found = self._poll.poll(timeout)
        return [(fd, select.POLLHUP if mask & select.POLLERR else mask) for fd, mask in found]


class _Kqueue:
    """A kqueue of read filters. ``EV_CLEAR``: data that was reported is reported again only with the end."""

    def __init__(self) -> None:
        self._filters: dict[int, int] = {}
        self._reported: set[tuple[int, int]] = set()

    def control(self, changes: list[SimpleNamespace], most: int, timeout: float | None = None) -> list[SimpleNamespace]:
        for change in changes:
            assert (change.filter, change.flags & _ADD) == (_READ, _ADD)
            self._filters[change.ident] = change.flags
        poll = select.poll()
        for fd in self._filters:
            poll.register(fd, select.POLLIN)
        found = []
        for fd, mask in poll.poll((timeout or 0) * 1000):
            flags = _EOF if mask & select.POLLHUP else 0
            if not self._filters[fd] & _CLEAR or (fd, flags) not in self._reported:
                self._reported.add((fd, flags))
                found.append(SimpleNamespace(ident=fd, flags=flags))
        return found[:most]


def xnu_select(*, with_kqueue: bool) -> SimpleNamespace:
    names = {name: getattr(select, name) for name in ("POLLIN", "POLLOUT", "POLLERR", "POLLHUP")}
    found = SimpleNamespace(poll=_XnuPoll, **names)
    if with_kqueue:
        found.kqueue = _Kqueue
        found.kevent = lambda ident, kind, flags: SimpleNamespace(ident=ident, filter=kind, flags=flags)
        found.KQ_FILTER_READ, found.KQ_EV_ADD, found.KQ_EV_CLEAR, found.KQ_EV_EOF = _READ, _ADD, _CLEAR, _EOF
    return found


@pytest.mark.parametrize("system", ["this one", "macOS"])
def test_the_end_of_a_pipe_is_noticed_and_its_data_is_not(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if system == "macOS":
        monkeypatch.setattr(parent_guard, "select", xnu_select(with_kqueue=True))
    (rung, ring), (reader, writer) = os.pipe(), os.pipe()
    try:
        watch = parent_guard._EndWatch(rung, reader)
        assert not watch.wait(0)
        os.write(writer, b"for the program")
        assert not watch.wait(0)
        assert not watch.wait(0)
        os.write(ring, b"\1")
        assert not watch.wait(0)
        os.close(writer)
        assert watch.wait(0)
        assert not watch.wait(0)
        assert os.read(reader, 100) == b"for the program"
    finally:
        for fd in (rung, ring, reader):
            os.close(fd)


@pytest.mark.parametrize("system", ["this one", "macOS"])
def test_a_pipe_without_a_reader_is_broken(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if system == "macOS":
        monkeypatch.setattr(posix, "select", xnu_select(with_kqueue=False))
    reader, writer = os.pipe()
    try:
        assert not host.current().is_broken(writer)
        os.close(reader)
        assert host.current().is_broken(writer)
    finally:
        os.close(writer)


@pytest.mark.parametrize("mask", [0o077, 0o027, 0o002, 0o022])
def test_the_umask_is_read_without_proc(mask: int, tmp_path: object) -> None:
    code = """
import builtins
real = builtins.open
def without_proc(path, *rest, **options):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(2, "No such file or directory", path)
    return real(path, *rest, **options)
builtins.open = without_proc
from pyshellhooks import host
print(oct(host.current().umask()))
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, umask=mask)
    assert done.stdout.strip() == oct(mask), done.stderr
    assert os.listdir(str(tmp_path)) == []
