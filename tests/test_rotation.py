"""A part of a table: every row has its turn, and who names the number gets the same rows again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import rotation

pytestmark = pytest.mark.not_on_windows("needs-tools")

FAILING = """
import pytest
from rotation import sample

@pytest.mark.parametrize("row", sample(range(100), 10))
def test_row(row):
    assert row < 0
"""


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv(rotation.VARIABLE, "")
    monkeypatch.delenv(rotation.VARIABLE)
    return monkeypatch


def test_a_usual_run_takes_the_same_rows(unset: pytest.MonkeyPatch) -> None:
    assert rotation.decide() == "0"


@pytest.mark.parametrize("step", [1, 7, 131])
def test_each_row_has_its_turn_once(step: int, unset: pytest.MonkeyPatch) -> None:
    table = list(range(1000))
    taken: list[int] = []
    for number in range(5000, 5000 + step):
        unset.setenv(rotation.VARIABLE, str(number))
        taken += rotation.sample(table, step)
    assert sorted(taken) == table


def test_two_samples_of_one_table_differ(unset: pytest.MonkeyPatch) -> None:
    unset.setenv(rotation.VARIABLE, "12")
    assert list(rotation.sample(range(20), 10)) == [2, 12] and list(rotation.sample(range(20), 10, 5)) == [7, 17]


def test_the_number_is_the_commit_s_and_stays(unset: pytest.MonkeyPatch) -> None:
    unset.setenv(rotation.VARIABLE, "commit")
    unset.setattr(rotation, "_of_the_commit", lambda: 77)
    assert rotation.decide() == "77"
    unset.setattr(rotation, "_of_the_commit", lambda: 78)
    assert rotation.decide() == "77"


def test_without_git_it_is_the_day_s(unset: pytest.MonkeyPatch) -> None:
    unset.setenv(rotation.VARIABLE, "commit")
    unset.setattr(rotation, "_of_the_commit", lambda: 0)
    assert int(rotation.decide()) > 739_000


@pytest.mark.slow
def test_workers_collect_the_same_rows_and_a_failure_names_the_number(
    unset: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    unset.setenv(rotation.VARIABLE, "commit")
    tests = Path(rotation.__file__).parent
    (tmp_path / "conftest.py").write_text(
        f"import sys\nsys.path[:0] = [{str(tests)!r}, {str(tests.parent)!r}]\n"
        f"exec(compile(open({str(tests / 'conftest.py')!r}).read(), 'conftest.py', 'exec'))\n",
        encoding="utf-8",
    )
    (tmp_path / "test_rows.py").write_text(FAILING, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        "test_rows.py",
    ]
    both = [
        subprocess.run([*command, *more], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        for more in ([], ["-n", "2"])
    ]
    for said in both:
        assert "10 failed" in said, said
    number = rotation.decide()
    assert int(number) > 0
    assert all(f"{rotation.VARIABLE}={number} python -m pytest 'test_rows.py::test_row[" in said for said in both), both
