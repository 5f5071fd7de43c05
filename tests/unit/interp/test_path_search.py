"""PATH leads to files of the script's own file system, whatever the host has under the same names."""

from __future__ import annotations

import os
from pathlib import Path

from pyshellhooks import MemoryFS, OverlayFS, Rooted, Shell
from pyshellhooks.fs.host import HostFS

PROGRAM, SUFFIX = ("cmd", ".exe") if os.name == "nt" else ("perl", "")


def program(directory: Path) -> dict[str, str]:
    """Put a program into a directory of the disk; give an environment whose PATH leads there."""
    file = directory / f"{PROGRAM}{SUFFIX}"
    file.write_bytes(b"#!/bin/sh\n")
    file.chmod(0o755)
    return {"PATH": directory.as_posix()}


def test_a_script_on_path_is_found_in_memory() -> None:
    shell = Shell(fs=MemoryFS(), env={"PATH": "/tools:/bin"}, spawn=False)
    result = shell.run("mkdir /tools; echo 'echo ours $1' > /tools/own; chmod +x /tools/own; own x; command -v own")
    assert result.stdout == b"ours x\n/tools/own\n"


def test_programs_of_the_host_are_not_seen_where_the_disk_is_not(tmp_path: Path) -> None:
    env = program(tmp_path)
    (tmp_path / "within").mkdir()
    for fs in (MemoryFS(), Rooted(HostFS(), (tmp_path / "within").as_posix())):
        assert Shell(fs=fs, env=env, cwd="/").run(f"command -v {PROGRAM}").stdout == b""


def test_programs_of_the_host_are_seen_where_the_disk_is(tmp_path: Path) -> None:
    env = program(tmp_path)
    for fs in (None, OverlayFS(HostFS())):
        seen = Shell(fs=fs, env=env, cwd=tmp_path.as_posix()).run(f"command -v {PROGRAM}").stdout
        assert seen.decode().strip() == f"{tmp_path.as_posix()}/{PROGRAM}{SUFFIX}"
