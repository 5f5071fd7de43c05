"""Run the tests that failed once more, alone: ``python -m tests.once_more [PYTEST ARGUMENT]...``.

CI calls it after a run with failed tests. The status is 0 when all of them pass alone, and then they are *flaky*: their
names are appended to the file that ``FLAKY`` names, and CI prints them at its end. A race in the tests of guards
is a fault of the product, so the tests of ``NEVER_EXCUSED`` stay failed. pytest takes a test that passes off its
record, so a test that is still there did not run: its name has changed, and that is no pass.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.pytest_runs import Outcome

ROOT = Path(__file__).resolve().parent.parent
FAILED = ROOT / os.environ.get("CACHE", ".pytest_cache") / "v" / "cache" / "lastfailed"
MOST = 3
NEVER_EXCUSED = ("tests/contract/", "tests/hostile/", "tests/property/", "tests/unit/engine/", "tests/unit/resident/")


def inexcusable(tests: Iterable[str]) -> list[str]:
    """Return the tests that may not fail even once: those of the folders above, and of trust."""
    return [test for test in tests if test.startswith(NEVER_EXCUSED) or "trust" in test.partition("::")[0]]


def recorded() -> list[str]:
    """Return the tests that pytest has on record as failed."""
    return sorted(json.loads(FAILED.read_text(encoding="utf-8"))) if FAILED.exists() else []


def main(arguments: list[str]) -> int:
    """Run the command above."""
    failed = recorded()
    if not failed:
        print("once more: no failed test is on record, so the failure is another")
        return 1
    guards = inexcusable(failed)
    if guards:
        print("once more: a race in these is a fault of the product:", *guards, sep="\n  ")
        return 1
    if len(failed) > MOST:
        print(f"once more: {len(failed)} tests failed, more than {MOST}")
        return 1
    files = sorted({test.partition("::")[0] for test in failed})
    command = [sys.executable, "-m", "pytest", "-q", "-m", "", "--last-failed", *arguments, *files]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", errors="replace", check=False)
    print(done.stdout, end="")
    status = done.returncode
    if status == 0 and Outcome.read(done.stdout, status, 0.0).skipped:
        print("once more: a test that is skipped has not passed")
        return 1
    if status == 0 and (missing := set(failed).intersection(recorded())):
        print("once more: these did not run:", *sorted(missing), sep="\n  ")
        return 1
    if status == 0:
        with open(os.environ.get("FLAKY", os.devnull), "a", encoding="utf-8") as file:
            file.writelines(f"{test}\n" for test in failed)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
