"""Tables of what bash 5.2.15 answered to scripts, and how they are replayed on the embedded shell.

A table is ``tables/NAME.json`` beside a test file: bash's version, and cases of ``script``, ``stdout`` and ``status``.
``python tests/unit/interp/bash_tables.py TABLE…`` records the answers of this machine's bash anew into its tables.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ENV = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
Case = dict[str, Any]


def load(directory: Path, *names: str) -> list[Case]:
    """Give the cases of tables."""
    cases: list[Case] = []
    for name in names:
        table = json.loads((directory / "tables" / f"{name}.json").read_text(encoding="ascii"))
        cases.extend(table["cases"])
    return cases


def label(case: Case) -> str:
    """Name a case in pytest's output."""
    return str(case["script"]).encode("unicode_escape").decode()[:70]


def ours(script: str) -> Case:
    """Run a script in memory, without processes."""
    from pyshellhooks import MemoryFS, Shell

    fs = MemoryFS(
        {"/w/": b"", "/tmp/": b"", "/usr/bin/": b"", "/bin/": b"", "/etc/passwd": b"root:x:0:0::/root:/bin/sh\n"}
    )
    result = Shell(spawn=False, fs=fs, cwd="/w", env=ENV).run(script, timeout=10)
    assert result.ended.kind == "exited", result
    return {"stdout": result.stdout.decode("utf-8", "surrogateescape"), "status": result.status}


def bash(program: str, script: str) -> Case:
    """Run a script in real bash."""
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run(
            ["bash", "-c", script],
            executable=program,
            cwd=directory,
            env=ENV,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
        )
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return {"stdout": done.stdout.decode("utf-8", "surrogateescape"), "status": status}


def replay(case: Case) -> None:
    """Compare our answer with what is recorded."""
    assert ours(case["script"]) == {"stdout": case["stdout"], "status": case["status"]}


def outdated(program: str, cases: list[Case]) -> list[Case]:
    """Give the cases that a real bash answers otherwise than recorded, three times over: a loaded machine may lose a race."""
    return [
        case
        for case in cases
        if all({"script": case["script"], **bash(program, case["script"])} != case for _ in range(3))
    ]


def write(path: Path, cases: list[Case]) -> None:
    """Write a table, a case a line."""
    version = subprocess.run(["bash", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    lines = ",\n".join(json.dumps(case) for case in cases)
    path.write_text(f'{{"version": {json.dumps(version)}, "cases": [\n{lines}\n]}}\n', encoding="ascii")


def record(path: Path) -> None:
    """Record a table anew."""
    cases = json.loads(path.read_text(encoding="ascii"))["cases"]
    write(path, [{"script": case["script"], **bash(shutil.which("bash") or "bash", case["script"])} for case in cases])


if __name__ == "__main__":
    os.umask(0o022)
    for argument in sys.argv[1:]:
        record(Path(argument))
