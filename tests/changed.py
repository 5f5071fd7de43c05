"""Print the tests of the rooms that changed: ``python -m tests.changed``, which ``.ci/run --quick`` runs.

A file has changed if it differs from the commit that ``origin/main`` and this checkout share (without a remote: from ``HEAD``),
files that git does not track yet included.
"""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = ["tests/architecture/test_rooms.py", "tests/test_readme.py", "tests/test_ci.py"]
# Rooms without a folder of tests of their name.
ELSEWHERE = {
    "adapters": "tests/unit/agent",
    "command": "tests/unit/utilities/test_all_flags.py",
    "expand": "tests/unit/interp",
    "streams": "tests/unit/host",
    "times": "tests/unit/utilities/test_date.py",
    "workers": "tests/unit/isolation",
}
CASES = "tests/unit/conformance/test_conformance_cases.py"


def changed_files() -> list[str]:
    """Return the paths that differ, relative to the root."""
    base = _git("merge-base", "HEAD", "origin/main").strip() or "HEAD"
    return [*_git("diff", "--name-only", base).splitlines(), *_git("ls-files", "-o", "--exclude-standard").splitlines()]


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def tests_of(path: PurePosixPath) -> list[str]:
    """Return the files and folders of tests that prove one file."""
    top, *below = path.parts
    if top == "tests":
        if path.name.startswith("test_") and path.suffix == ".py":
            return [str(path)]
        return [str(path.parent)] if len(below) > 1 else []
    if top == "conformance":
        return [CASES, "tests/unit/conformance"]
    if top != "pyshellhooks" or not below:
        return []
    room = below[0].removesuffix(".py")
    return [CASES, ELSEWHERE.get(room, f"tests/unit/{room}")]


def main() -> None:
    """Run the command above."""
    wanted = {test for name in changed_files() for test in tests_of(PurePosixPath(name))}
    print(*sorted({*ALWAYS, *(test for test in wanted if (ROOT / test).exists())}), sep="\n")


if __name__ == "__main__":
    main()
