"""Print the tests of the rooms that changed: ``python -m tests.changed``, which ``.ci/run --quick`` runs.

A change of a dialect's matcher may break only the engine's tests. So the tests of the rooms that import a changed room
directly run, too. They all took 130 seconds of CPU for ``hooks``, a minute on two cores. A room with more than ``FEW`` users
is an exception: the tests of all its users are nearly the whole quick tier.

A file has changed if it differs from the commit that ``origin/main`` and this checkout share (without a remote: from ``HEAD``),
files that git does not track yet included.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path, PurePosixPath

from tests.architecture.rooms import ORDER, room, room_imports, sources

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = ["tests/architecture/test_rooms.py", "tests/test_readme.py", "tests/test_ci.py"]
# Rooms without a folder of tests of their name.
ELSEWHERE = {
    "adapters": "tests/unit/agent",
    "analysis": "tests/unit/syntax",
    "cancel": "tests/unit/concurrency",
    "command": "tests/unit/utilities/test_all_flags.py",
    "expand": "tests/unit/interp",
    "pytest_plugin": "tests/unit/test_pytest_plugin.py",
    "regexes": "tests/unit/test_regexes.py",
    "streams": "tests/unit/host",
    "text": "tests/unit/test_text.py",
    "times": "tests/unit/utilities/test_date.py",
    "workers": "tests/unit/isolation",
}
FEW = 8
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
    changed = below[0].removesuffix(".py")
    users = users_of(changed)
    rooms = (changed, *users) if len(users) <= FEW else (changed,)
    return list(dict.fromkeys([CASES, *map(_tests_of_room, rooms)]))


@cache
def users_of(changed: str) -> tuple[str, ...]:
    """Return the rooms with a file that imports from a room directly, in the order of the house."""
    found = {room(path) for path in sources() if changed in {name for name, _ in room_imports(path)}}
    return tuple(name for name in ORDER if name in found)


def _tests_of_room(name: str) -> str:
    return ELSEWHERE.get(name, f"tests/unit/{name}")


def main() -> None:
    """Run the command above."""
    expected = {test for name in changed_files() for test in tests_of(PurePosixPath(name))}
    print(*sorted({*ALWAYS, *(test for test in expected if (ROOT / test).exists())}), sep="\n")


if __name__ == "__main__":
    main()
