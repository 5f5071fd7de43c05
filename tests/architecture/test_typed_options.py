"""mypy finds a misspelt option of ``HookEngine.load`` and ``discover``, and one of a wrong type."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from rooms import PACKAGE

pytestmark = pytest.mark.not_on_windows("same-everywhere")

PROGRAM = """\
from pyshellhooks.engine.engine import HookEngine
HookEngine.load("crush.json", strict=True, on_failure="closed", settings={"a": 1}, disabled=["x"])
HookEngine.discover(".", trust_project=True, spawn=False)
HookEngine.load("crush.json", stict=True)  # wrong
HookEngine.load("crush.json", strict="yes")  # wrong
HookEngine.discover(".", on_failur="closed")  # wrong
HookEngine.discover(".", spawn=1.5)  # wrong
"""


def test_mypy_knows_the_options(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    engine = [str(PACKAGE / "engine" / name) for name in ("engine.py", "options.py", "config/discovery.py")]
    # Following no imports keeps it to seconds; these files have what the call is checked against.
    flags = ["--follow-imports=skip", "--config-file=", "--cache-dir", str(tmp_path), "--python-version=3.11"]
    # In a process of its own: mypy raises the recursion limit of the one that it runs in.
    words = [*flags, "--disable-error-code=import-untyped", *engine, str(program)]
    done = subprocess.run([sys.executable, "-m", "mypy", *words], capture_output=True, text=True, check=False)
    out = done.stdout
    assert not done.stderr
    wrong = [number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# wrong")]
    told = [line for line in out.splitlines() if "program.py" in line and "error" in line]
    assert [int(line.split("program.py:")[1].split(":")[0]) for line in told] == wrong, out
    assert 'argument "stict"' in out and 'argument "on_failur"' in out
