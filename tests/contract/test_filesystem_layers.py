"""What each layered file system adds to the contract: confinement, no effect below, gates and counts."""

from __future__ import annotations

import errno
import os
import threading

import pytest
from test_filesystem import NEW, RD, WR, code_of, read, write

from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.errors import Stop
from pyshellhooks.fs import Change, Gated, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted
from pyshellhooks.limits import Limits

pytestmark = pytest.mark.portable


def test_overlay_leaves_the_lower_alone_and_lists_the_changes() -> None:
    lower = MemoryFS({"/p/keep": b"keep", "/p/edit": b"old", "/p/gone": b"x", "/p/d/a": b"a", "/p/mode": b""})
    fs = OverlayFS(ReadOnly(lower))
    assert read(fs, "/p/keep") == b"keep"
    write(fs, "/p/edit", b"er", WR | os.O_APPEND)
    fs.unlink("/p/gone")
    fs.rename("/p/d", "/p/moved")
    fs.chmod("/p/mode", 0o600)
    write(fs, "/p/new", b"n")
    write(fs, "/dev/null", b"n")
    assert read(fs, "/p/edit") == b"older" and read(lower, "/p/edit") == b"old"
    assert read(fs, "/p/moved/a") == b"a" and not fs.exists("/p/d/a")
    assert fs.changes() == [
        Change("delete", "/p/d"),
        Change("modify", "/p/edit"),
        Change("delete", "/p/gone"),
        Change("modify", "/p/mode"),
        Change("create", "/p/moved"),
        Change("create", "/p/moved/a"),
        Change("create", "/p/new"),
    ]
    assert fs.host_path("/p/keep") is None


def test_overlay_forgets_what_came_and_went() -> None:
    fs = OverlayFS(MemoryFS({"/p/f": b"x"}))
    write(fs, "/p/tmp", b"")
    fs.unlink("/p/tmp")
    assert fs.changes() == []
    fs.unlink("/p/f")
    write(fs, "/p/f", b"y")
    assert fs.changes() == [Change("modify", "/p/f")]
    assert [e.name for e in fs.scandir("/p")] == ["f"]


def test_overlay_keeps_both_ends_of_a_rename_in_one_directory() -> None:
    fs = OverlayFS(MemoryFS({"/p/q/a": b"a", "/p/q/b": b"b"}))
    fs.rename("/p/q/a", "/p/q/c")
    assert sorted(e.name for e in fs.scandir("/p/q")) == ["b", "c"]
    fs.link("/p/q/c", "/p/q/d")
    write(fs, "/p/q/d", b"!", WR | os.O_APPEND)
    assert read(fs, "/p/q/c") == b"a!"


def test_nothing_escapes_a_root() -> None:
    outer = MemoryFS({"/secret": b"s", "/w/f": b"f", "/secrets/x": b""})
    outer.symlink("/secret", "/w/abs")
    outer.symlink("../../secret", "/w/rel")
    outer.symlink("..", "/w/up")
    fs = Rooted(outer, "/w")
    assert read(fs, "/../../f") == b"f"
    for path in ("/abs", "/rel", "/up/secret", "/up/../secret", "/../secret", "/up/up/secrets/x"):
        assert code_of(fs.open, path, RD) == errno.ENOENT, path
    assert code_of(fs.open, "/../secrets/new", NEW) == errno.ENOENT
    write(fs, "/abs", b"inside")
    assert read(outer, "/secret") == b"s" and read(outer, "/w/secret") == b"inside"
    assert sorted(e.name for e in fs.scandir("/up")) == sorted(e.name for e in outer.scandir("/w"))
    assert fs.realpath("/up/rel") == "/secret"


def test_mounts() -> None:
    work = MemoryFS({"/f": b"work"})
    fs = MountFS(MemoryFS({"/etc/x": b"x"}), {"/workspace": work, "/a/b": MemoryFS({"/y": b"y"})})
    assert read(fs, "/workspace/f") == b"work" and read(fs, "/a/b/y") == b"y"
    assert {"workspace", "a", "etc"} <= {e.name for e in fs.scandir("/")}
    assert [e.name for e in fs.scandir("/a")] == ["b"]
    work.symlink("/etc/x", "/out")
    work.symlink("../a/b/y", "/side")
    assert read(fs, "/workspace/out") == b"x" and read(fs, "/workspace/side") == b"y"
    assert read(fs, "/workspace/../etc/x") == b"x"
    assert fs.realpath("/workspace/side") == "/a/b/y"
    assert code_of(fs.rename, "/workspace/f", "/f") == errno.EXDEV
    assert code_of(fs.link, "/workspace/f", "/f") == errno.EXDEV
    assert code_of(fs.rmdir, "/workspace") == errno.EBUSY
    assert code_of(fs.mkdir, "/workspace") == errno.EEXIST
    assert fs.stat("/workspace/f").st_dev != fs.stat("/etc/x").st_dev


def test_read_only() -> None:
    fs = ReadOnly(MemoryFS({"/f": b"x"}))
    assert read(fs, "/f") == b"x"
    assert fs.access("/f", os.R_OK) and not fs.access("/f", os.W_OK)
    assert code_of(fs.open, "/f", WR) == errno.EROFS
    assert code_of(fs.open, "/g", NEW) == errno.EROFS
    assert code_of(fs.open, "/g", WR) == errno.ENOENT
    assert code_of(fs.mkdir, "/d") == errno.EROFS
    assert code_of(fs.mkdir, "/f") == errno.EEXIST
    assert code_of(fs.unlink, "/f") == errno.EROFS
    assert code_of(fs.unlink, "/g") == errno.ENOENT
    assert code_of(fs.chmod, "/f", 0o600) == errno.EROFS


def test_a_shut_gate_lets_nothing_through() -> None:
    inner = MemoryFS({"/f": b"x"})
    gate = Gate()
    fs = Gated(inner, gate, CancelScope(), Limits())
    stream = fs.open("/f", WR).retain()
    assert gate.revoke()
    acts = [
        lambda: stream.write(b"y"),
        lambda: fs.open("/g", NEW),
        lambda: fs.unlink("/f"),
        lambda: fs.mkdir("/d"),
        lambda: fs.rename("/f", "/h"),
        lambda: fs.chmod("/f", 0o600),
        lambda: fs.truncate("/f", 0),
        lambda: fs.symlink("f", "/l"),
        lambda: fs.link("/f", "/l"),
        lambda: fs.utime("/f", None),
        lambda: fs.rmdir("/tmp"),
    ]
    for act in acts:
        with pytest.raises(Stop, match="abandoned"):
            act()
    assert read(inner, "/f") == b"x" and sorted(e.name for e in inner.scandir("/")) == ["dev", "f", "tmp"]
    stream.release()


def test_a_run_is_bounded() -> None:
    fs = Gated(MemoryFS(), Gate(), CancelScope(), Limits(written=100_000, open_files=3))
    stream = fs.open("/f", NEW).retain()
    stream.write(b"x" * 70_000)
    assert fs.written == 70_000
    with pytest.raises(Stop, match="limit"):
        stream.write(b"x" * 30_001)
    held = [stream, fs.open("/f", RD).retain(), fs.open("/f", RD).retain()]
    with pytest.raises(Stop, match="limit"):
        fs.open("/f", RD)
    for one in held:
        one.release()
    assert fs.open_files == 0


def test_cancelled_writers_stop() -> None:
    scope = CancelScope()
    fs = Gated(MemoryFS(), Gate(), scope, Limits())
    stream = fs.open("/f", NEW).retain()
    scope.cancel()
    with pytest.raises(Stop):
        stream.write(b"x")


def test_writers_in_threads_lose_nothing() -> None:
    fs = OverlayFS(MemoryFS({"/d/f": b""}))

    def work(number: int) -> None:
        for turn in range(50):
            write(fs, f"/d/{number}-{turn}", b"x")
            write(fs, "/d/f", b"x", WR | os.O_APPEND)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(fs.scandir("/d"))) == 201
    assert fs.stat("/d/f").st_size == 200
