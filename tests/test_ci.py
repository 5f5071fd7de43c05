"""The checks of CI name things that exist."""

from __future__ import annotations

import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from tests import changed

pytestmark = pytest.mark.not_on_windows("needs-tools")

ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / ".ci" / "run"
SCRIPTS = (CI, ROOT / ".ci" / "windows-records")


@pytest.mark.not_on_windows("needs-mode")
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


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        # The engine matches by the matchers of a dialect: a fault in one may break only the engine's tests.
        ("pyshellhooks/dialects/claude_code/matcher.py", {"tests/unit/dialects", "tests/unit/engine"}),
        ("pyshellhooks/analysis/bash_only.py", {"tests/unit/syntax", "tests/unit/engine", "tests/unit/dialects"}),
        ("pyshellhooks/cli/sh.py", {"tests/unit/cli"}),
        ("tests/unit/engine/test_sessions.py", {"tests/unit/engine/test_sessions.py"}),
        ("docs/index.md", set()),
    ],
)
def test_a_change_runs_the_tests_of_its_room_and_of_the_rooms_that_import_it(file: str, tests: set[str]) -> None:
    assert tests <= set(changed.tests_of(PurePosixPath(file)))
    assert tests or changed.tests_of(PurePosixPath(file)) == []


def test_a_change_of_a_room_that_all_use_runs_its_own_tests() -> None:
    assert len(changed.users_of("errors")) > changed.FEW
    assert "tests/unit/engine" not in changed.tests_of(PurePosixPath("pyshellhooks/errors.py"))


def test_rooms_without_a_folder_of_tests_have_tests() -> None:
    assert [path for path in changed.ELSEWHERE.values() if not (ROOT / path).exists()] == []
