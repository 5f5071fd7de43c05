"""What a session's file system adds to the contract: one workspace under two names, and what is mounted in it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from test_filesystem import code_of, read, write

from pyshellhooks import Shell
from pyshellhooks.fs import MemoryFS, Rooted
from pyshellhooks.fs.base import FileSystem
from pyshellhooks.fs.host import HostFS
from pyshellhooks.fs.session import SessionFS


def test_a_session_has_one_workspace_under_two_names() -> None:
    fs = SessionFS()
    write(fs, "/workspace/a", b"one")
    fs.mkdir("/d")
    write(fs, "/d/b", b"two")
    assert (read(fs, "/a"), read(fs, "/workspace/d/b")) == (b"one", b"two")
    assert os.path.samestat(fs.stat("/a"), fs.stat("/workspace/a"))
    fs.rename("/workspace/a", "/d/c")
    assert read(fs, "/workspace/d/c") == b"one"
    assert {e.name for e in fs.scandir("/workspace")} == {"d"}
    assert {e.name for e in fs.scandir("/")} == {"d", "workspace", "tmp", "home", "dev"}
    write(fs, "/tmp/t", b"")
    fs.mkdir("/workspace/tmp")
    assert not fs.exists("/workspace/tmp/t") and {e.name for e in fs.scandir("/home")} == {"agent"}
    fs.rename("/tmp/t", "/workspace/t")
    assert fs.exists("/t")
    assert [code_of(fs.rmdir, path) for path in ("/", "/workspace/", "/tmp", "/home/../dev")] == [errno.EBUSY] * 4
    assert [code_of(fs.mkdir, path) for path in ("/workspace", "/tmp")] == [errno.EEXIST] * 2
    assert fs.host_path("/workspace/d") is None


def test_mounts_of_a_session_are_at_their_places(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"host")
    (tmp_path / "f").chmod(0o600)
    folder = Rooted(HostFS(), tmp_path.as_posix())
    fs = SessionFS(
        {"/workspace": folder, "/workspace/lib": MemoryFS({"/l": b"lib"}), "/tmp/in": MemoryFS({"/m": b"m"})}
    )
    assert read(fs, "/workspace/f") == read(fs, "/f") == b"host"
    assert read(fs, "/lib/l") == read(fs, "/workspace/lib/l") == b"lib"
    assert read(fs, "/tmp/in/m") == b"m"
    write(fs, "/workspace/new", b"x")
    write(fs, "/tmp/new", b"x")
    assert code_of(fs.rename, "/tmp/new", "/workspace/tmp-new") == errno.EXDEV
    fs.chmod("/f", 0o777)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f", "new"]
    assert fs.access("/f", os.X_OK) and fs.host_path("/workspace/f") is None
    if os.name == "posix":
        assert (tmp_path / "f").stat().st_mode & 0o777 == 0o600  # the host's own bits are not touched
        (tmp_path / "out").symlink_to("/etc")
        assert not fs.exists("/workspace/out/passwd")  # a link counts from the session's root


def test_scripts_are_always_executable_and_no_native_program_is_found() -> None:
    fs = SessionFS()
    write(fs, "/workspace/s.sh", b"echo ran $1")
    shell = Shell(fs=fs, cwd="/workspace", env={"PATH": "/usr/bin:/bin"})
    script = "./s.sh a; umask 777; echo x > f; cat f; chmod 000 s.sh; /s.sh b; ln -s f l 2>&1; cargo --version 2>/dev/null; echo $?"
    done = shell.run(script)
    lines = done.stdout.decode().splitlines()
    assert lines[:3] == ["ran a", "x", "ran b"] and "not permitted" in lines[3] and lines[4] == "127"


@pytest.mark.parametrize("mounts", [{}, {"/workspace": MemoryFS()}], ids=["memory", "mounted"])
def test_mv_between_the_workspace_and_tmp(mounts: dict[str, FileSystem]) -> None:
    fs = SessionFS(mounts)
    done = Shell(fs=fs, cwd="/workspace", env={}).run(
        "echo a > f && mv f /tmp/g && cat /tmp/g && ls f; cd /tmp && pwd && cd .. && pwd"
    )
    assert done.stdout == b"a\n/tmp\n/\n", done.stderr
