"""What each layered file system adds to the contract: confinement, no effect below, gates and counts."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from test_filesystem import NEW, RD, WR, code_of, read, write

from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.errors import Stop
from pyshellhooks.fs import Change, GatedFS, HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted
from pyshellhooks.fs.base import FileSystem
from pyshellhooks.fs.layer import LinkOf, resolve
from pyshellhooks.host.openat import can_hold
from pyshellhooks.limits import Limits


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


def test_an_overlay_forgets_files_that_were_made_and_removed() -> None:
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
    fs = GatedFS(inner, gate, CancelScope(), Limits())
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
    fs = GatedFS(MemoryFS(), Gate(), CancelScope(), Limits(written=100_000, open_files=3))
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
    fs = GatedFS(MemoryFS(), Gate(), scope, Limits())
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


# --- what is swapped while a path is on its way -----------------------------------------------------------------------

SWAPPED: dict[str, Callable[[FileSystem], object]] = {
    "read": lambda fs: read(fs, "/d/f"),
    "read what was no link": lambda fs: read(fs, "/f"),
    "write": lambda fs: write(fs, "/d/f", b"EVIL"),
    "write what was no link": lambda fs: write(fs, "/f", b"EVIL"),
    "append": lambda fs: write(fs, "/d/f", b"EVIL", WR | os.O_APPEND),
    "create": lambda fs: write(fs, "/d/new", b"EVIL"),
    "stat": lambda fs: fs.stat("/d/f").st_size,
    "stat of what was no link": lambda fs: fs.stat("/f").st_size,
    "stat with a slash": lambda fs: fs.stat("/d/", follow=False).st_nlink,
    "stat of a link": lambda fs: fs.stat("/d/l", follow=False).st_size,
    "scandir": lambda fs: [entry.name for entry in fs.scandir("/d")],
    "scandir below": lambda fs: [entry.name for entry in fs.scandir("/d/sub")],
    "access": lambda fs: fs.access("/d/only", os.R_OK) and "EVIL",
    "readlink": lambda fs: fs.readlink("/d/l"),
    "mkdir": lambda fs: fs.mkdir("/d/new"),
    "mkfifo": lambda fs: fs.mkfifo("/d/new"),
    "unlink": lambda fs: fs.unlink("/d/f"),
    "rmdir": lambda fs: fs.rmdir("/d/empty"),
    "rename out": lambda fs: fs.rename("/g", "/d/f"),
    "rename in": lambda fs: fs.rename("/d/f", "/new"),
    "link": lambda fs: (fs.link("/d/f", "/new"), read(fs, "/new")),
    "link there": lambda fs: fs.link("/g", "/d/new"),
    "symlink": lambda fs: fs.symlink("g", "/d/new"),
    "chmod": lambda fs: fs.chmod("/d/f", 0o777),
    "chmod of what was no link": lambda fs: fs.chmod("/f", 0o777),
    "utime": lambda fs: fs.utime("/d/f", (1, 1)),
    "utime of what was no link": lambda fs: fs.utime("/f", (1, 1)),
    "utime of a link": lambda fs: fs.utime("/d/l", (1, 1), follow=False),
    "truncate": lambda fs: fs.truncate("/d/f", 0),
    "truncate what was no link": lambda fs: fs.truncate("/f", 0),
}  # fmt: skip

# what is below -> (its file system, given the directory of everything; what stands on it, given the one below and the root)
STANDS: dict[str, tuple[Callable[[], FileSystem], Callable[[FileSystem, str], FileSystem]]] = {
    "disk": (HostFS, Rooted),
    "disk, mounted": (HostFS, lambda fs, w: Rooted(MountFS(MemoryFS(), {"/m": Rooted(fs, w)}), "/m")),
    "disk, nested": (HostFS, lambda fs, w: Rooted(Rooted(fs, w[:-2]), "/w")),
    "disk with mounts": (HostFS, lambda fs, w: Rooted(MountFS(fs, {"/nowhere": MemoryFS()}), w)),
    "disk, read-only": (HostFS, lambda fs, w: Rooted(ReadOnly(fs), w)),
    "memory": (MemoryFS, Rooted),
    "memory, mounted": (MemoryFS, lambda fs, w: Rooted(MountFS(fs, {"/m": MemoryFS()}), w)),
    "overlay": (lambda: OverlayFS(MemoryFS()), Rooted),
}  # fmt: skip


def furnished(fs: FileSystem, top: str) -> None:
    """Make a root with a directory in it, and a directory beside the root with the same names and other contents."""
    for place, text in (("w/d", b"in"), ("out", b"S3CR3T")):
        fs.makedirs(f"{top}/{place}/sub/x" if place == "w/d" else f"{top}/{place}/sub/S3CR3T")
        fs.makedirs(f"{top}/{place}/empty")
        fs.write_bytes(f"{top}/{place}/f", text)
        fs.symlink("here" if place == "w/d" else "S3CR3T", f"{top}/{place}/l")
        fs.utime(f"{top}/{place}/f", (10**9, 10**9))
    fs.write_bytes(f"{top}/out/only", b"S3CR3T")
    for name in ("f", "g"):
        fs.write_bytes(f"{top}/w/{name}", b"EVIL")


def seen(fs: FileSystem, directory: str) -> list[object]:
    """Return all that there is to see below a directory."""
    found: list[object] = []
    for name in fs.listdir(directory):
        path = f"{directory}/{name}"
        facts = fs.stat(path, follow=False)
        found.append((name, facts.st_mode, facts.st_mtime_ns, facts.st_nlink))
        if stat.S_ISDIR(facts.st_mode):
            found.append(seen(fs, path))
        elif stat.S_ISREG(facts.st_mode):
            found.append(fs.read_bytes(path))
    return found


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", STANDS)
@pytest.mark.parametrize("what", SWAPPED)
def test_a_path_that_becomes_a_link_meanwhile_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, what: str
) -> None:
    """A background job of a script can swap a directory for a link between the look at a path and its use."""
    below, stand = STANDS[kind]
    if kind.startswith("disk") and not can_hold():
        pytest.skip("this system can't be asked for it (docs/sandboxed-shell.md)")
    lower = below()
    top = tmp_path.as_posix() if kind.startswith("disk") else "/top"
    furnished(lower, top)
    fs = stand(lower, f"{top}/w")
    before = seen(lower, f"{top}/out")
    swapped = []

    def resolved(path: str, link_of: LinkOf, follow: bool) -> str:
        found = resolve(path, link_of, follow)
        if not swapped:
            swapped.append(path)
            lower.rename(f"{top}/w/d", f"{top}/w/d2")
            lower.symlink(f"{top}/out", f"{top}/w/d")
            lower.rename(f"{top}/w/f", f"{top}/w/f2")
            lower.symlink(f"{top}/out/f", f"{top}/w/f")
        return found

    monkeypatch.setattr("pyshellhooks.fs.rooted.resolve", resolved)
    result: object = None
    try:
        result = SWAPPED[what](fs)
    except OSError as error:
        result = error.errno
    assert swapped
    assert "S3CR3T" not in str(result) and "EVIL" not in str(result)
    assert "stat" not in what or result in (errno.ELOOP, errno.ENOTDIR, errno.ENOENT)
    assert seen(lower, f"{top}/out") == before
