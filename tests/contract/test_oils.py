"""Oils' spec tests: no case that once passed fails again.

The corpus is not part of the repository: where it lies beside it (``../shared/spec``) its cases run, each in our shell,
in an empty directory of its own. oils_cases.toml says by file and number which have passed, and why the others do not.

Root sees a few cases differently (it may write everywhere), and this interpreter may be one that nobody else can start:
as root the tests run as root, without those cases.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.record_oils import load

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT.parent / "shared" / "spec"
SHARDS = 16  # of files; each takes a second or two, many times as much on a machine that is busy
ATTEMPTS = 2  # more, for cases with a clock in them (``timeout 0.5``) on a machine that is busy
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not (SPEC / "spec.py").is_file(), reason="Oils' spec tests do not lie beside this repository"),
    pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the harness needs a POSIX system"),
]

PASSES, FAILS, USER = load()


def run(files: list[str], target: Path) -> dict[str, dict[str, object]]:
    """Run the cases of some files; gives the results by id."""
    driver = [sys.executable, str(ROOT / "tests" / "contract" / "oils_driver.py")]
    command = [
        *(sys.executable, str(SPEC / "spec.py"), "oils", str(SPEC / "corpora" / "oils")),
        *("--relevant", str(SPEC / "relevant.txt"), "--batch", " ".join(driver), "--json", str(target)),
        *("--sh", f"/usr/bin/env PYTHONPATH={ROOT} {sys.executable} -m pyshellhooks sh"),
        *("-q", "-j", "2", "--timeout", "60", "--uid", str(os.geteuid() and 65534)),
        *(word for file in files for word in ("--only", file)),
    ]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env, cwd=target.parent)
    assert done.returncode == 0, done.stderr
    return {case["id"]: case for case in json.loads(target.read_text(encoding="utf-8"))["cases"]}


def shown(case: dict[str, object]) -> str:
    """Say what a case printed and what was expected."""
    return "\n".join(f"  {key}: {case[key]!r}" for key in ("want", "status", "stdout", "stderr") if key in case)


@pytest.mark.one_in(4, slow=4)
@pytest.mark.parametrize("shard", range(SHARDS))
def test_rows_that_passed_still_pass(shard: int, tmp_path: Path) -> None:
    files = sorted(PASSES)[shard::SHARDS]
    results = run(files, tmp_path / "result.json")
    expected = {f"{file}#{number}" for file in files for number in PASSES[file]} - set(USER if AS_ROOT else ())
    assert expected and expected <= results.keys()
    failed = {name for name in expected if results[name]["result"] != "pass"}
    for attempt in range(ATTEMPTS):
        if not failed:
            break
        results = run(sorted({name.partition("#")[0] for name in failed}), tmp_path / f"again{attempt}.json")
        failed = {name for name in failed if results[name]["result"] != "pass"}
    assert not failed, "\n".join(f"{name}\n{shown(results[name])}" for name in sorted(failed))


def test_the_score_is_that_of_the_issue() -> None:
    """95.5 % of the relevant cases is the gate; every other case has a reason."""
    passed = sum(map(len, PASSES.values()))
    assert passed / (passed + len(FAILS)) >= 0.955
    assert not [name for name, why in FAILS.items() if not why]
    assert not {f"{file}#{n}" for file, found in PASSES.items() for n in found} & FAILS.keys()
