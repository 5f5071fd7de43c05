"""Sessions of an agent: ours end as the agent's own program ends them, or differ as listed, stricter and with a notice.

``matrix_*.toml`` holds the sessions, ``matrix_*.json`` their outcome in the real program (version and date are in its
head; ``record_matrix.py`` runs the program). A difference has its reason in the row's ``because``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import recorded, rotation
from tests.field import record_matrix
from tests.field.matrix_play import answers, differing, play, untold
from tests.field.matrix_table import EDITIONS, FOLDER, Session, sessions
from tests.field.record_mishaps import version
from tests.field.test_mishaps import PROGRAMS

ROWS = [(row, edition) for system in EDITIONS for edition in EDITIONS[system] for row in sessions(system)]
OF_UNIX = {"handler-args": pytest.mark.not_on_windows("needs-program")}  # rows whose hooks name a program of Unix
PARAMETERS = [
    pytest.param(
        row, edition, id=f"{row}-{edition}", marks=[mark for name, mark in OF_UNIX.items() if name in str(row)]
    )
    for row, edition in ROWS
]
SHARE = 25  # a run asks the real program about one in so many rows
NOT_FACTS = ("in", "because", "kinder", "untold")


@pytest.mark.parametrize("system", EDITIONS)
def test_each_session_has_the_outcome_of_the_program(system: str) -> None:
    table = recorded.read(FOLDER / f"matrix_{system}.json")
    assert table["date"]
    assert {one["id"]: one["setup"] for one in table["cases"]} == {str(row): row.digest for row in sessions(system)}


@pytest.mark.parametrize("system", EDITIONS)
def test_each_difference_has_its_reason(system: str) -> None:
    listed = [one for row in sessions(system) for one in row.ours]
    assert all(one["because"] and set(one["in"]) <= set(EDITIONS[system]) for one in listed)


@pytest.mark.one_in(6, slow=2)
@pytest.mark.parametrize(("row", "edition"), PARAMETERS)
def test_sessions_end_as_in_the_program_or_as_listed(row: Session, edition: str, tmp_path: Path) -> None:
    expected, listed = answers(row.system)[str(row)], row.difference(edition)
    outcome = play(row, edition, tmp_path)
    facts = {name: value for name, value in listed.items() if name not in NOT_FACTS}
    assert differing(expected, outcome.facts) == facts
    # ``kinder`` and ``untold`` are listed for as long as it is so.
    assert bool(list(untold(expected, outcome))) == ("kinder" in listed or "untold" in listed), outcome


@pytest.mark.slow
@pytest.mark.parametrize("system", EDITIONS)
def test_the_program_ends_as_recorded(system: str) -> None:
    program = os.environ.get(PROGRAMS[system])
    if not program:
        pytest.skip(f"{PROGRAMS[system]} names no program")
    if version(system, program) != recorded.read(FOLDER / f"matrix_{system}.json")["version"]:
        pytest.skip("it is not the version that was recorded")
    expected = answers(system)
    for row in sessions(system)[rotation.first(SHARE) :: SHARE]:
        assert record_matrix.ask(system, program, row) == expected[str(row)]
