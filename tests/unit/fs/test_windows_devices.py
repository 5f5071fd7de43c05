"""Devices of Linux that Windows lacks exist for scripts there: ``/dev/zero``, ``/dev/full``, ``/dev/urandom``."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from pyshellhooks import Shell
from pyshellhooks.fs.base import READ, WRITE
from pyshellhooks.fs.windows import WindowsFS

FS = WindowsFS()  # these need nothing of the system, so every system runs this


def test_reading() -> None:
    assert FS.open("/dev/zero", READ).read(3) == b"\0\0\0"
    for name in ("random", "urandom"):
        first, second = (FS.open(f"/dev/{name}", READ).read(16) for _ in range(2))
        assert len(first) == len(second) == 16 and first != second


def test_writing() -> None:
    FS.open("/dev/zero", WRITE).write(b"x")
    with pytest.raises(OSError) as caught:
        FS.open("/dev/full", WRITE).write(b"x")
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize("name", ["zero", "full", "random", "urandom"])
def test_facts(name: str) -> None:
    path = f"/dev/{name}"
    assert stat.S_ISCHR(FS.stat(path).st_mode) and stat.S_ISCHR(FS.stat(path, follow=False).st_mode)
    assert FS.access(path, os.R_OK | os.W_OK) and not FS.access(path, os.X_OK)
    assert FS.exists(path)


def test_scripts() -> None:
    run = Shell().run("head -c 4 /dev/urandom | wc -c; head -c 3 < /dev/zero | od -An -c; [ -c /dev/zero ] && echo yes")
    assert (run.stdout.split(), run.stderr) == ([b"4", b"\\0", b"\\0", b"\\0", b"yes"], b"")
