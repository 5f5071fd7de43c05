"""Setups with one mistake each: our reports agree with the agent's own program, or are stricter and tell so.

``mishaps_*.toml`` holds the setups, ``mishaps_*.json`` whether the real program's guard stopped the call (version and date
are in its head; ``record_mishaps.py`` runs the program). A row's further keys:

``cause``  the reason why the guard is off, a key of ``CAUSES``; without it, the repository's own files
``check``  findings that ``check`` must report, such as ``error config-syntax``
``decided``  the decision by which ours is kinder: a heading of docs/contracts/README.md, and why. The row fails once it is not
``shipped``  the decision of the edition that answers as the program does
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import recorded, rotation
from tests.field import record_mishaps
from tests.field.mishap_reports import CAUSES, answers, findings_missing, kinder, look
from tests.field.mishap_table import AGENTS, FOLDER, Mishap, mishaps

ROWS = [row for system in AGENTS for row in mishaps(system)]
SHARE = 100  # a run asks the real program about one in so many rows
PROGRAMS = {"claude_code": "CLAUDE", "gemini": "GEMINI"}  # variables that name the real programs


def _id(row: Mishap) -> str:
    return f"{row.system}-{row}"


def test_there_are_enough() -> None:
    assert len(ROWS) >= 120


@pytest.mark.parametrize("system", AGENTS)
def test_each_setup_has_the_answer_of_the_program(system: str) -> None:
    table = recorded.read(FOLDER / f"mishaps_{system}.json")
    assert table["date"] and table["sh"] == "dash"
    expected = {str(row): row.digest for row in mishaps(system)}
    assert {one["id"]: one["setup"] for one in table["cases"]} == expected
    assert {one["answer"] for one in table["cases"]} <= {"passed", "blocked", "stopped"}


def test_each_cause_is_known() -> None:
    assert {row.demands.get("cause", "repository") for row in ROWS} == set(CAUSES)


def test_whatever_is_kinder_was_decided() -> None:
    """No row is kinder for another reason, and none of these calls a guard sound that the program passes by."""
    contracts = (FOLDER.parents[1] / "docs/contracts/README.md").read_text(encoding="utf-8")
    for row in ROWS:
        heading, colon, why = row.demands.get("decided", "").partition(": ")
        assert bool(why) == bool(heading) == bool(colon), row
        assert not heading or f"\n### {heading}\n" in contracts, row
        is_loud = answers(row.system)[str(row)]["answer"] != "passed" or row.demands.get("cause") == "run"
        assert is_loud or not heading, row


@pytest.mark.slow
@pytest.mark.skipif(Path("/bin/sh").resolve().name != "dash", reason="the program was recorded where sh is dash")
@pytest.mark.not_on_windows("needs-program")  # recorded on Linux, with dash
@pytest.mark.parametrize("row", [row for row in ROWS if "shipped" in row.demands], ids=_id)
def test_the_shipped_edition_answers_as_the_program_does(row: Mishap, tmp_path: Path) -> None:
    report = look(row, tmp_path, edition="shipped")
    assert (report.decision, answers(row.system)[str(row)]["answer"]) == (row.demands["shipped"], "blocked")


@pytest.mark.one_in(12, slow=3)
@pytest.mark.not_on_windows("needs-program")  # recorded on Linux, with dash
@pytest.mark.parametrize("row", ROWS, ids=_id)
def test_reports_are_no_kinder_than_the_program(row: Mishap, tmp_path: Path) -> None:
    report = look(row, tmp_path)
    answer = answers(row.system)[str(row)]["answer"]
    faults = [*kinder(row, answer, report), *findings_missing(row, report)]
    if "decided" in row.demands:
        assert faults, f"it is no longer kinder: remove decided = {row.demands['decided']!r}"
    else:
        assert not faults, report


@pytest.mark.slow
@pytest.mark.parametrize("system", AGENTS)
def test_the_program_answers_as_recorded(system: str) -> None:
    program = os.environ.get(PROGRAMS[system])
    if not program:
        pytest.skip(f"{PROGRAMS[system]} names no program")
    version = record_mishaps.version(system, program)
    if version != recorded.read(FOLDER / f"mishaps_{system}.json")["version"]:
        pytest.skip(f"{version} is not the version that was recorded")
    expected = answers(system)
    for row in mishaps(system)[rotation.first(SHARE) :: SHARE]:
        found = record_mishaps.ask(system, program, row)
        assert found == expected[str(row)]
