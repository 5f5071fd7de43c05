"""What scripts have changed: as a list, and as a patch that git reads."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks import Change, MemoryFS, OverlayFS, Session, Shell
from pyshellhooks.fs.rooted import Rooted

FILES = {
    "/w/a": "one\ntwo\nthree\n",
    "/w/sub/b": "no end",
    "/w/bin": b"\0\1",
    "/w/with space": "q\n",
    "/w/empty": "",
    "/w/ü\t": "u\n",
}

# A script, and what has changed after it.
CHANGES = [
    ("cat /w/*; ls -R /w; touch -r /w/a /w/a", []),
    ("echo four >> /w/a", [("modify", "/w/a")]),
    ("echo x > /w/a; printf 'one\\ntwo\\nthree\\n' > /w/a", []),
    ("rm /w/a", [("delete", "/w/a")]),
    ("rm -r /w/sub", [("delete", "/w/sub"), ("delete", "/w/sub/b")]),
    ("mkdir /w/n; echo x > /w/n/f", [("create", "/w/n"), ("create", "/w/n/f")]),
    ("mv /w/a /w/c", [("delete", "/w/a"), ("create", "/w/c")]),
    ("ln -s a /w/l", [("create", "/w/l")]),
    ("rm /w/a; ln -s b /w/a", [("modify", "/w/a")]),
    ("chmod +x /w/a", [("modify", "/w/a")]),
    ("echo x > /tmp/t; rm /tmp/t", []),
    ("echo x > /tmp/t", [("create", "/tmp/t")]),
]


@pytest.mark.parametrize(("script", "expected"), CHANGES, ids=[row[0] for row in CHANGES])
def test_files_in_memory_against_those_given(script: str, expected: list[tuple[str, str]]) -> None:
    session = Shell(fs=MemoryFS(FILES), env={}).session()
    session.run(script)
    assert session.changes() == [Change(kind, path) for kind, path in expected]


def test_a_part_and_mounts(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"f\n")
    session = Shell.sandbox({"/d/x": "1\n"}, overlay={"/w": tmp_path}, read_only={"/r": tmp_path}).session()
    assert session.changes() == [] and session.diff() == ""
    session.run("echo 2 >> /d/x; rm /w/f; echo n > /w/n; echo no > /r/f")
    assert session.changes() == [Change("modify", "/d/x"), Change("delete", "/w/f"), Change("create", "/w/n")]
    memory = MemoryFS({"/in/x": "1", "/out": "1"})
    part = Shell(fs=Rooted(memory, "/in"), env={}).session()
    part.run("echo 2 > /x")
    memory.write_text("/out", "2")
    assert part.changes() == [Change("modify", "/x")]
    assert part.diff().splitlines()[0] == "diff --git a/x b/x"


EDITS = r"""
cd /w; printf '0\n' > t; cat a >> t; mv t a; printf 'still no end' > sub/b; chmod +x 'with space'; rm empty; echo new > 'n w'; mkdir -p d/e
printf 'x' > d/e/f; ln -s a link; printf 'tab\t"quoted" \\\n' > 'q"\'; echo more >> $'ü\t'; seq 100 > long; : > nothing; rm sub/c; ln -s b sub/c
"""


def _edited(fs: MemoryFS) -> Session:
    session = Shell(fs=fs, env={}).session()
    result = session.run(EDITS)
    assert result.ok, result.report()
    return session


@pytest.mark.not_on_windows("needs-name")
@pytest.mark.oracle
def test_git_makes_the_same_files_of_the_patch(tmp_path: Path, program: Callable[[str], str]) -> None:
    files = {**FILES, "/w/sub/c": "a file\n"}
    for name, content in files.items():
        path = tmp_path / name[1:]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    session = _edited(MemoryFS(files))
    done = subprocess.run(
        [program("git"), "apply", "-"], input=session.diff().encode(), cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode() + session.diff()
    assert _listed(tmp_path / "w") == _seen(session, "/w")


def _listed(top: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = (path.read_bytes(), bool(path.stat().st_mode & 0o100))
    return found


def _seen(session: Session, top: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in session.run('find "$1" ! -type d -print0', top).stdout.decode().rstrip("\0").split("\0"):
        name = path[len(top) + 1 :]
        status = session.fs.stat(path, follow=False)
        if status.st_mode & 0o170000 == 0o120000:
            found[name] = session.fs.readlink(path)
        else:
            found[name] = (session.fs.read_bytes(path), bool(status.st_mode & 0o100))
    return found


def test_binary_changes_are_only_mentioned() -> None:
    session = Shell(fs=OverlayFS(MemoryFS(FILES)), env={}).session()
    session.run("printf '\\0\\2' > /w/bin")
    assert session.diff() == "diff --git a/w/bin b/w/bin\nBinary files a/w/bin and b/w/bin differ\n"
