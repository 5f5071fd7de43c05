"""Whatever jq is given, it ends in time and lets other threads run. The whole table: ``HOSTILE_JQ=all pytest ...``."""

from __future__ import annotations

import os
import time

import pytest
from clock import patient
from hostile_jq import Cell, cells
from hostile_jq_inputs import LARGEST, READ_AT_ONCE
from jq_stalls import HELD, LATE, least
from rotation import sample

pytestmark = [
    pytest.mark.not_on_windows("needs-sandbox"),
    pytest.mark.usefixtures("alone"),
    pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="the CPU clock of a thread is POSIX's"),
]

TIMEOUT = 0.5
TABLE = cells()
# Of either size every so many cells: a prime, so that each input and each family has its turn.
STEP = 1 if os.environ.get("HOSTILE_JQ") == "all" else 29
CHOSEN = [(cell, READ_AT_ONCE) for cell in sample(TABLE, STEP)] + [
    (cell, LARGEST) for cell in sample(TABLE, STEP, STEP // 2)
]


def _name(value: object) -> str:
    text = value.name[:60] if isinstance(value, Cell) else str(value)
    return text.encode("ascii", "backslashreplace").decode()


@pytest.mark.one_in(3, slow=3)
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("program", "given"),
    [("length", "empty arrays"), (". * . | length", "object"), ("length", "pairs")],
)
def test_a_value_that_is_read_whole_lets_other_threads_run(program: str, given: str) -> None:
    """With more time than any of the table: the largest values are there in the end."""
    fared = least(Cell(f"{program} on {given}", ("-c", program), given), 60.0, LARGEST)
    assert not fared.ended.startswith("!"), fared.line()
    assert fared.held < patient(HELD), fared.line()


def test_the_table_is_large_enough() -> None:
    assert len(TABLE) >= 1300
    assert len({cell.name for cell in TABLE}) == len(TABLE)


@pytest.mark.parametrize(("cell", "size"), CHOSEN, ids=_name)
def test_it_ends_in_time_and_lets_others_run(cell: Cell, size: int) -> None:
    fared = least(cell, TIMEOUT, size)
    assert not fared.ended.startswith("!"), fared.line()
    assert fared.seconds < patient(TIMEOUT + LATE), fared.line()
    assert fared.held < patient(HELD), fared.line()
