"""The guard matrix: what happens when a guard is off, cell by cell, and that the mend mends it (docs/guards.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshellhooks import dialects
from tests.contract.guard_matrix import document, faults_outside, faults_trust  # noqa: F401 - the latter two add to FAULTS
from tests.contract.guard_matrix.bench import Bench
from tests.contract.guard_matrix.expectations import CELLS, COLUMNS, ROWS, Row
from tests.contract.guard_matrix.faults import FAULTS, LIMITS, limit
from tests.contract.guard_matrix.judge import denies, passes, problem, spoken
from tests.contract.guard_matrix.systems import EVENTS

TESTS = [
    pytest.param(row, variant, system, id="-".join(filter(None, (row.id, variant, system))))
    for row in ROWS.values()
    for variant in row.variants or [""]
    for system in EVENTS
    if row.events(system)
]


def test_every_event_that_can_be_denied_is_here() -> None:
    """The tables and the matrix know the same events, and the same about what a deny of theirs holds back."""
    known = {
        (name, row.native): row.guards
        for name in dialects.names()
        for row in dialects.get(name).events.values()
        if row.guards
    }
    assert known == {(event.system, event.native): event.guards for events in EVENTS.values() for event in events}


def test_every_row_has_a_fault_and_every_cell_an_expectation() -> None:
    assert {*FAULTS, "limit"} == set(ROWS)
    assert ROWS["limit"].variants == list(LIMITS)
    for row in ROWS.values():
        cells = [row.cell(event, column) for events in EVENTS.values() for event in events for column in COLUMNS]
        assert set(cells) <= set(CELLS) and row.source


@pytest.mark.not_on_windows("needs-program")  # many faults are those of files that Unix starts
@pytest.mark.one_in(6, slow=6)
@pytest.mark.timeout(120)  # some fire a hundred events, and wait for timeouts
@pytest.mark.parametrize(("row", "variant", "system"), TESTS)
def test_cells(tmp_path: Path, row: Row, variant: str, system: str) -> None:
    wrong = []
    for column in COLUMNS:
        strict = column == "strict"
        bench = Bench(system, tmp_path / column, row.events(system))
        steps = (limit(variant) if row.id == "limit" else FAULTS[row.id])(bench)
        next(steps)
        for event, outcome in bench.outcomes(strict).items():
            said = problem(bench, row, variant, event, row.cell(event, column), outcome)
            if said:
                wrong.append(f"{event.name}, {column}: {said}")
        next(steps, None)  # the mend
        for good in (False, True):
            for event, outcome in bench.outcomes(strict, good).items():
                if not (passes if good else denies)(outcome):
                    wrong.append(f"{event.name}, {column}, mended, {'good' if good else 'bad'}: {spoken(outcome)}")
    assert not wrong, "\n".join(line[:2000] for line in wrong)


def test_the_page_is_written_from_the_expectations() -> None:
    assert document.FILE.read_text(encoding="utf-8") == document.text(), "python -m tests.contract.guard_matrix --write"
