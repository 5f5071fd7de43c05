"""Whatever JSON an event is fired with or answered by, other threads run meanwhile, and a deny stays one.

The whole table takes an hour: ``HOSTILE_JSON=all pytest ...``.
"""

from __future__ import annotations

import os
import re
import time

import pytest
from clock import patient
from jq_stalls import HELD
from large_json import LARGEST, SYSTEMS, Cell, cells, least
from rotation import sample

from pyshellhooks import dialects
from pyshellhooks.hooks import fields, output
from pyshellhooks.jsontext import chunked_writer, chunks, compact, recover, skeleton

pytestmark = pytest.mark.not_on_windows("needs-sandbox")

TABLE = cells()
IS_WHOLE = os.environ.get("HOSTILE_JSON") == "all"
# Every so many cells: primes, so that each system, place and shape has its turn.
LARGE_ONES = sample(TABLE, 1 if IS_WHOLE else 1201, 100)
SMALL_ONES = sample(TABLE, 7 if IS_WHOLE else 431)
SIZE = compact.LARGE + 100_000
# The time of the event, and the name of its session.
_ITS_OWN = re.compile(
    rb'(?<="timestamp":)\d{13}|"\d{4}-\d\d-\d\dT[^"]{,30}"|"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"'
)


def _name(cell: Cell) -> str:
    return cell.name


def test_the_table_is_large_enough() -> None:
    assert set(SYSTEMS) == set(dialects.names())
    assert len(TABLE) >= 3000
    assert len({cell.name for cell in TABLE}) == len(TABLE)


@pytest.mark.one_in(3, slow=3)
@pytest.mark.usefixtures("alone")
@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="the CPU clock of a thread is POSIX's")
@pytest.mark.parametrize("cell", LARGE_ONES, ids=_name)
def test_it_lets_others_run(cell: Cell) -> None:
    fared = least(cell, LARGEST)
    assert not fared.is_wrong, fared.line()
    assert fared.held < patient(HELD), fared.line()


@pytest.mark.parametrize("cell", SMALL_ONES, ids=_name)
def test_answers_are_the_same_without_the_treatment_of_large_json(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _seen(cell)
    for module in (compact, chunks, output, fields, skeleton, recover, chunked_writer):
        monkeypatch.setattr(module, "LARGE", 1 << 40)
    for module in (compact, chunks):
        monkeypatch.setattr(module, "MANY", 1 << 40)
    assert (found == _seen(cell)) is True  # no comparison of megabytes in the report


def _seen(cell: Cell) -> object:
    verdict, executor = cell.fire(cell.given(SIZE))
    told = [(_ITS_OWN.sub(b"", job.stdin), [*job.env]) for job in executor.jobs]
    said = {name: getattr(verdict, name) for name in ("decision", "halt", "reason", "context", "effects", "notices")}
    assert not cell.denies or said["decision"] == "deny"
    return told, said, verdict.faults, verdict.updated_input_text
