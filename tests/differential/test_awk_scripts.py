"""Our awk against gawk, in the embedded shell and in bash: the conformance cases asked anew, and more scripts."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from conformance.case import ShellCase, load
from pyshellhooks import Shell
from tests import oracles

HERE = Path(__file__).parent
CASES = HERE.parents[1] / "conformance" / "cases" / "utilities"
ENV = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": "/"}
SCRIPTS = (HERE / "awk_scripts.txt").read_text(encoding="utf-8").split("\n--\n")[1:]
OF_AWK = [case for case in load(sorted(CASES.glob("awk_*.toml"))) if isinstance(case, ShellCase) and not case.virtual]
RECORDED = [case.script for case in OF_AWK if "/awk-" in case.id]


def gawk_in(directory: Path) -> dict[str, str]:
    """Return an environment in which awk is gawk, whatever the machine's alternative is."""
    oracles.need("bash", "grep", "sed", "sort", "cat", "wc", path=ENV["PATH"])
    (directory / "awk").symlink_to(oracles.find("gawk", ENV["PATH"]))
    return ENV | {"PATH": f"{directory}:{ENV['PATH']}"}


@pytest.mark.oracle
@pytest.mark.parametrize("script", RECORDED + SCRIPTS, ids=lambda script: script[:50].encode("unicode_escape").decode())
def test_same_as_gawk(script: str, tmp_path: Path) -> None:
    bin_dir, theirs, ours = tmp_path / "bin", tmp_path / "theirs", tmp_path / "ours"
    for directory in (bin_dir, theirs, ours):
        directory.mkdir()
    env = gawk_in(bin_dir)
    real = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        cwd=theirs,
        env=env,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    result = Shell(cwd=str(ours), env=ENV).run(script, stdin=b"", timeout=60)
    assert (result.status, result.stdout) == (real.returncode, real.stdout)
    files = {path.name: path.read_bytes() for path in theirs.iterdir() if path.is_file()}
    assert {path.name: path.read_bytes() for path in ours.iterdir() if path.is_file()} == files
