"""A chain of detached programs with emptied environments: gone after a timeout, alive after a normal end (docs/shell.md)."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from clock import patient

from pyshellhooks import Shell
from pyshellhooks.workers import isolation

FLEE = """
import os, subprocess, sys, time
directory, links = sys.argv[1], int(sys.argv[2])
if links:
    detached = {"creationflags": 0x208} if os.name == "nt" else {"start_new_session": True}
    environment = {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
    null = subprocess.DEVNULL
    command = [sys.executable, sys.argv[0], directory, str(links - 1)]
    subprocess.Popen(command, env=environment, stdin=null, stdout=null, stderr=null, **detached)
while not links and not os.path.exists(os.path.join(directory, "over")):
    with open(os.path.join(directory, "beat"), "ab") as file:
        file.write(b".")
    time.sleep(0.02)
"""

# On macOS, and in a thread on Linux, such a process can't be told from a stranger.
ISOLATIONS = {"win32": ("thread", "process"), "linux": ("process",)}.get(sys.platform, ())


def beats(directory: Path) -> int:
    return (directory / "beat").stat().st_size if (directory / "beat").exists() else 0


@pytest.mark.slow
@pytest.mark.parametrize("end", ["timeout", "normal"])
@pytest.mark.parametrize("kind", ISOLATIONS)
def test_processes_that_fled(kind: str, end: str, tmp_path: Path) -> None:
    (tmp_path / "flee.py").write_text(FLEE)
    words = [Path(sys.executable).as_posix(), (tmp_path / "flee.py").as_posix(), tmp_path.as_posix(), "2"]
    command = " ".join(f"'{word}'" for word in words)
    shell = Shell(isolation=kind, env=dict(os.environ), cwd=tmp_path.as_posix())
    try:
        if end == "normal":
            assert shell.run(f"{command}; until [ -s beat ]; do sleep 0.02; done", timeout=60).status == 0
        else:
            seconds = 2.0
            while not beats(tmp_path) and seconds < 40:  # the machine may be busy
                assert shell.run(f"{command}; while :; do sleep 0.02; done", timeout=seconds).ended.kind == "stopped"
                seconds *= 2
        before = beats(tmp_path)
        assert before
        time.sleep(patient(0.5))
        assert (beats(tmp_path) > before) == (end == "normal")
    finally:
        (tmp_path / "over").touch()
        isolation.pool.close()
        time.sleep(0.1)
