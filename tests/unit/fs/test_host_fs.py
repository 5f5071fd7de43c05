"""The real disk. What every file system must do is in tests/contract; here is what only a real one can."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
from clock import patient

from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.errors import Stop
from pyshellhooks.fs.base import APPEND, CREATE, EXCLUSIVE, READ, READ_WRITE, TRUNCATE, WRITE
from pyshellhooks.fs.host import HostFS
from pyshellhooks.host import threads
from pyshellhooks.host.streams import HostStream


@pytest.fixture
def fs() -> HostFS:
    return HostFS()


@pytest.fixture
def top(tmp_path: Path) -> str:
    return str(tmp_path).replace("\\", "/")


def put(fs: HostFS, path: str, data: bytes, flags: int = WRITE | CREATE | TRUNCATE) -> None:
    stream = fs.open(path, flags).retain()
    stream.write(data)
    stream.release()


def get(fs: HostFS, path: str) -> bytes:
    stream = fs.open(path, READ).retain()
    data = b"".join(iter(stream.read, b""))
    stream.release()
    return data


@contextmanager
def fails(code: int) -> Iterator[None]:
    with pytest.raises(OSError) as caught:
        yield
    assert caught.value.errno == code


def test_files_preserve_every_byte(fs: HostFS, top: str) -> None:
    data = bytes(range(256)) + b"a\r\nb\nc\x1a"
    put(fs, f"{top}/f", data)
    assert get(fs, f"{top}/f") == data
    put(fs, f"{top}/f", b"more", WRITE | APPEND)
    assert get(fs, f"{top}/f") == data + b"more"
    assert fs.stat(f"{top}/f").st_size == len(data) + 4
    put(fs, f"{top}/f", b"x")
    assert get(fs, f"{top}/f") == b"x"


def test_read_write_share_a_position(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/f", b"one\ntwo\n")
    stream = fs.open(f"{top}/f", READ_WRITE).retain()
    assert stream.readline() == b"one\n"
    stream.write(b"TWO")
    stream.release()
    assert get(fs, f"{top}/f") == b"one\nTWO\n"
    assert stream.path() == f"{top}/f"


def test_errors(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/f", b"")
    fs.mkdir(f"{top}/d")
    put(fs, f"{top}/d/x", b"")
    with fails(errno.ENOENT):
        fs.open(f"{top}/none", READ)
    with fails(errno.EEXIST):
        fs.open(f"{top}/f", WRITE | CREATE | EXCLUSIVE)
    with fails(errno.EISDIR):
        fs.open(f"{top}/d", READ)
    with fails(errno.EISDIR):
        fs.open(f"{top}/d", WRITE)
    with fails(errno.EEXIST):
        fs.mkdir(f"{top}/d")
    with fails(errno.EISDIR):
        fs.unlink(f"{top}/d")
    with fails(errno.ENOTEMPTY):
        fs.rmdir(f"{top}/d")
    with fails(errno.ENOTDIR):
        fs.rmdir(f"{top}/f")
    with fails(errno.ENOTDIR):
        list(fs.scandir(f"{top}/f"))
    with fails(errno.EINVAL):
        fs.stat(f"{top}/a\0b")
    assert not fs.exists(f"{top}/none")


def test_scandir(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/fü", b"")
    fs.mkdir(f"{top}/d")
    assert sorted((entry.name, entry.kind) for entry in fs.scandir(top)) == [("d", "d"), ("fü", "f")]


def test_rename_replaces(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/a", b"new")
    put(fs, f"{top}/b", b"old")
    fs.rename(f"{top}/a", f"{top}/b")
    assert get(fs, f"{top}/b") == b"new"
    assert not fs.exists(f"{top}/a")


def test_times_size_and_second_names(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/f", b"0123456789")
    fs.utime(f"{top}/f", (10**18, 12 * 10**17))
    assert fs.stat(f"{top}/f").st_mtime_ns == 12 * 10**17
    fs.utime(f"{top}/f", None)
    assert fs.stat(f"{top}/f").st_mtime_ns > 12 * 10**17
    fs.truncate(f"{top}/f", 4)
    fs.link(f"{top}/f", f"{top}/g")
    assert get(fs, f"{top}/g") == b"0123"


def test_unlink_a_read_only_file(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/f", b"")
    fs.chmod(f"{top}/f", 0o444)
    fs.unlink(f"{top}/f")
    assert not fs.exists(f"{top}/f")


def test_the_null_device(fs: HostFS) -> None:
    put(fs, "/dev/null", b"gone", WRITE)
    assert get(fs, "/dev/null") == b""


def test_absolute(fs: HostFS, top: str) -> None:
    assert fs.absolute(top, "x/../y") == f"{top}/x/../y"
    assert fs.absolute(top, top) == top
    with fails(errno.ENOENT):
        fs.absolute(top, "")


def test_every_effect_passes_the_gate(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/f", b"kept")
    gate = Gate()
    bound = fs.bind(CancelScope(), gate)
    stream = bound.open(f"{top}/f", WRITE | APPEND).retain()
    gate.revoke()
    for act in (
        lambda: stream.write(b"x"),
        lambda: bound.open(f"{top}/f", WRITE | TRUNCATE),
        lambda: bound.open(f"{top}/new", WRITE | CREATE),
        lambda: bound.unlink(f"{top}/f"),
        lambda: bound.mkdir(f"{top}/d"),
        lambda: bound.rename(f"{top}/f", f"{top}/g"),
        lambda: bound.link(f"{top}/f", f"{top}/g"),
        lambda: bound.symlink("f", f"{top}/s"),
        lambda: bound.chmod(f"{top}/f", 0),
        lambda: bound.utime(f"{top}/f", (0, 0)),
        lambda: bound.truncate(f"{top}/f", 0),
        lambda: bound.rmdir(top),
    ):
        with pytest.raises(Stop):
            act()
    stream.release()
    assert get(bound, f"{top}/f") == b"kept"
    assert os.listdir(top) == ["f"]


def test_times_where_links_are_not_followed(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/f", b"")
    fs.utime(f"{top}/f", (10**18, 12 * 10**17), follow=False)
    assert fs.stat(f"{top}/f").st_mtime_ns == 12 * 10**17
    fs.utime(f"{top}/f", None, follow=False)
    assert fs.stat(f"{top}/f").st_mtime_ns > 12 * 10**17


@pytest.mark.skipif(sys.platform != "win32", reason="Linux sets them")
def test_times_of_a_link_are_refused_on_windows(fs: HostFS, top: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of its target must stay. Wine makes no links: the status says that there is one."""
    put(fs, f"{top}/f", b"")
    link = os.stat_result((stat.S_IFLNK | 0o777, *[0] * 9))
    monkeypatch.setattr(type(fs), "stat", lambda self, path, *, follow=True: link)
    with pytest.raises(OSError) as caught:
        fs.utime(f"{top}/f", (0, 0), follow=False)
    assert caught.value.errno == errno.ENOSYS


@pytest.mark.not_on_windows("needs-symlink")
def test_links(fs: HostFS, top: str) -> None:
    fs.symlink("target", f"{top}/s")
    assert fs.readlink(f"{top}/s") == "target"
    assert not fs.exists(f"{top}/s")
    assert stat.S_ISLNK(fs.stat(f"{top}/s", follow=False).st_mode)
    put(fs, f"{top}/target", b"x")
    assert fs.realpath(f"{top}/./s") == os.path.realpath(f"{top}/target")
    assert fs.realpath(f"{top}/s2/none") == os.path.realpath(top) + "/s2/none"
    assert {entry.name: entry.kind for entry in fs.scandir(top)} == {"s": "l", "target": "f"}
    fs.link(f"{top}/s", f"{top}/hard")  # as ln -P
    assert fs.readlink(f"{top}/hard") == "target"


@pytest.mark.not_on_windows("needs-name")
def test_names_of_any_bytes(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/\udcff\udc80", b"x")
    assert os.listdir(os.fsencode(top)) == [b"\xff\x80"]
    assert [entry.name for entry in fs.scandir(top)] == ["\udcff\udc80"]
    fs.unlink(f"{top}/\udcff\udc80")


@pytest.mark.not_on_windows("needs-device")
def test_descriptors_are_blocking_and_not_inherited(fs: HostFS, top: str) -> None:
    for path in ("/dev/null", f"{top}/f"):
        stream = fs.open(path, READ_WRITE | CREATE).retain()
        fd = stream.fileno()
        assert fd is not None
        assert not os.get_inheritable(fd)
        assert path == f"{top}/f" or os.get_blocking(fd)
        stream.release()


@pytest.mark.not_on_windows("needs-fifo")
@pytest.mark.parametrize("flags", [READ, WRITE])
def test_a_fifo_without_another_end_ends_with_the_scope(fs: HostFS, top: str, flags: int) -> None:
    os.mkfifo(f"{top}/p")
    busy = threads.pool.stats()["alive"] - threads.pool.stats()["idle"]
    with CancelScope(timeout=0.05) as scope:
        begun = monotonic()
        with pytest.raises(Stop):
            fs.bind(scope, Gate()).open(f"{top}/p", flags)
        assert monotonic() - begun < patient(0.5)
    until = monotonic() + 20
    while (stats := threads.pool.stats())["alive"] - stats["idle"] > busy and monotonic() < until:
        threading.Event().wait(0.005)
    assert stats["alive"] - stats["idle"] == busy  # nobody is left waiting in open(2)


@pytest.mark.not_on_windows("needs-fifo")
def test_fifo_ends_meet(fs: HostFS, top: str) -> None:
    os.mkfifo(f"{top}/p")
    with CancelScope(timeout=60) as scope:
        bound = fs.bind(scope, Gate())
        threads.submit(lambda: put(bound, f"{top}/p", b"x" * 200_000, WRITE))
        stream = bound.open(f"{top}/p", READ)
        assert isinstance(stream, HostStream)
        fd = stream.fileno()
        assert fd is not None and os.get_blocking(fd)
        assert b"".join(iter(stream.read, b"")) == b"x" * 200_000
        stream.close()


@pytest.mark.not_on_windows("needs-mode")
def test_modes(fs: HostFS, top: str) -> None:
    put(fs, f"{top}/f", b"")
    fs.chmod(f"{top}/f", 0o640)
    assert stat.S_IMODE(fs.stat(f"{top}/f").st_mode) == 0o640
    assert fs.access(f"{top}/f", os.R_OK)
    assert not fs.access(f"{top}/f", os.X_OK)
    assert not fs.access(f"{top}/none", os.F_OK)
