"""Whatever the shell and its utilities are given, they end in time. The whole table: ``HOSTILE_STALLS=all pytest ...``, or
``python tests/hostile/stalls.py``. A usual run takes a part (tests/rotation.py)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import pytest
from rotation import first, sample
from stall_cells import Cell, cells
from stall_scripts import BUILTINS
from stall_utilities import UTILITIES
from stalls import TIMEOUT, fare

from pyshellhooks.builtins import _index as builtins
from pyshellhooks.utilities import _index as utilities

pytestmark = pytest.mark.not_on_windows("needs-sandbox")

TABLE = cells()
IS_WHOLE = os.environ.get("HOSTILE_STALLS") == "all"
STEP = 1 if IS_WHOLE else 131  # a prime, so that each input and each family has its turn


def test_everything_has_a_row() -> None:
    assert set(UTILITIES) == set(utilities.INDEX)
    assert set(BUILTINS) == set(builtins.INDEX)
    assert len(TABLE) >= 5000


@pytest.mark.timeout(4 * 3600 if IS_WHOLE else 300)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures through Linux's /proc")
def test_it_ends_in_time_within_its_memory_and_lets_others_run() -> None:
    chosen: Sequence[Cell] = sample(TABLE, STEP)
    bad = [f"{cell.name}: {'; '.join(faults)}" for cell, fared in fare(chosen) if (faults := fared.faults(TIMEOUT))]
    again = f"python tests/hostile/stalls.py --every {STEP} --first {first(STEP)}"
    assert not bad, "\n".join([*bad, f"again: {again}"])
