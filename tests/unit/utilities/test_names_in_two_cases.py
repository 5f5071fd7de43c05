"""``mv Foo foo`` renames a file where the disk ignores case (Windows, macOS); GNU coreutils 9.1, mv."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.utilities.support.same_file import differ_in_case


@pytest.mark.parametrize(
    ("path", "other", "expected"),
    [
        ("/a/Foo", "/a/foo", True),
        ("/a/Grüße", "/a/GRÜSSE", True),
        ("/a/e\N{COMBINING ACUTE ACCENT}", "/a/\N{LATIN SMALL LETTER E WITH ACUTE}", True),
        ("/a/foo", "/a/foo", False),
        ("/a/foo", "/b/Foo", False),
        ("/a/foo", "/a/fob", False),
    ],
)
def test_spellings(path: str, other: str, expected: bool) -> None:
    fs = MemoryFS({"/a/file": b"", "/b/file": b""})
    assert differ_in_case(fs, path, fs.stat("/a/file"), other) is expected


def test_hard_links_are_two_names() -> None:
    fs = MemoryFS({"/a/Foo": b""})
    fs.link("/a/Foo", "/a/foo")
    assert not differ_in_case(fs, "/a/Foo", fs.stat("/a/Foo"), "/a/foo")
    run = Shell(fs=fs, cwd="/a").run("mv Foo foo")
    assert run.stderr == b"mv: 'Foo' and 'foo' are the same file\n"


@pytest.mark.skipif(sys.platform not in ("win32", "darwin"), reason="the disk distinguishes case")
def test_mv(tmp_path: Path) -> None:
    (tmp_path / "Foo").write_bytes(b"x")
    (tmp_path / "Src").mkdir()
    run = Shell(cwd=str(tmp_path)).run("mv Foo foo && mv Src src")
    names = sorted(name.lower() for name in os.listdir(tmp_path))  # Wine's rename keeps the old spelling
    assert (run.stderr, run.status, names) == (b"", 0, ["foo", "src"])
