"""The checks of CI name things that exist."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / ".ci" / "run"
SCRIPTS = (CI, ROOT / ".ci" / "windows-records")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no execute bit")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_it_can_be_run(script: Path) -> None:
    assert script.stat().st_mode & stat.S_IXUSR


@pytest.mark.oracle
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_it_parses(program: Callable[[str], str], script: Path) -> None:
    done = subprocess.run([program("bash"), "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_paths_in_it_exist() -> None:
    text = CI.read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w./-])(?:tests|\.ci|conformance)/[\w./-]+", text))
    assert named and [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_extras_named_on_the_readme_exist() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = set(re.findall(r"'\.\[(\w+)\]'", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert extras == {"re2", "test"}
    assert all(re.search(rf"^{extra} = \[", project, re.MULTILINE) for extra in extras)
