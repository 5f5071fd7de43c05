"""What every file system must do, whatever it stands on. Answers are POSIX's and Linux's."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.errors import Stop
from pyshellhooks.fs import GatedFS, HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted
from pyshellhooks.fs.base import FileSystem
from pyshellhooks.fs.pinned import PinnedFS
from pyshellhooks.fs.session import SessionFS
from pyshellhooks.limits import Limits

RD, WR, RW = os.O_RDONLY, os.O_WRONLY, os.O_RDWR
NEW = WR | os.O_CREAT | os.O_TRUNC


def write(fs: FileSystem, path: str, data: bytes, flags: int = NEW) -> None:
    stream = fs.open(path, flags).retain()
    stream.write(data)
    stream.release()


def read(fs: FileSystem, path: str) -> bytes:
    stream = fs.open(path, RD).retain()
    try:
        return b"".join(iter(stream.read, b""))
    finally:
        stream.release()


def code_of(act: Callable[..., object], *args: object) -> int:
    with pytest.raises(OSError) as caught:
        act(*args)
    assert caught.value.errno is not None
    return caught.value.errno


def _host(tmp_path: Path) -> FileSystem:
    module = pytest.importorskip("pyshellhooks.fs.host")
    host: FileSystem = module.HostFS()
    return host


def _memory(tmp_path: Path) -> FileSystem:
    return MemoryFS({"/w/": b""})


MAKERS: dict[str, Callable[[Path], tuple[FileSystem, str]]] = {
    "memory": lambda tmp: (_memory(tmp), "/w"),
    "overlay": lambda tmp: (OverlayFS(_memory(tmp)), "/w"),
    "overlay-of-readonly": lambda tmp: (OverlayFS(ReadOnly(_memory(tmp))), "/w"),
    "overlay-of-host": lambda tmp: (OverlayFS(_host(tmp)), tmp.as_posix()),
    "mount": lambda tmp: (MountFS(MemoryFS(), {"/deep/w": Rooted(_memory(tmp), "/w")}), "/deep/w"),
    "pinned": lambda tmp: (PinnedFS(_memory(tmp), {"/elsewhere/x": b"x"}), "/w"),
    "rooted": lambda tmp: (Rooted(_memory(tmp), "/w"), ""),
    "rooted-host": lambda tmp: (Rooted(_host(tmp), tmp.as_posix()), ""),
    "gated": lambda tmp: (GatedFS(_memory(tmp), Gate(), CancelScope(), Limits()), "/w"),
    "host": lambda tmp: (_host(tmp), tmp.as_posix()),
    "host-of-a-run": lambda tmp: (HostFS().bind(CancelScope(), Gate()).race_free_view(), tmp.as_posix()),
    "session": lambda tmp: (SessionFS(), "/workspace"),
    "session-root": lambda tmp: (SessionFS(), ""),
    "session-of-host": lambda tmp: (SessionFS({"/workspace": Rooted(_host(tmp), tmp.as_posix())}), "/workspace"),
}


@pytest.fixture(params=MAKERS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[FileSystem, str]:
    return MAKERS[request.param](tmp_path)


def test_write_read_append_and_truncate(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    write(fs, f"{w}/f", b"one\ntwo\n")
    write(fs, f"{w}/f", b"three", WR | os.O_APPEND)
    assert read(fs, f"{w}/f") == b"one\ntwo\nthree"
    assert fs.stat(f"{w}/f").st_size == 13
    fs.truncate(f"{w}/f", 3)
    assert read(fs, f"{w}/f") == b"one"
    fs.truncate(f"{w}/f", 5)
    assert read(fs, f"{w}/f") == b"one\0\0"
    write(fs, f"{w}/f", b"x")
    assert read(fs, f"{w}/f") == b"x"
    assert code_of(fs.open, f"{w}/f", WR | os.O_CREAT | os.O_EXCL) == errno.EEXIST
    assert code_of(fs.open, f"{w}/none", RD) == errno.ENOENT


@pytest.mark.not_on_windows("drives")
def test_streams_know_lines_positions_and_their_name(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    write(fs, f"{w}/f", b"one\ntwo\nrest")
    stream = fs.open(f"{w}/f", RW).retain()
    assert stream.readline() == b"one\n"
    assert stream.read(2) == b"tw"
    assert stream.readline(limit=1) == b"o"
    assert stream.seek(-4, 2) == 8
    assert stream.readline() == b"rest"
    assert stream.readline() == b""
    assert stream.seek(0) == 0
    stream.write(b"ONE")
    assert stream.read() == b"\ntwo\nrest"
    assert stream.path() == f"{w}/f"
    stream.release()
    reader = fs.open(f"{w}/f", RD).retain()
    assert code_of(reader.write, b"x") == errno.EBADF
    reader.release()


def _has_symbolic_links(fs: FileSystem) -> bool:
    """Only a session's file system has none (everruns 8)."""
    return not isinstance(fs, SessionFS)


@pytest.mark.not_on_windows("needs-symlink")
def test_directories(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    fs.mkdir(f"{w}/d")
    fs.mkdir(f"{w}/d/e/")
    write(fs, f"{w}/d/f", b"")
    if _has_symbolic_links(fs):
        fs.symlink("f", f"{w}/d/l")
        assert sorted((e.name, e.kind) for e in fs.scandir(f"{w}/d")) == [("e", "d"), ("f", "f"), ("l", "l")]
    assert stat.S_ISDIR(fs.stat(f"{w}/d").st_mode)
    assert code_of(fs.mkdir, f"{w}/d") == errno.EEXIST
    assert code_of(fs.mkdir, f"{w}/no/d") == errno.ENOENT
    assert code_of(fs.mkdir, f"{w}/d/f/d") == errno.ENOTDIR
    assert code_of(fs.rmdir, f"{w}/d") == errno.ENOTEMPTY
    assert code_of(fs.rmdir, f"{w}/d/f") == errno.ENOTDIR
    assert code_of(fs.open, f"{w}/d", WR) == errno.EISDIR
    assert code_of(fs.open, f"{w}/d", RD) == errno.EISDIR  # a kernel says so at the first read only
    assert code_of(fs.stat, f"{w}/d/f/") == errno.ENOTDIR
    assert code_of(fs.unlink, f"{w}/d") in (errno.EISDIR, errno.EPERM)
    with pytest.raises(OSError):
        list(fs.scandir(f"{w}/none"))
    fs.rmdir(f"{w}/d/e")
    assert not fs.exists(f"{w}/d/e")


@pytest.mark.not_on_windows("needs-symlink")
def test_links(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    write(fs, f"{w}/f", b"data")
    fs.mkdir(f"{w}/d")
    if not _has_symbolic_links(fs):
        assert code_of(fs.symlink, "../f", f"{w}/d/l") == errno.EPERM
        assert code_of(fs.readlink, f"{w}/f") == errno.EINVAL
        assert fs.realpath(f"{w}/d/../f") == f"{w}/f"
        return
    fs.symlink("../f", f"{w}/d/l")
    fs.symlink(f"{w}/d", f"{w}/dl")
    assert read(fs, f"{w}/dl/l") == b"data"
    assert fs.readlink(f"{w}/d/l") == "../f"
    assert fs.realpath(f"{w}/dl/l") == fs.realpath(f"{w}/f")
    assert fs.realpath(f"{w}/dl/../none/x") == fs.realpath(w or "/").rstrip("/") + "/none/x"
    assert stat.S_ISLNK(fs.stat(f"{w}/dl", follow=False).st_mode)
    assert stat.S_ISDIR(fs.stat(f"{w}/dl/", follow=False).st_mode)
    assert code_of(fs.readlink, f"{w}/f") == errno.EINVAL
    fs.symlink("loop", f"{w}/loop")
    assert code_of(fs.stat, f"{w}/loop") == errno.ELOOP
    fs.symlink("later", f"{w}/dangling")
    assert not fs.exists(f"{w}/dangling")
    write(fs, f"{w}/dangling", b"made")
    assert read(fs, f"{w}/later") == b"made"
    fs.link(f"{w}/f", f"{w}/hard")
    write(fs, f"{w}/hard", b"!", WR | os.O_APPEND)
    assert read(fs, f"{w}/f") == b"data!"
    one, other = fs.stat(f"{w}/f"), fs.stat(f"{w}/hard")
    assert (one.st_ino, one.st_dev, one.st_nlink) == (other.st_ino, other.st_dev, 2)
    fs.unlink(f"{w}/dl")
    assert fs.exists(f"{w}/d/l")


@pytest.mark.not_on_windows("text")
def test_rename(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    write(fs, f"{w}/a", b"a")
    write(fs, f"{w}/b", b"b")
    fs.rename(f"{w}/a", f"{w}/b")
    assert read(fs, f"{w}/b") == b"a" and not fs.exists(f"{w}/a")
    fs.mkdir(f"{w}/d")
    fs.mkdir(f"{w}/d/sub")
    fs.rename(f"{w}/b", f"{w}/d/sub/c")
    fs.rename(f"{w}/d", f"{w}/e")
    assert read(fs, f"{w}/e/sub/c") == b"a" and not fs.exists(f"{w}/d")
    assert code_of(fs.rename, f"{w}/e", f"{w}/e/sub/in") == errno.EINVAL
    write(fs, f"{w}/f", b"")
    assert code_of(fs.rename, f"{w}/f", f"{w}/e") == errno.EISDIR
    assert code_of(fs.rename, f"{w}/e", f"{w}/f") == errno.ENOTDIR
    assert code_of(fs.rename, f"{w}/none", f"{w}/x") == errno.ENOENT
    fs.rename(f"{w}/f", f"{w}/f")
    assert fs.exists(f"{w}/f")
    assert {e.name for e in fs.scandir(w or "/")} >= {"e", "f"}


@pytest.mark.not_on_windows("needs-name")
def test_a_file_without_a_name_stays_readable(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    write(fs, f"{w}/f", b"still here")
    stream = fs.open(f"{w}/f", RD).retain()
    fs.unlink(f"{w}/f")
    assert not fs.exists(f"{w}/f")
    assert stream.read() == b"still here"
    stream.release()
    write(fs, f"{w}/f", b"new")
    assert read(fs, f"{w}/f") == b"new"


@pytest.mark.not_on_windows("needs-mode")
def test_modes_and_times(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    write(fs, f"{w}/f", b"")
    always_executable = isinstance(fs, SessionFS)  # everruns 8: chmod says nothing
    fs.chmod(f"{w}/f", 0o750)
    assert stat.S_IMODE(fs.stat(f"{w}/f").st_mode) == (0o755 if always_executable else 0o750)
    assert fs.access(f"{w}/f", os.R_OK | os.W_OK | os.X_OK)
    fs.chmod(f"{w}/f", 0o640)
    assert fs.access(f"{w}/f", os.X_OK) is always_executable
    assert fs.access(f"{w}/f", os.F_OK) and not fs.access(f"{w}/none", os.F_OK)
    fs.utime(f"{w}/f", (1_000_000_001, 2_000_000_003_000_000_004))
    found = fs.stat(f"{w}/f")
    assert (found.st_atime_ns, found.st_mtime_ns) == (1_000_000_001, 2_000_000_003_000_000_004)
    fs.utime(f"{w}/f", None)
    assert fs.stat(f"{w}/f").st_mtime_ns < 2_000_000_003_000_000_004
    assert code_of(fs.chmod, f"{w}/none", 0o600) == errno.ENOENT


@pytest.mark.not_on_windows("needs-symlink")
def test_times_of_a_link_are_its_own(place: tuple[FileSystem, str]) -> None:
    """utimensat(2) with AT_SYMLINK_NOFOLLOW, which touch -h uses."""
    fs, w = place
    write(fs, f"{w}/f", b"")
    fs.utime(f"{w}/f", (10**18, 10**18 + 1), follow=False)
    assert fs.stat(f"{w}/f").st_mtime_ns == 10**18 + 1
    assert code_of(lambda: fs.utime(f"{w}/none", None, follow=False)) == errno.ENOENT
    if not _has_symbolic_links(fs):
        return
    for link, target in (("l", "f"), ("dangling", "none")):
        fs.symlink(target, f"{w}/{link}")
        fs.utime(f"{w}/{link}", (10**18 + 2, 10**18 + 3), follow=False)
        found = fs.stat(f"{w}/{link}", follow=False)
        assert (found.st_atime_ns, found.st_mtime_ns) == (10**18 + 2, 10**18 + 3)
    assert fs.stat(f"{w}/f").st_mtime_ns == 10**18 + 1
    fs.utime(f"{w}/l", (10**18 + 4, 10**18 + 5))
    assert fs.stat(f"{w}/f").st_mtime_ns == 10**18 + 5
    assert fs.stat(f"{w}/l", follow=False).st_mtime_ns == 10**18 + 3
    assert code_of(fs.utime, f"{w}/dangling", None) == errno.ENOENT


@pytest.mark.not_on_windows("needs-name")
def test_any_bytes_are_names(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    name = b"caf\xe9 \xff".decode("utf-8", "surrogateescape")
    write(fs, f"{w}/{name}", b"x")
    assert name in {e.name for e in fs.scandir(w or "/")}
    assert code_of(fs.open, f"{w}/{'n' * 256}", NEW) == errno.ENAMETOOLONG


@pytest.mark.not_on_windows("drives")
def test_errors_name_the_requested_path(place: tuple[FileSystem, str]) -> None:
    fs, w = place
    with pytest.raises(OSError) as caught:
        fs.stat(f"{w}/none")
    assert caught.value.filename == f"{w}/none"


def test_permissions_bind_the_owner() -> None:
    fs = MemoryFS({"/d/f": b"x"})
    fs.chmod("/d/f", 0o400)
    assert code_of(fs.open, "/d/f", WR) == errno.EACCES
    fs.chmod("/d", 0o500)
    assert code_of(fs.open, "/d/g", NEW) == errno.EACCES
    assert code_of(fs.unlink, "/d/f") == errno.EACCES
    fs.chmod("/d", 0o600)
    assert code_of(fs.stat, "/d/f") == errno.EACCES


def test_devices() -> None:
    fs = MemoryFS()
    assert read(fs, "/dev/null") == b""
    write(fs, "/dev/null", b"gone")
    assert fs.open("/dev/zero", RD).read(3) == b"\0\0\0"
    assert len(fs.open("/dev/urandom", RD).read(9)) == 9
    assert code_of(fs.open("/dev/full", WR).write, b"x") == errno.ENOSPC
    assert stat.S_ISCHR(fs.stat("/dev/null").st_mode)
    write(ReadOnly(fs), "/dev/null", b"gone")


def test_budgets_end_the_run() -> None:
    fs = MemoryFS({"/f": b"12345"}, max_bytes=10, max_entries=20)
    write(fs, "/g", b"12345")
    with pytest.raises(Stop, match="limit"):
        write(fs, "/g", b"6", WR | os.O_APPEND)
    fs.unlink("/f")
    write(fs, "/h", b"12345")
    with pytest.raises(Stop, match="limit"):
        for number in range(20):
            fs.mkdir(f"/d{number}")
