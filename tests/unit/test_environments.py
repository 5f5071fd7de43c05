"""The table of environments: each has one name and a proof, each has its turn, and one that can't be had is left out."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pwd")  # Windows has no users by number

from tests import debian_programs, environments
from tests.pytest_runs import Outcome

pytestmark = pytest.mark.not_on_windows("needs-tools")

NAMES = [environment.name for environment in environments.TABLE]


def test_names_are_unique_and_name_a_folder() -> None:
    assert len(NAMES) == len(set(NAMES)) and not [name for name in NAMES if os.sep in name or " " in name]


def test_each_has_a_proof() -> None:
    assert all(isinstance(ast.parse(one.proof, mode="eval"), ast.Expression) for one in environments.TABLE)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_numbers_that_follow_one_another_take_all(count: int) -> None:
    turns = [environments.in_turn(number, count) for number in range(700, 700 + len(NAMES))]
    taken = [environment.name for turn in turns for environment in turn]
    assert sorted(taken) == sorted(NAMES * count) and all(len(turn) == count for turn in turns)


@pytest.mark.parametrize(
    ("names", "ci", "status"), [("TZ nothing", "", 0), ("TZ nothing", "true", 1), ("nothing", "", 1)]
)
def test_one_that_can_t_be_had_is_left_out(
    names: str,
    ci: str,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It never passes: CI promises to have all, and a run of no test at all has shown nothing."""

    def ended(chosen: list[environments.Environment], *_: object) -> Iterator[environments.Ended]:
        for environment in chosen:
            missing = environment.name == "nothing"
            yield environment, debian_programs.Missing("there is none") if missing else Outcome(5, 2, 0, 1.0, ())

    monkeypatch.setattr(environments, "ended", ended)
    monkeypatch.setattr(environments, "end_on_sigterm", lambda: None)
    monkeypatch.setattr(sys, "argv", ["environments", *names.split(), "--work", str(tmp_path)])
    monkeypatch.setenv("CI", ci)
    assert environments.main() == status
    assert "nothing        left out: there is none\n" in capsys.readouterr().out


def test_a_python_that_is_nowhere_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    with pytest.raises(debian_programs.Missing, match=r"no Python 3\.1 here: `pyenv install 3\.1` adds it"):
        debian_programs.interpreter(tmp_path, "3.1")


CLOSINGS = {
    "5 passed, 2 skipped in 1.20s": (0, (5, 2, 0)),
    "FAILED tests/a.py::b - c\n=== 1 failed, 5 passed, 3 deselected, 1 error in 63.20s (0:01:03) ===": (1, (5, 0, 2)),
    "FAILED tests/a.py::b - c\n1 failed in 0.1s\nleft out: 3 tests": (1, (0, 0, 1)),
    "no tests ran in 0.01s": (5, (0, 0, 1)),
    "Killed": (-9, (0, 0, 1)),
    "5 passed in 0.1s\nERROR: internal": (3, (5, 0, 1)),
}  # fmt: skip


@pytest.mark.parametrize("text", CLOSINGS)
def test_closing_lines_are_read(text: str) -> None:
    status, counts = CLOSINGS[text]
    done = Outcome.read(text, status, 1.0)
    assert (done.passed, done.skipped, done.failed) == counts
    assert bool(done.failures) == bool(done.failed)


def test_the_reason_of_an_end_without_a_test_is_shown() -> None:
    done = Outcome.read("ERROR: file or directory not found: tests/x\n\nno tests ran in 0.01s\n", 4, 1.0)
    assert done.failures == ("pytest ended with status 4: ERROR: file or directory not found: tests/x",)
