"""Names of devices on Windows are no files (decisions paths on Windows); nothing waits for a serial port or the console."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks import Shell
from pyshellhooks.fs.base import CREATE, READ, WRITE
from pyshellhooks.fs.windows import WindowsFS
from pyshellhooks.host import current

FS = WindowsFS()  # the name is refused before the system sees it, so every system runs this

NEW: dict[str, Callable[[str], object]] = {
    "open": lambda path: FS.open(path, WRITE | CREATE),
    "mkdir": FS.mkdir,
    "rename": lambda path: FS.rename("C:/none", path),
    "link": lambda path: FS.link("C:/none", path),
    "symlink": lambda path: FS.symlink("none", path),
}
OLD: dict[str, Callable[[str], object]] = {
    "open": lambda path: FS.open(path, READ),
    "stat": FS.stat,
    "unlink": FS.unlink,
    "scandir": FS.scandir,
    "rename": lambda path: FS.rename(path, "C:/none"),
}
windows_only = pytest.mark.skipif(not current().windows, reason="elsewhere they are names of files")


@pytest.mark.parametrize("act", NEW)
@pytest.mark.parametrize("path", ["C:/none/aux.txt", "C:/none/NUL", "C:/none/com1 "])
def test_no_file_gets_the_name(act: str, path: str) -> None:
    with pytest.raises(OSError) as caught:
        NEW[act](path)
    assert caught.value.errno == errno.EINVAL


@pytest.mark.parametrize("act", OLD)
@pytest.mark.parametrize("path", ["C:/none/aux.txt", "C:/none/NUL", "C:/none/com1 "])
def test_no_file_has_the_name(act: str, path: str) -> None:
    with pytest.raises(OSError) as caught:
        OLD[act](path)
    assert caught.value.errno == errno.ENOENT


@windows_only
@pytest.mark.parametrize("name", ["aux.txt", "con", "nul", "lpt1.log", "conin$"])
def test_a_script_does_not_wait(tmp_path: Path, name: str) -> None:
    shell = Shell(cwd=str(tmp_path))
    run = shell.run(f"cat '{name}'", timeout=5)
    assert (run.status, run.stderr.endswith(b": No such file or directory\n")) == (1, True)
    assert shell.run(f"echo x > '{name}'", timeout=5).status == 1
    assert shell.run(f"[ -e '{name}' ]", timeout=5).status == 1
    assert os.listdir(tmp_path) == []


@windows_only
def test_the_null_device_has_one_name() -> None:
    assert Shell().run("echo x > /dev/null; cat /dev/null; [ -e /dev/null ]").status == 0
